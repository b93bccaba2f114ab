"""`bouts similarity`: add, compare, report."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

CHALLENGE = Path(__file__).parents[3] / "challenges" / "charged-twice"
SAMPLES = CHALLENGE / "samples"


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.similarity"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The reference with another layout of every line that can have one."""
    target = tmp_path / "copied"
    shutil.copytree(CHALLENGE / "reference", target)
    for path in target.rglob("*.py"):
        path.write_text(path.read_text(encoding="utf-8").replace("    ", "  "), encoding="utf-8")
    return target


def test_add_compare_report(bouts, index: Path, copied: Path) -> None:
    honest = SAMPLES / "alternative-shelves" / "submission"
    added = bouts("similarity", "add", index, CHALLENGE, honest, "--agent", "One", "--json")
    assert added.status == 0
    (item,) = added.fits("similarity-added")["added"]
    assert (item["new"], item["entry"]["agent"]) == (True, "One")
    assert bouts("similarity", "add", index, CHALLENGE, copied, "--agent", "Two").status == 0

    compared = bouts("similarity", "compare", index, CHALLENGE, copied, "--agent", "Three", "--json")
    first, *rest = compared.fits("similarity-compared")["nearest"]
    assert first["reaches"]
    assert first["similarity"] == 1
    assert first["ranges"]
    assert not any(row["reaches"] for row in rest if row["other"]["agent"] == "One")

    report = bouts("similarity", "report", index, CHALLENGE, "--ranges", "--json").fits("similarity-report")
    assert report["tasks"] == {"charged-twice": 3}
    (pair,) = report["pairs"]
    assert (pair["entry"]["agent"], pair["other"]["agent"]) == ("Two", None)
    shown = bouts("similarity", "report", index, CHALLENGE)
    assert "Two" in shown.out
    assert "1 pair from 0.85" in shown.out
    assert "charged-twice" in bouts("similarity", "report", index).out


def test_who_it_was_must_be_known(bouts, index: Path) -> None:
    ran = bouts("similarity", "add", index, CHALLENGE, CHALLENGE / "reference")
    assert ran.status == 2
    assert "--agent" in ran.err
    assert not index.exists()


def test_known_and_agent_exclude_each_other(bouts, index: Path) -> None:
    words = ("similarity", "add", index, CHALLENGE, CHALLENGE / "reference", "--known", "k", "--agent", "a", "--json")
    ran = bouts(*words)
    assert ran.status == 2
    assert ran.fits("error")["error"]["code"] == "bad_usage"


def test_no_index_and_no_database_are_told(bouts, index: Path) -> None:
    assert bouts("similarity", "report", index).status == 2
    index.write_text("not a database, though long enough to be read as one " * 40)
    ran = bouts("similarity", "report", index)
    assert ran.status == 2
    assert "index" in ran.err
