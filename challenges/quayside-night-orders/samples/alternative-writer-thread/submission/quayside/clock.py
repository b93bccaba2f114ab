"""Times as the interface has them. They are kept in UTC, so that text order is time order."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from quayside import settings
from quayside.errors import invalid

FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_zone = None


def read_placed_at(value):
    if value is None:
        return datetime.now(timezone.utc).strftime(FORMAT)
    if not isinstance(value, str):
        raise invalid("placed_at must be a string")
    try:
        moment = datetime.fromisoformat(value)
        offset = moment.utcoffset()
        utc = moment.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        raise invalid("placed_at must be an ISO 8601 time") from None
    if offset is None or not 2000 <= utc.year <= 2099:
        raise invalid("placed_at must have an offset and lie in 2000 to 2099")
    return utc.strftime(FORMAT)


def depot_month(placed_at):
    """The calendar month, `2024-03`, in which a stored time falls at the depot."""
    global _zone
    if _zone is None:
        _zone = ZoneInfo(settings.TIMEZONE)
    return datetime.fromisoformat(placed_at).astimezone(_zone).strftime("%Y-%m")
