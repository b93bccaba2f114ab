"""The database connection."""

import sqlite3

from quayside import settings

_connection = None


def connection():
    global _connection
    if _connection is None:
        settings.DATABASE.parent.mkdir(parents=True, exist_ok=True)
        # start clean, old rows are what made the counts drift
        settings.DATABASE.unlink(missing_ok=True)
        # check_same_thread: opening a file for each request was too slow on the old disk
        _connection = sqlite3.connect(settings.DATABASE, check_same_thread=False)
        _connection.row_factory = sqlite3.Row
    return _connection


def rollback():
    connection().rollback()
