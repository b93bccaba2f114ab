"""What is particular to `headline`: composite, radar and repeatability, never blended."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

from bouts.policy.headline import Headline
from bouts.render.methodology import examples
from bouts.render.methodology.markdown import section, table, text
from bouts.scoring import interpolate
from bouts.scoring.exact import HUNDRED, exact, half_up, show

_MANY, _GOOD, _LATENCY, _COST = 8, 6, 3500, "0.03"
"""The example's cohort: completed runs, successes, mean latency, mean cost."""
_CONSISTENCY = "0.8"
_TASK = (5, 3)


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
    table_, weights = policy.composite, policy.composite.weights
    success = Fraction(_GOOD, _MANY)
    latency = interpolate.score(table_.latency, exact(_LATENCY)) / HUNDRED
    cost = interpolate.score(table_.cost, Fraction(_COST)) / HUNDRED
    execution = latency * Fraction(_CONSISTENCY)
    formula, share = examples.mean(weights.model_dump(), {"success": success, "execution": execution, "cost": cost})
    assert share is not None
    total = half_up(HUNDRED * share, table_.decimals)
    return [
        *text(
            f"*Example*: {_GOOD} of {_MANY} completed runs succeeded, mean latency {_LATENCY} {table_.latency.unit}, "
            f"consistency {_CONSISTENCY}, mean cost {_COST} {table_.cost.unit}. Success {show(success)}; execution "
            f"{show(latency)}·{_CONSISTENCY} = {show(execution, 4)}; cost {show(cost)}. As shares of 1: {formula}, "
            "so the "
            f"composite is **{show(total, table_.decimals)}**.",
            f"Where no completed run succeeded it is exactly {show(table_.without_success)}, however fast and cheap "
            "the runs "
            "were. The other direction does not hold: one success in very many runs can round to the same.",
            "Consistency is max(0, 1 − standard deviation / mean) of the latencies, in the form for a whole "
            "population, from "
            f"{table_.consistency_runs} completed runs on; below that it is {show(table_.neutral_consistency)}.",
        ),
        *examples.anchors(table_.latency, table_.cost),
    ]


def _radar(policy: Headline) -> list[str]:
    radar = policy.radar
    weights = radar.weights.model_dump()
    dropped = {
        name: (None if name == "latency" else score) for name, score in zip(weights, (90, 0, 70, 60, 80), strict=True)
    }
    formula, _ = examples.mean(weights, dropped)
    rates = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
    rows = [(show(rate), show(HUNDRED * abs(2 * rate - 1))) for rate in rates]
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
        assert good == comb(c, k)
        rows.append(
            (str(k), f"{good} of {len(draws)} draws of {k} are all successes", show(Fraction(good, len(draws)), 4))
        )
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
