"""`bouts score` and the ledger: what is recorded, once, and what is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from test_wrong_input import refused
from whole import REFERENCE, SUBMISSIONS, TALLY, Bouts, fits

QUICK = ("--no-second-look",)


def test_a_run_of_a_known_agent_is_recorded_once(bouts: Bouts, tmp_path: Path) -> None:
    place = tmp_path / "team.db"
    to = ("--agent", "Agent 7", "--ledger", place, "--out", tmp_path / "card.json", *QUICK)
    first = bouts("score", TALLY, REFERENCE, *to)
    assert (first.status, "recorded: 1 run in" in first.err) == (0, True), first
    assert "there already" in bouts("score", TALLY, REFERENCE, *to).err
    assert bouts("score", TALLY, REFERENCE, *to, "--run", "second attempt").status == 0
    shown = bouts("ledger", "show", "--json", "--ledger", place)
    fits(shown.json, "ledger-shown")
    kinds = {kind: count for kind, count in shown.json["kinds"].items() if kind != "batch"}
    assert kinds == {"agent": 1, "card": 2, "challenge": 1, "run": 2}
    verified = bouts("ledger", "verify", "--json", "--ledger", place).json
    assert verified["sound"] and verified["found"]["cards"] == 2
    runs = bouts("ledger", "export", "-", "--runs", "--ledger", place).out
    assert runs.count('"success":true') == 2


def test_several_submissions_whose_agents_their_files_name(bouts: Bouts, tmp_path: Path) -> None:
    given: list[Path] = []
    for name in ("one", "two"):
        folder = tmp_path / name
        subprocess.run(["cp", "-r", SUBMISSIONS / "bad-empty" / "submission", folder], check=True)
        (folder / "submission.yaml").write_text(f"schema: bouts.submission/1\nagent: Agent {name}\n", encoding="utf-8")
        given.append(folder)
    place = tmp_path / "team.db"
    ran = bouts(
        "score", TALLY, *given, REFERENCE, "--ledger", place, "--out", tmp_path / "cards", "--jobs", "2", *QUICK
    )
    # A ledger that was asked for takes no run of nobody; the others are recorded all the same.
    assert ran.status == 2, ran
    assert len(list((tmp_path / "cards").glob("*.json"))) == 3
    agents = bouts("ledger", "show", "--json", "--ledger", place).json["agents"]
    assert [row["name"] for row in agents] == ["Agent one", "Agent two"]


def test_without_an_agent_nothing_is_recorded(bouts: Bouts, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "card.json", *QUICK)
    before = _entries(bouts)
    assert bouts("score", TALLY, REFERENCE, *out).status == 0
    assert bouts("score", TALLY, REFERENCE, "--agent", "New one", "--no-ledger", *out).status == 0
    assert _entries(bouts) == before
    assert bouts("score", TALLY, REFERENCE, "--agent", "New one", *out).status == 0
    assert _entries(bouts) > before


def _entries(bouts: Bouts) -> int:
    """Entries of the ledger in the home, where there is one."""
    shown = bouts("ledger", "show", "--json")
    return shown.json["entries"] if shown.status == 0 else 0


def test_a_ledger_that_cannot_be_is_told_before_anything_runs(bouts: Bouts, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("hello", encoding="utf-8")
    out = tmp_path / "card.json"
    ran = bouts("score", TALLY, REFERENCE, "--ledger", tmp_path / "text.db", "--agent", "A", "--out", out)
    refused(ran, 2, "no ledger", str(tmp_path / "text.db"))
    assert not out.exists()
    refused(bouts("score", TALLY, REFERENCE, "--ledger", "x.db", "--no-ledger"), 2, "--no-ledger")


def test_no_database_is_loaded_where_none_is_needed() -> None:
    code = (
        "import sys; sys.argv = ['bouts', 'score', '--help']; from bouts.cli.app import app; import bouts.assemble\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "assert 'sqlalchemy' not in sys.modules and 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
