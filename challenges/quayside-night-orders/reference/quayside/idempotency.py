"""Remembers which order an Idempotency-Key has placed.

Both functions run inside the transaction that places the order: the key and the order are saved together or not at all.
"""

import hashlib
import json

from quayside.errors import ApiError


def fingerprint(payload):
    """Same text for bodies that mean the same JSON, in every process."""
    canonical = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def recall(conn, key, customer, payload):
    """The id of the order that this customer's key has placed before, or None."""
    row = conn.execute(
        "SELECT order_id, fingerprint FROM idempotency_keys WHERE customer = ? AND key = ?", (customer, key)
    ).fetchone()
    if row is None:
        return None
    if row["fingerprint"] != fingerprint(payload):
        raise ApiError(409, "key_reused", "this Idempotency-Key was used with another body")
    return row["order_id"]


def remember(conn, key, customer, payload, order_id):
    conn.execute(
        "INSERT INTO idempotency_keys (customer, key, fingerprint, order_id) VALUES (?, ?, ?, ?)",
        (customer, key, fingerprint(payload), order_id),
    )
