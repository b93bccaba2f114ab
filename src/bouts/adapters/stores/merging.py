"""Tallies by task, carried into the totals of every scope that the task belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, and_, bindparam, select, update

from bouts.adapters.stores import tables
from bouts.adapters.stores.cached import Cached, Key
from bouts.adapters.stores.figuring import figured_cards, figured_runs
from bouts.adapters.stores.scopes import scopes
from bouts.adapters.stores.sums import NO_CARDS, NO_RUNS, CardSums, RunTotals, Vector

Moved = Mapping[Key, tuple[Vector | None, Vector | None]]
"""Tallies before and after, by their key: season, agent, task, inside, and of cards policy, version and state."""
Tasks = Mapping[str, Mapping[str, Any]]
"""What is known of each task."""

_RUN_KEYS = ("scope", "value", "agent", "inside")
_CARD_KEYS = (*_RUN_KEYS, "policy", "version", "state")
_AT_ONCE = 5_000


def into_totals(connection: Connection, moved: Moved, tasks: Tasks, *, figures: bool = True) -> None:
    """Carry changed tallies of runs on, with what standings say of the totals or leaving that for `figure`."""
    kept = Cached(connection, tables.totals, _RUN_KEYS, RunTotals.read, RunTotals.row)
    _carry(kept, moved, tasks, lambda: RunTotals(NO_RUNS), figured_runs if figures else None)


def into_card_totals(connection: Connection, moved: Moved, tasks: Tasks, *, figures: bool = True) -> None:
    """Carry changed tallies of cards on. See `into_totals`."""
    kept = Cached(connection, tables.card_totals, _CARD_KEYS, CardSums.read, CardSums.row)
    _carry(kept, moved, tasks, lambda: CardSums(NO_CARDS), figured_cards if figures else None)


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
    known: dict[tuple[Any, ...], str] = {}
    for key in kept.changed():
        total = kept.get(key)
        if any(total.sums):
            total.figures = "" if figured is None else _once(known, key, total, figured)
        else:
            kept.set(key, None)
    kept.flush()


def _once(known: dict[tuple[Any, ...], str], key: Key, total: Any, figured: Any) -> str:
    """The figures of a row. They do not depend on its scope, and often several scopes are of the same runs."""
    what = (key[2:], total.row()[:-1])
    if what not in known:
        known[what] = figured(key, total)
    return known[what]


def figure(connection: Connection) -> None:
    """Say what standings say of the totals of which that was left."""
    _figure(connection, tables.totals, _RUN_KEYS, RunTotals.read, figured_runs)
    _figure(connection, tables.card_totals, _CARD_KEYS, CardSums.read, figured_cards)


def _figure(connection: Connection, table: Table, keys: Sequence[str], read: Any, figured: Any) -> None:
    named = [table.c[name] for name in keys]
    others = [column for column in table.c if column.name not in keys]
    same = and_(*(column == bindparam(f"k{n}") for n, column in enumerate(named)))
    change = update(table).where(same).values(figures=bindparam("said"))
    wanted = select(*named, *others).where(table.c.figures == "").order_by(table.c.agent).limit(_AT_ONCE)
    while rows := [tuple(row) for row in connection.execute(wanted)]:
        known: dict[tuple[Any, ...], str] = {}
        said: list[dict[str, Any]] = []
        for row in rows:
            key = row[: len(keys)]
            text = _once(known, key, read(row[len(keys) :]), figured)
            said.append({f"k{n}": value for n, value in enumerate(key)} | {"said": text})
        connection.execute(change, said)
