"""Repeatability: how often do repeated attempts at a task all succeed? pass^k = C(c, k) / C(n, k)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb

from bouts.model.base import Fact
from bouts.model.run import Run
from bouts.policy.headline import RepeatabilityTable
from bouts.scoring.exact import add, rational, stored
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
    return repeatability_of({task: (len(seen), sum(seen)) for task, seen in by_task(completed(runs)).items()}, table)


def repeatability_of(tasks: Mapping[str, tuple[int, int]], table: RepeatabilityTable) -> Repeatability:
    """pass^k from n outcomes, at least one, and c successes of each task: equal to the one from the runs."""
    rows = {task: row for task, row in sorted(tasks.items()) if row[0] >= table.outcomes}
    return Repeatability(
        levels=pass_levels(Counter(rows.values()), table),
        tasks=tuple(
            TaskRepeats(task=task, outcomes=n, successes=c, levels=tuple(stored(pass_k(n, c, k)) for k in table.levels))
            for task, (n, c) in rows.items()
        ),
        left_out=len(tasks) - len(rows),
    )


def pass_levels(tasks: Mapping[tuple[int, int], int], table: RepeatabilityTable) -> tuple[PassLevel, ...]:
    """pass^k from how many tasks have n outcomes and c successes, by (n, c): equal to the one from the runs."""
    rows = {row: count for row, count in tasks.items() if row[0] >= table.outcomes}
    total = sum(rows.values())
    levels: list[PassLevel] = []
    for k in table.levels:
        # Tasks with as many outcomes share a denominator, so each number of outcomes takes one fraction.
        ways: dict[int, int] = {}
        for (n, c), count in rows.items():
            ways[n] = ways.get(n, 0) + count * comb(c, k)
        passed = add(rational(ways[n], comb(n, k)) for n in ways if n >= k)
        short = sum(count for (n, _), count in rows.items() if n < k)
        levels.append(PassLevel(k=k, value=stored(passed / total) if total else None, short=short))
    return tuple(levels)
