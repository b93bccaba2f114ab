"""Control groups: the kernel bounds and measures a whole process tree. Version 1 and 2."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

_NEEDED = ("memory", "pids")


@dataclass(frozen=True, slots=True)
class Places:
    """Where groups can be made. `version` is 1 or 2; on 2 both controllers share one folder."""

    version: int
    memory: Path
    pids: Path

    @property
    def folders(self) -> tuple[Path, ...]:
        """Each distinct folder once."""
        return (self.memory,) if self.memory == self.pids else (self.memory, self.pids)


def find(
    cgroup_file: Path = Path("/proc/self/cgroup"), mounts_file: Path = Path("/proc/self/mountinfo")
) -> Places | None:
    """Find where this process may make groups below its own; None where it may not."""
    try:
        own = _own_paths(cgroup_file.read_text(encoding="utf-8"))
        mounted = _mounts(mounts_file.read_text(encoding="utf-8"))
    except OSError:
        return None
    if all(name in own and name in mounted for name in _NEEDED):
        first, second = (_below(*mounted[name], own[name]) for name in _NEEDED)
        if all(os.access(folder, os.W_OK) for folder in (first, second)):
            return Places(1, first, second)
    if "" in own and "" in mounted:
        return _unified(_below(*mounted[""], own[""]), mounted[""][0])
    return None


def _own_paths(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for name in controllers.split(","):
            found[name] = path
    return found


def _mounts(text: str) -> dict[str, tuple[Path, str]]:
    """Controller name (empty for the unified hierarchy) → mount point and the root of what is mounted there."""
    found: dict[str, tuple[Path, str]] = {}
    for line in text.splitlines():
        left, _, right = line.partition(" - ")
        fields, (kind, _, options) = left.split(), right.split(" ", 2)
        root, point = fields[3], Path(fields[4])
        if kind == "cgroup2":
            found[""] = (point, root)
        elif kind == "cgroup":
            for name in options.split(","):
                if name in _NEEDED:
                    found[name] = (point, root)
    return found


def _below(point: Path, root: str, own: str) -> Path:
    if root != "/" and (own == root or own.startswith(root + "/")):
        own = own[len(root) :]
    folder = point / own.lstrip("/")
    return folder if folder.is_dir() else point


def _unified(own: Path, top: Path) -> Places | None:
    """The first of our own group, its parent and the top whose children get both controllers."""
    for folder in (own, own.parent, top):
        if folder != top and top not in folder.parents:
            continue
        try:
            given = (folder / "cgroup.subtree_control").read_text(encoding="utf-8").split()
        except OSError:
            continue
        movable = os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)
        if movable and all(name in given for name in _NEEDED):
            return Places(2, folder, folder)
    return None


class Group:
    """The control group of one sandbox."""

    def __init__(self, places: Places, run: str, name: str) -> None:
        self._places = places
        self._memory = places.memory / run / name
        self._pids = places.pids / run / name
        self._folders = (self._memory,) if places.version == 2 else (self._memory, self._pids)
        self._alarmed = False
        self.alarm = -1
        """Descriptor that becomes readable when memory runs out, on version 1; version 2 ends the whole tree itself."""

    def make(self, memory_bytes: int, processes: int) -> None:
        """Make it with its limits. Raises OSError."""
        for folder in self._folders:
            folder.mkdir(parents=True, exist_ok=True)
        if self._places.version == 2:
            _enable(self._memory.parent)
            (self._memory / "memory.max").write_text(str(memory_bytes), encoding="ascii")
            _try_write(self._memory / "memory.swap.max", "0")
            _try_write(self._memory / "memory.oom.group", "1")
        else:
            (self._memory / "memory.limit_in_bytes").write_text(str(memory_bytes), encoding="ascii")
            _try_write(self._memory / "memory.memsw.limit_in_bytes", str(memory_bytes))
            _try_write(self._memory / "memory.swappiness", "0")
            self._set_alarm()
        (self._pids / "pids.max").write_text(str(processes), encoding="ascii")

    def _set_alarm(self) -> None:
        self.alarm = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        watched = os.open(self._memory / "memory.oom_control", os.O_RDONLY | os.O_CLOEXEC)
        _try_write(self._memory / "cgroup.event_control", f"{self.alarm} {watched}")
        os.close(watched)

    def rearm(self) -> None:
        """Forget an alarm that was given, so that the next command starts without it."""
        if self.alarm >= 0:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self.alarm)
                self._alarmed = True

    def ran_out(self) -> bool:
        """Whether memory ever ran out."""
        self.rearm()
        return self._alarmed or self.ooms() > 0

    def entrances(self) -> list[int]:
        """Open descriptors by which a process inside joins: it writes 0. The caller closes them."""
        name = "cgroup.procs"
        return [os.open(folder / name, os.O_WRONLY | os.O_CLOEXEC) for folder in self._folders]

    def peak(self) -> int | None:
        """The most memory the tree ever had, files in memory file systems included."""
        name = "memory.peak" if self._places.version == 2 else "memory.max_usage_in_bytes"
        return _number(self._memory / name)

    def ooms(self) -> int:
        """How many processes the kernel killed because the limit was hit."""
        name = "memory.events" if self._places.version == 2 else "memory.oom_control"
        return _field(self._memory / name, "oom_kill")

    def denials(self) -> int:
        """How many times a process could not be made."""
        return _field(self._pids / "pids.events", "max")

    def remove(self) -> None:
        """Remove it, killing whatever is still in it."""
        if self.alarm >= 0:
            os.close(self.alarm)
            self.alarm = -1
        for folder in self._folders:
            remove(folder)


def _enable(folder: Path) -> None:
    _try_write(folder / "cgroup.subtree_control", "+memory +pids")


def _try_write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="ascii")
    except OSError:
        return


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _field(path: Path, name: str) -> int:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[:1] == [name]), 0)


def remove(folder: Path, seconds: float = 2.0) -> bool:
    """Kill what is in a group and its children and remove it. False when it could not be removed."""
    end = time.monotonic() + seconds
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if time.monotonic() > end:
                return False
            _empty(folder)
            time.sleep(0.001)
        else:
            return True


def remove_empty(folder: Path) -> bool:
    """Remove a group and its children if no process is in them."""
    try:
        for child in folder.iterdir():
            if child.is_dir():
                child.rmdir()
        folder.rmdir()
    except OSError:
        return False
    return True


def _empty(folder: Path) -> None:
    try:
        for child in folder.iterdir():
            if child.is_dir():
                remove(child)
        for line in (folder / "cgroup.procs").read_text(encoding="ascii").split():
            os.kill(int(line), 9)
    except OSError:
        return
