"""Which runs count, what came of them, and their middles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from bouts.model.run import Run


def completed(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Every run but those that a fault of the platform ended: an agent's own failure or time-out counts."""
    return tuple(run for run in runs if run.status != "infrastructure")


def outcome(run: Run) -> bool | None:
    """Whether the run succeeded; `None` where that is not known."""
    return run.success if run.status == "completed" else False


def median(values: Sequence[Fraction]) -> Fraction | None:
    """The middle value, the mean of the two middle ones of an even number, `None` of nothing."""
    if not values:
        return None
    rows, half = sorted(values), len(values) // 2
    return rows[half] if len(rows) % 2 else (rows[half - 1] + rows[half]) / 2


def by_task(runs: Iterable[Run]) -> dict[str, list[bool]]:
    """The known outcomes of each task, tasks in the order of their names."""
    found: dict[str, list[bool]] = {}
    for run in runs:
        ok = outcome(run)
        if ok is not None:
            found.setdefault(run.task, []).append(ok)
    return dict(sorted(found.items()))
