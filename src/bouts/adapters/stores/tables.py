"""The tables of a ledger, alike in SQLite and PostgreSQL.

`ledger_entries` is the truth, and is only ever added to. `ledger_head` holds its last place and digest and is what
writers queue for. The tables behind them are derived.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)
from sqlalchemy.types import TypeEngine

SCHEMA_VERSION = "0002"
"""The migration that this code was written for."""
VERSION_TABLE = "ledger_version"
DERIVED = "1"
"""Raised when derived rows are made differently: a store with another number makes them anew when it is opened."""

metadata = MetaData()
# SQLite numbers rows itself only where the type is called INTEGER; a plain one holds 64 bits there.
Whole: TypeEngine[int] = BigInteger().with_variant(Integer, "sqlite")

# 0001: what was recorded

meta = Table("ledger_meta", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))
head = Table(
    "ledger_head",
    metadata,
    Column("one", Integer, CheckConstraint("one = 1", name="ledger_head_one"), primary_key=True),
    Column("seq", Whole, nullable=False),
    Column("digest", Text, nullable=False),
)
entries = Table(
    "ledger_entries",
    metadata,
    Column("seq", Whole, primary_key=True, autoincrement=False),
    Column("time", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Index("ledger_entries_key", "key", unique=True),
    Index("ledger_entries_kind", "kind", "seq"),
)

# 0002: what is derived

agents = Table(
    "ledger_agents",
    metadata,
    Column("name", Text, primary_key=True),
    Column("owner", Text),
    Column("model", Text),
    Column("scaffold", Text),
    Column("shown", Boolean, nullable=False),
    Column("pseudonym", Text, nullable=False),
    Column("key", Text, nullable=False),
)
seasons = Table(
    "ledger_seasons",
    metadata,
    Column("name", Text, primary_key=True),
    Column("first", Text, nullable=False),
    Column("last", Text, nullable=False),
    Column("key", Text, nullable=False),
)
challenges = Table(
    "ledger_challenges",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("body", Text, nullable=False),
)
tasks = Table(
    "ledger_tasks",
    metadata,
    Column("task", Text, primary_key=True),
    Column("challenge", Text),
    Column("version", Text),
    Column("digest", Text),
    Column("title", Text),
    Column("format", Text),
    Column("family", Text),
    Column("language", Text),
    Column("tier", Integer),
)
runs = Table(
    "ledger_runs",
    metadata,
    Column("run", Text, primary_key=True),
    Column("seq", Whole, nullable=False),
    Column("key", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("challenge", Text),
    Column("attempt", Integer, nullable=False),
    Column("ended", Float, nullable=False),
    Column("status", Text, nullable=False),
    Column("outcome", Text),
    Column("success", Boolean),
    Column("latency_ms", Float),
    Column("cost_usd", Float),
    Column("steps", Whole),
    Column("tokens", Whole),
    Column("turns", Whole),
    Column("iterations", Whole),
    Column("seconds", Float),
    Column("inside", Boolean, nullable=False),
    Column("outside", Text, nullable=False),
    Column("card", Text),
    Column("source", Text, nullable=False),
    Index("ledger_runs_agent", "agent", "ended"),
    Index("ledger_runs_task", "task", "agent"),
    Index("ledger_runs_ended", "ended"),
)
cards = Table(
    "ledger_cards",
    metadata,
    Column("card", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("seq", Whole, nullable=False),
    Column("time", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("task", Text, nullable=False),
    Column("policy", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("final", Whole),  # millionths of a point
    Column("latest", Boolean, nullable=False),
    Column("replaced_by", Text),
    Column("appealed", Text),  # when
    Column("evidence", Text),
    PrimaryKeyConstraint("card", "run"),
    Index("ledger_cards_run", "run", "policy", "version"),
    Index("ledger_cards_task", "task", "policy"),
    Index("ledger_cards_agent", "agent", "policy"),
    Index("ledger_cards_state", "state"),
    Index("ledger_cards_appealed", "appealed"),
)
reviews = Table(
    "ledger_reviews",
    metadata,
    Column("seq", Whole, primary_key=True, autoincrement=False),
    Column("time", Text, nullable=False),
    Column("card", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("second", Text),
    Column("final", Float),
    Index("ledger_reviews_card", "card"),
)

RUN_SUMS = (
    "completed", "infrastructure", "outcomes", "successes",
    "latency_count", "latency_total", "latency_squares",
    "cost_count", "cost_total", "cost_squares",
    "steps_count", "steps_total", "steps_squares",
    "tokens",
)  # fmt: skip
CARD_SUMS = ("cards", "total", "squares", "iterations", "iterations_unknown", "micros", "micros_unknown")
CARD_TASK_SUMS = ("tasks", "task_sizes", "task_crossed", "task_squares")


def _sums(*names: str) -> list[Column[str]]:
    # Whole numbers of any size, as text: sums of squares pass 64 bits.
    return [Column(name, Text, nullable=False) for name in names]


def _keys(*names: str) -> list[Column[str]]:
    return [Column(name, Text, nullable=False) for name in names]


def _inside() -> Column[bool]:
    return Column("inside", Boolean, nullable=False)


tallies = Table(
    "ledger_tallies",
    metadata,
    *_keys("season", "agent", "task"),
    _inside(),
    *_sums(*RUN_SUMS),
    PrimaryKeyConstraint("agent", "task", "season", "inside"),
    Index("ledger_tallies_task", "season", "task"),
)
totals = Table(
    "ledger_totals",
    metadata,
    *_keys("scope", "value", "agent"),
    _inside(),
    *_sums(*RUN_SUMS),
    Column("tasks", Text, nullable=False),
    PrimaryKeyConstraint("scope", "value", "agent", "inside"),
)
card_tallies = Table(
    "ledger_card_tallies",
    metadata,
    *_keys("season", "agent", "task"),
    _inside(),
    *_keys("policy", "version", "state"),
    *_sums(*CARD_SUMS),
    PrimaryKeyConstraint("agent", "task", "season", "inside", "policy", "version", "state"),
    Index("ledger_card_tallies_task", "season", "task"),
)
card_totals = Table(
    "ledger_card_totals",
    metadata,
    *_keys("scope", "value", "agent"),
    _inside(),
    *_keys("policy", "version", "state"),
    *_sums(*CARD_SUMS, *CARD_TASK_SUMS),
    Column("mean_total", Text, nullable=False),
    Column("mean_squares", Text, nullable=False),
    PrimaryKeyConstraint("scope", "value", "policy", "agent", "inside", "version", "state"),
)

RECORDED = (meta, head, entries)
DERIVED_TABLES = (
    agents, seasons, challenges, tasks, runs, cards, reviews, tallies, totals, card_tallies, card_totals,
)  # fmt: skip
