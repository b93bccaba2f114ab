"""Products, their prices and their stock."""

import sqlite3

from quayside import db, validation
from quayside.errors import ApiError, bad_query, not_found
from quayside.pricing import show


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
    return conn.execute("SELECT * FROM stock WHERE sku = ?", (sku,)).fetchone()


def show_product(sku):
    with db.reading() as conn:
        product = find(conn, sku)
    if product is None:
        raise not_found("product")
    return view(product)


def add_product(payload):
    sku = validation.code(payload.get("sku"), "sku")
    name = validation.name(payload.get("name"))
    unit_price = validation.price(payload.get("unit_price"))
    on_hand = validation.whole_number(payload.get("on_hand"), "on_hand", 0, 1_000_000)
    with db.writing() as conn:
        try:
            conn.execute(
                "INSERT INTO products (sku, name, unit_price, on_hand) VALUES (?, ?, ?, ?)",
                (sku, name, unit_price, on_hand),
            )
        except sqlite3.IntegrityError:
            raise ApiError(409, "duplicate_sku", f"{sku} exists already") from None
        return view(find(conn, sku))


def search_products(search, sort, limit):
    if sort and sort not in ("sku", "name", "unit_price"):
        raise bad_query("sort must be sku, name or unit_price")
    wanted = ascii_lower(search or "")
    with db.reading() as conn:
        rows = [row for row in conn.execute("SELECT * FROM stock") if wanted in ascii_lower(row["name"])]
    rows.sort(key=lambda row: (row[sort or "sku"], row["sku"]))
    return [view(row) for row in rows[:limit]]


def ascii_lower(text):
    return "".join(sign.lower() if "A" <= sign <= "Z" else sign for sign in text)


def change(sql, value, sku):
    with db.writing() as conn:
        if conn.execute(sql, (value, sku)).rowcount == 0:
            raise not_found("product")
        return view(find(conn, sku))


def set_price(sku, payload):
    return change("UPDATE products SET unit_price = ? WHERE sku = ?", validation.price(payload.get("unit_price")), sku)


def receive(sku, payload):
    quantity = validation.whole_number(payload.get("quantity"), "quantity", 1, 1_000_000)
    return change("UPDATE products SET on_hand = on_hand + ? WHERE sku = ?", quantity, sku)
