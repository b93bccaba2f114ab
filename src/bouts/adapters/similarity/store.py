"""The file that keeps submissions: SQLite, one file, format 2.

Adding a submission appends rows and changes none: weights are counted when they are asked for. Every change is one
transaction, so a process that is killed leaves the file as it was; writers wait for each other.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bouts.errors import BadFile, NotFound, StoreFault
from bouts.integrity.similarity.findings import Named
from bouts.integrity.similarity.shapes import Bag, Print, Reading, Shape

APPLICATION = 0x426F5349
FORMAT = 2
"""Of the file, and of how code is read: what two ways of reading made cannot be compared."""
WAIT = 60.0
"""Seconds that a writer waits for another."""
_SCHEMA = """
CREATE TABLE submission (
    id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, agent TEXT, label TEXT NOT NULL, digest TEXT NOT NULL,
    bag BLOB NOT NULL, UNIQUE (task, agent, digest, label));
CREATE INDEX by_task ON submission (task, id);
CREATE UNIQUE INDEX known_once ON submission (task, digest, label) WHERE agent IS NULL;
CREATE TABLE file (
    submission INTEGER NOT NULL REFERENCES submission (id), path TEXT NOT NULL, language TEXT NOT NULL,
    partial TEXT NOT NULL, shapes BLOB NOT NULL, prints BLOB NOT NULL, text BLOB NOT NULL,
    PRIMARY KEY (submission, path)) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Entry:
    """One submission or known solution as kept."""

    named: Named
    digest: str
    bag: Bag


