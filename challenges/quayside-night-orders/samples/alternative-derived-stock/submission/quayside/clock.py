"""Times as the interface has them."""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from quayside import settings
from quayside.errors import invalid

EARLIEST = datetime(2000, 1, 1, tzinfo=timezone.utc)
LATEST = datetime(2100, 1, 1, tzinfo=timezone.utc)


def stored(moment):
    return moment.astimezone(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def read_placed_at(value):
    if value is None:
        return stored(datetime.now(timezone.utc))
    try:
        moment = datetime.fromisoformat(value)
        if not EARLIEST <= moment < LATEST:  # a TypeError where there is no offset
            raise ValueError("too far away")
    except (TypeError, ValueError):
        raise invalid("placed_at must be an ISO 8601 time with an offset, 2000 to 2099") from None
    return stored(moment)


def month_range(year, month):
    """From when and until when, as stored, the month lasts at the depot."""
    first = datetime(year, month, 1, tzinfo=ZoneInfo(settings.TIMEZONE))
    following = (first + timedelta(days=31)).replace(day=1)
    return stored(first), stored(following)
