"""Read a whole ledger and say what is not as it was written."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Table, create_engine, insert, select

from bouts.adapters.stores import sqlite, tables
from bouts.adapters.stores.chain import Row, entry_digest, origin
from bouts.adapters.stores.evidence import EvidenceStore, sha256
from bouts.adapters.stores.reading import entry_rows
from bouts.adapters.stores.rebuilding import rebuild
from bouts.errors import BoutsError, NotFound
from bouts.model.ledger import Verification

_LISTED = 100


class _Problem(NamedTuple):
    what: str
    where: str


def verify(connection: Connection, ledger: str, *, derived: bool) -> Verification:
    """The chain from the first entry to the head, and with `derived` every row that is made from it."""
    count, previous, last_time, back, cards = 0, origin(ledger), "", 0, 0
    problem = _file(connection)
    for row in entry_rows(connection) if problem is None else ():
        problem = _entry(row, count + 1, previous)
        if problem is not None:
            break
        count, previous = row.seq, row.digest
        back += row.time < last_time
        cards += row.kind == "card"
        last_time = row.time
    stored = connection.execute(select(tables.head)).one_or_none()
    if problem is None and stored is None:
        problem = _Problem("the ledger's head is gone", "ledger_head")
    if problem is None and stored is not None and (stored.seq, stored.digest) != (count, previous):
        lost = f"the last entry is {count} and the head names {stored.seq}: entries at the end are gone or were added"
        problem = _Problem(lost if stored.seq != count else "the head names another last entry", f"entry {count + 1}")
    wrong = None
    if derived and problem is None:
        wrong = _derived(connection)
    return Verification(
        ledger=ledger,
        entries=count,
        head=previous,
        problem=problem.what if problem else None,
        where=problem.where if problem else None,
        cards=cards,
        derived=wrong,
        clock_went_back=back,
    )


def _file(connection: Connection) -> _Problem | None:
    """What SQLite itself finds wrong with its file; a server looks after its own."""
    if connection.dialect.name != "sqlite":
        return None
    said = str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar())
    return None if said == "ok" else _Problem(f"the file is damaged: {said.splitlines()[0]}", "the file")


def _entry(row: Row, expected: int, previous: str) -> _Problem | None:
    seq, time, kind, key, body, before, digest = row
    where = f"entry {expected}"
    if seq != expected:
        return _Problem(f"a gap: the next entry that is there is {seq}", where)
    if before != previous:
        return _Problem("it does not follow the entry before, which was edited, removed or put in", where)
    if entry_digest(seq, time, kind, key, body, before) != digest:
        return _Problem("it was edited", where)
    return None


def _derived(connection: Connection) -> str | None:
    """The first table whose rows are others than those that the entries give."""
    with tempfile.TemporaryDirectory(prefix="bouts-verify-") as folder:
        engine = create_engine(f"sqlite:///{Path(folder, 'again.db')}")
        sqlite.begins_itself(engine, hasty=True)
        try:
            with engine.begin() as again:
                tables.metadata.create_all(again)
                _copy_cards(connection, again)
                try:
                    rebuild(again, connection)
                except BoutsError as error:
                    return f"the rows cannot be made anew: {error}"
                differences = (_difference(table, connection, again) for table in tables.DERIVED_TABLES)
                return next((said for said in differences if said), None)
        finally:
            engine.dispose()


def _copy_cards(connection: Connection, again: Connection) -> None:
    """Reviews look at what a card itself says."""
    for row in entry_rows(connection, kinds=("card",)):
        again.execute(insert(tables.entries), row._asdict())


def _difference(table: Table, one: Connection, other: Connection) -> str | None:
    wanted = _comparable(table, one)
    ours, theirs = _content(wanted, one), _content(wanted, other)
    if ours == theirs:
        return None
    return f"{table.name}: {ours[0]} rows, of which the entries give {theirs[0]}, or rows that say something else"


def _comparable(table: Table, connection: Connection) -> Select[Any]:
    """The columns to compare: figures that were made by other rules are no fault, as nobody reads them."""
    columns = list(table.c)
    if "figures" in table.c:
        from bouts.standings.figures import rules_digest  # late: who only opens a ledger needs no statistics

        known = table.c.figures.startswith(rules_digest(), autoescape=True)
        if connection.execute(select(table.c.figures).where(~known).limit(1)).first() is not None:
            columns.remove(table.c.figures)
    return select(*columns)


def _content(wanted: Select[Any], connection: Connection) -> tuple[int, int]:
    """How many rows there are, and a sum over them that does not depend on their order."""
    count, total = 0, 0
    for row in connection.execute(wanted):
        count += 1
        total += int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest()[:16], "big")
    return count, total & ((1 << 128) - 1)


def with_evidence(
    found: Verification, reading: Callable[[], AbstractContextManager[Connection]], store: EvidenceStore
) -> Verification:
    """The same, with the evidence of every card looked at."""
    missing: list[str] = []
    damaged: list[str] = []
    with reading() as connection:
        wanted = select(tables.cards.c.evidence).where(tables.cards.c.evidence.is_not(None)).distinct()
        digests = sorted(row.evidence for row in connection.execute(wanted))
    for digest in digests:
        try:
            if sha256(store.get(digest)) != digest:
                damaged.append(digest)
        except NotFound:
            missing.append(digest)
        except BoutsError:
            damaged.append(digest)
    listed = {"evidence_missing": tuple(missing[:_LISTED]), "evidence_damaged": tuple(damaged[:_LISTED])}
    return found.model_copy(update=listed)
