"""Database connections: a new one for each piece of work, closed behind it."""

import contextlib
import sqlite3

from quayside import settings


@contextlib.contextmanager
def reading():
    """A connection whose reads all see the same state."""
    conn = sqlite3.connect(settings.DATABASE, isolation_level=None, timeout=30)
    conn.row_factory = sqlite3.Row
    try:
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute("BEGIN")
        yield conn
    finally:
        conn.close()


@contextlib.contextmanager
def writing():
    """A connection that is the only writer until the block ends; the block's changes are kept only if it ends well."""
    conn = sqlite3.connect(settings.DATABASE, isolation_level=None, timeout=30)
    conn.row_factory = sqlite3.Row
    try:
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute("BEGIN IMMEDIATE")
        yield conn
        conn.execute("COMMIT")
    finally:
        conn.close()  # takes back what was not committed


def prepare():
    settings.DATABASE.parent.mkdir(parents=True, exist_ok=True)
    conn = sqlite3.connect(settings.DATABASE, isolation_level=None)
    conn.execute("PRAGMA journal_mode = WAL")
    return conn
