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

SCHEMA_VERSION = "0003"
"""The migration that this code was written for."""
VERSION_TABLE = "ledger_version"
DERIVED = "2"
"""Raised when derived rows are made differently: a store with another number makes them anew when it is opened."""

metadata = MetaData()
# SQLite numbers rows itself only where the type is called INTEGER; a plain one holds 64 bits there.
Whole: TypeEngine[int] = BigInteger().with_variant(Integer, "sqlite")


def _texts(*names: str, empty: bool = False) -> list[Column[str]]:
    return [Column(name, Text, nullable=empty) for name in names]


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


def _place(*, primary: bool = False) -> Column[int]:
    """Of an entry."""
    return Column("seq", Whole, primary_key=primary, autoincrement=False, nullable=False)


# 0001: what was recorded

meta = Table("ledger_meta", metadata, Column("name", Text, primary_key=True), *_texts("value"))
head = Table(
    "ledger_head",
    metadata,
    Column("one", Integer, CheckConstraint("one = 1", name="ledger_head_one"), primary_key=True),
    _place(),
    *_texts("digest"),
)
entries = Table(
    "ledger_entries",
    metadata,
    _place(primary=True),
    *_texts("time", "kind", "key", "body", "previous", "digest"),
    Index("ledger_entries_key", "key", unique=True),
    Index("ledger_entries_kind", "kind", "seq"),
)

# 0002: what is derived; 0003: what standings say of the totals

agents = Table(
    "ledger_agents",
    metadata,
    Column("name", Text, primary_key=True),
    *_texts("owner", "model", "scaffold", empty=True),
    _flag("shown"),
    *_texts("pseudonym", "key"),
)
seasons = Table("ledger_seasons", metadata, Column("name", Text, primary_key=True), *_texts("first", "last", "key"))
challenges = Table("ledger_challenges", metadata, Column("digest", Text, primary_key=True), *_texts("body"))
tasks = Table(
    "ledger_tasks",
    metadata,
    Column("task", Text, primary_key=True),
    *_texts("challenge", "version", "digest", "title", "format", "family", "language", empty=True),
    Column("tier", Integer),
)
runs = Table(
    "ledger_runs",
    metadata,
    Column("run", Text, primary_key=True),
    _place(),
    *_texts("key", "agent", "task"),
    *_texts("challenge", empty=True),
    Column("attempt", Integer, nullable=False),
    Column("ended", Float, nullable=False),
    *_texts("status"),
    *_texts("outcome", empty=True),
    Column("success", Boolean),
    Column("latency_ms", Float),
    Column("cost_usd", Float),
    *(Column(name, Whole) for name in ("steps", "tokens", "turns", "iterations")),
    Column("seconds", Float),
    _flag("inside"),
    *_texts("outside"),
    *_texts("card", empty=True),
    *_texts("source"),
    Index("ledger_runs_agent", "agent", "ended"),
    Index("ledger_runs_task", "task", "agent"),
    Index("ledger_runs_ended", "ended"),
)
cards = Table(
    "ledger_cards",
    metadata,
    *_texts("card", "run"),
    _place(),
    *_texts("time", "agent", "task", "policy", "version", "status", "state", "outcome"),
    Column("final", Whole),  # millionths of a point
    _flag("latest"),
    *_texts("replaced_by", "appealed", "evidence", empty=True),  # `appealed` says when
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
    _place(primary=True),
    *_texts("time", "card", "action", "by", "reason"),
    *_texts("second", empty=True),
    Column("final", Float),
    Index("ledger_reviews_card", "card"),
)

# Whole numbers of any size are kept as text: sums of squares pass 64 bits.
RUN_SUMS = (
    "completed", "infrastructure", "outcomes", "successes",
    "latency_count", "latency_total", "latency_squares",
    "cost_count", "cost_total", "cost_squares",
    "steps_count", "steps_total", "steps_squares",
    "tokens",
)  # fmt: skip
CARD_SUMS = ("cards", "total", "squares", "iterations", "iterations_unknown", "micros", "micros_unknown")
CARD_TASK_SUMS = ("tasks", "task_sizes", "task_crossed", "task_squares")

tallies = Table(
    "ledger_tallies",
    metadata,
    *_texts("season", "agent", "task"),
    _flag("inside"),
    *_texts(*RUN_SUMS),
    PrimaryKeyConstraint("agent", "task", "season", "inside"),
    Index("ledger_tallies_task", "season", "task"),
)
totals = Table(
    "ledger_totals",
    metadata,
    *_texts("scope", "value", "agent"),
    _flag("inside"),
    *_texts(*RUN_SUMS, "tasks", "figures"),
    PrimaryKeyConstraint("scope", "value", "agent", "inside"),
)
card_tallies = Table(
    "ledger_card_tallies",
    metadata,
    *_texts("season", "agent", "task"),
    _flag("inside"),
    *_texts("policy", "version", "state"),
    *_texts(*CARD_SUMS),
    PrimaryKeyConstraint("agent", "task", "season", "inside", "policy", "version", "state"),
    Index("ledger_card_tallies_task", "season", "task"),
)
card_totals = Table(
    "ledger_card_totals",
    metadata,
    *_texts("scope", "value", "agent"),
    _flag("inside"),
    *_texts("policy", "version", "state"),
    *_texts(*CARD_SUMS, *CARD_TASK_SUMS, "mean_total", "mean_squares", "figures"),
    PrimaryKeyConstraint("scope", "value", "policy", "agent", "inside", "version", "state"),
)

DERIVED_TABLES = (
    agents, seasons, challenges, tasks, runs, cards, reviews, tallies, totals, card_tallies, card_totals,
)  # fmt: skip
