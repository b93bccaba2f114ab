"""Files that are either whole or absent: written beside their place, synced, then moved there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import stat
from collections.abc import Callable, Generator
from pathlib import Path

from bouts.errors import BadUsage, StoreFault

PART = ".part"
"""Ending of a file that is being written; one that is left was being written by a process that died."""

_START = 4096


def write_whole(path: Path, data: bytes, *, parts: Path | None = None, sync: bool = True) -> None:
    """Write `data` to `path` so that a reader, or a crash, never sees a part. Raises `StoreFault`.

    It is written in the folder `parts`, on the same file system, else beside its place. A character device takes the
    data as it is. Raises `BadUsage` where anything else stands there that is no regular file.

    Without `sync` it outlives this process, however that ends, but a loss of power may leave anything in its place.
    """
    device = _is_device(path)
    temporary = (parts or path.parent) / f".{path.name}.{secrets.token_hex(4)}{PART}"
    try:
        if device:
            with path.open("wb") as out:
                out.write(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as out:
            out.write(data)
            out.flush()
            if sync:
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


def _is_device(path: Path) -> bool:
    """Whether a character device stands there, which must not be replaced. Raises `BadUsage` for what cannot be."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    if stat.S_ISREG(mode) or stat.S_ISCHR(mode):
        return stat.S_ISCHR(mode)
    kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
    raise BadUsage(f"it is {kind}, so nothing can be stored there", where=str(path), hint="name another file")


def refuse_foreign(path: Path, ours: Callable[[bytes], bool], what: str) -> None:
    """Keep a file that somebody else wrote. `ours` says by its first bytes whether it may be replaced.

    Raises `BadUsage` where it may not. An empty file may.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return
        with path.open("rb") as file:
            start = file.read(_START)
    except OSError:
        return
    if start and not ours(start):
        raise BadUsage(f"the file that is there is no {what}", where=str(path), hint="name another file, or remove it")


def write_page(path: Path, page: str) -> None:
    """Write an HTML page of ours. Raises `StoreFault`, and `BadUsage` where a file stands there that is none."""
    refuse_foreign(path, is_page, "page of Bouts")
    write_whole(path, page.encode())


def add_text(path: Path, text: str) -> None:
    """Add text to the end of a file, which is made where there is none. Raises `StoreFault`."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise StoreFault(f"nothing can be added to the file: {error.strerror}", where=str(path)) from error


def is_page(start: bytes) -> bool:
    """Whether a file that begins like this is a page of ours."""
    return b'<meta name="generator" content="Bouts">' in start


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
