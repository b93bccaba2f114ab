"""Questions that a ledger answers from its derived rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from bouts.adapters.stores import tables
from bouts.adapters.stores.asking import of_policy, on_runs
from bouts.adapters.stores.chain import Row
from bouts.adapters.stores.reviewing import card_body
from bouts.adapters.stores.writing import stored_run
from bouts.errors import NotFound
from bouts.model.base import made
from bouts.model.ledger import Entry, EntryKind, RunEntry
from bouts.model.tallied import (
    POINT_UNIT,
    AgentRow,
    CardRow,
    Queued,
    ReviewRow,
    SeasonRow,
    TaskRow,
    Where,
)

_CHUNK = 5_000


def entries(connection: Connection, after: int, kinds: Sequence[EntryKind]) -> Iterator[Entry]:
    """Entries behind a place."""
    for row in entry_rows(connection, after, kinds):
        yield made(Entry, **{**row._asdict(), "body": json.loads(row.body)})


def entry_rows(
    connection: Connection, after: int = 0, kinds: Sequence[EntryKind] = (), upto: int | None = None
) -> Iterator[Row]:
    """The rows of entries behind a place, read some thousands at a time."""
    column = tables.entries.c
    while True:
        wanted = select(tables.entries).where(column.seq > after).order_by(column.seq).limit(_CHUNK)
        if upto is not None:
            wanted = wanted.where(column.seq <= upto)
        rows = [Row(*row) for row in connection.execute(wanted.where(column.kind.in_(kinds)) if kinds else wanted)]
        yield from rows
        if len(rows) < _CHUNK:
            return
        after = rows[-1].seq


def agents(connection: Connection) -> tuple[AgentRow, ...]:
    """All agents."""
    rows = connection.execute(select(tables.agents)).mappings().all()
    return tuple(sorted((agent_row(row) for row in rows), key=lambda agent: agent.name))


def agent_row(row: Any) -> AgentRow:
    """An agent of its row."""
    names = ("name", "owner", "model", "scaffold", "shown", "pseudonym")
    return AgentRow(**{name: row[name] for name in names})


def seasons(connection: Connection) -> tuple[SeasonRow, ...]:
    """All seasons."""
    rows = connection.execute(select(tables.seasons)).all()
    return tuple(sorted((SeasonRow(row.name, row.first, row.last) for row in rows), key=lambda s: (s.first, s.name)))


def tasks(connection: Connection) -> tuple[TaskRow, ...]:
    """All tasks."""
    rows = connection.execute(select(tables.tasks)).mappings().all()
    return tuple(sorted((TaskRow(**row) for row in rows), key=lambda task: task.task))


def runs(connection: Connection, where: Where, last: int | None) -> tuple[RunEntry, ...]:
    """Runs as they count."""
    column = tables.runs.c
    wanted = select(tables.runs).where(*on_runs(connection, where))
    if last is not None:
        wanted = wanted.where(column.status != "infrastructure").order_by(column.ended.desc(), column.seq.desc())
        rows = connection.execute(wanted.limit(last)).mappings().all()[::-1]
    else:
        rows = connection.execute(wanted.order_by(column.ended, column.seq)).mappings().all()
    return tuple(stored_run(dict(row)) for row in rows)


def cards(connection: Connection, where: Where) -> tuple[CardRow, ...]:
    """Cards in short."""
    table = tables.cards
    conditions = [*on_runs(connection, where), *of_policy(table, where)]
    if where.latest:
        conditions += [table.c.latest == True, table.c.replaced_by.is_(None)]  # noqa: E712 - SQL, not Python
    return _card_rows(connection, conditions)


def _card_rows(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> tuple[CardRow, ...]:
    table, run = tables.cards, tables.runs
    beside = ("attempt", "ended", "inside", "iterations", "seconds")
    wanted = (
        select(table, *(run.c[name] for name in beside))
        .join(run, run.c.run == table.c.run)
        .where(*conditions)
        .order_by(run.c.ended, table.c.seq)
    )
    return tuple(_card_row(row) for row in connection.execute(wanted).mappings())


def _card_row(row: Any) -> CardRow:
    final: int | None = row["final"]
    changed: dict[str, Any] = {
        "appealed": row["appealed"] is not None,
        "final": None if final is None else final / POINT_UNIT,
    }
    return CardRow(**{**row, **changed})


def card(connection: Connection, digest: str) -> tuple[CardRow, dict[str, Any]]:
    """A card's row and body by the first characters of its digest. Raises `NotFound`."""
    said = digest.removeprefix("sha256:").lower()
    hint = "`bouts review list` and `bouts agent` show the digests of cards"
    if not said or set(said) - set("0123456789abcdef"):
        raise NotFound("a card is named by its digest, or the first characters of it", where=digest, hint=hint)
    rows = _card_rows(connection, [tables.cards.c.card.like(f"sha256:{said}%")])
    names = sorted({row.card for row in rows})
    if len(names) != 1:
        what = "several cards have digests that begin so" if names else "no such card in this ledger"
        raise NotFound(what, where=digest, hint=", ".join(name[:23] for name in names[:5]) or hint)
    row = min(rows, key=lambda row: row.seq)
    return row, card_body(connection, row.seq)


def reviews(connection: Connection, cards: Sequence[str]) -> tuple[ReviewRow, ...]:
    """Everything that was said about some cards."""
    table = tables.reviews
    rows = connection.execute(select(table).where(table.c.card.in_(cards)).order_by(table.c.seq)).mappings()
    return tuple(ReviewRow(**row) for row in rows)


def queue(connection: Connection) -> tuple[Queued, ...]:
    """Cards that wait for a reviewer."""
    column = tables.cards.c
    waiting = or_(column.state == "held", column.appealed.is_not(None))
    counts = and_(column.latest == True, column.replaced_by.is_(None))  # noqa: E712 - SQL, not Python
    rows = _card_rows(connection, [waiting, counts])
    said: dict[str, list[ReviewRow]] = {}
    for review in reviews(connection, [row.card for row in rows]):
        said.setdefault(review.card, []).append(review)
    found: list[Queued] = []
    for row in rows:
        flags = card_body(connection, row.seq).get("flags", ()) if row.state == "held" else ()
        held = dict.fromkeys(flag["kind"] for flag in flags if flag.get("holds"))
        mine = tuple(said.get(row.card, ()))
        appeals = [review.time for review in mine if review.action == "appeal"]
        since = row.time if row.state == "held" or not appeals else appeals[-1]
        found.append(Queued(row, since, (*held, *(("appeal",) if row.appealed else ())), mine))
    return tuple(sorted(found, key=lambda item: (item.since, item.card.seq)))
