"""Database connections: one for each thread, and one writer at a time."""

import contextlib
import sqlite3
import threading

from quayside import settings

_local = threading.local()
_writing = threading.Lock()


def connection():
    """This thread's connection. It is in autocommit mode: what changes data goes through `transaction`."""
    conn = getattr(_local, "connection", None)
    if conn is None:
        settings.DATABASE.parent.mkdir(parents=True, exist_ok=True)
        conn = sqlite3.connect(settings.DATABASE, isolation_level=None, timeout=10)
        conn.row_factory = sqlite3.Row
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute("PRAGMA foreign_keys = ON")
        _local.connection = conn
    return conn


@contextlib.contextmanager
def transaction():
    """Everything in the block happens or nothing does.

    BEGIN IMMEDIATE takes the write lock before the first read, so what a block has read is still true when it writes.
    The lock in front of it queues the service's own threads, which SQLite would let poll for their turn.
    """
    conn = connection()
    with _writing:
        conn.execute("BEGIN IMMEDIATE")
        try:
            yield conn
        except BaseException:
            conn.execute("ROLLBACK")
            raise
        conn.execute("COMMIT")
