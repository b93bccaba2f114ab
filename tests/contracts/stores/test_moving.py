"""Export, import, backup and restore; between the kinds of store, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from making import card, challenge, many, run
from storing import Clock, Open

from bouts.adapters.stores.ledger import StoredLedger, open_ledger
from bouts.adapters.stores.moving import backup, copy_out, export_lines, import_lines, reading_file, restore
from bouts.adapters.stores.tabling import RUN_COLUMNS, write_parquet
from bouts.errors import BadFile, BadUsage, NotFound
from bouts.model.ledger import card_digest
from bouts.model.tallied import Where


@pytest.fixture
def full(ledger: StoredLedger) -> StoredLedger:
    made, _ = card(held=True)
    ledger.record(run(), made, b"evidence", challenge())
    ledger.season("s", "2026-01-01", "2026-02-01")
    ledger.agent("someone", owner="Team", shown=False)
    ledger.add_runs(many(20))
    ledger.review(card_digest(made), "confirm", by="Reviewer")
    return ledger


def told(ledger: StoredLedger) -> object:
    return [
        (ledger.runs(w), ledger.cards(w), ledger.totals(w), ledger.card_totals(w), ledger.agents(), ledger.seasons())
        for w in (Where(), Where(inside=False), Where(season="s"))
    ]


def test_a_backup_is_the_ledger(full: StoredLedger, opened: Open, tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "b.tar"
    assert backup(full, file)[:3] == (full.head()[0], full.head()[0], 1)
    assert file.stat().st_mode & 0o077 == 0
    place = str(tmp_path / "again.db")
    done = restore(file, place, lambda at: opened(at))
    assert done.entries == full.head()[0]
    again = opened(place)
    assert (again.id, again.head()) == (full.id, full.head())
    assert told(again) == told(full)
    assert again.verify().sound
    assert again.agent("another").pseudonym == full.agent("another").pseudonym
    with pytest.raises(BadUsage, match="entries is there"):
        restore(file, place, lambda at: opened(at))


def test_a_backup_goes_from_one_kind_of_store_into_the_other(opened: Open, place: str, tmp_path: Path) -> None:
    source = opened(str(tmp_path / "source.db"), elsewhere=None)
    source.add_runs(many(10))
    backup(source, tmp_path / "b.tar")
    restore(tmp_path / "b.tar", place, lambda at: opened(at))
    assert opened().head() == source.head()
    assert told_runs(opened()) == told_runs(source)


def told_runs(ledger: StoredLedger) -> object:
    return ledger.runs(Where()), ledger.totals(Where())


@pytest.mark.parametrize("at", [0, 700, 2_000, -1_600])
def test_a_damaged_backup_is_refused(tmp_path: Path, at: int) -> None:
    source = open_ledger(str(tmp_path / "source.db"), create=True)
    made, _ = card()
    source.record(run(), made, b"evidence" * 200)
    backup(source, tmp_path / "b.tar")
    source.close()
    data = bytearray((tmp_path / "b.tar").read_bytes())
    cut = data[: len(data) // 2]
    for name, content in (("cut", bytes(cut)), ("nothing", b""), ("text", b"hello" * 400)):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadFile):
            restore(tmp_path / name, str(tmp_path / f"{name}.db"), lambda at: open_ledger(at, create=True))
    used = data.rstrip(b"\0")
    place = at % len(used)
    used[place] ^= 0x20
    (tmp_path / "flipped").write_bytes(bytes(used) + bytes(20_480))
    new = str(tmp_path / "flipped.db")
    try:
        restore(tmp_path / "flipped", new, lambda at: open_ledger(at, create=True))
    except BadFile:
        return
    # A byte that means nothing, such as padding: what was restored is the ledger all the same.
    again = open_ledger(new)
    assert again.verify().sound and again.head()[0] == 3
    again.close()


def test_no_backup(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        restore(tmp_path / "none", str(tmp_path / "l.db"), lambda at: open_ledger(at, create=True))
    assert not (tmp_path / "l.db").exists()


def test_export_and_import_join_ledgers(full: StoredLedger, opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl.gz"
    count = copy_out(export_lines(full), file)
    assert count == full.head()[0] + 1
    other = opened(str(tmp_path / "other.db"))
    other.add_runs([run("mine", agent="else"), *many(5)])
    before = other.head()[0]
    with reading_file(file) as lines:
        done = import_lines(other, lines, str(file))
    assert done.entries == full.head()[0]
    assert other.head()[0] == before + done.new
    # Five of the runs were there, but their agents were made by each ledger itself.
    assert done.new == full.head()[0] - 5
    with reading_file(file) as lines:
        assert import_lines(other, lines, str(file)).new == 0
    assert {r.run for r in full.runs(Where())} < {r.run for r in other.runs(Where())}
    assert other.verify(evidence=False).sound


def test_an_edited_export_is_refused_whole(full: StoredLedger, opened: Open, tmp_path: Path) -> None:
    lines = list(export_lines(full))
    edited = json.loads(lines[3])
    edited["body"]["name"] = "Mallory"
    bad = {
        "edited": [*lines[:3], json.dumps(edited).encode() + b"\n", *lines[4:]],
        "cut": lines[:-1],
        "gap": [*lines[:3], *lines[4:]],
        "swapped": [*lines[:3], lines[4], lines[3], *lines[5:]],
        "headless": lines[1:],
        "broken": [*lines[:2], lines[2][:20] + b"\n", *lines[3:]],
        "empty": [],
    }
    other = opened(str(tmp_path / "other.db"))
    for name, content in bad.items():
        file = tmp_path / name
        file.write_bytes(b"".join(content))
        with reading_file(file) as opened_file, pytest.raises(BadFile, match=name):
            import_lines(other, opened_file, str(file))
        assert other.head()[0] == 0, name


def test_runs_as_parquet(full: StoredLedger, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = full.runs(Where())
    assert write_parquet(rows, tmp_path / "runs.parquet") == len(rows)
    table = parquet.read_table(tmp_path / "runs.parquet")
    assert table.column_names == list(RUN_COLUMNS)
    assert table.to_pylist() == [{name: getattr(row, name) for name in RUN_COLUMNS} for row in rows]
