"""The cluster bootstrap: error bars for figures that are no plain mean, such as the composite or pass^k.

Challenges are drawn with replacement, each with all its tasks and attempts, and the figure is computed anew from each
draw (Efron 1979; for clusters Field and Welsh 2007). The interval runs between percentiles of what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import TypeVar

from bouts.model.base import Fact
from bouts.policy.statistics import IntervalRules
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.standings.draws import resamples
from bouts.standings.estimates import Interval

_T = TypeVar("_T")


class Bootstrapped(Fact):
    """A figure with the error bar of the bootstrap, in the figure's unit."""

    value: float | None
    """`null` where the data give none."""
    error: float | None
    """Standard deviation over the draws; `null` with too few challenges, or where a draw gave no figure."""
    interval: Interval | None
    clusters: int
    rounds: int
    few: bool
    """Whether it rests on few challenges."""


def bootstrap(
    clusters: Mapping[str, _T],
    figure: Callable[[Sequence[_T]], Fraction | float | None],
    seed: int,
    rules: IntervalRules = STATISTICS_1.intervals,
) -> Bootstrapped:
    """The figure over all clusters (challenge → whatever `figure` takes of it), with its error bar."""
    rows = [row for _, row in sorted(clusters.items(), key=lambda item: item[0])]
    value = figure(rows) if rows else None
    found: list[float] | None = None
    if value is not None and len(rows) >= rules.clusters:
        found = _found(rows, figure, seed, rules.bootstrap_rounds)
    return Bootstrapped(
        value=None if value is None else float(value),
        error=None if found is None else _deviation(found),
        interval=None if found is None else percentiles(found, rules.level),
        clusters=len(rows),
        rounds=rules.bootstrap_rounds,
        few=len(rows) < rules.few_clusters,
    )


def _found(
    rows: Sequence[_T], figure: Callable[[Sequence[_T]], Fraction | float | None], seed: int, rounds: int
) -> list[float] | None:
    found: list[float] = []
    for draw in resamples("bootstrap", seed, len(rows), rounds):
        value = figure([rows[at] for at in draw])
        if value is None:
            return None
        found.append(float(value))
    return found


def _deviation(values: Sequence[float]) -> float:
    middle = sum(values) / len(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))


def percentiles(values: Sequence[float], level: float) -> Interval:
    """Between the percentiles that leave the same share on either side, interpolated between neighbours (type 7 of
    Hyndman and Fan 1996)."""
    rows = sorted(values)
    return Interval(low=_percentile(rows, (1 - level) / 2), high=_percentile(rows, (1 + level) / 2), level=level)


def _percentile(rows: Sequence[float], share: float) -> float:
    place = share * (len(rows) - 1)
    below = min(int(place), len(rows) - 1)
    above = min(below + 1, len(rows) - 1)
    return rows[below] + (place - below) * (rows[above] - rows[below])
