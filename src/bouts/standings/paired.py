"""Two agents compared on the tasks that both tried.

The chance of a difference is counted by flipping signs: where two agents are equally able, a challenge is as likely to
favour one as the other, so its sum of differences might as well have had the other sign. The p-value is the share of
sign patterns that give a mean difference at least as large (Fisher's randomisation test, a whole challenge flipped at
a time), twice the smaller side; patterns that give just the same difference count a half (mid-p, Lancaster 1961), as
results are whole numbers and often equal. It rests on no normal distribution and holds for any number of challenges.
With G of them it cannot be below 2/2^G: of few challenges nothing follows.

The interval holds the differences that the test does not reject. Its ends are quantiles of the mean difference in
random subsets of the challenges (Hartigan 1969). Everything is counted in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from operator import getitem

from bouts.model.base import Fact
from bouts.policy.statistics import ComparisonRules, Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.scoring.exact import exact, wholes
from bouts.standings.cells import Cell, by_agent, clustered
from bouts.standings.draws import sign_patterns, subset_sums
from bouts.standings.estimates import TOPS, Interval, Scale, clustered_variance
from bouts.standings.holm import holm


class TaskDifference(Fact):
    """What one task adds to the difference."""

    task: str
    challenge: str
    first: float
    """Mean over the first agent's attempts."""
    second: float
    difference: float
    """First less second."""
    share: float
    """What it adds to the mean difference: the difference by the number of tasks. All shares add up to it."""


class Comparison(Fact):
    """First less second, over the tasks that both tried; in the unit of the figure (rate 0–1, score 0–100)."""

    first: str
    second: str
    tasks: int
    """Tasks that both tried."""
    clusters: int
    """Challenges that these tasks are made from."""
    first_only: int
    """Tasks that only the first tried; they take no part."""
    second_only: int
    first_mean: float | None
    """`null` where no task is shared; so are all figures below."""
    second_mean: float | None
    difference: float | None
    error: float | None
    """Standard error of the difference, clustered by challenge; `null` with fewer than two challenges."""
    interval: Interval | None
    """Where the data do not reach for the level, it is the whole scale."""
    p_value: float | None
    """Chance (0–1) of a difference at least as large between equal agents, for this comparison alone."""
    p_adjusted: float | None = None
    """The same where several comparisons are read together (Holm); `null` where this one stands alone."""
    exact: bool
    """Whether every sign pattern was counted, none drawn at random."""
    different: bool
    """Whether equality is rejected: the adjusted p-value, where there is one, is at most the rules' alpha."""
    decisive: tuple[TaskDifference, ...]
    """The tasks at which the two differ, the largest share first."""


def compare(
    first: str, second: str, cells: Iterable[Cell], scale: Scale, seed: int, rules: Statistics = STATISTICS_1
) -> Comparison:
    """The first agent against the second. An agent without a cell has simply no task."""
    rows = by_agent(cell for cell in cells if cell.agent in (first, second))
    return _compare((first, rows.get(first, {})), (second, rows.get(second, {})), scale, seed, rules)


def compare_with_all(
    first: str, cells: Iterable[Cell], scale: Scale, seed: int, rules: Statistics = STATISTICS_1
) -> tuple[Comparison, ...]:
    """One agent against each of the others, by name, with p-values that may be read together."""
    rows = by_agent(cells)
    made = [
        _compare((first, rows.get(first, {})), (other, row), scale, seed, rules)
        for other, row in rows.items()
        if other != first
    ]
    return adjusted(made, rules.comparison)


def adjusted(made: Sequence[Comparison], rules: ComparisonRules = STATISTICS_1.comparison) -> tuple[Comparison, ...]:
    """The comparisons with p-values that may be read together."""
    known = [row.p_value for row in made if row.p_value is not None]
    values = iter(holm(known))
    out: list[Comparison] = []
    for row in made:
        value = None if row.p_value is None else next(values)
        different = value is not None and value <= rules.alpha
        out.append(row.model_copy(update={"p_adjusted": value, "different": different}))
    return tuple(out)


