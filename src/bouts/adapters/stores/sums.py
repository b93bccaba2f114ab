"""The arithmetic of derived rows: whole numbers alone, so that adding and taking away are exact."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from bouts.adapters.stores import tables
from bouts.model.ledger import COST_PLACES, TIME_PLACES
from bouts.model.tallied import POINT_UNIT

Vector = tuple[int, ...]
NO_RUNS: Vector = (0,) * len(tables.RUN_SUMS)
NO_CARDS: Vector = (0,) * len(tables.CARD_SUMS)


def run_sums(run: Mapping[str, Any]) -> Vector:
    """What one run adds, in the order of `tables.RUN_SUMS`."""
    if run["status"] == "infrastructure":
        return (0, 1, *NO_RUNS[2:])
    known = run["success"] if run["status"] == "completed" else False
    return (
        1,
        0,
        int(known is not None),
        int(bool(known)),
        *_spread(_units(run["latency_ms"], TIME_PLACES)),
        *_spread(_units(run["cost_usd"], COST_PLACES)),
        *_spread(run["steps"]),
        run["tokens"] or 0,
    )


def card_sums(final: int | None, run: Mapping[str, Any]) -> Vector:
    """What one card adds, in the order of `tables.CARD_SUMS`; `final` in millionths of a point."""
    points, micros = final or 0, _units(run["seconds"], TIME_PLACES)
    return (
        1,
        points,
        points * points,
        run["iterations"] or 0,
        int(run["iterations"] is None),
        micros or 0,
        int(micros is None),
    )


def millionths(final: float) -> int:
    """A final in millionths of a point."""
    return round(final * POINT_UNIT)


def _units(value: float | None, places: int) -> int | None:
    # The digits of a float's shortest form, as everywhere else: 0.1 is one tenth.
    return None if value is None else int(Decimal(repr(value)).scaleb(places))


def _spread(value: int | None) -> tuple[int, int, int]:
    return (0, 0, 0) if value is None else (1, value, value * value)


def plus(one: Sequence[int], other: Sequence[int], sign: int = 1) -> Vector:
    """Sum of two vectors, or their difference."""
    return tuple(a + sign * b for a, b in zip(one, other, strict=True))


@dataclass(slots=True)
class RunTotals:
    """Tallies of many tasks in one."""

    sums: Vector
    tasks: dict[str, int] = field(default_factory=dict[str, int])
    """How many tasks, by `n:c`."""
    figures: str = ""
    """What standings say of it; see `figuring`."""

    def move(self, sums: Vector, sign: int) -> None:
        """Take a task's tally in, or out."""
        self.sums = plus(self.sums, sums, sign)
        if sums[2]:
            shape = f"{sums[2]}:{sums[3]}"
            left = self.tasks.get(shape, 0) + sign
            if left:
                self.tasks[shape] = left
            else:
                del self.tasks[shape]

    def row(self) -> tuple[str, ...]:
        """As its table holds it."""
        return (*map(str, self.sums), json.dumps(self.tasks, sort_keys=True, separators=(",", ":")), self.figures)

    @classmethod
    def read(cls, row: Sequence[str]) -> RunTotals:
        """From its table, with the figures or without."""
        many = len(tables.RUN_SUMS)
        return cls(tuple(map(int, row[:many])), json.loads(row[many]))


@dataclass(slots=True)
class CardSums:
    """Card tallies of many tasks in one."""

    sums: Vector
    """As a tally's."""
    over_tasks: Vector = (0, 0, 0, 0)
    mean_total: Fraction = Fraction(0)
    """Of task means, in millionths of a point."""
    mean_squares: Fraction = Fraction(0)
    figures: str = ""

    def move(self, sums: Vector, sign: int) -> None:
        """Take a task's tally in, or out."""
        self.sums = plus(self.sums, sums, sign)
        size, total = sums[0], sums[1]
        if size:
            self.over_tasks = plus(self.over_tasks, (1, size * size, size * total, total * total), sign)
            mean = Fraction(total, size)
            self.mean_total += sign * mean
            self.mean_squares += sign * mean * mean

    def row(self) -> tuple[str, ...]:
        """As its table holds it."""
        means = _said(self.mean_total), _said(self.mean_squares)
        return (*map(str, self.sums), *map(str, self.over_tasks), *means, self.figures)

    @classmethod
    def read(cls, row: Sequence[str]) -> CardSums:
        """From its table, with the figures or without."""
        many = len(tables.CARD_SUMS)
        means = many + len(tables.CARD_TASK_SUMS)
        whole = tuple(map(int, row[:means]))
        return cls(whole[:many], whole[many:], ratio(row[means]), ratio(row[means + 1]))


def _said(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def ratio(said: str) -> Fraction:
    """A rational as tables hold it."""
    top, _, bottom = said.partition("/")
    return Fraction(int(top), int(bottom))
