"""`bouts similarity`: add, compare, report."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bouts.challenges.reading import read_challenge
from bouts.model.evidence import Observation
from bouts.model.proof import Proof
from bouts.pipeline.similarity import compared, judged
from bouts.policy.four_judge_1 import FOUR_JUDGE_1

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


class Listing:
    """An index that keeps nothing and finds what it is told to."""

    def __init__(self, finds: Observation | None = None) -> None:
        self.finds, self.added, self.asked = finds, [], []

    def reads(self, path: str) -> bool:
        return path.endswith(".py")

    def add(self, task, files, *, agent, label, given=None):
        self.added.append((task, agent, label, sorted(files)))
        return SimpleNamespace(named=SimpleNamespace(number=len(self.added)))

    def judge(self, task, number, *, similarity, percentile):
        self.asked.append((number, similarity, percentile))
        return self.finds, ()


def test_scoring_adds_the_reference_first_and_judges_by_the_policy(tmp_path: Path) -> None:
    package = read_challenge(CHALLENGE)
    item = compared(package, SAMPLES / "alternative-shelves" / "submission", "One")
    assert all(
        path not in package.given or package.read(package.given[path]) != item.files[path] for path in item.files
    )
    seen = Observation(kind="plagiarism", because="like another", proofs=(Proof(detail="x"),))
    index = Listing(seen)
    assert judged(index, package, item) == ((seen,), ())
    assert [agent for _, agent, _, _ in index.added] == [None, "One"]
    table = FOUR_JUDGE_1.integrity
    assert index.asked == [(2, table.similarity, table.similarity_percentile)]
    assert judged(Listing(), package, item) == ((), ())


def test_scoring_compares_nobody_unknown_and_nothing_unreadable() -> None:
    package = read_challenge(CHALLENGE)
    item = compared(package, SAMPLES / "alternative-shelves" / "submission")
    index = Listing()
    nameless = judged(index, package, replace(item, agent=None))
    unread = judged(index, package, replace(item, agent="One", files={"notes.md": b"x"}))
    for observations, notices in (nameless, unread):
        assert observations == ()
        assert [n.kind for n in notices] == ["similarity_not_judged"]
    assert index.added == []
