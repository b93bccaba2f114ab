"""Checks of fields in bodies and queries."""

import re

from quayside.errors import bad_query, invalid

CODE = re.compile(r"[A-Z0-9-]{1,32}")
PRICE = re.compile(r"[0-9]{1,5}\.[0-9]{2}")
KEY = re.compile(r"[\x20-\x7e]{1,80}")


def code(value, field):
    if not isinstance(value, str) or not CODE.fullmatch(value):
        raise invalid(f"{field} must be 1-32 of A-Z, 0-9 and -")
    return value


def name(value):
    if not isinstance(value, str) or not 1 <= len(value) <= 120:
        raise invalid("name must have 1-120 characters")
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: JSON can spell it, a database can't store it
        raise invalid("name must be text") from None
    return value


def price(value):
    if not isinstance(value, str) or not PRICE.fullmatch(value) or value in ("0.00", "00.00"):
        raise invalid("unit_price must be a string like 12.35")
    pounds, pence = value.split(".")
    return int(pounds) * 100 + int(pence)


def whole_number(value, field, low, high):
    if type(value) is not int or not low <= value <= high:
        raise invalid(f"{field} must be a whole number from {low} to {high}")
    return value


def idempotency_key(value):
    if value is None:
        return None
    if not KEY.fullmatch(value):
        raise invalid("Idempotency-Key must be 1-80 printable ASCII characters")
    return value


def limit(text):
    if not text:
        return 50
    if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= 100:
        raise bad_query("limit must be from 1 to 100")
    return int(text)
