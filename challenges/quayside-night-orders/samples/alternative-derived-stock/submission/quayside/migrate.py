"""Brings the database up to the newest migration."""

import re

from quayside import settings


def by_number(path):
    return int(re.match(r"\d+", path.name).group())


def run(conn):
    conn.execute("CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)")
    done = {name for (name,) in conn.execute("SELECT name FROM schema_migrations")}
    todo = [path for path in settings.MIGRATIONS.glob("*.sql") if path.name not in done]
    for path in sorted(todo, key=by_number):
        conn.executescript("BEGIN; " + path.read_text(encoding="utf-8"))
        conn.execute("INSERT INTO schema_migrations VALUES (?)", (path.name,))
        conn.execute("COMMIT")
