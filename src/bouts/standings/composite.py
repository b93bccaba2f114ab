"""The headline composite: success, execution and cost over all completed runs of an agent.

Everything is exact but the standard deviation, which is irrational; the composite is still rounded exactly, as the
side of a half on which it lies is decided on the square.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from bouts.model.base import Fact
from bouts.model.run import Run
from bouts.model.tallied import Spread, Totals
from bouts.policy.headline import CompositeTable
from bouts.scoring import interpolate
from bouts.scoring.exact import HUNDRED, ONE, PLACES, ZERO, add, dot, exact, less, mean, show, stored
from bouts.standings.cohort import completed, outcome
from bouts.standings.roots import Rooted


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


class Cohort(NamedTuple):
    """All that the composite takes from an agent's completed runs."""

    runs: int
    successes: int
    latency: tuple[Fraction, Fraction] | None
    """Mean in milliseconds and variance, population form; `None` where the latency of a run is not known."""
    cost: Fraction | None
    """Mean in US dollars; `None` where the cost of a run is not known."""


def composite(runs: Iterable[Run], table: CompositeTable) -> Composite:
    """The composite of one agent's runs."""
    rows = completed(runs)
    latencies, costs = _known([run.latency_ms for run in rows]), _known([run.cost_usd for run in rows])
    latency = None
    if latencies is not None:
        middle = _mean(latencies)
        latency = middle, _mean([(value - middle) ** 2 for value in latencies])
    successes = sum(1 for run in rows if outcome(run))
    return _composite(Cohort(len(rows), successes, latency, None if costs is None else _mean(costs)), table)


def composite_of_totals(totals: Totals, table: CompositeTable) -> Composite:
    """The same from an agent's totals alone: equal to the last digit, however many runs they are of."""
    return _composite(cohort_of(totals.completed, totals.successes, totals.latency, totals.cost), table)


def cohort_of(runs: int, successes: int, latency: Spread, cost: Spread) -> Cohort:
    """The cohort of so many completed runs, from the spreads of those that say their latency and cost."""
    middle, variance = latency.mean, latency.variance
    timed = (middle, variance) if middle is not None and variance is not None and latency.count == runs else None
    return Cohort(runs, successes, timed, cost.mean if cost.count == runs else None)


def _composite(cohort: Cohort, table: CompositeTable) -> Composite:
    value, parts = _parts(cohort, table)
    execution, cost = _rounded(parts.execution), parts.cost
    return Composite(
        value=None if value is None else float(value),
        provisional=bool(cohort.runs) and (execution is None or cost is None) and cohort.successes > 0,
        because=_because(cohort, execution, cost),
        formula=_formula(parts.success, execution, cost, value, table),
        runs=cohort.runs,
        successes=cohort.successes,
        success=_stored(parts.success),
        mean_latency_ms=None if cohort.latency is None else stored(cohort.latency[0]),
        latency=_stored(parts.latency),
        consistency=_stored(_rounded(parts.steady)),
        execution=_stored(execution),
        mean_cost_usd=_stored(cohort.cost),
        cost=_stored(cost),
    )


def composite_value(cohort: Cohort, table: CompositeTable) -> Fraction | None:
    """The composite of a cohort, 0–100; `None` where there is none. See `Composite.value`."""
    return _parts(cohort, table)[0]


class _Inputs(NamedTuple):
    success: Fraction | None
    latency: Fraction | None
    steady: Rooted | None
    execution: Rooted | None
    cost: Fraction | None


def _parts(cohort: Cohort, table: CompositeTable) -> tuple[Fraction | None, _Inputs]:
    latency = None if cohort.latency is None else interpolate.score(table.latency, cohort.latency[0]) / HUNDRED
    steady = None if cohort.latency is None else consistency(cohort.runs, *cohort.latency, table)
    execution = None if latency is None or steady is None else steady.times(latency)
    cost = None if cohort.cost is None else interpolate.score(table.cost, cohort.cost) / HUNDRED
    success = Fraction(cohort.successes, cohort.runs) if cohort.runs else None
    return _value(success, execution, cost, table), _Inputs(success, latency, steady, execution, cost)


def consistency(runs: int, mean_ms: Fraction, variance: Fraction, table: CompositeTable) -> Rooted:
    """max(0, 1 − standard deviation / mean), population form; neutral below the number of runs that it needs."""
    if runs < table.consistency_runs:
        return Rooted(exact(table.neutral_consistency))
    if not mean_ms:
        return Rooted(ONE)
    ratio = variance / (mean_ms * mean_ms)
    return Rooted(ONE, ratio) if less(ratio, ONE) else Rooted(ZERO)


def _value(
    success: Fraction | None, execution: Rooted | None, cost: Fraction | None, table: CompositeTable
) -> Fraction | None:
    if success is None:
        return None
    if not success:
        return exact(table.without_success)
    weights = table.weights
    of_success, of_execution, of_cost, whole = _shares(weights.success, weights.execution, weights.cost)
    total = Rooted(dot((of_success, of_cost), (success, cost)))
    missing = of_cost if cost is None else ZERO
    if execution is None:
        missing += of_execution
    else:
        total = execution.times(of_execution).plus(total.rational)
    live = whole - missing
    if not live:
        return None
    return total.times(HUNDRED * whole / live if missing else HUNDRED).half_up(table.decimals)


@lru_cache(maxsize=64)
def _shares(success: float, execution: float, cost: float) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The weights and their sum."""
    rows = exact(success), exact(execution), exact(cost)
    return (*rows, add(rows))


def _known(values: Sequence[float | None]) -> list[Fraction] | None:
    """The values, or `None` where there are none or one of them is not known: what is kept back may be the worst."""
    rows = [exact(value) for value in values if value is not None]
    return rows if rows and len(rows) == len(values) else None


def _mean(values: Sequence[Fraction]) -> Fraction:
    return mean(values) or ZERO


def _rounded(value: Rooted | None) -> Fraction | None:
    return None if value is None else value.half_up(PLACES)


def _stored(value: Fraction | None) -> float | None:
    return None if value is None else stored(value)


def _because(cohort: Cohort, execution: Fraction | None, cost: Fraction | None) -> str:
    if not cohort.runs:
        return "There is no completed run."
    text = f"{cohort.successes} of {cohort.runs} completed runs succeeded."
    if not cohort.successes:
        return f"{text} Without a success the composite is 0, whatever the runs cost or how fast they were."
    unknown = [name for name, value in (("latency", execution), ("cost", cost)) if value is None]
    if unknown:
        names = " and ".join(unknown)
        return f"{text} Provisional: the {names} of some runs is not known, so its weight went to the other inputs."
    return text


def _formula(
    success: Fraction | None,
    execution: Fraction | None,
    cost: Fraction | None,
    value: Fraction | None,
    table: CompositeTable,
) -> str:
    if not success or value is None:
        return "" if value is None else show(value)
    weights = table.weights
    known = [(weights.success, success), (weights.execution, execution), (weights.cost, cost)]
    terms = " + ".join(f"{show(weight, 4)}·{show(score, 4)}" for weight, score in known if score is not None)
    missing = sum((exact(weight) for weight, score in known if score is None), ZERO)
    over = f"/{show(sum((exact(w) for w, _ in known), ZERO) - missing, 4)}" if missing else ""
    return f"100·({terms}){over} = {show(value, table.decimals)}"
