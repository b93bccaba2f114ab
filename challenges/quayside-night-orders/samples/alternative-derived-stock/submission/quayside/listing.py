"""Lists of orders, page by page. The cursor is the number of the last order on the page."""

import re

from quayside import db, orders
from quayside.errors import bad_query

STATUSES = ("reserved", "dispatched", "cancelled")


def matching(conn, customer, status):
    """All orders that the filters let through, latest first."""
    for order in conn.execute("SELECT * FROM orders ORDER BY placed_at DESC, id DESC"):
        if (not customer or order["customer"] == customer) and (not status or order["status"] == status):
            yield order


def list_orders(customer, status, limit, cursor):
    if status and status not in STATUSES:
        raise bad_query("status must be one of " + ", ".join(STATUSES))
    with db.reading() as conn:
        last = None
        if cursor:
            if not re.fullmatch("[1-9][0-9]{0,17}", cursor):
                raise bad_query("not a cursor")
            last = conn.execute("SELECT placed_at, id FROM orders WHERE id = ?", (int(cursor),)).fetchone()
            if last is None:
                raise bad_query("not a cursor")
        page = []
        for order in matching(conn, customer, status):
            if last is None or (order["placed_at"], order["id"]) < (last["placed_at"], last["id"]):
                if len(page) == limit:
                    return {"orders": page, "next_cursor": str(page[-1]["id"])}
                page.append(orders.view(conn, order))
        return {"orders": page, "next_cursor": None}
