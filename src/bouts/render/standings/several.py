"""One agent against several others, for a terminal, and as a forest plot."""

from __future__ import annotations

from collections.abc import Sequence

from bouts.policy.statistics_1 import STATISTICS_1
from bouts.render.columns import Column, fitted, name, wrapped
from bouts.render.pictures.forest import ForestPlot, Interval
from bouts.render.standings import words
from bouts.render.standings.duel import Compared
from bouts.render.terminal import Span, Styled
from bouts.standings.duel import Comparisons

_MOST_DRAWN = 60


def lines(found: Comparisons, width: int) -> list[Styled]:
    """Both lists, the agents that the first is most behind at the top."""
    width = max(60, min(width, 120))
    made: list[Styled] = [(Span(f"{name(found.first)} less each of the others", "title"),)]
    made += wrapped(words.asked(found.filters, inside=found.inside), width, "dim")
    for title, rows in zip(("success rate", _by(found)), _figures(found), strict=True):
        made += [(), (Span(title, "strong"),), *_list(rows, width)]
    return [*made, (), *wrapped(_HOW, width, "dim")]


_HOW = (
    "p: how often two equal agents would differ as much, counted by flipping whole challenges. Holm: the same for all "
    f"rows of a list read together; told apart where it is at most {STATISTICS_1.comparison.alpha:g}. The interval "
    "holds the differences that are not ruled out, of that row alone."
)


def plot(found: Comparisons) -> ForestPlot:
    """The differences from each of the others: of finals, or of success where no cards are shared."""
    success, finals = _figures(found)
    rows = finals if any(row.comparison.tasks for row in finals) else success
    drawn = [row for row in rows if row.comparison.tasks]
    left = len(drawn[_MOST_DRAWN:])
    return ForestPlot(
        title=f"{name(found.first)} less each of the others",
        subtitle=rows[0].title if rows else "",
        x_label="difference in points" if rows is finals else "difference in percentage points",
        rows=tuple(map(_interval, drawn[:_MOST_DRAWN])),
        reference=0,
        notes=(f"{words.many(left, 'agent')} with larger differences are left out.",) if left else (),
    )


def _interval(row: Compared) -> Interval:
    found, bar = row.comparison, row.comparison.interval
    return Interval(
        name=name(found.second),
        value=None if found.difference is None else row.factor * found.difference,
        low=None if bar is None else row.factor * bar.low,
        high=None if bar is None else row.factor * bar.high,
        said=f"{row.gap(found.difference)} \u00b7 Holm {words.chance(found.p_adjusted)}",
    )


def _by(found: Comparisons) -> str:
    return f"mean final by {found.policy} {found.version}, {found.state} cards"


def _figures(found: Comparisons) -> tuple[list[Compared], list[Compared]]:
    by = _by(found)
    success = [Compared("success rate", " %", 100, row) for row in found.success]
    finals = [Compared(by, "", 1, row) for row in found.finals]
    return sorted(success, key=_place), sorted(finals, key=_place)


def _place(row: Compared) -> tuple[float, str]:
    return row.comparison.difference or 0.0, row.comparison.second


def _list(rows: Sequence[Compared], width: int) -> list[Styled]:
    shared = [row for row in rows if row.comparison.tasks]
    if not shared:
        return [(Span("  nothing to compare: there is no task that it shares with another agent", "dim"),)]
    made: list[Styled] = []
    columns = (
        Column("less", least=8),
        Column("tasks", right=True),
        Column("difference", right=True),
        Column("interval"),
        Column("p", right=True),
        Column("Holm", right=True),
        Column(""),
    )
    cells = [
        [
            name(row.comparison.second),
            str(row.comparison.tasks),
            row.gap(row.comparison.difference),
            words.difference(row.comparison.interval, row.factor),
            words.chance(row.comparison.p_value).removeprefix("p").removeprefix(" = ").strip(),
            words.chance(row.comparison.p_adjusted).removeprefix("p").removeprefix(" = ").strip(),
            "told apart" if row.comparison.different else "",
        ]
        for row in shared
    ]
    made += fitted(columns, cells, width, 2)
    alone = len(rows) - len(shared)
    return [*made, *([(Span(f"  {words.many(alone, 'agent')} more share no task", "dim"),)] if alone else [])]
