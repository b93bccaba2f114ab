"""What changed between two cards, and why."""

from __future__ import annotations

import facts
import pytest

from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.scoring.differences import compare, moved


def pair(**changes):
    rows = [facts.static("a"), facts.static("b", "failed"), facts.hidden("secret", "failed", "high")]
    return facts.stored(facts.evidence(rows, **changes))


def other(**changes):
    rows = [facts.static("a"), facts.static("b"), facts.hidden("secret", "failed", "high"), facts.hidden("more")]
    return facts.stored(facts.evidence(rows, **changes))


def test_a_card_and_itself():
    card, file = pair()
    found = compare(card, card, file, file)
    assert (found.difference, found.lines, found.counts, found.noted, found.records, found.policy) == (
        0,
        (),
        (),
        (),
        (),
        (),
    )
    assert found.same_evidence
    assert found.same_submission


def test_points_that_moved_and_why():
    (before, old), (after, new) = pair(), other(observations=(facts.seen("stubbed", "it returns 3"),))
    found = compare(before, after, old, new)
    rows = {row.key: row for row in found.lines}
    assert rows["objective.static"].score_before == 50
    assert rows["objective.static"].score_after == 100
    assert rows["objective.static"].formula_after == "100·2/2 = 100"
    assert rows["objective.static"].why == "another score"
    assert rows["integrity"].points == -15
    assert sum(points for _, points in moved(found)) == pytest.approx(found.difference, abs=1e-5)
    assert [(n.what, n.change, n.kind) for n in found.noted] == [
        ("violation", "added", "stubbed"),
        ("flag", "added", "severe_violation"),
    ]


def test_with_the_evidence_tests_are_told_one_by_one():
    (before, old), (after, new) = pair(findings=(facts.finding(),)), other()
    found = compare(before, after, old, new)
    assert [(r.id, r.change, r.what) for r in found.records] == [
        ("test:static/unit/test_a.py::b", "changed", "failed → passed"),
        ("test:adversarial/input/test_h.py::more", "added", "passed"),
        ("finding:1", "removed", "CWE-89 app/db.py:3: a query is built from text"),
    ]


def test_without_the_evidence_of_both_hidden_tests_stay_hidden():
    (before, old), (after, _) = pair(), other()
    found = compare(before, after, old, None)
    assert not found.evidence_at_hand
    assert found.records == ()
    assert "secret" not in found.model_dump_json()
    assert [(c.group, c.passed_before, c.total_before, c.passed_after, c.total_after) for c in found.counts[:2]] == [
        ("visible", 1, 2, 2, 2),
        ("hidden", 0, 1, 1, 2),
    ]


def test_times_are_no_difference():
    rows = [facts.static("a", seconds=0.1)], [facts.static("a", seconds=0.2, message="warm")]
    (before, old), (after, new) = (facts.stored(facts.evidence(row)) for row in rows)
    assert compare(before, after, old, new).records == ()


def test_a_finding_that_only_moved_up_the_list_is_the_same_finding():
    one, two = facts.finding(line=3), facts.finding(line=9)
    (before, old), (after, new) = pair(findings=(one, two)), pair(findings=(two,))
    (row,) = compare(before, after, old, new).records
    assert (row.change, row.what) == ("removed", "CWE-89 app/db.py:3: a query is built from text")


def test_sessions_are_told_in_one_row():
    tapes = facts.Tape().add("read", "a.py").test(9), facts.Tape().add("read", "a.py").test(9).test(10)
    (before, old), (after, new) = (pair(session=tape.session()) for tape in tapes)
    rows = {r.id: r.what for r in compare(before, after, old, new).records}
    assert rows["event:*"] == "2 events → 3; the first 2 are the same"


def test_a_judge_that_is_not_there_any_more():
    (before, _), (after, _) = pair(session=facts.Tape().test(9).test(10).session()), pair()
    found = compare(before, after)
    rows = {row.key: row for row in found.lines}
    assert rows["process"].why.startswith("measured, then not judged")
    assert rows["objective"].why == "another weight, as other lines beside it were judged"
    assert rows["objective"].by_score == 0
    assert rows["objective.static"].why == "another weight of the line above"


def test_another_version_of_the_policy(monkeypatch):
    from bouts.policy import catalogue

    weights = FOUR_JUDGE_1.objective.weights.model_copy(update={"static": 0.50, "build": 0.05})
    table = FOUR_JUDGE_1.objective.model_copy(update={"weights": weights})
    changed = FOUR_JUDGE_1.model_copy(update={"version": "1.1", "objective": table})
    evidence = facts.evidence([facts.static("a", "failed"), facts.hidden("b")])
    before, after = facts.card(evidence), facts.card(evidence, changed)
    assert "has no version" in compare(before, after).policy_note
    known = {**catalogue.RELEASED, (changed.name, changed.version): changed}
    monkeypatch.setattr(catalogue, "RELEASED", known)
    found = compare(before, after)
    assert [(f.path, f.before, f.after) for f in found.policy] == [
        ("objective.weights.static", 0.4, 0.5),
        ("objective.weights.build", 0.15, 0.05),
    ]
    assert found.same_evidence
    rows = {row.key: row for row in found.lines}
    assert rows["objective.build"].why == "another weight in the policy"
    assert rows["objective.build"].by_score == 0


def test_an_edited_policy_is_not_compared():
    card, _ = pair()
    edited = card.model_copy(update={"policy": card.policy.model_copy(update={"digest": "sha256:0"})})
    assert "other numbers" in compare(card, edited).policy_note


def test_a_void_card_has_no_difference():
    from bouts.model.evidence import Fault

    card, _ = pair()
    void, _ = pair(faults=(Fault(part="sandbox", message="died"),))
    found = compare(card, void)
    assert found.difference is None
    assert found.status_after == "void"
