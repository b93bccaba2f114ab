"""Results for continuous integration: JUnit XML that any reader takes, and Markdown that nobody can break out of."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import facts
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.model.batch import verdict_of
from bouts.model.evidence import Fault
from bouts.render.batches import moved, regraded_lines, verdict
from bouts.render.ci import Row, junit, summary

GOOD = facts.card(facts.evidence())
BAD = facts.card(facts.evidence([facts.static("a", "failed"), facts.hidden("b", "failed")]))
VOID = facts.card(facts.evidence(faults=(Fault(part="objective.static", message="died"),)))


def rows(*cards: object) -> list[Row]:
    return [Row(f"item {n}", "seat-holds", card, "" if card else "no such thing") for n, card in enumerate(cards)]  # type: ignore[arg-type]


def suite(text: str) -> ET.Element:
    found = ET.fromstring(text).find("testsuite")
    assert found is not None
    return found


def test_a_test_case_a_submission() -> None:
    found = suite(junit(rows(GOOD, BAD, VOID, None), None))
    assert (found.get("tests"), found.get("failures"), found.get("errors")) == ("4", "1", "2")
    kinds = [[child.tag for child in case if child.tag in ("failure", "error")] for case in found]
    assert kinds == [[], ["failure"], ["error"], ["error"]]
    assert [case.get("classname") for case in found] == ["seat-holds"] * 4


@pytest.mark.parametrize(("limit", "failures"), [(0.0, 0), (60.0, 1), (100.0, 2)])
def test_with_a_threshold_only_what_is_below_fails(limit: float, failures: int) -> None:
    found = suite(junit(rows(GOOD, BAD), limit))
    assert found.get("failures") == str(failures)


def test_no_hidden_test_is_named() -> None:
    assert "test_h.py" not in junit(rows(BAD), None) + summary(rows(BAD), None, "t")


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_a_submission_is_called_the_report_can_be_read(name: str, error: str) -> None:
    row = Row(name, name, None, error)
    (case,) = suite(junit([row], None))
    assert case.get("name") is not None
    text = summary([row], 50.0, name)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 3
    cells = [line.replace("\\|", "").count("|") for line in table]
    assert len(set(cells)) == 1
    assert "<" not in text.replace("\\<", "")


def test_the_summary_says_how_it_went() -> None:
    text = summary(rows(GOOD, BAD, None), 60.0, "Bouts: seats")
    assert text.startswith("## Bouts\\: seats\n\n1 of 3 solved, 2 below 60\n")
    assert "✗" in text and "invalid" in text


def short(card: object) -> object:
    return verdict_of(card, grader="g", environment="e", path=None, again=False, seconds={})  # type: ignore[arg-type]


def test_what_moved_is_said_and_nothing_where_nothing_did() -> None:
    old, new = short(GOOD), short(BAD)
    said = moved(old, new)  # type: ignore[arg-type]
    assert any(part.startswith("objective −") or part.startswith("objective -") for part in said)
    assert "visible tests 1/1 → 0/1" in said
    assert moved(old, old) == ()  # type: ignore[arg-type]
    assert verdict(old).startswith("solved ")  # type: ignore[arg-type]
    cheat = short(facts.card(facts.evidence(observations=(facts.seen("stubbed"),))))
    assert "now stubbed" in moved(old, cheat)  # type: ignore[arg-type]
    assert "no longer stubbed" in moved(cheat, old)  # type: ignore[arg-type]


def test_old_and_new_verdicts_stand_side_by_side() -> None:
    told = regraded_lines(
        [("a", short(GOOD), short(BAD), ""), ("b", None, short(GOOD), ""), ("c", short(GOOD), None, "gone")]
    )  # type: ignore[list-item]
    text = "\n".join("".join(span.text for span in line) for line in told)
    assert "1 compared: 1 with another outcome, 1 with another final" in text
    assert "not scored before" in text and "gone" in text
