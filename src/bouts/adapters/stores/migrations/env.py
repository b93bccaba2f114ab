"""Run by Alembic when a ledger's tables are migrated; the connection is handed in by `opening`."""

from __future__ import annotations

from alembic import context

from bouts.adapters.stores.tables import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
