"""Remembers which order an Idempotency-Key has placed."""

import json
import logging
import sqlite3

from quayside import db, settings
from quayside.errors import ApiError

log = logging.getLogger(__name__)


def fingerprint(payload):
    return str(hash(json.dumps(payload)))


seen = {}


def recall(key, payload):
    """The id of the order that this key has placed before, or None."""
    return seen.get(key)


def remember(key, customer, payload, order_id):
    seen[key] = order_id
