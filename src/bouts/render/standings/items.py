"""An item analysis for a terminal, and as a plot of difficulties."""

from __future__ import annotations

from bouts.render import numbers
from bouts.render.columns import Column, fitted, name, wrapped
from bouts.render.pictures.forest import ForestPlot, Interval
from bouts.render.standings import words
from bouts.render.terminal import Span, Styled
from bouts.standings.irt import ItemModel
from bouts.standings.itemised import Itemised
from bouts.standings.items import REMARKS, Item, Remark

_MOST_DRAWN = 60


def lines(found: Itemised, width: int) -> list[Styled]:
    """The whole analysis; what wants a look stands first."""
    width = max(60, min(width, 140))
    report = found.report
    what = "tests" if found.kind == "tests" else "challenges"
    of = f" of {name(found.task)}" if found.task else ""
    made: list[Styled] = [(Span(f"{what}{of} as items", "title"),)]
    about = [words.many(report.agents, "agent")]
    about += [words.many(found.cards, "card")] if found.kind == "tests" else []
    about += [f"{found.other_packages} other versions of the package left out"] if found.other_packages else []
    about += [f"{words.many(found.without_evidence, 'card')} without evidence"] if found.without_evidence else []
    made += [*wrapped(" · ".join(about), width, "dim"), ()]
    if not report.items:
        return [*made, (Span("nothing to analyse: no outcome is known", "warn"),)]
    titles, items = _titles(found), _ordered(found)
    made += fitted(_COLUMNS, [_cells(item, titles) for item in items], width)
    seen: dict[Remark, None] = {remark: None for item in items for remark in item.remarks}
    made += [
        (),
        *wrapped("solved: mean share of attempts over agents. tells apart: correlation with the rest.", width, "dim"),
    ]
    made += [line for remark in seen for line in wrapped(f"{remark}: {REMARKS[remark]}", width, "dim")]
    if report.why_no_model:
        made += wrapped(report.why_no_model, width, "dim")
    elif report.model is not None:
        made += [(), *_model(report.model, titles, width)]
    return made


def plot(found: Itemised) -> ForestPlot:
    """How often each item is solved."""
    titles = _titles(found)
    rows = tuple(
        Interval(titles[item.item], 100 * item.difficulty, None, None, _said(item))
        for item in sorted(found.report.items, key=lambda item: (item.difficulty, item.item))[:_MOST_DRAWN]
    )
    left = len(found.report.items) - len(rows)
    return ForestPlot(
        title=f"Tests of {name(found.task)}" if found.task else "Challenges as items",
        subtitle=f"{words.many(found.report.agents, 'agent')}, hardest first",
        x_label="solved, in percent",
        rows=rows,
        least=0,
        most=100,
        notes=(f"{left} easier ones are left out.",) if left else (),
    )


_COLUMNS = (
    Column("item", least=20),
    Column("solved", right=True),
    Column("tells apart", right=True),
    Column("agents", right=True),
    Column("attempts", right=True),
    Column("remarks", style=lambda text: "warn" if text else ""),
)


def _cells(item: Item, titles: dict[str, str]) -> list[str]:
    return [
        name(titles[item.item], 200),
        words.percent(item.difficulty),
        _apart(item),
        str(item.agents),
        str(item.attempts),
        ", ".join(item.remarks),
    ]


def _apart(item: Item) -> str:
    if item.discrimination is None:
        return "–"
    return words.true(f"{numbers.rounded(item.discrimination, 2):+}")


def _said(item: Item) -> str:
    parts = [words.percent(item.difficulty), f"tells apart {_apart(item)}", *item.remarks]
    return " · ".join(parts)


_FIRST: tuple[Remark, ...] = ("inverted", "weak", "hard", "easy")


def _ordered(found: Itemised) -> list[Item]:
    def key(item: Item) -> tuple[int, float, str]:
        place = min((_FIRST.index(remark) for remark in item.remarks), default=len(_FIRST))
        return place, item.difficulty, item.item

    return sorted(found.report.items, key=key)


def _titles(found: Itemised) -> dict[str, str]:
    names = [item.item for item in found.report.items]
    return words.tasks(names) if found.kind == "challenges" else {one: one for one in names}


def _model(model: ItemModel, titles: dict[str, str], width: int) -> list[Styled]:
    columns = (Column("item", least=20), Column("difficulty b", right=True), Column("discrimination a", right=True))
    rows = [
        [name(titles[row.item], 200), _two(row.difficulty), _two(row.discrimination)]
        for row in sorted(model.items, key=lambda row: row.difficulty)
    ]
    head = "two-parameter model: EXPLORATORY, nothing rests on it" + ("" if model.converged else "; it did not settle")
    return [(Span(head, "warn"),), *fitted(columns, rows, width)]


def _two(value: float) -> str:
    return words.true(str(numbers.rounded(value, 2)))
