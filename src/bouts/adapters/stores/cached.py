"""Rows of a derived table while they change: read on first use, written back together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Select, Table, and_, bindparam, column, delete, insert, select, values

from bouts.adapters.stores.sums import Vector

V = TypeVar("V")
Key = tuple[Any, ...]
_AT_ONCE = 400
"""Keys asked for in one question; databases bound the number of values in one."""


class Cached(Generic[V]):
    """A table's rows by key. `read` makes a value of the columns behind the key, `write` the columns of a value."""

    def __init__(
        self,
        connection: Connection,
        table: Table,
        keys: Sequence[str],
        read: Callable[[Sequence[Any]], V],
        write: Callable[[V], Sequence[Any]],
    ) -> None:
        self._connection, self.table = connection, table
        self._read, self._write = read, write
        self._keys = [table.c[name] for name in keys]
        self._others = [column for column in table.c if column.name not in keys]
        self._all: Select[Any] = select(*self._keys, *self._others)
        self._values: dict[Key, V | None] = {}
        self._stored: set[Key] = set()
        self._changed: dict[Key, None] = {}

    def load(self, keys: Iterable[Key]) -> None:
        """Read these rows now, many at once."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self._values]
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            for key in part:
                self._values[key] = None
            self._read_rows(self._among(part))

    def get(self, key: Key) -> V | None:
        """The row, or `None`."""
        if key not in self._values:
            self._values[key] = None
            same = and_(*(column == value for column, value in zip(self._keys, key, strict=True)))
            self._read_rows(self._all.where(same))
        return self._values[key]

    def set(self, key: Key, value: V | None) -> None:
        """Put a row, or with `None` remove it. The row must have been looked at."""
        self._values[key] = value
        self._changed[key] = None

    def changed(self) -> list[Key]:
        """Keys of the rows that were put or removed, in the order in which it first happened."""
        return list(self._changed)

    def flush(self) -> None:
        """Write what changed; then nothing is remembered."""
        gone = [key for key in self._changed if key in self._stored]
        if gone:
            same = and_(*(column == bindparam(f"k{n}") for n, column in enumerate(self._keys)))
            self._connection.execute(delete(self.table).where(same), [_numbered(key) for key in gone])
        names = [column.name for column in (*self._keys, *self._others)]
        rows = [
            dict(zip(names, (*key, *self._write(value)), strict=True))
            for key in self._changed
            if (value := self._values[key]) is not None
        ]
        if rows:
            self._connection.execute(insert(self.table), rows)
        self._values.clear()
        self._stored.clear()
        self._changed.clear()

    def _among(self, keys: Sequence[Key]) -> Select[Any]:
        if len(self._keys) == 1:
            return self._all.where(self._keys[0].in_([key[0] for key in keys]))
        # Joined, as SQLite reads the whole table for a list of rows after IN.
        wanted = values(*(column(key.name, key.type) for key in self._keys), name="wanted").data(keys).cte("wanted")
        return self._all.join(wanted, and_(*(key == wanted.c[key.name] for key in self._keys)))

    def _read_rows(self, wanted: Select[Any]) -> None:
        width = len(self._keys)
        for found in self._connection.execute(wanted):
            row: Sequence[Any] = tuple(found)
            key = tuple(row[:width])
            self._values[key] = self._read(row[width:])
            self._stored.add(key)


def _numbered(key: Key) -> dict[str, Any]:
    return {f"k{n}": value for n, value in enumerate(key)}


def dicts(connection: Connection, table: Table, keys: Sequence[str]) -> Cached[dict[str, Any]]:
    """A table whose rows are values by column."""
    names = [column.name for column in table.c if column.name not in keys]

    def read(row: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(names, row, strict=True))

    def write(row: dict[str, Any]) -> Sequence[Any]:
        return [row[name] for name in names]

    return Cached(connection, table, keys, read, write)


def vectors(connection: Connection, table: Table, keys: Sequence[str]) -> Cached[Vector]:
    """A table whose rows are sums."""

    def read(row: Sequence[Any]) -> Vector:
        return tuple(map(int, row))

    def write(sums: Vector) -> Sequence[Any]:
        return [str(value) for value in sums]

    return Cached(connection, table, keys, read, write)
