"""What is recorded: entries, their head, and facts about the ledger itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    whole = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "ledger_meta",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "ledger_head",
        sa.Column("one", sa.Integer, sa.CheckConstraint("one = 1", name="ledger_head_one"), primary_key=True),
        sa.Column("seq", whole, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
    )
    op.create_table(
        "ledger_entries",
        sa.Column("seq", whole, primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("time", "kind", "key", "body", "previous", "digest")),
    )
    op.create_index("ledger_entries_key", "ledger_entries", ["key"], unique=True)
    op.create_index("ledger_entries_kind", "ledger_entries", ["kind", "seq"])
