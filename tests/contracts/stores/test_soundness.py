"""Edits, gaps and damage are found; older stores are migrated after a backup, newer ones are refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from making import card, challenge, many, run
from sqlalchemy import Engine, create_engine, inspect, text
from storing import Open

from bouts.adapters.stores import ledger as stored
from bouts.adapters.stores import opening, sqlite, tables
from bouts.adapters.stores.chain import entry_digest
from bouts.adapters.stores.ledger import StoredLedger, open_ledger
from bouts.adapters.stores.places import read_place
from bouts.adapters.stores.verifying import verify
from bouts.errors import BadFile, BadUsage, BoutsError, NotFound, StoreFault
from bouts.model.tallied import Where


def change(ledger: StoredLedger, statement: str) -> None:
    with ledger.transaction() as connection:
        connection.execute(text(statement))


@pytest.fixture
def full(ledger: StoredLedger) -> StoredLedger:
    made, _ = card()
    ledger.record(run(), made, b"evidence", challenge())
    ledger.add_runs(many(6))
    assert ledger.verify().sound
    return ledger


EDITS = {
    "UPDATE ledger_entries SET body = replace(body, 'someone', 'anyone') WHERE seq = 3": "entry 3",
    "UPDATE ledger_entries SET time = '2020-01-01T00:00:00.000000Z' WHERE seq = 2": "entry 2",
    "UPDATE ledger_entries SET key = 'run:other' WHERE seq = 4": "entry 4",
    "UPDATE ledger_entries SET kind = 'review' WHERE seq = 1": "entry 1",
    "DELETE FROM ledger_entries WHERE seq = 5": "entry 5",
    "DELETE FROM ledger_entries WHERE seq = (SELECT max(seq) FROM ledger_entries)": "entry 13",
    "DELETE FROM ledger_entries WHERE seq = 1": "entry 1",
    "UPDATE ledger_head SET digest = 'sha256:0'": "entry 14",
    "DELETE FROM ledger_head": "ledger_head",
}


def test_an_edit_or_a_gap_is_found(full: StoredLedger) -> None:
    assert full.head()[0] == 13
    for statement, where in EDITS.items():
        with full.transaction() as connection:
            point = connection.begin_nested()
            connection.execute(text(statement))
            assert verify(connection, full.id, derived=False).where == where, statement
            point.rollback()
    assert full.verify().sound


def test_an_entry_that_was_made_to_fit_is_found_by_its_successor(full: StoredLedger) -> None:
    asked = text("SELECT seq, time, kind, key, body, previous FROM ledger_entries WHERE seq = 3")
    with full.transaction() as connection:
        seq, time, kind, key, body, previous = connection.execute(asked).one()
        body = body.replace("someone", "anyone")
        changed = {"body": body, "digest": entry_digest(seq, time, kind, key, body, previous)}
        connection.execute(text("UPDATE ledger_entries SET body = :body, digest = :digest WHERE seq = 3"), changed)
    assert full.verify().where == "entry 4"


def test_a_derived_row_that_is_lost_is_found_and_made_anew(full: StoredLedger) -> None:
    for table in ("ledger_card_totals", "ledger_totals", "ledger_runs"):
        with full.transaction() as connection:
            connection.execute(text(f"DELETE FROM {table}"))
            found = verify(connection, full.id, derived=True)
        assert found.problem is None and found.derived is not None and table in found.derived
    full.rebuild()
    assert full.verify().sound


def test_evidence_that_is_lost_or_damaged_is_found(full: StoredLedger) -> None:
    (row,) = full.cards(Where(agents=("someone",)))
    (file,) = Path(full.evidence_place).glob("??/*.json.gz")
    file.write_bytes(b"other")
    assert full.verify().evidence_damaged == (row.evidence,)
    with pytest.raises(StoreFault, match="damaged"):
        full.evidence(row.evidence or "")
    file.unlink()
    assert full.verify().evidence_missing == (row.evidence,)
    with pytest.raises(NotFound):
        full.evidence(row.evidence or "")
    made, _ = card()
    full.record(run(), made, b"evidence", challenge())
    assert full.verify().sound


def test_a_damaged_file_is_one_clear_error(tmp_path: Path) -> None:
    place = tmp_path / "ledger.db"
    ledger = open_ledger(str(place), create=True)
    ledger.add_runs(many(60))
    kept = ledger.runs(Where())
    ledger.close()
    whole = place.read_bytes()
    for at in range(0, len(whole), len(whole) // 7):
        damaged = bytearray(whole)
        damaged[at : at + 3000] = b"\xff" * len(damaged[at : at + 3000])
        place.write_bytes(bytes(damaged))
        for ending in sqlite.SIDES:
            place.with_name(place.name + ending).unlink(missing_ok=True)
        try:
            broken = open_ledger(str(place))
            try:
                # Bytes that no row lies in may be damaged without harm.
                assert not broken.verify().sound or broken.runs(Where()) == kept, at
            finally:
                broken.close()
        except BoutsError as error:
            assert isinstance(error, StoreFault | BadFile), (at, error)
            assert error.hint


def test_what_is_no_ledger(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    sqlite3.connect(tmp_path / "foreign.db").execute("CREATE TABLE t (a)").connection.close()
    for name in ("text", "folder", "foreign.db"):
        with pytest.raises(BadFile):
            open_ledger(str(tmp_path / name), create=True)
    with pytest.raises(NotFound):
        open_ledger(str(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "empty").touch()
    open_ledger(str(tmp_path / "empty"), create=True).close()


@pytest.mark.parametrize("given", ["", "mysql://u@h/d", "sqlite://", "sqlite:///:memory:", "http://[", "a\0b"])
def test_places_that_cannot_be(given: str) -> None:
    with pytest.raises(BadUsage):
        read_place(given)


def test_a_password_is_not_shown() -> None:
    assert "secret" not in str(read_place("postgresql://u:secret@h/d?password=secret"))


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(StoreFault) as told:
        open_ledger("postgresql://u:secret@127.0.0.1:9/d", create=True)
    assert "secret" not in str(told.value)


def test_a_newer_ledger_is_refused(opened: Open) -> None:
    change(opened(), "UPDATE ledger_version SET version_num = '9999'")
    with pytest.raises(BadFile, match="newer Bouts"):
        opened()


def _engine(place: str) -> Engine:
    at = read_place(place)
    if at.url is not None:
        return create_engine(at.url)
    engine = create_engine(f"sqlite:///{at.file}")
    sqlite.begins_itself(engine)
    return engine


def _back_to(place: str, version: str) -> None:
    """Make a ledger one that an older Bouts left: its tables are those of an earlier migration."""
    engine = _engine(place)
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        for table in reversed(tables.DERIVED_TABLES):
            connection.execute(text(f"DROP TABLE {table.name}"))
        connection.execute(text(f"UPDATE ledger_version SET version_num = '{version}'"))
    engine.dispose()


def test_an_older_ledger_is_migrated_after_a_backup(opened: Open, place: str, tmp_path: Path) -> None:
    ledger = opened()
    ledger.add_runs(many(30))
    before, head = ledger.totals(Where()), ledger.head()
    ledger.close()
    _back_to(place, "0001")
    migrated = opened()
    assert migrated.head() == head
    assert migrated.totals(Where()) == before
    assert migrated.verify().sound
    engine = _engine(place)
    if engine.dialect.name == "sqlite":
        kept = _engine(str(tmp_path / f"ledger.db.before-{tables.SCHEMA_VERSION}"))
    else:
        kept = engine
    name = "ledger_entries" if kept is not engine else f"ledger_entries_before_{tables.SCHEMA_VERSION}_0001"
    with kept.connect() as connection:
        assert connection.execute(text(f"SELECT count(*) FROM {name}")).scalar() == head[0]
    engine.dispose()
    kept.dispose()


def test_migrations_make_the_tables_of_the_code(place: str, opened: Open, tmp_path: Path) -> None:
    """A new ledger is made from the tables; one that went through every migration must be the same."""
    opened().close()
    fresh = _engine(place)
    columns, indexes = _shape(fresh)
    with fresh.connect().execution_options(writes=True) as connection, connection.begin():
        for table in reversed(tables.metadata.sorted_tables):
            connection.execute(text(f"DROP TABLE {table.name}"))
        connection.execute(text("DELETE FROM ledger_version"))
        config = Config()
        config.set_main_option("script_location", str(Path(opening.__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    assert _shape(fresh) == (columns, indexes)
    fresh.dispose()


def _shape(engine: Engine) -> tuple[object, object]:
    look = inspect(engine)
    columns = {
        name: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in look.get_columns(name)],
            look.get_pk_constraint(name)["constrained_columns"],
        )
        for name in sorted(look.get_table_names())
    }
    indexes = {
        name: sorted((str(i["name"]), i["column_names"], bool(i["unique"])) for i in look.get_indexes(name))
        for name in columns
    }
    return columns, indexes


def test_other_derivations_are_made_when_the_ledger_is_opened(full: StoredLedger, opened: Open) -> None:
    before = full.totals(Where())
    change(full, "DELETE FROM ledger_totals WHERE scope = 'all'")
    change(full, "UPDATE ledger_meta SET value = '0' WHERE name = 'derived'")
    again = opened()
    assert again.totals(Where()) == before
    assert again.verify().sound


def test_making_derived_rows_anew_says_how_far_it_is_where_that_takes_long(
    full: StoredLedger, opened: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stored, "_LONG", 5)
    change(full, "UPDATE ledger_meta SET value = '0' WHERE name = 'derived'")
    assert opened().verify().sound
    assert [record.getMessage().partition(": ")[2] for record in caplog.records] == [
        "derived rows are made anew, 13 of 13 entries"
    ]


def test_evidence_at_a_url(opened: Open, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    ledger = opened(evidence="memory://bouts-evidence")
    made, _ = card()
    ledger.record(run(), made, b"far away", challenge())
    (row,) = opened(evidence=None).cards(Where())
    assert opened(evidence=None).evidence(row.evidence or "") == b"far away"
    assert ledger.verify().sound
    with pytest.raises(BadUsage):
        opened(str(tmp_path / "other.db"), evidence="nosuch://x").evidence_store.all()
