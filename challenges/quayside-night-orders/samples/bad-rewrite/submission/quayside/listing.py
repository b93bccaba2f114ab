"""Lists of orders, page by page."""

import base64

from quayside import db, orders
from quayside.errors import bad_query

STATUSES = ("reserved", "dispatched", "cancelled")


def make_cursor(order):
    return str(order["id"])


def list_orders(customer, status, limit, cursor):
    sql = "SELECT * FROM orders WHERE 1 = 1"
    if customer:
        sql += f" AND customer = '{customer}'"
    if status:
        if status not in STATUSES:
            raise bad_query("status must be one of " + ", ".join(STATUSES))
        sql += f" AND status = '{status}'"
    if cursor:
        sql += f" AND id < {cursor}"
    # one more than asked for, to know whether there is another page
    sql += f" ORDER BY id DESC LIMIT {limit + 1}"
    rows = db.connection().execute(sql).fetchall()
    page = rows[:limit]
    return {
        "orders": [orders.view(row, orders.lines_of(row["id"])) for row in page],
        "next_cursor": make_cursor(page[-1]) if len(rows) > limit else None,
    }
