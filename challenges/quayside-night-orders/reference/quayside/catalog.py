"""Products, their prices and their stock."""

import sqlite3

from quayside import cache, db, validation
from quayside.errors import ApiError, bad_query, not_found
from quayside.pricing import show

FOUND = """
SELECT * FROM products WHERE :search = '' OR instr(lower(name), lower(:search)) > 0
"""
SEARCHES = {
    "sku": FOUND + "ORDER BY sku LIMIT :limit",
    "name": FOUND + "ORDER BY name, sku LIMIT :limit",
    "unit_price": FOUND + "ORDER BY unit_price, sku LIMIT :limit",
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


def find(conn, sku):
    """The product's row as it is now, or None. What decides anything uses this, never the cache."""
    return conn.execute("SELECT * FROM products WHERE sku = ?", (sku,)).fetchone()


def show_product(sku):
    product = cache.get(sku)
    if product is None:
        ticket = cache.ticket()
        product = find(db.connection(), sku)
        if product is None:
            raise not_found("product")
        cache.put(sku, product, ticket)
    return view(product)


def add_product(payload):
    sku = validation.code(payload.get("sku"), "sku")
    name = validation.name(payload.get("name"))
    unit_price = validation.price(payload.get("unit_price"))
    on_hand = validation.whole_number(payload.get("on_hand"), "on_hand", 0, 1_000_000)
    try:
        with db.transaction() as conn:
            conn.execute(
                "INSERT INTO products (sku, name, unit_price, on_hand) VALUES (?, ?, ?, ?)",
                (sku, name, unit_price, on_hand),
            )
    except sqlite3.IntegrityError:
        raise ApiError(409, "duplicate_sku", f"{sku} exists already") from None
    return show_product(sku)


def search_products(search, sort, limit):
    sql = SEARCHES.get(sort or "sku")
    if sql is None:
        raise bad_query("sort must be one of " + ", ".join(SEARCHES))
    rows = db.connection().execute(sql, {"search": search or "", "limit": limit})
    return [view(row) for row in rows]


def set_price(sku, payload):
    unit_price = validation.price(payload.get("unit_price"))
    with db.transaction() as conn:
        changed = conn.execute("UPDATE products SET unit_price = ? WHERE sku = ?", (unit_price, sku))
        if changed.rowcount == 0:
            raise not_found("product")
    cache.forget([sku])
    return show_product(sku)


def receive(sku, payload):
    quantity = validation.whole_number(payload.get("quantity"), "quantity", 1, 1_000_000)
    with db.transaction() as conn:
        changed = conn.execute("UPDATE products SET on_hand = on_hand + ? WHERE sku = ?", (quantity, sku))
        if changed.rowcount == 0:
            raise not_found("product")
    cache.forget([sku])
    return show_product(sku)


def reserve(conn, sku, quantity):
    """Within a transaction: sets stock aside, or refuses."""
    changed = conn.execute(
        "UPDATE products SET reserved = reserved + :n WHERE sku = :sku AND on_hand - reserved >= :n",
        {"n": quantity, "sku": sku},
    )
    if changed.rowcount == 0:
        raise ApiError(409, "out_of_stock", f"not enough of {sku}")


def release(conn, sku, quantity):
    conn.execute("UPDATE products SET reserved = reserved - ? WHERE sku = ?", (quantity, sku))


def take_out(conn, sku, quantity):
    conn.execute(
        "UPDATE products SET on_hand = on_hand - :n, reserved = reserved - :n WHERE sku = :sku",
        {"n": quantity, "sku": sku},
    )
