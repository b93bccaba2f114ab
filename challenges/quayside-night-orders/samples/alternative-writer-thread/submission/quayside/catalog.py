"""Products, their prices and their stock."""

import sqlite3

from quayside import db, validation
from quayside.errors import ApiError, bad_query, not_found
from quayside.pricing import show

SORTS = {
    "sku": lambda product: product["sku"],
    "name": lambda product: (product["name"], product["sku"]),
    "unit_price": lambda product: (product["unit_price"], product["sku"]),
}


def view(product):
    return {
        "sku": product["sku"],
        "name": product["name"],
        "unit_price": show(product["unit_price"]),
        "on_hand": product["on_hand"],
        "reserved": product["reserved"],
        "available": product["on_hand"] - product["reserved"],
    }


def load(conn, sku):
    row = conn.execute("SELECT * FROM products WHERE sku = ?", (sku,)).fetchone()
    if row is None:
        raise not_found("product")
    return row


def show_product(sku):
    return view(load(db.connection(), sku))


def add_product(payload):
    values = (
        validation.code(payload.get("sku"), "sku"),
        validation.name(payload.get("name")),
        validation.price(payload.get("unit_price")),
        validation.whole_number(payload.get("on_hand"), "on_hand", 0, 1_000_000),
    )

    def job(conn):
        conn.execute("INSERT INTO products (sku, name, unit_price, on_hand) VALUES (?, ?, ?, ?)", values)
        return view(load(conn, values[0]))

    try:
        return db.write(job)
    except sqlite3.IntegrityError:
        raise ApiError(409, "duplicate_sku", "this sku exists already") from None


def search_products(search, sort, limit):
    if (sort or "sku") not in SORTS:
        raise bad_query("sort must be sku, name or unit_price")
    pattern = (search or "").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = db.connection().execute("SELECT * FROM products WHERE name LIKE ? ESCAPE '\\'", (f"%{pattern}%",))
    return [view(row) for row in sorted(rows, key=SORTS[sort or "sku"])[:limit]]


def set_price(sku, payload):
    unit_price = validation.price(payload.get("unit_price"))

    def job(conn):
        conn.execute("UPDATE products SET unit_price = ? WHERE sku = ?", (unit_price, sku))
        return view(load(conn, sku))

    return db.write(job)


def receive(sku, payload):
    quantity = validation.whole_number(payload.get("quantity"), "quantity", 1, 1_000_000)

    def job(conn):
        move_stock(conn, sku, on_hand=quantity)
        return view(load(conn, sku))

    return db.write(job)


def move_stock(conn, sku, on_hand=0, reserved=0):
    """Only for jobs of the writer: nobody else can change the counts between the reading and the writing."""
    row = load(conn, sku)
    if reserved > row["on_hand"] - row["reserved"]:
        raise ApiError(409, "out_of_stock", f"not enough of {sku}")
    conn.execute(
        "UPDATE products SET on_hand = ?, reserved = ? WHERE sku = ?",
        (row["on_hand"] + on_hand, row["reserved"] + reserved, sku),
    )
