"""What standings say of the totals is kept beside them, and totals of every combination of scopes are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. All derived rows are made anew when the ledger is opened."""
    for table in ("ledger_totals", "ledger_card_totals"):
        op.add_column(table, sa.Column("figures", sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE ledger_meta SET value = '' WHERE name = 'derived'")
