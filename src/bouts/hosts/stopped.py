"""Time in which this process was stopped, or the machine stood still: it is nobody's time."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

SLICE_SECONDS = 1.0
"""Who keeps a limit waits this long at a time at most, and so knows to within this for how long it was stopped."""
_SECONDS = 1.0
"""A wait that ends so much later than asked for was not merely late: a busy machine is late by hundredths."""


def stood_still(began: float, seconds: float) -> float:
    """For how long we did not run in a wait of at most `seconds` that began at `began` (`time.monotonic`) and has just
    ended; 0 where it ended about in time. Limits of others are to be put off by this."""
    late = time.monotonic() - began - max(0.0, seconds)
    return late if late > _SECONDS else 0.0


def readable(descriptor: int, seconds: float) -> bool:
    """Wait until something can be read, or the other end is closed, for at most `seconds` in which we ran."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return within(lambda left: bool(poll.poll(left * 1000)), seconds)


def within(wait: Callable[[float], bool], seconds: float) -> bool:
    """Whether what `wait` waits for, for so many seconds at most, comes within `seconds` in which we ran."""
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        left = min(max(0.0, deadline - began), SLICE_SECONDS)
        if wait(left):
            return True
        deadline += stood_still(began, left)
        if time.monotonic() >= deadline:
            return False
