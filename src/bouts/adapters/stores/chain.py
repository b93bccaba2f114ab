"""Digests of entries: each is made over its own content and the digest of the one before."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any, NamedTuple

from bouts.model.ledger import LEDGER_SCHEMA
from bouts.model.records import digest

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode
KEY_DIGITS = 40
"""Hexadecimal digits of a key's digest: 160 bits."""


class Row(NamedTuple):
    """An entry as its table holds it; `body` is canonical JSON."""

    seq: int
    time: str
    kind: str
    key: str
    body: str
    previous: str
    digest: str


def origin(ledger: str) -> str:
    """What the first entry of a ledger names as the one before."""
    return digest({"schema": LEDGER_SCHEMA, "ledger": ledger})


def text(value: object) -> str:
    """Canonical JSON: sorted keys, no spaces."""
    return _encode(value)


def entry_digest(seq: int, time: str, kind: str, key: str, body: str, previous: str) -> str:
    """Digest of an entry. Each part is told by its length, so that no two entries share the bytes."""
    whole = hashlib.sha256()
    for part in (str(seq), time, kind, key, body, previous):
        data = part.encode("utf-8", "surrogatepass")
        whole.update(b"%d:" % len(data))
        whole.update(data)
    return "sha256:" + whole.hexdigest()


def chained(seq: int, time: str, kind: str, key: str, body: str, previous: str) -> Row:
    """The entry that follows `previous`."""
    return Row(seq, time, kind, key, body, previous, entry_digest(seq, time, kind, key, body, previous))


def content_key(kind: str, body: dict[str, Any], before: str = "") -> str:
    """The key of an entry: what it says, and the key of the entry that it replaces. So the same thing has the same key
    in every ledger, and something that is changed and changed back is three entries."""
    return text_key(kind, text(body), before)


def text_key(kind: str, body: str, before: str = "") -> str:
    """The same of a body that is canonical JSON already."""
    whole = f"[{text(before)},{body}]".encode("utf-8", "surrogatepass")
    return f"{kind}:{hashlib.sha256(whole).hexdigest()[:KEY_DIGITS]}"


def stamp(seconds: float) -> str:
    """A time as entries bear it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
