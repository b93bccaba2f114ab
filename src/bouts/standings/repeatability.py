"""Repeatability: how often do repeated attempts at a task all succeed? pass^k = C(c, k) / C(n, k)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from bouts.model.base import Fact
from bouts.model.run import Run
from bouts.policy.headline import RepeatabilityTable
from bouts.scoring.exact import mean, stored
from bouts.standings.cohort import by_task, completed


class TaskRepeats(Fact):
    """One task that takes part."""

    task: str
    outcomes: int
    """Known outcomes, n."""
    successes: int
    """Successes among them, c."""
    levels: tuple[float, ...]
    """pass^k of the task, 0–1, for each k."""


class PassLevel(Fact):
    """pass^k over all tasks that take part."""

    k: int
    value: float | None
    """Plain mean over the tasks, 0–1; `null` where no task takes part."""
    short: int
    """Tasks among them that have fewer than k outcomes, and so count 0."""


class Repeatability(Fact):
    """The report."""

    levels: tuple[PassLevel, ...]
    tasks: tuple[TaskRepeats, ...]
    """Tasks with enough outcomes, by name."""
    left_out: int
    """Tasks with too few."""


def pass_k(outcomes: int, successes: int, k: int) -> Fraction:
    """The probability (0–1) that all of a random k out of `outcomes` attempts succeeded; 0 with fewer successes than k.

    Raises `ValueError` for counts that cannot be.
    """
    if k < 1 or not 0 <= successes <= outcomes:
        raise ValueError(f"pass^{k} of {successes} successes in {outcomes} outcomes")
    return Fraction(comb(successes, k), comb(outcomes, k)) if successes >= k else Fraction(0)


def repeatability(runs: Iterable[Run], table: RepeatabilityTable) -> Repeatability:
    """pass^k of one agent's runs; those that a fault of the platform ended stay out."""
    tasks = by_task(completed(runs))
    rows = {task: (len(seen), sum(seen)) for task, seen in tasks.items() if len(seen) >= table.outcomes}
    values = {task: [pass_k(n, c, k) for k in table.levels] for task, (n, c) in rows.items()}
    levels: list[PassLevel] = []
    for at, k in enumerate(table.levels):
        value = mean(row[at] for row in values.values())
        short = sum(1 for n, _ in rows.values() if n < k)
        levels.append(PassLevel(k=k, value=None if value is None else stored(value), short=short))
    return Repeatability(
        levels=tuple(levels),
        tasks=tuple(
            TaskRepeats(task=task, outcomes=n, successes=c, levels=tuple(stored(value) for value in values[task]))
            for task, (n, c) in rows.items()
        ),
        left_out=len(tasks) - len(rows),
    )
