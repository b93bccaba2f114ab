"""All derived rows made anew from the entries."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete

from bouts.adapters.stores import tables
from bouts.adapters.stores.deriving import Deriver
from bouts.adapters.stores.merging import figure
from bouts.adapters.stores.reading import entry_rows
from bouts.errors import StoreFault
from bouts.model.base import Fact
from bouts.model.ledger import BODIES

_CHUNK = 5_000


def rebuild(
    connection: Connection, source: Connection | None = None, told: Callable[[int], None] = lambda count: None
) -> int:
    """Forget the derived rows and take every entry in again; how many there were. The entries are read from `source`
    where they lie elsewhere, and the rows are then made here. `told` hears how many were taken in so far."""
    for table in tables.DERIVED_TABLES:
        connection.execute(delete(table))
    deriver = Deriver(connection, figures=False)
    count = 0
    rows = entry_rows(source or connection)
    while chunk := list(islice(rows, _CHUNK)):
        bodies = [read_body(row.seq, row.kind, row.body) for row in chunk]
        deriver.prepare(bodies)
        for row, body in zip(chunk, bodies, strict=True):
            try:
                deriver.take(row.seq, row.time, row.key, body)
            except ValueError as error:
                raise StoreFault(f"the entry says what cannot be: {error}", where=f"entry {row.seq}") from error
        deriver.flush()
        count += len(chunk)
        told(count)
    figure(connection)
    return count


def read_body(seq: int, kind: str, body: str) -> Fact:
    """What an entry says. Raises `StoreFault` where it is nothing that is known."""
    shape: Any = BODIES.get(kind)  # pyright: ignore[reportArgumentType]
    if shape is None:
        raise StoreFault(f"an entry of an unknown kind {kind!r}", where=f"entry {seq}")
    try:
        return shape.model_validate(json.loads(body))
    except ValueError as error:
        raise StoreFault(f"the {kind} entry cannot be read: {error}", where=f"entry {seq}") from error
