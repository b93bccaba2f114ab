"""What the statistics rest on: one number for each agent and task.

A cell is the mean of an agent's attempts at one task. Attempts at a task are no independent evidence, nor are tasks
made from one challenge; so a task counts once however often it was tried, and errors are clustered by challenge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from bouts.model.tallied import CardRow, Tally, TaskRow
from bouts.scoring.exact import exact, wholes


@dataclass(frozen=True, slots=True)
class Cell:
    """One agent at one task."""

    agent: str
    task: str
    challenge: str
    """The cluster: tasks made from one challenge share it."""
    value: Fraction
    """Mean over the attempts: a success rate (0–1) or a final score (0–100), one of the two in all cells."""
    attempts: int
    """How many attempts it is the mean of, at least 1."""


def rate_cells(tallies: Iterable[Tally], tasks: Iterable[TaskRow] = ()) -> tuple[Cell, ...]:
    """Success rates (0–1) by agent and task; a task without a known outcome gives no cell."""
    names = challenges(tasks)
    return tuple(
        Cell(row.agent, row.task, names.get(row.task, row.task), Fraction(row.successes, row.outcomes), row.outcomes)
        for row in tallies
        if row.outcomes
    )


def final_cells(cards: Iterable[CardRow], tasks: Iterable[TaskRow] = ()) -> tuple[Cell, ...]:
    """Mean finals (0–100) by agent and task. Void cards have none; which other cards count is the caller's choice."""
    names = challenges(tasks)
    found: dict[tuple[str, str], list[Fraction]] = {}
    for row in cards:
        if row.final is not None:
            found.setdefault((row.agent, row.task), []).append(exact(row.final))
    return tuple(
        Cell(agent, task, names.get(task, task), sum(rows, Fraction(0)) / len(rows), len(rows))
        for (agent, task), rows in found.items()
    )


def challenges(tasks: Iterable[TaskRow]) -> dict[str, str]:
    """Task → id of its challenge; tasks of unknown challenges are left out, as each is a cluster of its own."""
    return {row.task: row.challenge for row in tasks if row.challenge is not None}


def by_agent(cells: Iterable[Cell]) -> dict[str, dict[str, Cell]]:
    """Agent → task → cell, both in the order of their names: nothing rests on the order in which cells came.

    Raises `ValueError` where an agent has two cells at one task.
    """
    found: dict[str, dict[str, Cell]] = {}
    for cell in sorted(cells, key=lambda c: (c.agent, c.task)):
        row = found.setdefault(cell.agent, {})
        if cell.task in row:
            raise ValueError(f"two cells of {cell.agent} at {cell.task}")
        row[cell.task] = cell
    return found


def in_one_unit(rows: Mapping[str, Mapping[str, Cell]]) -> list[list[int]]:
    """The values of each agent's cells as whole numbers of a unit that all agents share."""
    values = iter(wholes(cell.value for row in rows.values() for cell in row.values())[0])
    return [[next(values) for _ in row] for row in rows.values()]


def clustered(cells: Iterable[Cell], values: Iterable[int]) -> list[tuple[int, int]]:
    """Sum of the cells' values and number of tasks of each challenge, in the order of their names."""
    sums: dict[str, tuple[int, int]] = {}
    for cell, value in zip(cells, values, strict=True):
        total, tasks = sums.get(cell.challenge, (0, 0))
        sums[cell.challenge] = (total + value, tasks + 1)
    return [row for _, row in sorted(sums.items())]
