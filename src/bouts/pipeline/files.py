"""Files that are either whole or absent: written beside their place, synced, then moved there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Generator
from pathlib import Path

from bouts.errors import StoreFault


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader, or a crash, never sees a part. Raises `StoreFault`."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
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
