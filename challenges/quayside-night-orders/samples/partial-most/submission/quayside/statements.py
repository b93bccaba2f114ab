"""Month statements for customers."""

from quayside import db, orders
from quayside.errors import bad_query
from quayside.pricing import show


def order_total(order):
    # Worked out again from the lines: net was not stored before migration 9.
    gross = sum(line["unit_price"] * line["quantity"] for line in orders.lines_of(db.connection(), order["id"]))
    return round(gross * (100 - order["discount_percent"]) / 100)


def statement(customer, month):
    if not month or len(month) != 7:
        raise bad_query("month must be like 2024-03")
    rows = (
        db.connection()
        .execute(
            "SELECT * FROM orders WHERE customer = ? AND status != 'cancelled' AND placed_at LIKE ?"
            " ORDER BY placed_at, id",
            (customer, month + "%"),
        )
        .fetchall()
    )
    totals = [order_total(row) for row in rows]
    return {
        "customer": customer,
        "month": month,
        "count": len(rows),
        "total": show(sum(totals)),
        "orders": [
            {"id": row["id"], "placed_at": row["placed_at"], "total": show(total)} for row, total in zip(rows, totals)
        ],
    }
