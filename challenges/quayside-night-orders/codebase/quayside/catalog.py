"""Products, their prices and their stock."""

import sqlite3
import time

from quayside import cache, db, validation
from quayside.errors import ApiError, not_found
from quayside.pricing import show


def view(product):
    return {
        "sku": product["sku"],
        "name": product["name"],
        "unit_price": show(int(product["unit_price"])),
        "on_hand": product["on_hand"],
        "reserved": product["reserved"],
        "available": product["on_hand"] - product["reserved"],
    }


def get_product(sku):
    """The product as a dict, from the cache where possible; None where there is none."""
    product = cache.get(sku)
    if product is None:
        row = db.connection().execute("SELECT * FROM products WHERE sku = ?", (sku,)).fetchone()
        if row is None:
            return None
        product = dict(row)
        cache.put(sku, product)
    return product


def show_product(sku):
    product = get_product(sku)
    if product is None:
        raise not_found("product")
    return view(product)


def add_product(payload):
    sku = validation.code(payload.get("sku"), "sku")
    name = validation.name(payload.get("name"))
    unit_price = validation.price(payload.get("unit_price"))
    on_hand = validation.whole_number(payload.get("on_hand"), "on_hand", 0, 1_000_000)
    conn = db.connection()
    try:
        conn.execute(
            "INSERT INTO products (sku, name, unit_price, on_hand) VALUES (?, ?, ?, ?)",
            (sku, name, unit_price, on_hand),
        )
    except sqlite3.IntegrityError:
        raise ApiError(409, "duplicate_sku", f"{sku} exists already")
    conn.commit()
    return show_product(sku)


def search_products(search, sort, limit):
    sql = "SELECT * FROM products"
    if search:
        sql += f" WHERE name LIKE '%{search}%'"
    sql += f" ORDER BY {sort or 'sku'}, sku LIMIT {limit}"
    return [view(row) for row in db.connection().execute(sql)]


def set_price(sku, payload):
    unit_price = validation.price(payload.get("unit_price"))
    conn = db.connection()
    changed = conn.execute("UPDATE products SET unit_price = ? WHERE sku = ?", (unit_price, sku))
    if changed.rowcount == 0:
        raise not_found("product")
    conn.commit()
    cache.forget(sku)
    return show_product(sku)


def receive(sku, payload):
    quantity = validation.whole_number(payload.get("quantity"), "quantity", 1, 1_000_000)
    conn = db.connection()
    row = conn.execute("SELECT on_hand FROM products WHERE sku = ?", (sku,)).fetchone()
    if row is None:
        raise not_found("product")
    cache.forget(sku)
    pause()
    conn.execute("UPDATE products SET on_hand = ? WHERE sku = ?", (row["on_hand"] + quantity, sku))
    conn.commit()
    return show_product(sku)


def pause():
    time.sleep(0.001)  # the old disk lost writes that came straight after a read


def move_stock(conn, sku, on_hand=0, reserved=0):
    """Change the counts of a product; refuses to reserve more than there is."""
    row = conn.execute("SELECT on_hand, reserved FROM products WHERE sku = ?", (sku,)).fetchone()
    if reserved > row["on_hand"] - row["reserved"]:
        raise ApiError(409, "out_of_stock", f"not enough of {sku}")
    pause()
    conn.execute(
        "UPDATE products SET on_hand = ?, reserved = ? WHERE sku = ?",
        (row["on_hand"] + on_hand, row["reserved"] + reserved, sku),
    )
    conn.commit()
