"""One agent against several others, for a terminal, and as a forest plot."""

from __future__ import annotations

from collections.abc import Sequence

from bouts.policy.statistics_1 import STATISTICS_1
from bouts.render.columns import Column, fitted, name, wrapped
from bouts.render.pictures.forest import ForestPlot, Interval
from bouts.render.standings import words
from bouts.render.standings.duel import Compared, finals_title, mean_final, success_rate
from bouts.render.terminal import Span, Styled
from bouts.standings.duel import Comparisons

_MOST_DRAWN = 60


def lines(found: Comparisons, width: int) -> list[Styled]:
    """Both lists, the agents that the first is most behind at the top."""
    width = max(60, min(width, 120))
    made: list[Styled] = [(Span(f"{name(found.first)} less each of the others", "title"),)]
    made += wrapped(words.asked(found.filters, inside=found.inside), width, "dim")
    for title, rows in zip(("success rate", finals_title(found)), _figures(found), strict=True):
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
    found = row.comparison
    return row.drawn(name(found.second), f"\u00b7 Holm {words.chance(found.p_adjusted)}")


def _figures(found: Comparisons) -> tuple[list[Compared], list[Compared]]:
    success = map(success_rate, found.success)
    finals = (mean_final(row, found) for row in found.finals)
    return sorted(success, key=_place), sorted(finals, key=_place)


def _place(row: Compared) -> tuple[float, str]:
    return row.comparison.difference or 0.0, row.comparison.second


def _list(rows: Sequence[Compared], width: int) -> list[Styled]:
    shared = [row for row in rows if row.comparison.tasks]
    if not shared:
        return [(Span("  nothing to compare: there is no task that it shares with another agent", "dim"),)]
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
            _chance(row.comparison.p_value),
            _chance(row.comparison.p_adjusted),
            "told apart" if row.comparison.different else "",
        ]
        for row in shared
    ]
    made = fitted(columns, cells, width, 2)
    alone = len(rows) - len(shared)
    return [*made, *([(Span(f"  {words.many(alone, 'agent')} more share no task", "dim"),)] if alone else [])]


def _chance(value: float | None) -> str:
    """A p-value below a head that says so."""
    return words.chance(value).removeprefix("p").removeprefix(" = ").strip()
