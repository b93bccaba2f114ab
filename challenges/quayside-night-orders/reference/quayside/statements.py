"""Month statements for customers."""

from quayside import clock, db
from quayside.pricing import show

ORDERS = """
SELECT orders.id, orders.placed_at, sum(order_lines.net) AS total
FROM orders JOIN order_lines ON order_lines.order_id = orders.id
WHERE orders.customer = ? AND orders.status != 'cancelled' AND orders.placed_at >= ? AND orders.placed_at < ?
GROUP BY orders.id
ORDER BY orders.placed_at, orders.id
"""


def statement(customer, month):
    first, after = clock.month_bounds(month)
    rows = db.connection().execute(ORDERS, (customer, first, after)).fetchall()
    return {
        "customer": customer,
        "month": month,
        "count": len(rows),
        "total": show(sum(row["total"] for row in rows)),
        "orders": [{"id": row["id"], "placed_at": row["placed_at"], "total": show(row["total"])} for row in rows],
    }
