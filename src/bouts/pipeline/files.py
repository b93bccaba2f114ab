"""Files that are either whole or absent: written beside their place, synced, then moved there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Generator
from pathlib import Path

from bouts.errors import StoreFault

PART = ".part"
"""Ending of a file that is being written; one that is left was being written by a process that died."""


def write_whole(path: Path, data: bytes, *, parts: Path | None = None) -> None:
    """Write `data` to `path` so that a reader, or a crash, never sees a part. Raises `StoreFault`.

    It is written in the folder `parts`, on the same file system, else beside its place.
    """
    temporary = (parts or path.parent) / f".{path.name}.{secrets.token_hex(4)}{PART}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise StoreFault(
            f"the file cannot be written: {error.strerror or error}",
            where=str(path),
            hint="free some room or name another place; what was stored before is untouched",
        ) from error


def clear_parts(folder: Path) -> None:
    """Remove what writers that died left half-written in a folder; nothing while somebody holds it."""
    if not folder.is_dir():
        return
    with contextlib.suppress(OSError, StoreFault), holding(folder, wait=False) as alone:
        for path in folder.glob(f".*{PART}") if alone else ():
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def holding(folder: Path, *, shared: bool = False, wait: bool = True) -> Generator[bool]:
    """Hold a lock on a folder against other processes and threads; yields whether it is held.

    It is not held where the file system knows no such locks, or, without `wait`, where somebody else has it.
    Raises `StoreFault` where there is no such folder and none can be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise StoreFault(f"the folder cannot be used: {error.strerror}", where=str(folder)) from error
    try:
        held = True
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            held = False
        yield held
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold an exclusive lock on the file `path` (made when absent) against other processes and threads."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = path.open("a")
    except OSError as error:
        raise StoreFault(f"the lock cannot be taken: {error.strerror}", where=str(path)) from error
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
