"""The folder of one run of Bouts: locked while the run lives, cleared by a later run when it died."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bouts.adapters.sandboxes import cgroups

_PREFIX = "run-"
_NAME = re.compile(r"run-(\d+)-(\d+)-[0-9a-f]{6}")
_GROUPS = "groups"
_LOCK = "lock"


def started(process: int) -> str:
    """When a process started, in ticks since boot; with its id it names it for ever. Raises OSError."""
    text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    return text.rpartition(")")[2].split()[19]


class Run:
    """The scratch folder and the control groups of this process."""

    def __init__(self, scratch: Path, places: cgroups.Places | None) -> None:
        import fcntl

        self.process = os.getpid()
        self.name = f"{_PREFIX}{self.process}-{started(self.process)}-{os.urandom(3).hex()}"
        self.folder = scratch / self.name
        self.places = places
        with _scratch_lock(scratch):
            self.folder.mkdir(mode=0o700)
            self._lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        (self.folder / "empty").mkdir(mode=0o755)
        if places is not None:
            lines = "".join(f"{folder / self.name}\n" for folder in places.folders)
            (self.folder / _GROUPS).write_text(lines, encoding="utf-8")
        self._claims = [_claim(folder / self.name) for folder in (places.folders if places else ())]
        self._count = 0

    def next_name(self) -> str:
        """A fresh short name for a sandbox."""
        self._count += 1
        return f"t{self._count}"

    def close(self) -> None:
        """Remove everything of this run."""
        _clear(self.folder)
        for handle in (*self._claims, self._lock):
            if handle >= 0:
                os.close(handle)


def _claim(group: Path) -> int:
    """Make a control group and lock it, so that nobody takes it for abandoned: process ids tell that only within one
    process namespace, and between two commands no process is in it. -1 where it cannot be made."""
    import fcntl

    while True:
        try:
            group.mkdir(parents=True, exist_ok=True)
            handle = os.open(group, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        except OSError:
            return -1
        fcntl.flock(handle, fcntl.LOCK_EX)
        if group.is_dir():
            return handle
        os.close(handle)


def reap(scratch: Path) -> tuple[str, ...]:
    """Clear what runs that died left behind. Returns the names of what was removed."""
    removed: tuple[str, ...] = ()
    if scratch.is_dir():
        with _scratch_lock(scratch):
            removed = _reap(scratch)
    return removed + _reap_groups(cgroups.find())


def _reap_groups(places: cgroups.Places | None) -> tuple[str, ...]:
    """Remove empty groups of dead runs whose scratch folder is gone. A run that lives, in whichever container, holds
    the lock of its groups."""
    removed: list[str] = []
    for place in places.folders if places else ():
        for group in (*place.glob(_PREFIX + "*"), *place.parent.glob(f"*/{_PREFIX}*")):
            named = _NAME.fullmatch(group.name)
            if named and not _alive(int(named[1]), named[2]) and _remove_unclaimed(group):
                removed.append(str(group))
    return tuple(removed)


def _remove_unclaimed(group: Path) -> bool:
    import fcntl

    try:
        handle = os.open(group, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return cgroups.remove_empty(group)
    except OSError:
        return False
    finally:
        os.close(handle)


def _alive(process: int, since: str) -> bool:
    try:
        return started(process) == since
    except OSError:
        return False


@contextmanager
def _scratch_lock(scratch: Path) -> Generator[None]:
    """Nobody takes a folder for abandoned between its making and its locking."""
    import fcntl

    scratch.mkdir(parents=True, exist_ok=True)
    lock = os.open(scratch / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _reap(scratch: Path) -> tuple[str, ...]:
    import fcntl

    removed: list[str] = []
    for folder in sorted(scratch.glob(_PREFIX + "*")):
        try:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        else:
            removed += _clear(folder)
        finally:
            os.close(lock)
    return tuple(removed)


def _clear(folder: Path) -> list[str]:
    removed: list[str] = []
    try:
        groups = (folder / _GROUPS).read_text(encoding="utf-8").split("\n")
    except OSError:
        groups = []
    for line in groups:
        if line and Path(line).is_dir() and Path(line).name == folder.name and cgroups.remove(Path(line)):
            removed.append(line)
    shutil.rmtree(folder, ignore_errors=True)
    removed.append(str(folder))
    return removed
