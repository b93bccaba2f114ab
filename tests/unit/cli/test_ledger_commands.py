"""`bouts ledger` and `bouts register`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOUTS_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("BOUTS_LEDGER", raising=False)
    monkeypatch.delenv("BOUTS_EVIDENCE", raising=False)
    return tmp_path / "home" / "ledger.db"


def lines(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_runs_agents_and_seasons(bouts, place: Path) -> None:
    one = ("register", "run", "--agent", "A", "--task", "t", "--success", "--run", "job-1", "--ended", "2026-03-31")
    assert bouts(*one, "--json").fits("registered")["new"] == 1
    assert bouts(*one).out.endswith("1 of them there already\n")
    other = bouts(*one, "--cost-usd", "2")
    assert (other.status, "--replace" in other.err) == (2, True)
    assert bouts(*one, "--cost-usd", "2", "--replace").status == 0
    named = bouts("register", "agent", "A", "--owner", "Team", "--anonymous", "--json").fits("agent-registered")
    assert not named["shown"] and named["pseudonym"].startswith("Agent ")
    season = bouts("register", "season", "spring", "--from", "2026-03-01", "--to", "2026-03-31", "--json")
    assert season.fits("season-registered")["runs"] == 1
    shown = bouts("ledger", "show", "--json").fits("ledger-shown")
    assert shown["place"] == str(place)
    assert shown["kinds"] == {"agent": 2, "run": 2, "season": 1}
    assert "shown as Agent" in bouts("ledger", "show").out


def test_many_runs(bouts, place: Path, tmp_path: Path) -> None:
    row = {"agent": "A", "task": "t", "success": True, "family": "bench", "language": "go"}
    file = lines(
        tmp_path / "runs.jsonl", row, row, {"agent": "B", "challenge": "charged-twice", "latency_ms": 6e6 * 60}
    )
    assert bouts("register", "runs", file, "--json").fits("registered")["new"] == 3
    assert bouts("register", "runs", file, "--json").fits("registered")["new"] == 0
    packed = tmp_path / "runs.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(file).read_bytes()))
    assert bouts("register", "runs", str(packed), "--json").fits("registered")["new"] == 0
    out = bouts("ledger", "export", "-", "--runs").out
    runs = {(r["agent"], r["attempt"]): r for r in map(json.loads, out.splitlines())}
    assert set(runs) == {("A", 1), ("A", 2), ("B", 1)}
    assert runs["B", 1]["inside"] is False
    assert runs["B", 1]["task"].startswith("charged-twice@")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"agent": "A"}, "`task` or `challenge`"),
        ({"agent": "A", "task": "t", "sucess": True}, "sucess"),
        ({"agent": "A", "task": "t", "status": "failed", "success": True}, "cannot have succeeded"),
        ({"agent": "A", "task": "t", "cost_usd": -1}, "cost_usd"),
        ({"agent": "A", "task": "t", "cost_usd": 1e300}, "cost_usd"),
        ({"agent": "A", "task": "t", "ended": "yesterday"}, "time that cannot be read"),
        ({"agent": "A", "challenge": "no-such"}, "no challenge"),
        ({"agent": "", "task": "t"}, "agent"),
    ],
)
def test_a_line_that_is_wrong_is_named_and_nothing_is_recorded(
    bouts, place: Path, tmp_path: Path, row: dict[str, Any], said: str
) -> None:
    file = lines(tmp_path / "runs.jsonl", {"agent": "A", "task": "t"}, row)
    done = bouts("register", "runs", file)
    assert done.status == 2
    assert "runs.jsonl:2" in done.err and said in done.err
    assert not place.exists()


def test_wrong_words(bouts, place: Path, tmp_path: Path) -> None:
    for words in (
        ("register", "season", "s", "--from", "2026-03-31", "--to", "2026-03-01"),
        ("register", "season", "s", "--from", "today", "--to", "2026-03-01"),
        ("register", "agent", "a\x07b"),
        ("register", "run", "--agent", "A", "--task", "t", "--status", "lost"),
        ("register", "runs", str(tmp_path / "none")),
        ("ledger", "show"),
        ("ledger", "verify", "--head", "x"),
        ("ledger", "restore", str(tmp_path / "none")),
        ("ledger", "import", str(tmp_path / "none")),
        ("ledger", "export", "a.parquet"),
        ("ledger", "show", "--ledger", "mysql://h/d"),
    ):
        done = bouts(*words)
        assert (done.status, done.err.startswith("error: ")) == (2, True), (words, done.err)


def test_backup_restore_export_import_rebuild(bouts, place: Path, tmp_path: Path) -> None:
    bouts("ledger", "init", "--json").fits("ledger-made")
    bouts("register", "run", "--agent", "A", "--task", "t", "--success")
    bouts("ledger", "backup", str(tmp_path / "b.tar"), "--json").fits("ledger-moved")
    new = ("--ledger", str(tmp_path / "new.db"))
    bouts("ledger", "restore", str(tmp_path / "b.tar"), *new, "--json").fits("ledger-moved")
    taken = bouts("ledger", "restore", str(tmp_path / "b.tar"), *new)
    assert (taken.status, "entries is there" in taken.err) == (2, True)
    exported = bouts("ledger", "export", str(tmp_path / "l.jsonl.gz"), "--json")
    assert exported.fits("ledger-exported")["rows"] == 2
    joined = bouts("ledger", "import", str(tmp_path / "l.jsonl.gz"), *new, "--json")
    assert joined.fits("ledger-moved")["new"] == 0
    assert bouts("ledger", "rebuild", "--json", *new).fits("ledger-rebuilt")["entries"] == 2
    assert len(bouts("ledger", "export", "-").out.splitlines()) == 3


def test_verify_says_what_is_not_sound(bouts, place: Path) -> None:
    import sqlite3

    bouts("register", "run", "--agent", "A", "--task", "t", "--success")
    sound = bouts("ledger", "verify", "--json").fits("ledger-verified")
    assert sound["sound"]
    noted = f"{sound['found']['entries']}:{sound['found']['head']}"
    assert bouts("ledger", "verify", "--head", noted).status == 0
    with sqlite3.connect(place) as database:
        database.execute("DELETE FROM ledger_entries WHERE seq = 2")
        database.execute("UPDATE ledger_head SET seq = 1, digest = (SELECT digest FROM ledger_entries WHERE seq = 1)")
    database.close()
    shortened = bouts("ledger", "verify", "--chain-only", "--head", noted)
    assert (shortened.status, "not there any more" in shortened.out) == (3, True)
    derived = bouts("ledger", "verify", "--json")
    assert (derived.status, derived.fits("ledger-verified")["sound"]) == (3, False)
    with sqlite3.connect(place) as database:
        database.execute("UPDATE ledger_entries SET body = '{}' WHERE seq = 1")
    database.close()
    edited = bouts("ledger", "verify")
    assert (edited.status, "entry 1: it was edited" in edited.out) == (3, True)
