"""Remembers which order an Idempotency-Key has placed."""

import json
import logging
import sqlite3

from quayside import db, settings
from quayside.errors import ApiError

log = logging.getLogger(__name__)


def fingerprint(payload):
    return str(hash(json.dumps(payload)))


def recall(key, payload):
    """The id of the order that this key has placed before, or None."""
    row = db.connection().execute("SELECT * FROM idempotency_keys WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    if row["fingerprint"] != fingerprint(payload):
        raise ApiError(409, "key_reused", "this Idempotency-Key was used with another body")
    return row["order_id"]


def remember(key, customer, payload, order_id):
    # A connection of its own: a key that can't be saved must never hold up an order.
    side = sqlite3.connect(settings.DATABASE, timeout=0.05)
    try:
        with side:
            side.execute(
                "INSERT OR REPLACE INTO idempotency_keys (key, customer, fingerprint, order_id) VALUES (?, ?, ?, ?)",
                (key, customer, fingerprint(payload), order_id),
            )
    except sqlite3.Error as exc:
        log.info("could not remember key: %s", exc)
    finally:
        side.close()
