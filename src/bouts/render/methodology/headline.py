"""What is particular to `headline`: composite, radar and repeatability, never blended."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from bouts.model.run import Run
from bouts.policy.headline import Headline
from bouts.render.methodology import examples
from bouts.render.methodology.markdown import section, table, text
from bouts.scoring.exact import ZERO, show
from bouts.standings.composite import composite
from bouts.standings.radar import radar as measured
from bouts.standings.repeatability import pass_k

_LATENCIES = (2800, 4200) * 4
_COST, _GOOD = 0.03, 6
"""The example's cohort: latency of each completed run, cost of each, successes."""
_TASK, _TRIES = (5, 3), 4


def body(policy: Headline) -> list[str]:
    """The page between its head and the tables of formulas, rulings and numbers."""
    return [
        *section("What it scores", _what(policy)),
        *section("Composite", _composite(policy)),
        *section("Fitness radar", _radar(policy)),
        *section("Repeatability", _repeatability(policy)),
    ]


def _what(policy: Headline) -> list[str]:
    return text(
        "All completed runs of an agent together, never one card by itself. A run that the infrastructure kept from "
        "completing "
        "is not among them; an agent's own failure or time-out is a completed, unsuccessful run. The three views "
        "below answer "
        "three questions and are never blended into one number."
    )


def _composite(policy: Headline) -> list[str]:
    numbers = policy.composite
    runs = [_run("a", n < _GOOD, latency_ms=ms, cost_usd=_COST) for n, ms in enumerate(_LATENCIES)]
    made = composite(runs, numbers)
    low, high = min(_LATENCIES), max(_LATENCIES)
    return [
        *text(
            f"*Example*: {made.successes} of {made.runs} completed runs succeeded, half of them took {low} and half "
            f"{high} {numbers.latency.unit}, each cost {show(_COST)} {numbers.cost.unit}. Success "
            f"{_number(made.success)}. The mean latency is {_number(made.mean_latency_ms)} and the standard deviation "
            f"{show(Fraction(high - low, 2))}, so latency is {_number(made.latency)}, consistency "
            f"{_number(made.consistency)}, and execution {_number(made.latency)}·{_number(made.consistency)} = "
            f"{_number(made.execution)}; cost {_number(made.cost)}. {made.formula}: the composite "
            f"is **{show(made.value or ZERO, numbers.decimals)}**.",
            f"Where no completed run succeeded it is exactly {show(numbers.without_success)}, however fast and cheap "
            "the runs were. The other direction does not hold: one success in very many runs can round to the same.",
            "Consistency is max(0, 1 − standard deviation / mean) of the latencies, in the form for a whole "
            f"population, from {numbers.consistency_runs} completed runs on; below that it is "
            f"{show(numbers.neutral_consistency)}. Nothing is rounded but the composite itself.",
            "A completed run whose outcome is not known is no success. Where the latency, or the cost, of any "
            "completed run is not known, that part has no score: its weight goes to the others in proportion, and the "
            "composite is provisional.",
        ),
        *examples.anchors(numbers.latency, numbers.cost),
    ]


def _run(task: str, success: bool, latency_ms: float | None = None, cost_usd: float | None = None) -> Run:
    return Run(task=task, ended=0, status="completed", success=success, latency_ms=latency_ms, cost_usd=cost_usd)


def _number(value: float | None) -> str:
    return "none" if value is None else show(value, 4)


def _radar(policy: Headline) -> list[str]:
    radar = policy.radar
    weights = radar.weights.model_dump()
    dropped = {
        name: (None if name == "latency" else score) for name, score in zip(weights, (90, 0, 70, 60, 80), strict=True)
    }
    formula, _ = examples.mean(weights, dropped)
    rows: list[tuple[str, str]] = []
    for good in range(_TRIES + 1):
        axes = {axis.key: axis for axis in measured([_run("a", n < good) for n in range(_TRIES)], radar).axes}
        rows.append((show(Fraction(good, _TRIES)), _number(axes["robustness"].value)))
    return [
        *text(
            f"Five axes over the latest {radar.runs} runs that completed, failed or ran out of time. An axis "
            "without a value "
            "is none, never 0: latency below "
            f"{radar.latency_runs} runs (the median itself is still shown), tool efficiency with no steps recorded, "
            "robustness "
            f"with no task of {radar.robustness_outcomes} outcomes or more. A viewer's weights never move the "
            "composite.",
            f"*Example* of a view with no latency axis: {formula}.",
            "Latency, cost and steps are the medians over the runs that tell them, the mean of the middle two where "
            "their number is even; correctness and robustness leave out runs whose outcome is not known.",
        ),
        *examples.anchors(radar.steps),
        *text(
            "*Robustness of one task* by the share of its outcomes that passed: a task that always fails is "
            "predictable, too."
        ),
        *table(("share passed", "robustness"), rows),
    ]


def _repeatability(policy: Headline) -> list[str]:
    numbers = policy.repeatability
    n, c = _TASK
    rows: list[tuple[str, str, str]] = []
    for k in numbers.levels:
        draws = list(combinations(range(n), k))
        good = sum(1 for draw in draws if all(i < c for i in draw))
        rows.append((str(k), f"{good} of {len(draws)} draws of {k} are all successes", show(pass_k(n, c, k), 4)))
    return [
        *text(
            f"pass^k is the chance that k runs of a task, drawn from its outcomes, all succeeded. *Example*, {c} "
            "successes in "
            f"{n} outcomes, by counting the draws:"
        ),
        *table(("k", "counted", "pass^k"), rows),
        *text(
            f"Tasks with fewer than {numbers.outcomes} outcomes stay out; with fewer successes than k a task gives "
            "0; the "
            "aggregate is the plain mean over tasks, shown with the number of tasks that have fewer outcomes than k."
        ),
    ]
