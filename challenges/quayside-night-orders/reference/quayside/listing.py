"""Lists of orders, page by page."""

import base64
import binascii
import json
import re

from quayside import db, orders
from quayside.errors import bad_query

STATUSES = ("reserved", "dispatched", "cancelled")
CURSOR = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/(\d{1,18})", re.ASCII)

PAGE = """
SELECT * FROM orders
WHERE (:customer IS NULL OR customer = :customer)
  AND (:status IS NULL OR status = :status)
  AND (:placed_at IS NULL OR (placed_at, id) < (:placed_at, :id))
ORDER BY placed_at DESC, id DESC
LIMIT :limit
"""
LINES = "SELECT * FROM order_lines WHERE order_id IN (SELECT value FROM json_each(?)) ORDER BY id"


def make_cursor(order):
    """A page ends at one order; its time alone would not say which of several at the same moment."""
    return base64.urlsafe_b64encode(f"{order['placed_at']}/{order['id']}".encode()).decode()


def read_cursor(text):
    if not text:
        return None, None
    try:
        match = CURSOR.fullmatch(base64.urlsafe_b64decode(text.encode()).decode())
    except (binascii.Error, ValueError):
        match = None
    if match is None:
        raise bad_query("cursor is not one that the service made")
    return match[1], int(match[2])


def list_orders(customer, status, limit, cursor):
    if status and status not in STATUSES:
        raise bad_query("status must be one of " + ", ".join(STATUSES))
    placed_at, last_id = read_cursor(cursor)
    conn = db.connection()
    # one more than asked for, to know whether there is another page
    rows = conn.execute(
        PAGE,
        {
            "customer": customer or None,
            "status": status or None,
            "placed_at": placed_at,
            "id": last_id,
            "limit": limit + 1,
        },
    ).fetchall()
    page = rows[:limit]
    lines = {row["id"]: [] for row in page}
    for line in conn.execute(LINES, (json.dumps(list(lines)),)):
        lines[line["order_id"]].append(line)
    return {
        "orders": [orders.view(row, lines[row["id"]]) for row in page],
        "next_cursor": make_cursor(page[-1]) if len(rows) > limit else None,
    }
