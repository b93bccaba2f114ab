"""A ledger in one SQLite file: write-ahead log, every commit synced, one writer at a time."""

from __future__ import annotations

import os
import secrets
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from bouts.errors import BadFile, StoreFault

BUSY_SECONDS = 60.0
"""How long a writer waits for others."""
MAGIC = b"SQLite format 3\0"
SIDES = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside its own."""


def engine(path: Path) -> Engine:
    """An engine on an existing file. Where nothing can be written beside the file, it can still be read."""
    made = create_engine("sqlite://", creator=lambda: _connect(path), poolclass=QueuePool, pool_size=4, max_overflow=60)
    begins_itself(made)
    return made


def _connect(path: Path) -> sqlite3.Connection:
    mode = "rw"
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        # Without a place for its log, SQLite reads a file only when told that nobody changes it.
        log = path.with_name(path.name + SIDES[0])
        mode = "ro" if log.exists() else "ro&immutable=1"
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def begins_itself(engine: Engine, *, hasty: bool = False) -> None:
    """Begin transactions at their beginning: a writer asks for its turn before it reads what it rests on. A `hasty`
    file is not meant to outlive its process."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = None
        if hasty:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        wants = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if wants else "BEGIN")


def must_be_ours(path: Path) -> None:
    """Raise `BadFile` for a file that is no SQLite file, `StoreFault` for one that cannot be read."""
    try:
        if not path.is_file():
            raise BadFile("a ledger is a file, and this is none", where=str(path), hint="name a file")
        with path.open("rb") as file:
            start = file.read(len(MAGIC))
    except OSError as error:
        raise StoreFault(f"the ledger cannot be read: {error.strerror}", where=str(path)) from error
    if start != MAGIC:
        raise BadFile("the file is no ledger", where=str(path), hint="name another file, or restore a backup")


def new_file(path: Path) -> Path:
    """A place beside `path` where a ledger is made ready before it is there at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFault(f"the folder cannot be made: {error.strerror}", where=str(path.parent)) from error
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")


def put_in_place(made: Path, path: Path) -> None:
    """Put a finished file at its place, unless somebody was faster."""
    try:
        os.link(made, path)
    except FileExistsError:
        return
    except OSError:
        # A file system without links: of two that come at the same moment, the later one wins.
        if not path.exists():
            made.rename(path)


def to_log(path: Path) -> None:
    """Switch a file that nobody else knows yet to the write-ahead log."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
    finally:
        connection.close()


def remove(path: Path) -> None:
    """Remove a file with what SQLite keeps beside it."""
    for ending in ("", *SIDES):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def copy(path: Path, to: Path) -> None:
    """A copy of a file that others may be writing, whole or not there."""
    part = new_file(to)
    source = sqlite3.connect(path, timeout=BUSY_SECONDS)
    try:
        target = sqlite3.connect(part)
        try:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        finally:
            target.close()
        part.replace(to)
    finally:
        source.close()
        remove(part)
