"""Tallies by task, carried into the totals of every scope that the task belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from bouts.adapters.stores import tables
from bouts.adapters.stores.cached import Cached, Key
from bouts.adapters.stores.sums import NO_CARDS, NO_RUNS, CardSums, RunTotals, Vector

Moved = Mapping[Key, tuple[Vector | None, Vector | None]]
"""Tallies before and after, by their key: season, agent, task, inside, and of cards policy, version and state."""
Tasks = Mapping[str, Mapping[str, Any]]
"""What is known of each task."""


def into_totals(connection: Connection, moved: Moved, tasks: Tasks) -> None:
    """Carry changed tallies of runs on."""
    keys = ("scope", "value", "agent", "inside")
    kept = Cached(connection, tables.totals, keys, RunTotals.read, RunTotals.row)
    _carry(kept, moved, tasks, lambda: RunTotals(NO_RUNS))


def into_card_totals(connection: Connection, moved: Moved, tasks: Tasks) -> None:
    """Carry changed tallies of cards on."""
    keys = ("scope", "value", "agent", "inside", "policy", "version", "state")
    kept = Cached(connection, tables.card_totals, keys, CardSums.read, CardSums.row)
    _carry(kept, moved, tasks, lambda: CardSums(NO_CARDS))


def _carry(kept: Any, moved: Moved, tasks: Tasks, nothing: Any) -> None:
    rows = [
        ((*scope, key[1], *key[3:]), change)
        for key, change in moved.items()
        for scope in _scopes(key[0], tasks[key[2]])
    ]
    kept.load(key for key, _ in rows)
    for key, (old, new) in rows:
        total = kept.get(key) or nothing()
        if old is not None:
            total.move(old, -1)
        if new is not None:
            total.move(new, 1)
        kept.set(key, total)
    for key in kept.changed():
        if not any(kept.get(key).sums):
            kept.set(key, None)
    kept.flush()


def _scopes(season: str, task: Mapping[str, Any]) -> list[tuple[str, str]]:
    if season:
        return [("season", season)]
    named = [(kind, task.get(kind)) for kind in ("family", "format", "language")]
    return [("all", ""), *((kind, value) for kind, value in named if value)]
