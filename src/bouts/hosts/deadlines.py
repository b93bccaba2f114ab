"""Limits in seconds that count only time in which the one who is limited could work."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable

from bouts.hosts.stopped import SLICE_SECONDS, stood_still

MOST = 5.0
"""What others use of a machine puts a limit off, until it is this many times as long: everything ends."""
_SLICES = 10
"""A limit is looked at so often while it runs, and at least every `SLICE_SECONDS`."""
_LOOK_SECONDS = 0.5


class Deadline:
    """The end of a limit, which moves: by the time for which we were stopped, and by what `waited` counts. Thread-safe.

    `waited` tells for how many seconds the one who is limited was kept from working, so far (see
    `hosts.crowded.Crowd`); without it, only that we were stopped counts.
    """

    def __init__(self, seconds: float, waited: Callable[[], float] | None = None, *, most: float = MOST) -> None:
        self.seconds = seconds
        """The limit itself."""
        self.slice = min(_LOOK_SECONDS if waited else SLICE_SECONDS, max(0.01, seconds / _SLICES))
        """How long whoever waits should wait at a time, before the next look."""
        self.put_off = 0.0
        """Seconds by which the end was put off because of others."""
        self._waited = waited
        self._seen: float | None = None
        self._lock = threading.Lock()
        self._looked = time.monotonic()
        self._end = self._looked + seconds
        self._last = (most - 1) * seconds

    def left(self) -> float:
        """Seconds that are left as things stand; 0 when the time is over."""
        return max(0.0, self._end - time.monotonic())

    @property
    def ends(self) -> float:
        """When the time is over as things stand, by `time.monotonic`."""
        return self._end

    def look(self, stopped: float = 0.0) -> None:
        """Put the end off by what has happened since the last look, in which we were `stopped` for so long. It costs
        nothing to call this often."""
        with self._lock:
            now = time.monotonic()
            if not stopped and now - self._looked < 0.9 * self.slice and now < self._end:
                return
            self._looked = now
            more = 0.0
            if self._waited is not None:
                seen = self._waited()
                # Where to count from is only known from the first look on; a short limit never pays for one.
                more = 0.0 if self._seen is None else max(0.0, seen - self._seen - stopped)
                self._seen = seen
            more = min(more, self._last - self.put_off)
            self.put_off += more
            self._end += stopped + more

    def extend(self, seconds: float) -> None:
        """Put the end off by time that is nobody's, such as that of waiting for a turn."""
        with self._lock:
            self._end += seconds

    def wait(self, wait: Callable[[float], bool], *others: Deadline) -> bool:
        """Whether what `wait` waits for, for so many seconds at most, comes before the end of this and all `others`."""
        while True:
            began = time.monotonic()
            left = min((self.left(), self.slice, *(other.left() for other in others)))
            if wait(left):
                return True
            stopped = stood_still(began, left)
            for one in (self, *others):
                one.look(stopped)
            if not all(one.left() for one in (self, *others)):
                return False

    def ready(self, descriptor: int, event: int = select.POLLIN) -> bool:
        """Whether something can be read, or written if that is the `event`, or the other end is closed, before the end
        of this."""
        poll = select.poll()
        poll.register(descriptor, event)
        return self.wait(lambda left: bool(poll.poll(left * 1000)))


def readable(descriptor: int, seconds: float, waited: Callable[[], float] | None = None) -> bool:
    """Wait until something can be read, or the other end is closed, for as long as a `Deadline` lasts."""
    return Deadline(seconds, waited).ready(descriptor)
