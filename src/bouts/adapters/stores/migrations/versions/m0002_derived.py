"""What is derived: figures of agents, kept up to date with every entry."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_RUN_SUMS = (
    "completed", "infrastructure", "outcomes", "successes", "latency_count", "latency_total", "latency_squares",
    "cost_count", "cost_total", "cost_squares", "steps_count", "steps_total", "steps_squares", "tokens",
)  # fmt: skip
_CARD_SUMS = ("cards", "total", "squares", "iterations", "iterations_unknown", "micros", "micros_unknown")
_TASK_SUMS = ("tasks", "task_sizes", "task_crossed", "task_squares", "mean_total", "mean_squares")


def upgrade() -> None:
    """Make the tables. Their rows are made when the ledger is opened."""
    _described()
    _counted()
    op.execute("UPDATE ledger_meta SET value = '' WHERE name = 'derived'")


def _texts(*names: str, empty: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=empty) for name in names]


def _whole() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _described() -> None:
    op.create_table(
        "ledger_agents",
        sa.Column("name", sa.Text, primary_key=True),
        *_texts("owner", "model", "scaffold", empty=True),
        sa.Column("shown", sa.Boolean, nullable=False),
        *_texts("pseudonym", "key"),
    )
    op.create_table("ledger_seasons", sa.Column("name", sa.Text, primary_key=True), *_texts("first", "last", "key"))
    op.create_table("ledger_challenges", sa.Column("digest", sa.Text, primary_key=True), *_texts("body"))
    op.create_table(
        "ledger_tasks",
        sa.Column("task", sa.Text, primary_key=True),
        *_texts("challenge", "version", "digest", "title", "format", "family", "language", empty=True),
        sa.Column("tier", sa.Integer),
    )
    op.create_table(
        "ledger_runs",
        sa.Column("run", sa.Text, primary_key=True),
        sa.Column("seq", _whole(), nullable=False),
        *_texts("key", "agent", "task"),
        *_texts("challenge", empty=True),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("ended", sa.Float, nullable=False),
        *_texts("status"),
        *_texts("outcome", empty=True),
        sa.Column("success", sa.Boolean),
        sa.Column("latency_ms", sa.Float),
        sa.Column("cost_usd", sa.Float),
        *(sa.Column(name, _whole()) for name in ("steps", "tokens", "turns", "iterations")),
        sa.Column("seconds", sa.Float),
        sa.Column("inside", sa.Boolean, nullable=False),
        *_texts("outside"),
        *_texts("card", empty=True),
        *_texts("source"),
    )
    op.create_index("ledger_runs_agent", "ledger_runs", ["agent", "ended"])
    op.create_index("ledger_runs_task", "ledger_runs", ["task", "agent"])
    op.create_index("ledger_runs_ended", "ledger_runs", ["ended"])
    op.create_table(
        "ledger_cards",
        *_texts("card", "run"),
        sa.Column("seq", _whole(), nullable=False),
        *_texts("time", "agent", "task", "policy", "version", "status", "state", "outcome"),
        sa.Column("final", _whole()),
        sa.Column("latest", sa.Boolean, nullable=False),
        *_texts("replaced_by", "appealed", "evidence", empty=True),
        sa.PrimaryKeyConstraint("card", "run"),
    )
    op.create_index("ledger_cards_run", "ledger_cards", ["run", "policy", "version"])
    op.create_index("ledger_cards_task", "ledger_cards", ["task", "policy"])
    op.create_index("ledger_cards_agent", "ledger_cards", ["agent", "policy"])
    op.create_index("ledger_cards_state", "ledger_cards", ["state"])
    op.create_index("ledger_cards_appealed", "ledger_cards", ["appealed"])
    op.create_table(
        "ledger_reviews",
        sa.Column("seq", _whole(), primary_key=True, autoincrement=False),
        *_texts("time", "card", "action", "by", "reason"),
        *_texts("second", empty=True),
        sa.Column("final", sa.Float),
    )
    op.create_index("ledger_reviews_card", "ledger_reviews", ["card"])


def _counted() -> None:
    of_card = ("policy", "version", "state")
    for name, keys, more, sums, order in (
        ("ledger_tallies", ("season", "agent", "task"), (), _RUN_SUMS, ("agent", "task", "season", "inside")),
        (
            "ledger_totals",
            ("scope", "value", "agent"),
            (),
            (*_RUN_SUMS, "tasks"),
            ("scope", "value", "agent", "inside"),
        ),
        (
            "ledger_card_tallies",
            ("season", "agent", "task"),
            of_card,
            _CARD_SUMS,
            ("agent", "task", "season", "inside", *of_card),
        ),
        (
            "ledger_card_totals",
            ("scope", "value", "agent"),
            of_card,
            (*_CARD_SUMS, *_TASK_SUMS),
            ("scope", "value", "policy", "agent", "inside", "version", "state"),
        ),
    ):
        op.create_table(
            name,
            *_texts(*keys),
            sa.Column("inside", sa.Boolean, nullable=False),
            *_texts(*more, *sums),
            sa.PrimaryKeyConstraint(*order),
        )
    for name in ("ledger_tallies", "ledger_card_tallies"):
        op.create_index(f"{name}_task", name, ["season", "task"])
