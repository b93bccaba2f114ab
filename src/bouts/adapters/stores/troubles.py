"""What a database's errors mean for whoever runs Bouts."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Generator
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bouts.errors import BadFile, BoutsError, StoreFault

ROOM = "make room; everything that was recorded before is untouched, and running again completes the work"
DAMAGED = "restore a backup into a new place: bouts ledger restore BACKUP --ledger NEW"
_BUSY = "another process holds the ledger; run again when it is done"
_PLACE = "mend the permissions, or name another place by --ledger"
_SQLITE = {
    "SQLITE_FULL": ("the disk is full", ROOM),
    "SQLITE_READONLY": ("the ledger cannot be written here", _PLACE),
    "SQLITE_CANTOPEN": ("the ledger cannot be opened", _PLACE),
    "SQLITE_PERM": ("the ledger cannot be opened", _PLACE),
    "SQLITE_BUSY": ("the ledger is in use", _BUSY),
    "SQLITE_LOCKED": ("the ledger is in use", _BUSY),
    "SQLITE_IOERR": ("the disk failed", "see what the system says of the disk; what was recorded before is kept"),
    "SQLITE_CORRUPT": ("the ledger is damaged", DAMAGED),
}
_LITTLE = 64 * 1024
"""Bytes below which a disk counts as full where SQLite only says that it failed."""
_REACH = "see whether the server runs, and whether address, user and password are right"


@contextlib.contextmanager
def told(where: str) -> Generator[None]:
    """Raise what the database says as one clear error of ours."""
    try:
        yield
    except BoutsError:
        raise
    except SQLAlchemyError as error:
        raise meant(error.orig if isinstance(error, DBAPIError) and error.orig else error, where) from error
    except sqlite3.Error as error:
        raise meant(error, where) from error
    except OSError as error:
        raise StoreFault(f"the ledger cannot be used: {error.strerror or error}", where=where, hint=ROOM) from error


def meant(error: BaseException, where: str) -> BoutsError:
    """An error of the database, as one of ours."""
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(error, where)
    state = getattr(error, "sqlstate", None)
    first = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if isinstance(state, str) and state.startswith("53"):
        return StoreFault(f"the database has no room: {first}", where=where, hint=ROOM)
    if state in {"25006", "42501"}:
        return StoreFault(f"the ledger cannot be written: {first}", where=where, hint="ask for the right to write")
    if type(error).__name__ in {"OperationalError", "AdminShutdown"}:
        return StoreFault(f"the database cannot be reached: {first}", where=where, hint=_REACH)
    return StoreFault(f"the database refused: {first}", where=where, hint="`bouts ledger verify` says what is sound")


def _of_sqlite(error: sqlite3.Error, where: str) -> BoutsError:
    name = str(getattr(error, "sqlite_errorname", ""))
    if name.startswith("SQLITE_NOTADB"):
        return BadFile("the file is no ledger", where=where, hint="name another file, or restore a backup")
    if name.startswith("SQLITE_IOERR") and _no_room(Path(where)):
        name = "SQLITE_FULL"  # what it says where there is no room for the index of its log
    for start, (what, hint) in _SQLITE.items():
        if name.startswith(start):
            return StoreFault(f"{what}: {error}", where=where, hint=hint)
    if "no such table" in str(error) or "no such column" in str(error):
        return StoreFault(f"the ledger is damaged: {error}", where=where, hint=DAMAGED)
    return StoreFault(
        f"the ledger cannot be used: {error}", where=where, hint="`bouts ledger verify` says what is sound"
    )


def _no_room(file: Path) -> bool:
    with contextlib.suppress(OSError):
        return shutil.disk_usage(file.parent).free < _LITTLE
    return False
