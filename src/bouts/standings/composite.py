"""The headline composite: success, execution and cost over all completed runs of an agent.

Everything is exact but the standard deviation, which is irrational; the composite is still rounded exactly, as the
side of a half on which it lies is decided on the square.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from bouts.model.base import Fact
from bouts.model.run import Run
from bouts.policy.headline import CompositeTable
from bouts.scoring import interpolate
from bouts.scoring.exact import HUNDRED, ZERO, exact, mean, show, stored
from bouts.standings.cohort import completed, outcome
from bouts.standings.roots import Rooted

_ONE = Fraction(1)
_PLACES = 6


class Composite(Fact):
    """The composite with all that goes into it."""

    value: float | None
    """0–100, rounded half up; `null` where there is no completed run, or none of the inputs is known."""
    provisional: bool
    """Whether an input is not known, so that its weight went to the others."""
    because: str
    formula: str
    runs: int
    """Completed runs."""
    successes: int
    success: float | None
    """Successful over completed runs, 0–1."""
    mean_latency_ms: float | None
    latency: float | None
    """Score of the mean latency, 0–1; `null` where the latency of a run is not known."""
    consistency: float | None
    """0–1; neutral below the number of runs that it needs."""
    execution: float | None
    """Latency times consistency, 0–1."""
    mean_cost_usd: float | None
    cost: float | None
    """Score of the mean cost, 0–1; `null` where the cost of a run is not known."""


def composite(runs: Iterable[Run], table: CompositeTable) -> Composite:
    """The composite of one agent's runs."""
    cohort = completed(runs)
    latencies, costs = _known([run.latency_ms for run in cohort]), _known([run.cost_usd for run in cohort])
    successes = sum(1 for run in cohort if outcome(run))
    latency = None if latencies is None else interpolate.score(table.latency, _mean(latencies)) / HUNDRED
    steady = None if latencies is None else consistency(latencies, table)
    execution = None if latency is None or steady is None else steady.times(latency)
    cost = None if costs is None else interpolate.score(table.cost, _mean(costs)) / HUNDRED
    success = Fraction(successes, len(cohort)) if cohort else None
    value = _value(success, execution, cost, table)
    return Composite(
        value=None if value is None else float(value),
        provisional=bool(cohort) and (execution is None or cost is None) and successes > 0,
        because=_because(cohort, successes, execution, cost),
        formula=_formula(success, execution, cost, value, table),
        runs=len(cohort),
        successes=successes,
        success=None if success is None else stored(success),
        mean_latency_ms=None if latencies is None else stored(_mean(latencies)),
        latency=None if latency is None else stored(latency),
        consistency=_stored(steady),
        execution=_stored(execution),
        mean_cost_usd=None if costs is None else stored(_mean(costs)),
        cost=None if cost is None else stored(cost),
    )


def consistency(latencies: Sequence[Fraction], table: CompositeTable) -> Rooted:
    """max(0, 1 − standard deviation / mean), population form; neutral below the number of runs that it needs."""
    if len(latencies) < table.consistency_runs:
        return Rooted(exact(table.neutral_consistency))
    middle = _mean(latencies)
    if not middle:
        return Rooted(_ONE)
    variance = _mean([(latency - middle) ** 2 for latency in latencies])
    ratio = variance / (middle * middle)
    return Rooted(ZERO) if ratio >= 1 else Rooted(_ONE, ratio)


def _value(
    success: Fraction | None, execution: Rooted | None, cost: Fraction | None, table: CompositeTable
) -> Fraction | None:
    if success is None:
        return None
    if not success:
        return exact(table.without_success)
    weights = table.weights
    total, live = exact(weights.success) * success, exact(weights.success)
    if cost is not None:
        total, live = total + exact(weights.cost) * cost, live + exact(weights.cost)
    rooted = Rooted(total)
    if execution is not None:
        live += exact(weights.execution)
        rooted = execution.times(exact(weights.execution)).plus(total)
    whole = sum((exact(share) for share in (weights.success, weights.execution, weights.cost)), ZERO)
    return rooted.times(HUNDRED * whole / live).half_up(table.decimals) if live else None


def _known(values: Sequence[float | None]) -> list[Fraction] | None:
    """The values, or `None` where there are none or one of them is not known: what is kept back may be the worst."""
    rows = [exact(value) for value in values if value is not None]
    return rows if rows and len(rows) == len(values) else None


def _mean(values: Sequence[Fraction]) -> Fraction:
    return mean(values) or ZERO


def _stored(value: Rooted | None) -> float | None:
    return None if value is None else float(value.half_up(_PLACES))


def _because(cohort: Sequence[Run], successes: int, execution: Rooted | None, cost: Fraction | None) -> str:
    if not cohort:
        return "There is no completed run."
    text = f"{successes} of {len(cohort)} completed runs succeeded."
    if not successes:
        return f"{text} Without a success the composite is 0, whatever the runs cost or how fast they were."
    unknown = [name for name, value in (("latency", execution), ("cost", cost)) if value is None]
    if unknown:
        names = " and ".join(unknown)
        return f"{text} Provisional: the {names} of some runs is not known, so its weight went to the other inputs."
    return text


def _formula(
    success: Fraction | None,
    execution: Rooted | None,
    cost: Fraction | None,
    value: Fraction | None,
    table: CompositeTable,
) -> str:
    if not success or value is None:
        return "" if value is None else show(value)
    weights = table.weights
    known = [
        (weights.success, success),
        (weights.execution, None if execution is None else execution.half_up(_PLACES)),
        (weights.cost, cost),
    ]
    terms = " + ".join(f"{show(weight, 4)}·{show(score, 4)}" for weight, score in known if score is not None)
    missing = sum((exact(weight) for weight, score in known if score is None), ZERO)
    over = f"/{show(sum((exact(w) for w, _ in known), ZERO) - missing, 4)}" if missing else ""
    return f"100·({terms}){over} = {show(value, table.decimals)}"
