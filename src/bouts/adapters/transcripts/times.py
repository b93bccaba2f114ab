"""Times as transcripts write them. A time without a zone stays one: nothing is added to it."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import NamedTuple

from bouts.adapters.transcripts import odd

_EARLIEST, _LATEST = 946_684_800.0, 4_102_444_800.0
"""2000 and 2100 in seconds since 1970: what lies outside is no time of a session."""


class Time(NamedTuple):
    """A moment: seconds since 1970 (read as if in UTC where the zone is unknown)."""

    seconds: float
    zoned: bool = True


def iso(value: object) -> Time | None:
    """A time written in ISO 8601, with a zone or without. What is there and is none is counted as odd."""
    return _noted(value, _iso(value))


def _noted(value: object, found: Time | None) -> Time | None:
    # A time written in another way than is asked for here is read elsewhere.
    if found is None and value not in (None, "") and _any_of(value) is None:
        odd.met("time")
    return found


def _iso(value: object) -> Time | None:
    if not isinstance(value, str) or not 10 < len(value) < 48:
        return None
    try:
        time = datetime.fromisoformat(value)
        zoned = time.tzinfo is not None
        seconds = (time if zoned else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    return _within(seconds, zoned)


def epoch(value: object, per_second: float = 1.0) -> Time | None:
    """Seconds since 1970, or `per_second` parts of them (1000 for milliseconds), as a number or a text of digits. What
    is there and is no time is counted as odd."""
    return _noted(value, _epoch(value, per_second))


def _epoch(value: object, per_second: float) -> Time | None:
    if isinstance(value, str):
        if not (value.isascii() and value.isdigit() and len(value) < 24):
            return None
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        seconds = float(value) / per_second
    except OverflowError:
        return None
    return _within(seconds, True)


def any_of(value: object) -> Time | None:
    """An ISO time, or a number of seconds or milliseconds, told apart by its size. What is none is counted as odd."""
    return _noted(value, _any_of(value))


def _any_of(value: object) -> Time | None:
    if isinstance(value, str) and not value.isdigit():
        return _iso(value)
    return _epoch(value, 1.0) or _epoch(value, 1000.0)


def _within(seconds: float, zoned: bool) -> Time | None:
    return Time(seconds, zoned) if math.isfinite(seconds) and _EARLIEST <= seconds <= _LATEST else None


def written(time: Time) -> str:
    """The time in ISO 8601, to the millisecond."""
    moment = datetime.fromtimestamp(round(time.seconds, 3), UTC).isoformat(timespec="milliseconds")
    return moment.replace("+00:00", "Z" if time.zoned else "")
