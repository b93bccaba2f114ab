"""Lists of orders, page by page."""

import base64

from quayside import db, orders
from quayside.errors import bad_query

STATUSES = ("reserved", "dispatched", "cancelled")


def make_cursor(offset):
    return base64.urlsafe_b64encode(str(offset).encode()).decode()


def read_cursor(text):
    return int(base64.urlsafe_b64decode(text.encode()).decode()) if text else 0


def list_orders(customer, status, limit, cursor):
    sql = "SELECT * FROM orders WHERE 1 = 1"
    if customer:
        sql += f" AND customer = '{customer}'"
    if status:
        if status not in STATUSES:
            raise bad_query("status must be one of " + ", ".join(STATUSES))
        sql += f" AND status = '{status}'"
    offset = read_cursor(cursor)
    # one more than asked for, to know whether there is another page
    sql += f" ORDER BY placed_at DESC, id DESC LIMIT {limit + 1} OFFSET {offset}"
    rows = db.connection().execute(sql).fetchall()
    page = rows[:limit]
    return {
        "orders": [orders.view(row, orders.lines_of(row["id"])) for row in page],
        "next_cursor": make_cursor(offset + limit) if len(rows) > limit else None,
    }
