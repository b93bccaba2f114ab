"""Times as the interface has them."""

from datetime import datetime, timezone

from quayside.errors import invalid


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_placed_at(value):
    if value is None:
        return now()
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise invalid("placed_at must be an ISO 8601 time with an offset")
    return value
