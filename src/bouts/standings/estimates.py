"""A figure with its error bar: means over tasks, standard errors clustered by challenge, Wilson intervals for rates.

- Mean: every task counts once, whatever the number of attempts.
- Standard error: √( G/(G−1) · Σ_c S_c² ) / T for T tasks in G challenges, S_c being the sum of deviations in one
  challenge: the cluster-robust variance, corrected for few clusters (Liang and Zeger 1986; Cameron and Miller 2015).
- Interval of a score: mean ± t·error with G − 1 degrees of freedom, cut at the ends of the scale.
- Interval of a rate: Wilson's (1927) with that t and the effective number of attempts p(1−p)/error² (Kish 1965; for
  clustered samples compared with others by Franco, Little, Louis and Slud 2019), at most the real number of attempts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Literal

from bouts.model.base import Fact
from bouts.model.tallied import CardTotals, Totals
from bouts.policy.statistics import IntervalRules
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.scoring.exact import wholes
from bouts.standings.cells import Cell, by_agent, clustered
from bouts.standings.distributions import t_quantile

Scale = Literal["rate", "score"]
"""A rate lies in 0–1, a score in 0–100."""
TOPS: Mapping[Scale, int] = {"rate": 1, "score": 100}


class Interval(Fact):
    """A range that holds the true value with the stated confidence."""

    low: float
    high: float
    level: float
    """Confidence, 0–1."""


class Estimate(Fact):
    """A figure with its error bar, in the figure's own unit (rate 0–1, score 0–100)."""

    value: float
    error: float | None
    """Standard error, clustered; `null` with too few clusters."""
    interval: Interval | None
    """`null` with too few clusters."""
    tasks: int
    clusters: int
    """Challenges: what the error bar takes as independent."""
    attempts: int
    few: bool
    """Whether the interval rests on few challenges, or on none at all."""


def estimate(cells: Mapping[str, Cell], scale: Scale, rules: IntervalRules = STATISTICS_1.intervals) -> Estimate:
    """The mean over one agent's tasks (task → cell, at least one). Raises `ValueError` for none."""
    if not cells:
        raise ValueError("no tasks")
    values, unit = wholes(cell.value for cell in cells.values())
    sums = clustered(cells.values(), values)
    counts = (len(cells), len(sums), sum(cell.attempts for cell in cells.values()))
    return _estimate(Fraction(sum(values), len(cells) * unit), clustered_variance(sums, unit), scale, counts, rules)


def clustered_variance(sums: Sequence[tuple[int, int]], unit: int) -> Fraction | None:
    """The cluster-robust variance of a mean over tasks, from what `clustered` gives and the units that make 1; `None`
    with fewer than two challenges."""
    groups, tasks = len(sums), sum(n for _, n in sums)
    if groups < 2:
        return None
    total = sum(row for row, _ in sums)
    # S_c = s_c − n_c·total/tasks in units of 1/unit; times tasks all are whole.
    squares = sum((row * tasks - n * total) ** 2 for row, n in sums)
    return Fraction(squares * groups, (groups - 1) * tasks**4 * unit**2)


def estimates(
    cells: Iterable[Cell], scale: Scale, rules: IntervalRules = STATISTICS_1.intervals
) -> dict[str, Estimate]:
    """`estimate` for every agent, by name."""
    return {agent: estimate(row, scale, rules) for agent, row in by_agent(cells).items()}


def rate_of_totals(totals: Totals, rules: IntervalRules = STATISTICS_1.intervals) -> Estimate | None:
    """The success rate as mean over tasks, from an agent's totals alone; `None` without a known outcome.

    Totals know tasks, not challenges: where tasks are made from one challenge, `estimate` is the one to ask.
    """
    rows = [(Fraction(c, n), tasks) for (n, c), tasks in totals.tasks.items() if n]
    count = sum(tasks for _, tasks in rows)
    if not count:
        return None
    total = sum((value * tasks for value, tasks in rows), Fraction(0))
    squares = sum((value * value * tasks for value, tasks in rows), Fraction(0))
    return _by_task(total, squares, (count, count, totals.outcomes), "rate", rules)


def final_of_totals(totals: CardTotals, rules: IntervalRules = STATISTICS_1.intervals) -> Estimate | None:
    """The mean final over tasks, from an agent's card totals alone; `None` without a card. See `rate_of_totals`."""
    if not totals.tasks:
        return None
    counts = (totals.tasks, totals.tasks, totals.cards)
    return _by_task(totals.mean_total, totals.mean_squares, counts, "score", rules)


def _by_task(
    total: Fraction, squares: Fraction, counts: tuple[int, int, int], scale: Scale, rules: IntervalRules
) -> Estimate:
    tasks = counts[0]
    variance = (squares - total * total / tasks) / (tasks * (tasks - 1)) if tasks > 1 else None
    return _estimate(total / tasks, variance, scale, counts, rules)


def _estimate(
    value: Fraction, variance: Fraction | None, scale: Scale, counts: tuple[int, int, int], rules: IntervalRules
) -> Estimate:
    tasks, clusters, attempts = counts
    bar = None
    if variance is not None and clusters >= rules.clusters:
        if scale == "rate":
            bar = clustered_wilson(float(value), float(variance), clusters, attempts, rules.level)
        else:
            bar = around(float(value), sqrt(variance), clusters, rules.level, (0, TOPS[scale]))
    return Estimate(
        value=float(value),
        error=None if variance is None or bar is None else sqrt(variance),
        interval=bar,
        tasks=tasks,
        clusters=clusters,
        attempts=attempts,
        few=clusters < rules.few_clusters,
    )


def around(value: float, error: float, clusters: int, level: float, ends: tuple[float, float]) -> Interval:
    """value ± t·error with one degree of freedom less than clusters (at least 2), cut at the ends of the scale."""
    reach = t_quantile(level, clusters - 1) * error
    return Interval(low=max(ends[0], value - reach), high=min(ends[1], value + reach), level=level)


def clustered_wilson(rate: float, variance: float, clusters: int, attempts: int, level: float) -> Interval:
    """Wilson's interval of a rate (0–1) whose clustered error is the root of `variance`, with at least 2 clusters.

    Where every attempt had the same outcome the error is no guide, and each challenge counts as one attempt.
    """
    plain = rate * (1 - rate)
    effective = float(clusters) if not plain else attempts if not variance else min(attempts, plain / variance)
    low, high = wilson(rate, effective, t_quantile(level, clusters - 1))
    return Interval(low=low, high=high, level=level)


def wilson(rate: float, attempts: float, z: float) -> tuple[float, float]:
    """Wilson's score interval of a rate (0–1) seen in so many independent attempts (above 0); `z` is the quantile."""
    square = z * z / attempts
    middle = (rate + square / 2) / (1 + square)
    reach = z / (1 + square) * sqrt(rate * (1 - rate) / attempts + square / (4 * attempts))
    return (0.0 if rate == 0 else max(0.0, middle - reach), 1.0 if rate == 1 else min(1.0, middle + reach))
