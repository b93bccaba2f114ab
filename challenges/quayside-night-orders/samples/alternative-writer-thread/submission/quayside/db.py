"""Everything that changes the database is done by one thread, one job after the other.

A job is a function of a connection. It runs in a transaction of its own and its result, or its exception, goes back
to the thread that asked for it. Readers have connections of their own and see what is committed.
"""

import queue
import sqlite3
import threading
from concurrent.futures import Future

from quayside import settings

_readers = threading.local()
_jobs = queue.Queue()
_starting = threading.Lock()
_writer = None


def open_connection():
    settings.DATABASE.parent.mkdir(parents=True, exist_ok=True)
    conn = sqlite3.connect(settings.DATABASE, isolation_level=None, timeout=10)
    conn.row_factory = sqlite3.Row
    conn.execute("PRAGMA journal_mode = WAL")
    conn.execute("PRAGMA synchronous = NORMAL")
    return conn


def connection():
    """This thread's connection, for reading."""
    if not hasattr(_readers, "connection"):
        _readers.connection = open_connection()
    return _readers.connection


def write(job):
    """Has the writer run `job(conn)` and returns what it returns, once it is committed."""
    global _writer
    with _starting:
        if _writer is None:
            _writer = threading.Thread(target=_work, name="writer", daemon=True)
            _writer.start()
    result = Future()
    _jobs.put((job, result))
    return result.result()


def _work():
    conn = open_connection()
    while True:
        job, result = _jobs.get()
        try:
            conn.execute("BEGIN IMMEDIATE")
            value = job(conn)
            conn.execute("COMMIT")
        except BaseException as exc:  # whoever asked gets it
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            result.set_exception(exc)
        else:
            result.set_result(value)
