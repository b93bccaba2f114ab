"""Tallies by task, carried into the totals of every scope that the task belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from bouts.adapters.stores import tables
from bouts.adapters.stores.cached import Cached, Key
from bouts.adapters.stores.figuring import figured_cards, figured_runs
from bouts.adapters.stores.scopes import scopes
from bouts.adapters.stores.sums import NO_CARDS, NO_RUNS, CardSums, RunTotals, Vector

Moved = Mapping[Key, tuple[Vector | None, Vector | None]]
"""Tallies before and after, by their key: season, agent, task, inside, and of cards policy, version and state."""
Tasks = Mapping[str, Mapping[str, Any]]
"""What is known of each task."""


def into_totals(connection: Connection, moved: Moved, tasks: Tasks) -> None:
    """Carry changed tallies of runs on."""
    keys = ("scope", "value", "agent", "inside")
    kept = Cached(connection, tables.totals, keys, RunTotals.read, RunTotals.row)
    _carry(kept, moved, tasks, lambda: RunTotals(NO_RUNS), figured_runs)


def into_card_totals(connection: Connection, moved: Moved, tasks: Tasks) -> None:
    """Carry changed tallies of cards on."""
    keys = ("scope", "value", "agent", "inside", "policy", "version", "state")
    kept = Cached(connection, tables.card_totals, keys, CardSums.read, CardSums.row)
    _carry(kept, moved, tasks, lambda: CardSums(NO_CARDS), figured_cards)


def _carry(kept: Any, moved: Moved, tasks: Tasks, nothing: Any, figured: Any) -> None:
    rows = [
        ((*scope, key[1], *key[3:]), change) for key, change in moved.items() for scope in scopes(key[0], tasks[key[2]])
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
        total = kept.get(key)
        if any(total.sums):
            total.figures = figured(key, total)
        else:
            kept.set(key, None)
    kept.flush()
