"""The profile of a session where it is shown: `bouts transcript` and `bouts explain CARD process`."""

from __future__ import annotations

from pathlib import Path

import facts
import pytest
from facts import Tape

CLAUDE = Path(__file__).parents[2] / "fixtures" / "transcripts" / "claude-code.jsonl"


@pytest.fixture
def card(stored):
    tape = Tape().add("read", "app/a.py").add("edit", "app/a.py").test(9).add("edit", "app/b.py")
    tape.add("message", output="All tests pass.", speaker="agent")
    return stored("with-session", facts.evidence(session=tape.session()))


def test_explaining_the_process_judge_shows_the_profile(bouts, card):
    out = bouts("explain", card, "process").out
    assert "profile  (beside the score; no points)" in out
    assert "no  No test run came after the last edit (event 4)." in out
    assert "1 came after a failing one (event 5)" in out


def test_explaining_it_for_programs(bouts, card):
    body = bouts("explain", card, "process", "--json").fits("derivation")
    found = {trait["key"]: trait for trait in body["profile"]}
    assert (found["unread_edits"]["value"], found["unread_edits"]["events"]) == (1, [4])
    assert found["tested_after_last_edit"]["value"] is False
    assert found["waste"]["value"] is None


def test_other_lines_and_cards_without_a_session_have_none(bouts, card, stored):
    assert bouts("explain", card, "objective", "--json").fits("derivation")["profile"] is None
    assert "profile" not in bouts("explain", card, "objective").out
    bare = stored("without-session", facts.evidence())
    assert bouts("explain", bare, "process", "--json").fits("derivation")["profile"] is None


def test_without_the_evidence_there_is_none(bouts, card):
    for file in card.parent.glob("*evidence*"):
        file.unlink()
    body = bouts("explain", card, "process", "--json").fits("derivation")
    assert (body["evidence_at_hand"], body["profile"]) == (False, None)


def test_a_transcript_is_shown_with_its_profile(bouts, tmp_path):
    assert "Tested after the last edit   yes" in bouts("transcript", CLAUDE).out
    body = bouts("transcript", CLAUDE, "--json").fits("transcript")
    assert [trait["key"] for trait in body["profile"]][:2] == ["coherence", "repetition"]
    page = tmp_path / "session.html"
    bouts("transcript", CLAUDE, "--html", page)
    assert "<h2>Profile</h2>" in page.read_text(encoding="utf-8")


def test_a_session_is_compared_with_those_of_other_cards(bouts, card, stored, tmp_path):
    stored("without-session", facts.evidence())
    again = Tape().add("read", "app/a.py").add("edit", "app/a.py").test(10)
    stored("tested-last", facts.evidence(session=again.session()))
    out = bouts("transcript", CLAUDE, "--beside", card.parent).out
    assert "compared  (with 2 other sessions on" in out
    assert "1 cards without a session" in out
    body = bouts("transcript", CLAUDE, "--beside", card.parent, "--json").fits("transcript")
    made = body["compared"]
    assert (made["sessions"], made["without"]) == (2, 1)
    found = {trait["key"]: trait for trait in made["traits"]}
    assert (found["unread_edits"]["value"], found["unread_edits"]["lowest"], found["unread_edits"]["highest"]) == (
        0,
        0,
        1,
    )
    assert (found["unread_edits"]["below"], found["unread_edits"]["equal"], found["unread_edits"]["above"]) == (0, 1, 1)
    assert (found["tested_after_last_edit"]["yes"], found["tested_after_last_edit"]["known"]) == (1, 2)
    page = tmp_path / "session.html"
    bouts("transcript", CLAUDE, "--beside", card.parent, "--html", page)
    assert "in 2 other sessions on" in page.read_text(encoding="utf-8")
    assert bouts("transcript", CLAUDE, "--json").fits("transcript")["compared"] is None


def test_cards_of_several_challenges_are_not_compared(bouts, card, stored):
    stored("elsewhere", facts.evidence(challenge=facts.challenge(id="another")))
    found = bouts("transcript", CLAUDE, "--beside", card.parent)
    assert found.status == 2
    assert "several challenges: another, " in found.err
