"""Remembers which order an Idempotency-Key has placed. For jobs of the writer."""

import json

from quayside.errors import ApiError


def canonical(payload):
    return json.dumps(payload, sort_keys=True)


def recall(conn, key, customer, payload):
    row = conn.execute(
        "SELECT body, order_id FROM idempotency_keys WHERE customer = ? AND key = ?", (customer, key)
    ).fetchone()
    if row is None:
        return None
    if row["body"] != canonical(payload):
        raise ApiError(409, "key_reused", "this Idempotency-Key was used with another body")
    return row["order_id"]


def remember(conn, key, customer, payload, order_id):
    conn.execute(
        "INSERT INTO idempotency_keys (customer, key, body, order_id) VALUES (?, ?, ?, ?)",
        (customer, key, canonical(payload), order_id),
    )
