"""Retries: an order carries the key and the body that placed it."""

import json

from quayside.errors import ApiError


def body_text(payload):
    return json.dumps(payload, sort_keys=True, ensure_ascii=True)


def earlier_order(conn, key, customer, payload):
    row = conn.execute(
        "SELECT id, retry_body FROM orders WHERE customer = ? AND retry_key = ?", (customer, key)
    ).fetchone()
    if row is None:
        return None
    if row["retry_body"] != body_text(payload):
        raise ApiError(409, "key_reused", "this Idempotency-Key came with another body before")
    return row["id"]
