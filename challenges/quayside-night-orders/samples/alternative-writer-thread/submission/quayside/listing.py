"""Lists of orders, page by page."""

import base64
import json

from quayside import db, orders
from quayside.errors import bad_query

STATUSES = ("reserved", "dispatched", "cancelled")
FIRST = ("9999", 0)

QUERY = """
SELECT * FROM orders
WHERE (placed_at < :placed_at OR (placed_at = :placed_at AND id < :id))
  AND customer = coalesce(:customer, customer) AND status = coalesce(:status, status)
ORDER BY placed_at DESC, id DESC LIMIT :count
"""


def make_cursor(order):
    return base64.urlsafe_b64encode(json.dumps([order["placed_at"], order["id"]]).encode()).decode()


def read_cursor(text):
    try:
        placed_at, order_id = json.loads(base64.urlsafe_b64decode(text.encode("ascii")))
    except (ValueError, TypeError):
        raise bad_query("cursor is not one that the service made") from None
    if type(placed_at) is not str or type(order_id) is not int or order_id.bit_length() > 63:
        raise bad_query("cursor is not one that the service made")
    return placed_at, order_id


def list_orders(customer, status, limit, cursor):
    if status and status not in STATUSES:
        raise bad_query("unknown status")
    placed_at, order_id = read_cursor(cursor) if cursor else FIRST
    values = {
        "placed_at": placed_at,
        "id": order_id,
        "customer": customer or None,
        "status": status or None,
        "count": limit + 1,
    }
    conn = db.connection()
    rows = conn.execute(QUERY, values).fetchall()
    return {
        "orders": [orders.view(row, orders.lines_of(conn, row["id"])) for row in rows[:limit]],
        "next_cursor": make_cursor(rows[limit - 1]) if len(rows) > limit else None,
    }
