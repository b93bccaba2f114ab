"""Times: stored in UTC, to the second, as text that sorts by time. Months are the depot's."""

import functools
import re
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from quayside import settings
from quayside.errors import bad_query, invalid

FORMAT = "%Y-%m-%dT%H:%M:%SZ"
MONTH = re.compile(r"(20[0-9]{2})-(0[1-9]|1[0-2])")


@functools.cache
def depot_zone():
    return ZoneInfo(settings.TIMEZONE)


def now():
    return datetime.now(timezone.utc).strftime(FORMAT)


def read_placed_at(value):
    if value is None:
        return now()
    message = "placed_at must be an ISO 8601 time with an offset, from 2000 to 2099"
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise invalid(message)
        moment = moment.astimezone(timezone.utc)
    except (TypeError, ValueError, OverflowError):
        raise invalid(message) from None
    if not 2000 <= moment.year <= 2099:
        raise invalid(message)
    return moment.strftime(FORMAT)


def month_bounds(month):
    """First moment of the depot's month and first moment after it, as stored."""
    match = MONTH.fullmatch(month or "")
    if match is None:
        raise bad_query("month must be like 2024-03, from 2000-01 to 2099-12")
    year, number = int(match[1]), int(match[2])
    first = datetime(year, number, 1, tzinfo=depot_zone())
    after = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=depot_zone())
    return tuple(moment.astimezone(timezone.utc).strftime(FORMAT) for moment in (first, after))
