"""Item analysis: how hard a test or challenge is, and whether it tells strong agents from weak ones.

- Difficulty: share of attempts solved, as mean over the agents that tried the item (1 is easy).
- Discrimination: correlation over agents of the item's share with the mean share of all *other* items that the agent
  tried, the corrected point-biserial correlation (Pearson's; with one attempt an agent the item is 0 or 1). Below 0
  the strong agents fail where the weak ones pass, and the item wants a look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, sqrt
from typing import Literal, NamedTuple

from bouts.model.base import Fact
from bouts.policy.statistics import ItemRules, Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.scoring.exact import exact
from bouts.standings.cells import Cell, by_agent, in_one_unit
from bouts.standings.irt import ItemModel, fit

Remark = Literal["easy", "hard", "weak", "inverted"]
REMARKS: dict[Remark, str] = {
    "easy": "nearly every attempt solves it, so it says little",
    "hard": "hardly any attempt solves it, so it says little",
    "weak": "it hardly tells strong agents from weak ones",
    "inverted": "agents that are strong elsewhere fail it more often: look at the item",
}


class Item(Fact):
    """One test or challenge."""

    item: str
    agents: int
    """Agents that tried it."""
    attempts: int
    difficulty: float
    """Mean share of attempts solved, 0–1; 1 is easy."""
    discrimination: float | None
    """−1 to 1; `null` with too few agents, or where item or rest do not vary."""
    remarks: tuple[Remark, ...]


class ItemReport(Fact):
    """All items, by name."""

    items: tuple[Item, ...]
    agents: int
    model: ItemModel | None
    """Two-parameter model, exploratory; `null` below the number of agents that it needs."""
    why_no_model: str | None


def analyse(cells: Iterable[Cell], rules: Statistics = STATISTICS_1) -> ItemReport:
    """The analysis of success rates (0–1) by agent and item, the item standing in the cell's `task`."""
    rows = by_agent(cells)
    items = _answers(rows)
    enough = len(rows) >= rules.items.irt_agents
    needs = f"the two-parameter model wants {rules.items.irt_agents} agents, and there are {len(rows)}"
    return ItemReport(
        items=tuple(_item(name, seen, rules.items) for name, seen in sorted(items.items())),
        agents=len(rows),
        model=fit(rows, rules.items) if enough else None,
        why_no_model=None if enough else needs,
    )


class _Answer(NamedTuple):
    cell: Cell
    value: int
    """The cell's value in a unit that all cells share."""
    rest: int | None
    """Mean of the agent's other values in a unit that all share; `None` where there is no other."""


def _answers(rows: Mapping[str, Mapping[str, Cell]]) -> dict[str, list[_Answer]]:
    unit = lcm(*(len(row) - 1 for row in rows.values() if len(row) > 1))
    items: dict[str, list[_Answer]] = {}
    for row, own in zip(rows.values(), in_one_unit(rows), strict=True):
        total, others = sum(own), len(row) - 1
        for cell, value in zip(row.values(), own, strict=True):
            rest = (total - value) * (unit // others) if others else None
            items.setdefault(cell.task, []).append(_Answer(cell, value, rest))
    return items


def _item(name: str, seen: Sequence[_Answer], rules: ItemRules) -> Item:
    difficulty = sum((answer.cell.value for answer in seen), Fraction(0)) / len(seen)
    pairs = [(answer.value, answer.rest) for answer in seen if answer.rest is not None]
    discrimination = correlation(pairs) if len(pairs) >= rules.respondents else None
    return Item(
        item=name,
        agents=len(seen),
        attempts=sum(answer.cell.attempts for answer in seen),
        difficulty=float(difficulty),
        discrimination=discrimination,
        remarks=tuple(_remarks(difficulty, discrimination, rules)),
    )


def _remarks(difficulty: Fraction, discrimination: float | None, rules: ItemRules) -> Iterator[Remark]:
    if difficulty >= exact(rules.easy):
        yield "easy"
    if difficulty <= exact(rules.hard):
        yield "hard"
    if discrimination is not None and discrimination < rules.weak_discrimination:
        yield "inverted" if discrimination < 0 else "weak"


def correlation(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Pearson's correlation; `None` where either side does not vary. Point-biserial where one side is 0 or 1."""
    count = len(pairs)
    x, y = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    xx, yy = count * sum(a * a for a, _ in pairs) - x * x, count * sum(b * b for _, b in pairs) - y * y
    if not xx or not yy:
        return None
    xy = count * sum(a * b for a, b in pairs) - x * y
    size = sqrt(Fraction(xy * xy, xx * yy))
    return size if xy > 0 else -size
