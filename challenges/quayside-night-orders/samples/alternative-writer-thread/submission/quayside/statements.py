"""Month statements for customers."""

import re

from quayside import clock, db
from quayside.errors import bad_query
from quayside.pricing import show


def statement(customer, month):
    if not re.fullmatch("20[0-9][0-9]-(0[1-9]|1[012])", month or ""):
        raise bad_query("month must be like 2024-03")
    rows = db.connection().execute(
        "SELECT id, placed_at, (SELECT sum(net) FROM order_lines WHERE order_id = orders.id) AS total FROM orders"
        " WHERE customer = ? AND status <> 'cancelled' ORDER BY placed_at, id",
        (customer,),
    )
    found = [row for row in rows if clock.depot_month(row["placed_at"]) == month]
    return {
        "customer": customer,
        "month": month,
        "count": len(found),
        "total": show(sum(row["total"] for row in found)),
        "orders": [{"id": row["id"], "placed_at": row["placed_at"], "total": show(row["total"])} for row in found],
    }
