"""Time in which this process was stopped, or the machine stood still: it is nobody's time."""

from __future__ import annotations

import time

SLICE_SECONDS = 1.0
"""Who keeps a limit waits this long at a time at most, and so knows to within this for how long it was stopped."""
_SECONDS = 1.0
"""A wait that ends so much later than asked for was not merely late: a busy machine is late by hundredths."""


def stood_still(began: float, seconds: float) -> float:
    """For how long we did not run in a wait of at most `seconds` that began at `began` (`time.monotonic`) and has just
    ended; 0 where it ended about in time. Limits of others are to be put off by this."""
    late = time.monotonic() - began - max(0.0, seconds)
    return late if late > _SECONDS else 0.0
