"""Placing orders and taking them through their life."""

from quayside import catalog, clock, db, idempotency, validation
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


def load(conn, order_id):
    if order_id.bit_length() > 63:
        raise not_found("order")
    order = conn.execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()
    if order is None:
        raise not_found("order")
    return order


def lines_of(conn, order_id):
    return conn.execute("SELECT * FROM order_lines WHERE order_id = ? ORDER BY id", (order_id,)).fetchall()


def show_from(conn, order_id):
    return view(load(conn, order_id), lines_of(conn, order_id))


def show_order(order_id):
    return show_from(db.connection(), order_id)


def read_line(raw):
    if not isinstance(raw, dict):
        raise invalid("each line must be an object")
    return validation.code(raw.get("sku"), "sku"), validation.whole_number(raw.get("quantity"), "quantity", 1, 10_000)


def place(payload, key):
    """Returns the status of the answer and the order."""
    customer = validation.code(payload.get("customer"), "customer")
    raw_lines = payload.get("lines")
    if not isinstance(raw_lines, list) or not 1 <= len(raw_lines) <= 500:
        raise invalid("lines must be a list of 1-500 lines")
    lines = [read_line(raw) for raw in raw_lines]
    percent = validation.whole_number(payload.get("discount_percent", 0), "discount_percent", 0, 100)
    placed_at = clock.read_placed_at(payload.get("placed_at"))

    def job(conn):
        if key:
            known = idempotency.recall(conn, key, customer, payload)
            if known:
                return 200, show_from(conn, known)
        order_id = conn.execute(
            "INSERT INTO orders (customer, placed_at, discount_percent) VALUES (?, ?, ?)",
            (customer, placed_at, percent),
        ).lastrowid
        for sku, quantity in lines:
            add_line(conn, order_id, sku, quantity, percent)
        if key:
            idempotency.remember(conn, key, customer, payload, order_id)
        return 201, show_from(conn, order_id)

    return db.write(job)


def add_line(conn, order_id, sku, quantity, percent):
    try:
        unit_price = catalog.load(conn, sku)["unit_price"]
    except ApiError:
        raise ApiError(422, "unknown_sku", f"no product {sku}") from None
    catalog.move_stock(conn, sku, reserved=quantity)
    conn.execute(
        "INSERT INTO order_lines (order_id, sku, quantity, unit_price, net) VALUES (?, ?, ?, ?, ?)",
        (order_id, sku, quantity, unit_price, line_net(unit_price, quantity, percent)),
    )


def close(order_id, status, goods_leave):
    def job(conn):
        current = load(conn, order_id)["status"]
        if current != "reserved":
            raise ApiError(409, "wrong_status", f"the order is {current}")
        for line in lines_of(conn, order_id):
            gone = -line["quantity"] if goods_leave else 0
            catalog.move_stock(conn, line["sku"], on_hand=gone, reserved=-line["quantity"])
        conn.execute("UPDATE orders SET status = ? WHERE id = ?", (status, order_id))
        return show_from(conn, order_id)

    return db.write(job)


def dispatch(order_id):
    return close(order_id, "dispatched", goods_leave=True)


def cancel(order_id):
    return close(order_id, "cancelled", goods_leave=False)
