"""Open a ledger: make it where there is none, migrate an older one after a backup, refuse a newer one."""

from __future__ import annotations

import importlib.util
import secrets
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, insert, inspect, text

from bouts.adapters.stores import sqlite, tables
from bouts.adapters.stores.chain import origin, stamp
from bouts.adapters.stores.places import Place
from bouts.adapters.stores.troubles import told
from bouts.errors import BadFile, BadUsage, NotFound

LOCK = 0x626F757473
"""The advisory lock of PostgreSQL under which a ledger is made or migrated."""
SECRET_BYTES = 32
KNOWN = ("0001", "0002", "0003")
"""Migrations, oldest first."""
_NONE = "`bouts ledger init` makes one, and so does recording a run"
Clock = Callable[[], float]


def open_engine(place: Place, *, create: bool, evidence: str, clock: Clock) -> Engine:
    """An engine on a ledger that is ready. Raises `NotFound` where there is none, unless `create`."""
    with told(str(place)):
        if place.file is not None:
            return _file(place.file, create, evidence, clock)
        return _server(place, create, evidence, clock)


def _file(path: Path, create: bool, evidence: str, clock: Clock) -> Engine:
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        if not create:
            raise NotFound("no ledger is there", where=str(path), hint=_NONE)
        path.unlink(missing_ok=True)
        _make_file(path, evidence, clock)
    sqlite.must_be_ours(path)
    engine = sqlite.engine(path)
    with engine.connect() as connection:
        version = _version(connection, str(path))
    if version != tables.SCHEMA_VERSION:
        sqlite.copy(path, path.with_name(f"{path.name}.before-{tables.SCHEMA_VERSION}"))
        _migrate(engine, version)
    return engine


def _make_file(path: Path, evidence: str, clock: Clock) -> None:
    part = sqlite.new_file(path)
    fresh = create_engine(f"sqlite:///{part}")
    sqlite.begins_itself(fresh)
    try:
        with fresh.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
            make(connection, evidence, clock)
            connection.commit()
        fresh.dispose()
        sqlite.to_log(part)
        sqlite.put_in_place(part, path)
    finally:
        fresh.dispose()
        sqlite.remove(part)


def _server(place: Place, create: bool, evidence: str, clock: Clock) -> Engine:
    if importlib.util.find_spec("psycopg") is None:
        hint = "pip install 'bouts[postgres]'"
        raise BadUsage("a ledger in PostgreSQL needs the package psycopg", hint=hint, where=str(place))
    assert place.url is not None
    limits = {} if "connect_timeout" in place.url.query else {"connect_timeout": 10}
    engine = create_engine(place.url, pool_size=4, max_overflow=60, pool_pre_ping=True, connect_args=limits)
    with engine.begin() as connection:
        if not inspect(connection).has_table(tables.VERSION_TABLE):
            if not create:
                raise NotFound("no ledger is there", where=str(place), hint=_NONE)
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            if not inspect(connection).has_table(tables.VERSION_TABLE):
                make(connection, evidence, clock)
        version = _version(connection, str(place))
    if version != tables.SCHEMA_VERSION:
        _migrate(engine, version)
    return engine


def make(connection: Connection, evidence: str, clock: Clock) -> None:
    """Make an empty ledger in an empty database."""
    tables.metadata.create_all(connection)
    connection.execute(text(f"CREATE TABLE {tables.VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    stamped = text(f"INSERT INTO {tables.VERSION_TABLE} (version_num) VALUES (:version)")  # noqa: S608 - a constant
    connection.execute(stamped, {"version": tables.SCHEMA_VERSION})
    name = secrets.token_hex(8)
    facts = {
        "ledger": name,
        "secret": secrets.token_hex(SECRET_BYTES),
        "created": stamp(clock()),
        "derived": tables.DERIVED,
        "evidence": evidence,
    }
    connection.execute(insert(tables.meta), [{"name": key, "value": value} for key, value in facts.items()])
    connection.execute(insert(tables.head), [{"one": 1, "seq": 0, "digest": origin(name)}])


def _version(connection: Connection, where: str) -> str:
    """The migration that a store is at. Raises `BadFile` for one of a newer Bouts, or of something else."""
    if not inspect(connection).has_table(tables.VERSION_TABLE):
        raise BadFile("the database is no ledger", where=where, hint="name another one; nothing was changed in it")
    version = _now(connection)
    if version not in KNOWN:
        raise BadFile(
            f"the ledger was written by a newer Bouts (its tables are at {version}, this one knows "
            f"{tables.SCHEMA_VERSION})",
            where=where,
            hint="use that Bouts or a newer one (pip install --upgrade bouts); nothing was changed in the ledger",
        )
    return version


def _now(connection: Connection) -> str:
    found = text(f"SELECT version_num FROM {tables.VERSION_TABLE}")  # noqa: S608 - a constant
    return str(connection.execute(found).scalar())


def _migrate(engine: Engine, version: str) -> None:
    """Bring a store's tables to this code's. All or nothing; writers wait meanwhile."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        if _now(connection) == tables.SCHEMA_VERSION:
            return
        if connection.dialect.name == "postgresql":
            kept = f"ledger_entries_before_{tables.SCHEMA_VERSION}_{version}"
            connection.execute(text(f"CREATE TABLE {kept} AS TABLE ledger_entries"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
