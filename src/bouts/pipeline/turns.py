"""Turns: how many submissions run at the same time, while others are got ready or cleared away."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Lock

from bouts.model.running import LoadJob, LoadReport, StartReport, SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Look, SandboxPlan
from bouts.ports import Runner, Turn


class Places:
    """So many submissions at the same time; who has waited longest is next, so that none is passed over for ever."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._lock = Lock()
        self._waiting: deque[Lock] = deque()

    def acquire(self) -> None:
        """Wait for a place."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            mine = Lock()
            mine.acquire()
            self._waiting.append(mine)
        mine.acquire()

    def release(self) -> None:
        """Hand a place to whoever has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class Place:
    """One submission's turn. Used by one thread; begins and ends as often as need be."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._held = False

    def begin(self) -> None:
        """Wait for a place, if there is none yet."""
        if not self._held:
            self._places.acquire()
            self._held = True

    def end(self) -> None:
        """Leave the place to another, if there is one."""
        if self._held:
            self._held = False
            self._places.release()


@contextmanager
def leaving(turn: Turn | None) -> Generator[None]:
    """Whatever happens inside, the turn is over behind it."""
    try:
        yield
    finally:
        if turn is not None:
            turn.end()


class Timed:
    """A turn that knows how long it was waited for."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self.waited = 0.0
        """Seconds so far."""

    def begin(self) -> None:
        """As the turn."""
        started = time.monotonic()
        self._turn.begin()
        self.waited += time.monotonic() - started

    def end(self) -> None:
        """As the turn."""
        self._turn.end()


class Waiting:
    """A runner that runs nothing before its turn; see `ports.Runner`."""

    def __init__(self, runner: Runner, turn: Turn) -> None:
        self._runner, self._turn = runner, Timed(turn)
        self._put_off = 0.0

    def clock(self) -> float:
        """Seconds since any fixed moment, less those of waiting, for a turn and for processors that others used: no
        limit counts those."""
        return time.monotonic() - self._turn.waited - self._put_off

    def run(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> SuiteReport:
        """As the runner."""
        self._turn.begin()
        report = self._runner.run(job, on_test)
        self._put_off += report.put_off
        return report

    def run_all(
        self, jobs: tuple[SuiteJob, ...], on_test: Callable[[TestReport], None], turn: Turn | None = None
    ) -> tuple[SuiteReport, ...]:
        """As the runner."""
        reports = self._runner.run_all(jobs, on_test, turn or self._turn)
        self._put_off += sum(report.put_off for report in reports)
        return reports

    def starts(self, target: Target) -> StartReport:
        """As the runner."""
        self._turn.begin()
        return self._runner.starts(target)

    def load(self, job: LoadJob) -> LoadReport:
        """As the runner."""
        self._turn.begin()
        return self._runner.load(job)

    def plan(self, target: Target, look: Look) -> SandboxPlan:
        """As the runner."""
        return self._runner.plan(target, look)
