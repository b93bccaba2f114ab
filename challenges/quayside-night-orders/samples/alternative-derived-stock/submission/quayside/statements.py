"""Month statements for customers."""

import re

from quayside import clock, db, orders
from quayside.errors import bad_query


def pence(text):
    return int(text.replace(".", ""))


def statement(customer, month):
    if not re.fullmatch("20[0-9]{2}-(0[1-9]|1[0-2])", month or ""):
        raise bad_query("month must be like 2024-03")
    first, following = clock.month_range(int(month[:4]), int(month[5:]))
    with db.reading() as conn:
        rows = conn.execute(
            "SELECT * FROM orders WHERE customer = ? AND status != 'cancelled' AND placed_at >= ? AND placed_at < ?"
            " ORDER BY placed_at, id",
            (customer, first, following),
        ).fetchall()
        found = [orders.view(conn, row) for row in rows]
    total = sum(pence(order["total"]) for order in found)
    return {
        "customer": customer,
        "month": month,
        "count": len(found),
        "total": f"{total // 100}.{total % 100:02d}",
        "orders": [{name: order[name] for name in ("id", "placed_at", "total")} for order in found],
    }
