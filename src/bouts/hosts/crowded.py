"""How long a tree of processes was kept from the machine's processors by others.

A machine that is busy with other things makes everything slow, and a limit in seconds would fail honest code there. The
kernel counts for each thread how long it ran, and how long it was ready and waited. What is counted here is computing
that the tree wanted, would have got on a machine of its own, and did not get. Waiting for itself is none of that: a
tree whose many threads fill all processors is kept from nothing.
"""

from __future__ import annotations

import os
import threading
import time
from typing import NamedTuple

MOST_TASKS = 1000
"""Threads that are looked at."""
_REST_SECONDS = 0.1
"""Who asks more often gets the last answer."""
_NANO = 1e-9


class _Seen(NamedTuple):
    """One look at the tree."""

    when: float
    tasks: dict[str, tuple[int, int]]
    """By thread: nanoseconds for which it ran, and for which it waited to run."""
    gone: float
    """Seconds for which children ran that have ended and were collected."""
    busy: float
    """Seconds for which all processors together worked, since they started."""


class Crowd:
    """A process, what descends from it, and this process: what others keep them from. Thread-safe.

    Only what is there when it is looked at is seen: processes that come and go between two looks are missed.
    """

    def __init__(self, process: int | None = None) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._last: _Seen | None = None
        self._waited = 0.0

    def follow(self, process: int) -> None:
        """From now on it is another process; what was counted stays."""
        with self._lock:
            self._process, self._last = process, None

    def waited(self) -> float:
        """Seconds so far, from the first time of asking; they stay 0 where the kernel does not tell."""
        with self._lock:
            last = self._last
            if last is None or time.monotonic() - last.when >= _REST_SECONDS:
                now = self._last = _look(self._process)
                if last is not None:
                    self._waited += _kept_from(last, now)
            return self._waited


def _kept_from(last: _Seen, now: _Seen) -> float:
    """Seconds of the time between two looks in which the tree stood still, as it were, because of others."""
    span = now.when - last.when
    ran = waited = 0.0
    for task, (run, wait) in now.tasks.items():
        before = last.tasks.get(task, (0, 0))
        if run < before[0] or wait < before[1]:
            before = (0, 0)  # another thread by now, of the same number
        ran += (run - before[0]) * _NANO
        waited += (wait - before[1]) * _NANO
    wanted = min(ran + waited, _processors() * span)
    others = now.busy - last.busy - ran - max(0.0, now.gone - last.gone)
    missed = min(wanted - ran, others)
    return missed * min(1.0, span / wanted) if missed > 0 else 0.0


def _look(process: int | None) -> _Seen:
    tasks: dict[str, tuple[int, int]] = {}
    _add(str(os.getpid()), tasks)
    waiting, gone = [] if process is None else [str(process)], 0.0
    while waiting and len(tasks) < MOST_TASKS:
        one = waiting.pop()
        gone += _gone(one)
        waiting += _add(one, tasks, children=True)
    return _Seen(time.monotonic(), tasks, gone, _busy())


def _add(process: str, tasks: dict[str, tuple[int, int]], *, children: bool = False) -> list[str]:
    """Look at all threads of a process; gives the processes that it started."""
    found: list[str] = []
    folder = f"/proc/{process}/task"
    try:
        threads = os.listdir(folder)  # noqa: PTH208 - looked at several times a second
    except OSError:
        return found
    for thread in threads[:MOST_TASKS]:
        run, wait, *_ = (*_words(f"{folder}/{thread}/schedstat"), "0", "0")
        tasks[thread] = (int(run), int(wait))
        if children:
            found += _words(f"{folder}/{thread}/children")
    return found


def _words(path: str) -> list[str]:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        return os.read(handle, 1 << 16).decode("ascii", "replace").split()
    except OSError:
        return []  # it ended meanwhile
    finally:
        os.close(handle)


def _gone(process: str) -> float:
    # The name of a program, in parentheses, may hold anything.
    after = " ".join(_words(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return (int(after[13]) + int(after[14])) / os.sysconf("SC_CLK_TCK") if len(after) > 14 else 0.0


def _busy() -> float:
    """Seconds of work of all processors, what a host took from this machine among them; endless where nobody tells."""
    words = _words("/proc/stat")[1:11]
    if len(words) < 8:
        return float("inf")
    user, nice, system, _idle, _waits, interrupts, soft, stolen = (int(word) for word in words[:8])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _processors() -> int:
    """How many processors this process may use."""
    return max(1, len(os.sched_getaffinity(0)))


def tells() -> bool:
    """Whether this machine tells how long threads wait for a processor, and which processes another one started."""
    me = f"/proc/self/task/{threading.get_native_id()}"
    return len(_words(f"{me}/schedstat")) > 1 and os.access(f"{me}/children", os.R_OK)
