"""Sandboxes for tests, one made ahead while the current test runs."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from bouts.adapters.runners.python.boundary import BoundarySession
from bouts.model.sandbox import SandboxReport
from bouts.ports import Sandbox, Sandboxes


@dataclass
class Seat:
    """A sandbox with what the boundary started in it."""

    sandbox: Sandbox
    ready: object


class Seats:
    """Makes and clears away sandboxes on helper threads. Used by the host's main thread."""

    def __init__(self, sandboxes: Sandboxes, boundary: BoundarySession) -> None:
        self._sandboxes = sandboxes
        self._boundary = boundary
        self._helpers = ThreadPoolExecutor(2, "seats")
        self._next: Future[Seat] | None = None
        self._spare: Seat | None = None
        self._cleared: list[Future[SandboxReport]] = []

    def ahead(self) -> None:
        """Begin to make the next seat, if there is none yet."""
        if self._next is None and self._spare is None:
            self._next = self._helpers.submit(self._make)

    def take(self) -> Seat:
        """A fresh seat. Raises `SandboxFault` where none can be made."""
        if self._spare is not None:
            seat, self._spare = self._spare, None
            return seat
        made, self._next = self._next, None
        return made.result() if made is not None else self._make()

    def give_back(self, seat: Seat) -> None:
        """A seat in which nothing but what every test begins with has happened: the next test gets it."""
        self._spare = seat

    def clear(self, seat: Seat) -> Future[SandboxReport]:
        """Destroy a seat's sandbox; its report comes with `reports`."""
        cleared = self._helpers.submit(seat.sandbox.destroy)
        self._cleared.append(cleared)
        return cleared

    def reports(self, *, wait: bool = False) -> list[SandboxReport]:
        """What the sandboxes that are gone by now saw. Raises `SandboxFault` where one could not be destroyed."""
        done = [cleared for cleared in self._cleared if wait or cleared.done()]
        self._cleared = [cleared for cleared in self._cleared if cleared not in done]
        return [cleared.result() for cleared in done]

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

    def _make(self) -> Seat:
        sandbox = self._sandboxes.create(self._boundary.plan())
        try:
            return Seat(sandbox, self._boundary.prepare(sandbox))
        except BaseException:
            sandbox.destroy()
            raise


class Watchdog:
    """Kills a sandbox from another thread when a test has had its time."""

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        self.expired = False
        self._sandbox = sandbox
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def _expire(self) -> None:
        self.expired = True
        self._sandbox.kill()

    def stop(self) -> bool:
        """The test is over. Says whether it had run out of time."""
        self._timer.cancel()
        return self.expired


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
    }