class Store:
    """An open index. Use `opened`."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db, self._path = connection, path

    def add(
        self,
        task: str,
        agent: str | None,
        label: str,
        digest: str,
        bag: Bag,
        readings: Sequence[Reading],
        texts: dict[str, str],
    ) -> tuple[Named, bool]:
        """Append a submission; one that is there already is found again. Whether it is new is returned too."""
        with self._writing() as db:
            same = "agent IS ?" if agent is None else "agent = ?"
            row = db.execute(
                f"SELECT id, label FROM submission WHERE task = ? AND {same} AND digest = ?"  # noqa: S608 - of two texts
                + (" AND label = ?" if agent is None else "")
                + " ORDER BY id LIMIT 1",
                (task, agent, digest, label) if agent is None else (task, agent, digest),
            ).fetchone()
            if row is not None:
                return Named(row[0], agent, row[1]), False
            made = db.execute(
                "INSERT INTO submission (task, agent, label, digest, bag) VALUES (?, ?, ?, ?, ?)",
                (task, agent, label, digest, _packed_bag(bag)),
            )
            number = int(made.lastrowid or 0)
            db.executemany(
                "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (number, r.path, r.language, r.partial, *_packed(r), _squeezed(texts.get(r.path, "")))
                    for r in readings
                ],
            )
        return Named(number, agent, label), True

    def tasks(self) -> dict[str, int]:
        """How many submissions and known solutions each task has."""
        rows = self._read("SELECT task, count(*) FROM submission GROUP BY task ORDER BY task", ())
        return {str(task): int(count) for task, count in rows}

    def entries(self, task: str) -> Iterator[Entry]:
        """All entries of a task in the order in which they were added, one at a time."""
        query = "SELECT id, agent, label, digest, bag FROM submission WHERE task = ? ORDER BY id"
        for number, agent, label, digest, packed in self._read(query, (task,)):
            yield Entry(Named(number, agent, label), digest, self._bag(packed))

    def files(self, number: int) -> tuple[tuple[Reading, ...], dict[str, str]]:
        """The files of an entry: readings, and texts by path. Raises `NotFound`."""
        query = "SELECT path, language, partial, shapes, prints, text FROM file WHERE submission = ? ORDER BY path"
        readings: list[Reading] = []
        texts: dict[str, str] = {}
        for path, language, partial, shapes, prints, text in self._read(query, (number,)):
            try:
                s, p = _numbers(shapes), _numbers(prints)
                texts[path] = zlib.decompress(text).decode("utf-8", "replace")
            except (zlib.error, ValueError) as error:
                raise self._damaged() from error
            readings.append(
                Reading(
                    path,
                    language,
                    tuple(Shape(*row) for row in zip(s[::3], s[1::3], s[2::3], strict=True)),
                    tuple(Print(*row) for row in zip(p[::3], p[1::3], p[2::3], strict=True)),
                    partial,
                )
            )
        if not readings and not list(self._read("SELECT 1 FROM submission WHERE id = ?", (number,))):
            raise NotFound(f"the index has no entry {number}", where=str(self._path))
        return tuple(readings), texts

    def _bag(self, packed: bytes) -> Bag:
        try:
            numbers = _numbers(zlib.decompress(packed))
            size = numbers[0]
            return Bag(
                dict(zip(numbers[1 : size + 1], numbers[size + 1 : 2 * size + 1], strict=True)),
                frozenset(numbers[2 * size + 1 :]),
            )
        except (zlib.error, ValueError, IndexError) as error:
            raise self._damaged() from error

    def _damaged(self) -> BadFile:
        return BadFile("the index is damaged", where=str(self._path), hint="build it anew by adding the submissions")

    def _read(self, query: str, values: tuple[object, ...]) -> Iterator[tuple[Any, ...]]:
        with _told(self._path):
            yield from self._db.execute(query, values)

    @contextlib.contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with _told(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.rollback()
                raise
            self._db.commit()


@contextlib.contextmanager
def opened(path: Path, *, create: bool = False) -> Generator[Store]:
    """Open an index; with `create` it is made where there is none.

    Raises `NotFound` where there is none, `BadFile` for a file that is no index or of a newer format, and `StoreFault`
    where the file cannot be read or written.
    """
    if path.is_dir():
        raise BadFile("it is a folder; an index is one file", where=str(path))
    if not create and not path.is_file():
        raise NotFound("there is no such index", where=str(path), hint="`bouts similarity add` makes one")
    with _told(path):
        connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
    try:
        with _told(path):
            connection.execute("PRAGMA foreign_keys = ON")
            _prepare(connection, path)
        yield Store(connection, path)
    finally:
        connection.close()


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    if _is_ready(db, path):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have made it in the meantime.
        if not _is_ready(db, path):
            for statement in _SCHEMA.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {FORMAT}")
        db.commit()
    except BaseException:
        db.rollback()
        raise


def _is_ready(db: sqlite3.Connection, path: Path) -> bool:
    application, version = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if not application and not version and not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return False
    if application != APPLICATION:
        raise BadFile("it is a database, but no similarity index", where=str(path), hint="name another file")
    if version != FORMAT:
        hint = "update Bouts" if version > FORMAT else "begin a new file and add the submissions to it"
        raise BadFile(f"its format is {version}, and this version knows {FORMAT}", where=str(path), hint=hint)
    return True


@contextlib.contextmanager
def _told(path: Path) -> Generator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreFault(
            f"the index cannot be used: {error}", where=str(path), hint="check the disk, permissions and other writers"
        ) from error
    except sqlite3.DatabaseError as error:
        raise BadFile(
            f"it is no similarity index, or damaged: {error}", where=str(path), hint="name another file"
        ) from error


def _packed_bag(bag: Bag) -> bytes:
    keys = sorted(bag.shapes)
    return zlib.compress(_bytes([len(keys), *keys, *(bag.shapes[k] for k in keys), *sorted(bag.prints)]), 1)


def _packed(reading: Reading) -> tuple[bytes, bytes]:
    return (
        _bytes([number for shape in reading.shapes for number in shape]),
        _bytes([number for one in reading.prints for number in (one.key, one.first, one.last)]),
    )


def _squeezed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "replace"), 6)


def _bytes(numbers: Sequence[int]) -> bytes:
    made = array("q", numbers)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _numbers(packed: bytes) -> list[int]:
    made = array("q")
    made.frombytes(packed)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tolist()
