"""Bouts as its user meets it: the command line in a process of its own, real sandboxes, tiny challenges."""

from __future__ import annotations

from pathlib import Path

import pytest
from whole import FIXTURES, SUBMISSIONS, Bouts, Scored


@pytest.fixture(scope="session")
def bouts(tmp_path_factory: pytest.TempPathFactory) -> Bouts:
    """One home for all tests: what canaries showed is remembered."""
    made = Bouts(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("scratch"))
    if made("doctor").status:
        pytest.skip("no sandbox works here")
    return made


@pytest.fixture(scope="session")
def nasty_agent() -> str:
    """A name that tries to be markup, to colour the terminal and to turn the line around."""
    return '<script>alert(1)</script> \x1b[31mred\x1b]0;title\x07 \u202eDr. "O\'Hara" & Co'


@pytest.fixture(scope="session")
def scored(bouts: Bouts, nasty_agent: str, tmp_path_factory: pytest.TempPathFactory) -> Scored:
    """A card with lost points, a session, a violation, and its page."""
    folder = tmp_path_factory.mktemp("scored")
    card, page = folder / "card.json", folder / "card.html"
    cheat = SUBMISSIONS / "cheat-skips"
    ran = bouts(
        *("score", FIXTURES / "word-tally", cheat / "submission", "--transcript", cheat / "transcript.json"),
        *("--agent", nasty_agent, "--out", card, "--html", page),
    )
    assert ran.status == 0, ran
    return Scored(card, page, ran)


@pytest.fixture
def apart(tmp_path: Path) -> Bouts:
    """A home and scratch folder of the test's own."""
    return Bouts(tmp_path / "home", tmp_path / "scratch")
