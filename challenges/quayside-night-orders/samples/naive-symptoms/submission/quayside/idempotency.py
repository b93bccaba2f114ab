"""Remembers which order an Idempotency-Key has placed."""

import json
import time

from quayside import db
from quayside.errors import ApiError


def fingerprint(payload):
    return str(hash(json.dumps(payload)))


def recall(key, customer, payload):
    """The id of the order that this key has placed before, or None."""
    row = (
        db.connection()
        .execute("SELECT * FROM idempotency_keys WHERE key = ? AND customer = ?", (key, customer))
        .fetchone()
    )
    if row is None:
        return None
    if row["fingerprint"] != fingerprint(payload):
        raise ApiError(409, "key_reused", "this Idempotency-Key was used with another body")
    return row["order_id"]


def remember(key, customer, payload, order_id):
    time.sleep(0.02)  # right after the order's commit the database was still locked now and then
    conn = db.connection()
    conn.execute(
        "INSERT OR REPLACE INTO idempotency_keys (key, customer, fingerprint, order_id) VALUES (?, ?, ?, ?)",
        (key, customer, fingerprint(payload), order_id),
    )
    conn.commit()
