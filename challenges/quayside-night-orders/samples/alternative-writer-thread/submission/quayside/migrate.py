"""Brings the database up to the newest migration."""

import logging

from quayside import settings

log = logging.getLogger(__name__)


def number(path):
    return int(path.name.split("_")[0])


def run(conn):
    """Applies what is missing, in the order of the numbers. A failing one is taken back and stops the start."""
    conn.execute("CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)")
    applied = {row["name"] for row in conn.execute("SELECT name FROM schema_migrations")}
    for path in sorted(settings.MIGRATIONS.glob("*.sql"), key=number):
        if path.name in applied:
            continue
        log.info("applying %s", path.name)
        try:
            # executescript commits whatever is open first, so the transaction has to be part of the script
            conn.executescript("BEGIN IMMEDIATE;\n" + path.read_text(encoding="utf-8"))
            conn.execute("INSERT INTO schema_migrations (name) VALUES (?)", (path.name,))
            conn.execute("COMMIT")
        except Exception:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise
