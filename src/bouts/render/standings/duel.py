"""Two agents side by side, for a terminal, and their differences as a forest plot."""

from __future__ import annotations

from dataclasses import dataclass

from bouts.policy.statistics_1 import STATISTICS_1
from bouts.render import numbers
from bouts.render.columns import Column, fitted, name, wrapped
from bouts.render.pictures.forest import ForestPlot, Interval
from bouts.render.standings import words
from bouts.render.terminal import Span, Styled
from bouts.standings.duel import Comparisons, Duel, Side
from bouts.standings.paired import Comparison, TaskDifference

MOST_TASKS = 10
_MOST_DRAWN = 30


@dataclass(frozen=True)
class Compared:
    """What is compared, and how it is written."""

    title: str
    unit: str
    factor: float
    comparison: Comparison

    def value(self, value: float | None) -> str:
        """A value with its unit."""
        return "–" if value is None else f"{numbers.score(self.factor * value)}{self.unit}"

    def gap(self, value: float | None) -> str:
        """A difference with its sign."""
        return "–" if value is None else words.true(numbers.signed(self.factor * value))

    def drawn(self, label: str, said: str) -> Interval:
        """The difference and what is not ruled out of it, for a plot."""
        value, bar = self.comparison.difference, self.comparison.interval
        return Interval(
            name=label,
            value=None if value is None else self.factor * value,
            low=None if bar is None else self.factor * bar.low,
            high=None if bar is None else self.factor * bar.high,
            said=f"{self.gap(value)} {said}",
        )


def success_rate(row: Comparison) -> Compared:
    """Success rates, written in percent."""
    return Compared("success rate", " %", 100, row)


def mean_final(row: Comparison, found: Duel | Comparisons) -> Compared:
    """Finals of the cards that were compared."""
    return Compared(finals_title(found), "", 1, row)


def finals_title(found: Duel | Comparisons) -> str:
    """What the finals are of."""
    return f"mean final by {found.policy} {found.version}, {found.state} cards"


def lines(found: Duel, width: int, *, most: int | None = MOST_TASKS) -> list[Styled]:
    """The whole comparison, with at most so many of the tasks that make a difference."""
    width = max(60, min(width, 120))
    made: list[Styled] = [(Span(f"{name(found.first.agent)} against {name(found.second.agent)}", "title"),)]
    made += wrapped(words.asked(found.filters, inside=found.inside), width, "dim")
    made += [(), *_sides(found.first, found.second, width)]
    for figure in _figures(found):
        made += [(), *_compared(figure, width, most)]
    few = found.success.clusters or found.finals.clusters
    if few:
        made += [(), *wrapped(_HOW, width, "dim")]
    return made


_HOW = (
    "p: how often two equal agents would differ as much, counted by flipping whole challenges. "
    "The interval holds the differences that are not ruled out."
)


def plot(found: Duel) -> ForestPlot:
    """The difference over all tasks and at each that makes one: of finals, or of success where no cards are shared."""
    success, finals = _figures(found)
    figure = finals if finals.comparison.tasks else success
    comparison, factor = figure.comparison, figure.factor
    titles = words.tasks(row.task for row in comparison.decisive)
    ends = words.difference(comparison.interval, factor)
    whole = figure.drawn(f"all {comparison.tasks} tasks", f"{ends} · {_verdict(comparison)}")
    rows = [
        Interval(titles[row.task], factor * row.difference, None, None, figure.gap(row.difference))
        for row in comparison.decisive[:_MOST_DRAWN]
    ]
    left = len(comparison.decisive) - len(rows)
    return ForestPlot(
        title=f"{name(found.first.agent)} less {name(found.second.agent)}",
        subtitle=figure.title,
        x_label="difference in points" if factor == 1 else "difference in percentage points",
        rows=(whole, *rows),
        reference=0,
        notes=(f"{left} tasks with smaller differences are left out.",) if left else (),
    )


def _figures(found: Duel) -> tuple[Compared, Compared]:
    return success_rate(found.success), mean_final(found.finals, found)


def _sides(first: Side, second: Side, width: int) -> list[Styled]:
    columns = (
        Column("", least=16),
        Column(name(first.agent), right=True, least=10),
        Column(name(second.agent), right=True, least=10),
    )
    rows = [["composite of all runs", _composite(first), _composite(second)]]
    for one, two in zip(first.radar.axes, second.radar.axes, strict=True):
        rows.append([f"radar: {one.label.lower()}", numbers.score(one.value), numbers.score(two.value)])
    for one, two in zip(first.repeatability.levels, second.repeatability.levels, strict=True):
        rows.append([f"pass^{one.k}", words.percent(one.value), words.percent(two.value)])
    return fitted(columns, rows, width)


def _composite(side: Side) -> str:
    found = side.composite
    provisional = found.provisional and found.value is not None
    return words.composite(found.value) + (" (provisional)" if provisional else "")


def _compared(figure: Compared, width: int, most: int | None) -> list[Styled]:
    row = figure.comparison
    made: list[Styled] = [(Span(figure.title, "strong"),)]
    if not row.tasks:
        return [*made, (Span("  nothing to compare: there is no task that both have", "dim"),)]
    made += wrapped(_shared(row), width, "dim", 4, first=2)
    made += wrapped(
        f"{name(row.first)} {figure.value(row.first_mean)}, {name(row.second)} {figure.value(row.second_mean)}: "
        f"{figure.gap(row.difference)} {words.difference(row.interval, figure.factor)}, {words.chance(row.p_value)}",
        width,
        "",
        4,
        first=2,
    )
    made += wrapped(_verdict(row), width, "strong" if row.different else "warn", 4, first=2)
    return made + _decisive(figure, width, most)


def _shared(row: Comparison) -> str:
    text = f"{words.many(row.tasks, 'task')} of {words.many(row.clusters, 'challenge')} that both tried"
    alone = row.first_only + row.second_only
    return f"{text}; {alone} that only one tried take no part" if alone else text


def _verdict(row: Comparison) -> str:
    if row.different:
        return "told apart"
    least = 2.0 ** (1 - row.clusters)
    if row.clusters and row.exact and least > STATISTICS_1.comparison.alpha:
        return f"not told apart; {words.many(row.clusters, 'challenge')} cannot tell any two agents apart"
    return "not told apart by these data"


def _decisive(figure: Compared, width: int, most: int | None) -> list[Styled]:
    rows = figure.comparison.decisive
    kept = rows if most is None else rows[:most]
    if not kept:
        return [(Span("  no task at which they differ", "dim"),)]
    titles = words.tasks(row.task for row in rows)
    columns = (
        Column("task that makes a difference", least=14),
        Column(name(figure.comparison.first), right=True, least=8),
        Column(name(figure.comparison.second), right=True, least=8),
        Column("difference", right=True),
        Column("adds", right=True),
    )
    cells = [_task(row, titles[row.task], figure) for row in kept]
    left = len(rows) - len(kept)
    more: list[Styled] = [(Span(f"  … {words.many(left, 'task')} more; --all shows them", "dim"),)] if left else []
    return [*fitted(columns, cells, width, 2), *more]


def _task(row: TaskDifference, title: str, figure: Compared) -> list[str]:
    return [
        name(title),
        figure.value(row.first),
        figure.value(row.second),
        figure.gap(row.difference),
        figure.gap(row.share),
    ]
