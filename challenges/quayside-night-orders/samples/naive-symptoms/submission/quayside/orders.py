"""Placing orders and taking them through their life."""

from quayside import cache, catalog, clock, db, idempotency, validation
from quayside.errors import ApiError, invalid, not_found
from quayside.pricing import line_net, show


def view(order, lines):
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


def fetch(order_id):
    order = db.connection().execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()
    if order is None:
        raise not_found("order")
    return order


def lines_of(order_id):
    sql = "SELECT * FROM order_lines WHERE order_id = ? ORDER BY id"
    return db.connection().execute(sql, (order_id,)).fetchall()


def show_order(order_id):
    return view(fetch(order_id), lines_of(order_id))


def read_order(payload):
    customer = validation.code(payload.get("customer"), "customer")
    raw_lines = payload.get("lines")
    if not isinstance(raw_lines, list) or not 1 <= len(raw_lines) <= 500:
        raise invalid("lines must be a list of 1-500 lines")
    lines = []
    for raw in raw_lines:
        if not isinstance(raw, dict):
            raise invalid("each line must be an object")
        lines.append((validation.code(raw.get("sku"), "sku"), validation.quantity(raw.get("quantity"))))
    percent = validation.whole_number(payload.get("discount_percent", 0), "discount_percent", 0, 100)
    return customer, lines, percent, clock.read_placed_at(payload.get("placed_at"))


def place(payload, key):
    """Returns the status of the answer and the order."""
    customer, lines, percent, placed_at = read_order(payload)
    if key:
        known = idempotency.recall(key, customer, payload)
        if known:
            return 200, show_order(known)
    for sku, _ in lines:
        if catalog.get_product(sku) is None:
            raise ApiError(422, "unknown_sku", f"no product {sku}")

    conn = db.connection()
    order_id = conn.execute(
        "INSERT INTO orders (customer, placed_at, discount_percent) VALUES (?, ?, ?)", (customer, placed_at, percent)
    ).lastrowid
    for sku, quantity in lines:
        product = catalog.get_product(sku)
        unit_price = product["unit_price"]
        net = line_net(product, quantity, percent)
        catalog.move_stock(conn, sku, reserved=quantity)
        conn.execute(
            "INSERT INTO order_lines (order_id, sku, quantity, unit_price, net) VALUES (?, ?, ?, ?, ?)",
            (order_id, sku, quantity, unit_price, net),
        )
    conn.commit()
    if key:
        # after the commit: before it the database is still locked
        idempotency.remember(key, customer, payload, order_id)
    for sku, _ in lines:
        cache.forget(sku)
    return 201, show_order(order_id)


def dispatch(order_id):
    order = fetch(order_id)
    if order["status"] != "reserved":
        raise ApiError(409, "wrong_status", f"the order is {order['status']}")
    conn = db.connection()
    for line in lines_of(order_id):
        catalog.move_stock(conn, line["sku"], on_hand=-line["quantity"], reserved=-line["quantity"])
        cache.forget(line["sku"])
    conn.execute("UPDATE orders SET status = 'dispatched' WHERE id = ?", (order_id,))
    conn.commit()
    return show_order(order_id)


def cancel(order_id):
    order = fetch(order_id)
    if order["status"] != "reserved":
        raise ApiError(409, "wrong_status", f"the order is {order['status']}")
    conn = db.connection()
    for line in lines_of(order_id):
        catalog.move_stock(conn, line["sku"], reserved=-line["quantity"])
    conn.execute("UPDATE orders SET status = 'cancelled' WHERE id = ?", (order_id,))
    conn.commit()
    return show_order(order_id)
