"""Placing orders and taking them through their life."""

from collections import Counter

from quayside import catalog, clock, db, validation
from quayside.errors import ApiError, invalid, not_found
from quayside.idempotency import body_text, earlier_order
from quayside.pricing import line_net, show


def view(conn, order):
    lines = conn.execute("SELECT * FROM order_lines WHERE order_id = ? ORDER BY id", (order["id"],)).fetchall()
    return {
        "id": order["id"],
        "customer": order["customer"],
        "status": order["status"],
        "placed_at": order["placed_at"],
        "discount_percent": order["discount_percent"],
        "lines": [
            {
                "sku": line["sku"],
                "quantity": line["quantity"],
                "unit_price": show(line["unit_price"]),
                "net": show(line["net"]),
            }
            for line in lines
        ],
        "total": show(sum(line["net"] for line in lines)),
    }


def fetch(conn, order_id):
    if order_id >= 1 << 63:
        raise not_found("order")
    order = conn.execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()
    if order is None:
        raise not_found("order")
    return order


def show_order(order_id):
    with db.reading() as conn:
        return view(conn, fetch(conn, order_id))


def read_lines(raw_lines):
    if not isinstance(raw_lines, list) or not 1 <= len(raw_lines) <= 500:
        raise invalid("lines must be a list of 1-500 lines")
    for raw in raw_lines:
        if not isinstance(raw, dict):
            raise invalid("each line must be an object")
        sku = validation.code(raw.get("sku"), "sku")
        yield sku, validation.whole_number(raw.get("quantity"), "quantity", 1, 10_000)


def place(payload, key):
    """Returns the status of the answer and the order."""
    customer = validation.code(payload.get("customer"), "customer")
    lines = list(read_lines(payload.get("lines")))
    percent = validation.whole_number(payload.get("discount_percent", 0), "discount_percent", 0, 100)
    placed_at = clock.read_placed_at(payload.get("placed_at"))
    with db.writing() as conn:
        known = earlier_order(conn, key, customer, payload) if key else None
        if known:
            return 200, view(conn, fetch(conn, known))
        prices = check(conn, lines)
        order_id = conn.execute(
            "INSERT INTO orders (customer, placed_at, discount_percent, retry_key, retry_body) VALUES (?, ?, ?, ?, ?)",
            (customer, placed_at, percent, key, body_text(payload) if key else None),
        ).lastrowid
        conn.executemany(
            "INSERT INTO order_lines (order_id, sku, quantity, unit_price, net) VALUES (?, ?, ?, ?, ?)",
            [(order_id, sku, n, prices[sku], line_net(prices[sku], n, percent)) for sku, n in lines],
        )
        return 201, view(conn, fetch(conn, order_id))


def check(conn, lines):
    """Refuses what is not there; returns the price of each product."""
    wanted = Counter()
    for sku, quantity in lines:
        wanted[sku] += quantity
    prices = {}
    for sku, quantity in wanted.items():
        product = catalog.find(conn, sku)
        if product is None:
            raise ApiError(422, "unknown_sku", f"no product {sku}")
        if quantity > product["on_hand"] - product["reserved"]:
            raise ApiError(409, "out_of_stock", f"not enough of {sku}")
        prices[sku] = product["unit_price"]
    return prices


def finish(conn, order_id, status):
    order = fetch(conn, order_id)
    if order["status"] != "reserved":
        raise ApiError(409, "wrong_status", f"the order is {order['status']}")
    conn.execute("UPDATE orders SET status = ? WHERE id = ?", (status, order_id))


def dispatch(order_id):
    with db.writing() as conn:
        finish(conn, order_id, "dispatched")
        conn.execute(
            """
            UPDATE products SET on_hand = on_hand - (
                SELECT sum(quantity) FROM order_lines WHERE order_id = :id AND order_lines.sku = products.sku
            ) WHERE sku IN (SELECT sku FROM order_lines WHERE order_id = :id)
            """,
            {"id": order_id},
        )
        return view(conn, fetch(conn, order_id))


def cancel(order_id):
    with db.writing() as conn:
        finish(conn, order_id, "cancelled")
        return view(conn, fetch(conn, order_id))
