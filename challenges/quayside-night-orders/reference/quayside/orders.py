"""Placing orders and taking them through their life."""

from quayside import cache, catalog, clock, db, idempotency, validation
from quayside.errors import ApiError, invalid, not_found
from quayside.pricing import line_net, show

MAX_ID = 2**63 - 1


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


def fetch(conn, order_id):
    order = None
    if 0 < order_id <= MAX_ID:
        order = conn.execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()
    if order is None:
        raise not_found("order")
    return order


def lines_of(conn, order_id):
    return conn.execute("SELECT * FROM order_lines WHERE order_id = ? ORDER BY id", (order_id,)).fetchall()


def show_order(order_id):
    conn = db.connection()
    return view(fetch(conn, order_id), lines_of(conn, order_id))


def read_order(payload):
    customer = validation.code(payload.get("customer"), "customer")
    raw_lines = payload.get("lines")
    if not isinstance(raw_lines, list) or not 1 <= len(raw_lines) <= 500:
        raise invalid("lines must be a list of 1-500 lines")
    lines = []
    for raw in raw_lines:
        if not isinstance(raw, dict):
            raise invalid("each line must be an object")
        quantity = validation.whole_number(raw.get("quantity"), "quantity", 1, 10_000)
        lines.append((validation.code(raw.get("sku"), "sku"), quantity))
    percent = validation.whole_number(payload.get("discount_percent", 0), "discount_percent", 0, 100)
    return customer, lines, percent, clock.read_placed_at(payload.get("placed_at"))


def place(payload, key):
    """Returns the status of the answer and the order."""
    customer, lines, percent, placed_at = read_order(payload)
    with db.transaction() as conn:
        known = idempotency.recall(conn, key, customer, payload) if key else None
        if known is None:
            order_id = insert(conn, customer, lines, percent, placed_at)
            if key:
                idempotency.remember(conn, key, customer, payload, order_id)
    if known is not None:
        return 200, show_order(known)
    cache.forget({sku for sku, _ in lines})
    return 201, show_order(order_id)


def insert(conn, customer, lines, percent, placed_at):
    order_id = conn.execute(
        "INSERT INTO orders (customer, placed_at, discount_percent) VALUES (?, ?, ?)", (customer, placed_at, percent)
    ).lastrowid
    for sku, quantity in lines:
        product = catalog.find(conn, sku)
        if product is None:
            raise ApiError(422, "unknown_sku", f"no product {sku}")
        catalog.reserve(conn, sku, quantity)
        net = line_net(product["unit_price"], quantity, percent)
        conn.execute(
            "INSERT INTO order_lines (order_id, sku, quantity, unit_price, net) VALUES (?, ?, ?, ?, ?)",
            (order_id, sku, quantity, product["unit_price"], net),
        )
    return order_id


def finish(order_id, status, move):
    """Takes a reserved order to its last status and moves its stock."""
    with db.transaction() as conn:
        order = fetch(conn, order_id)
        if order["status"] != "reserved":
            raise ApiError(409, "wrong_status", f"the order is {order['status']}")
        lines = lines_of(conn, order_id)
        for line in lines:
            move(conn, line["sku"], line["quantity"])
        conn.execute("UPDATE orders SET status = ? WHERE id = ?", (status, order_id))
    cache.forget({line["sku"] for line in lines})
    return show_order(order_id)


def dispatch(order_id):
    return finish(order_id, "dispatched", catalog.take_out)


def cancel(order_id):
    return finish(order_id, "cancelled", catalog.release)
