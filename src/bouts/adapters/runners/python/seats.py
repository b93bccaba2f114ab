"""Sandboxes for tests: one made ahead while the current test runs, or one that is as good as new once it is renewed."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from bouts.adapters.runners.python.boundary import BoundarySession
from bouts.hosts.deadlines import Deadline
from bouts.hosts.stopped import SLICE_SECONDS, stood_still
from bouts.model.sandbox import SandboxReport
from bouts.ports import Sandbox, Sandboxes


@dataclass
class Seat:
    """A sandbox with what the boundary started in it."""

    sandbox: Sandbox
    ready: object


class Seats:
    """Makes and clears away sandboxes on helper threads. Used by the host's main thread."""

    def __init__(self, sandboxes: Sandboxes, boundary: BoundarySession, *, renew: bool = False) -> None:
        """With `renew`, a sandbox in which nothing was left serves the next test too, at less cost than a new one."""
        self._renew = renew
        self._sandboxes = sandboxes
        self._boundary = boundary
        self._helpers = ThreadPoolExecutor(2, "seats")
        self._next: Future[Seat] | None = None
        self._spare: Seat | None = None
        self._cleared: list[Future[SandboxReport | None]] = []
        self._taken = False

    def ahead(self) -> None:
        """Begin to make the next seat, if there is none yet."""
        if self._next is None and self._spare is None and not (self._renew and self._taken):
            self._next = self._helpers.submit(self._make)

    def take(self) -> Seat:
        """A fresh seat. Raises `SandboxFault` where none can be made."""
        self._taken = True
        if self._spare is not None:
            seat, self._spare = self._spare, None
            return seat
        made, self._next = self._next, None
        return made.result() if made is not None else self._make()

    def give_back(self, seat: Seat) -> None:
        """A seat in which nothing but what every test begins with has happened: the next test gets it."""
        self._spare = seat

    def clear(self, seat: Seat, *, more: bool = False) -> None:
        """Kill what ran in a seat. With `more`, a test is to come that the sandbox may serve; else it is destroyed.

        Its report comes with `reports` once it is destroyed.
        """
        if self._renew and more and self._next is None and self._spare is None:
            gone: Future[SandboxReport | None] = Future()
            self._next = self._helpers.submit(self._again, seat, gone)
            self._cleared.append(gone)
        else:
            self._cleared.append(self._helpers.submit(self._destroy, seat.sandbox))

    def reports(self, *, wait: bool = False) -> list[SandboxReport]:
        """What the sandboxes that are gone by now saw. Raises `SandboxFault` where one could not be destroyed."""
        done = [cleared for cleared in self._cleared if wait or cleared.done()]
        self._cleared = [cleared for cleared in self._cleared if cleared not in done]
        return [report for cleared in done if (report := cleared.result()) is not None]

    def close(self) -> list[SandboxReport]:
        """Destroy what no test used."""
        if self._next is not None or self._spare is not None:
            try:
                self.clear(self.take())
            finally:
                self._next = None
        try:
            return self.reports(wait=True)
        finally:
            self._helpers.shutdown()

    def _again(self, seat: Seat, gone: Future[SandboxReport | None]) -> Seat:
        """The same sandbox for another test, or a new one where something was left in it."""
        if seat.sandbox.renew():
            gone.set_result(None)  # its report comes when it is destroyed
            return Seat(seat.sandbox, self._boundary.prepare(seat.sandbox))
        try:
            gone.set_result(seat.sandbox.destroy())
        except BaseException as error:
            gone.set_exception(error)
        return self._make()

    @staticmethod
    def _destroy(sandbox: Sandbox) -> SandboxReport | None:
        return sandbox.destroy()

    def _make(self) -> Seat:
        sandbox = self._sandboxes.create(self._boundary.plan())
        try:
            return Seat(sandbox, self._boundary.prepare(sandbox))
        except BaseException:
            sandbox.destroy()
            raise


class Watchdog:
    """Kills a sandbox from another thread when a test has had its time. It alone moves the end of that."""

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        self.expired = False
        self.deadline = Deadline(seconds, sandbox.waited)
        self._sandbox = sandbox
        _GUARD.watch(self)

    def expire(self) -> None:
        """The time is over."""
        self.expired = True
        self._sandbox.kill()

    def stop(self) -> bool:
        """The test is over. Says whether it had run out of time."""
        _GUARD.forget(self)
        return self.expired


class _Guard:
    """The one thread behind all watchdogs: a thread for each test would cost as much as a small test."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: set[Watchdog] = set()
        self._wakes = 0.0
        """When the thread looks again by itself; 0 while there is none."""
        self._slept = 0.0
        """When it last began to wait."""

    def watch(self, dog: Watchdog) -> None:
        with self._changed:
            self._watched.add(dog)
            if not self._wakes:
                self._slept = time.monotonic()
                self._wakes = dog.deadline.ends
                threading.Thread(target=self._run, name="watchdogs", daemon=True).start()
            elif dog.deadline.ends < self._wakes:
                self._changed.notify()

    def forget(self, dog: Watchdog) -> None:
        with self._changed:
            self._watched.discard(dog)

    def _run(self) -> None:
        while True:
            with self._changed:
                stopped = stood_still(self._slept, self._wakes - self._slept)
                for dog in self._watched:
                    dog.deadline.look(stopped)
                now = self._slept = time.monotonic()
                due = {dog for dog in self._watched if not dog.deadline.left()}
                self._watched -= due
                if not due:
                    looks = (min(dog.deadline.ends, now + dog.deadline.slice) for dog in self._watched)
                    first = min(looks, default=None)
                    self._wakes = now + _IDLE_SECONDS if first is None else min(first, now + SLICE_SECONDS)
                    self._changed.wait(self._wakes - now)
            for dog in due:
                threading.Thread(target=dog.expire, name="expired", daemon=True).start()


_IDLE_SECONDS = 3600.0
_GUARD = _Guard()


def summary(reports: list[SandboxReport]) -> dict[str, Any]:
    """What several sandboxes saw, together: a level is as good as the worst of them."""
    order = ("none", "partial", "complete")
    network = list(dict.fromkeys(attempt for report in reports for attempt in report.network))
    peaks = [report.memory_peak_bytes for report in reports if report.memory_peak_bytes is not None]

    def level(name: str) -> str:
        return min((getattr(report, name) for report in reports), key=order.index, default="")

    return {
        "network": [attempt.model_dump(mode="json") for attempt in network],
        "network_level": level("network_level"),
        "decoy_reads": sorted({read for report in reports for read in report.decoy_reads}),
        "decoy_level": level("decoy_level"),
        "memory_peak_bytes": max(peaks, default=None),
        "memory_level": level("memory_level"),
        "processes_left": any(report.processes_left for report in reports),
    }
