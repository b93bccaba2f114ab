"""Successes over both denominators."""

from __future__ import annotations

from bouts.model.base import Fact
from bouts.model.tallied import Totals


class Solved(Fact):
    """Successes over both denominators."""

    successes: int
    completed: int
    """Runs that no fault of the platform ended, with an outcome or without."""
    infrastructure: int
    """Runs that a fault of the platform ended: no failure of the agent, and in the second denominator only."""
    of_completed: float | None
    """Successes by completed runs, 0–1; `null` with none."""
    of_all: float | None
    """Successes by all runs, those that a fault of the platform ended among them, 0–1."""


def solved_of(row: Totals) -> Solved:
    """Both denominators of an agent's totals."""
    every = row.completed + row.infrastructure
    return Solved(
        successes=row.successes,
        completed=row.completed,
        infrastructure=row.infrastructure,
        of_completed=row.successes / row.completed if row.completed else None,
        of_all=row.successes / every if every else None,
    )
