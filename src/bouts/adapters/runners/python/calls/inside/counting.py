"""How many values a message holds, found out before any of them is built."""

from __future__ import annotations

MAX_VALUES = 2_000_000
"""Values of one message."""
MAX_CONTAINERS = 500_000
"""Lists and tables of one message: an empty one takes two bytes there and many times that as an object."""
TOO_MANY = f"more than {MAX_VALUES:,} values, or {MAX_CONTAINERS:,} lists and tables, cannot cross at once"
_PIECE = 1 << 20


def crowded(body: bytes) -> bool:
    """Whether a JSON text holds more values than may cross at once."""
    if len(body) <= 2 * MAX_CONTAINERS or _few(*_marks(body)):
        return False
    # Marks inside texts are no values: what is between quotes is left out, a piece at a time.
    body = body.replace(rb"\\", b"").replace(rb"\"", b"")
    containers = commas = inside = 0
    for start in range(0, len(body), _PIECE):
        parts = body[start : start + _PIECE].split(b'"')
        more = _marks(b"".join(parts[inside::2]))
        containers, commas = containers + more[0], commas + more[1]
        inside = (inside + len(parts) - 1) % 2
        if not _few(containers, commas):
            return True
    return False


def _marks(body: bytes) -> tuple[int, int]:
    return body.count(b"[") + body.count(b"{"), body.count(b",")


def _few(containers: int, commas: int) -> bool:
    return containers <= MAX_CONTAINERS and commas <= MAX_VALUES