def _compare(
    first: tuple[str, Mapping[str, Cell]],
    second: tuple[str, Mapping[str, Cell]],
    scale: Scale,
    seed: int,
    rules: Statistics,
) -> Comparison:
    (a, ours), (b, theirs) = first, second
    shared = [task for task in ours if task in theirs]
    gaps, unit = wholes(ours[task].value - theirs[task].value for task in shared)
    rows = clustered([ours[task] for task in shared], gaps)
    variance = clustered_variance(rows, unit)
    flips = _flips(rows, seed, rules.comparison) if rows else None
    p_value = None if flips is None else flips.chance()
    return Comparison(
        first=a,
        second=b,
        tasks=len(shared),
        clusters=len(rows),
        first_only=len(ours) - len(shared),
        second_only=len(theirs) - len(shared),
        first_mean=_mean([ours[task].value for task in shared]),
        second_mean=_mean([theirs[task].value for task in shared]),
        difference=sum(gaps) / (len(shared) * unit) if shared else None,
        error=None if variance is None else sqrt(variance),
        interval=None if flips is None else flips.interval(rules.intervals.level, unit, TOPS[scale]),
        p_value=p_value,
        exact=len(rows) <= rules.comparison.exact_clusters,
        different=p_value is not None and p_value <= rules.comparison.alpha,
        decisive=_decisive(shared, ours, theirs),
    )


def _mean(values: Sequence[Fraction]) -> float | None:
    return float(sum(values, Fraction(0)) / len(values)) if values else None


def _decisive(
    shared: Sequence[str], ours: Mapping[str, Cell], theirs: Mapping[str, Cell]
) -> tuple[TaskDifference, ...]:
    gaps = {task: gap for task in shared if (gap := ours[task].value - theirs[task].value)}
    return tuple(
        TaskDifference(
            task=task,
            challenge=ours[task].challenge,
            first=float(ours[task].value),
            second=float(theirs[task].value),
            difference=float(gap),
            share=float(gap / len(shared)),
        )
        for task, gap in sorted(gaps.items(), key=lambda item: (-abs(item[1]), item[0]))
    )


class _Flips:
    """For each sign pattern but the one that flips nothing: sum of differences and tasks of the flipped challenges."""

    def __init__(self, sums: Sequence[tuple[int, int]]) -> None:
        self._sums = sums
        self._patterns = len(sums) + 1

    def chance(self) -> float:
        """The two-sided p-value."""
        # Flipping F turns the total Σ into Σ − 2·Σ_F: larger where Σ_F < 0, smaller where Σ_F > 0. All in halves.
        below = sum(1 for total, _ in self._sums if total < 0)
        above = sum(1 for total, _ in self._sums if total > 0)
        equal = len(self._sums) - below - above
        return min(1.0, (2 + 2 * min(below, above) + equal) / self._patterns)

    def interval(self, level: float, unit: int, top: int) -> Interval:
        """The differences that the test at 1 − level does not reject; an end itself may be one that it does reject."""
        # A subset without a challenge speaks against no difference, on either side.
        means = sorted(total / (n * unit) for total, n in self._sums if n)
        empty = len(self._sums) - len(means)
        place = int((1 - exact(level)) / 2 * self._patterns) - empty
        low, high = (means[place - 1], means[-place]) if place >= 1 else (-float(top), float(top))
        return Interval(low=low, high=high, level=level)


def _flips(rows: Sequence[tuple[int, int]], seed: int, rules: ComparisonRules) -> _Flips:
    if len(rows) <= rules.exact_clusters:
        every = [(0, 0)]
        for total, n in rows:
            every += [(t + total, m + n) for t, m in every]
        return _Flips(every[1:])
    return _Flips(list(_drawn(rows, seed, rules.flips)))


def _drawn(rows: Sequence[tuple[int, int]], seed: int, rounds: int) -> Iterator[tuple[int, int]]:
    # Sum and count are added up as one number, the count in its lowest places: half the work.
    places = 1 + sum(n for _, n in rows)
    tables = subset_sums([total * places + n for total, n in rows], 0)
    for pattern in sign_patterns("comparison", seed, len(rows), rounds):
        yield divmod(sum(map(getitem, tables, pattern)), places)
