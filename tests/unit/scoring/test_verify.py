"""What verification names."""

from __future__ import annotations

import facts
import pytest
from facts import Tape

from bouts.model.card import Card
from bouts.model.records import EvidenceFile, Record, record_digest, root_digest
from bouts.policy.catalogue import POLICIES
from bouts.scoring.verify import verify


def pair():
    rows = [facts.static("a"), facts.static("b", "failed"), facts.hidden("c", "failed", "high")]
    session = Tape().add("read", "app/a.py").add("edit", "app/a.py", lines_changed=3).test(9).session()
    return facts.stored(facts.evidence(rows, findings=(facts.finding(),), session=session))


def where(card, file):
    return [problem.where for problem in verify(card, file, POLICIES)]


def replaced(file, record_id, body, *, digest=None):
    rows = tuple(
        Record(id=r.id, digest=digest or r.digest, body={**r.body, **body}) if r.id == record_id else r
        for r in file.records
    )
    return EvidenceFile(records=rows)


def test_a_card_agrees_with_its_own_evidence():
    assert where(*pair()) == []


def test_where_the_evidence_lies_is_no_claim():
    card, file = pair()
    moved = card.model_copy(update={"evidence": card.evidence.model_copy(update={"path": "elsewhere.json"})})
    assert where(moved, file) == []


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"final": 99.0}, "final"),
        ({"headline": 99}, "headline"),
        ({"status": "final"}, "status"),
        ({"outcome": "solved"}, "outcome"),
        ({"because": "All is well."}, "because"),
        ({"flags": ()}, None),
    ],
)
def test_an_edited_field_is_named(changes, named):
    card, file = pair()
    assert where(card.model_copy(update=changes), file) == ([named] if named else [])


def test_an_edited_line_is_named_with_its_field():
    card, file = pair()
    text = card.model_dump_json()
    assert '"because":"1 of 2 visible tests passed' in text
    forged = Card.model_validate_json(text.replace("1 of 2 visible tests passed", "2 of 2 visible tests passed"))
    assert where(forged, file) == ["objective.static because"]


def test_a_dropped_line_is_named():
    card, file = pair()
    assert where(card.model_copy(update={"lines": card.lines[:-1]}), file) == ["integrity", "lines"]


def test_an_edited_record_is_named_and_so_is_what_follows_from_it():
    card, file = pair()
    problems = where(card, replaced(file, "test:static/unit/test_a.py::b", {"outcome": "passed"}))
    assert problems[0] == "test:static/unit/test_a.py::b"
    assert "objective.static score" in problems
    assert "final" in problems


def test_an_edited_record_with_a_new_digest_still_breaks_the_root():
    card, file = pair()
    name = "test:static/unit/test_a.py::b"
    body = {**next(r.body for r in file.records if r.id == name), "outcome": "passed"}
    problems = where(card, replaced(file, name, body, digest=record_digest(name, body)))
    assert problems[0] == "evidence.digest"


def test_edits_that_go_all_the_way_up_still_leave_the_sum():
    card, file = pair()
    name = "test:static/unit/test_a.py::b"
    body = {**next(r.body for r in file.records if r.id == name), "outcome": "passed"}
    forged = replaced(file, name, body, digest=record_digest(name, body))
    pointed = card.model_copy(
        update={"evidence": card.evidence.model_copy(update={"digest": root_digest(forged.records)})}
    )
    problems = where(pointed, forged)
    assert "final" in problems
    assert "evidence.digest" not in problems


def test_missing_doubled_and_swapped_records():
    card, file = pair()
    assert "evidence.digest" in where(card, EvidenceFile(records=file.records[1:]))
    assert file.records[0].id in where(card, EvidenceFile(records=(file.records[0], *file.records)))
    assert where(card, EvidenceFile(records=tuple(reversed(file.records))))[0] == "evidence.digest"


def test_a_record_that_is_no_fact_is_one_problem_and_no_crash():
    card, file = pair()
    assert "evidence" in where(card, replaced(file, "submission", {"files": "many"}))
    junk = EvidenceFile(records=(*file.records, Record(id="event:x", digest="0", body={"sequence": None})))
    assert "event:x" in where(card, junk)
    unknown = EvidenceFile(records=(*file.records, Record(id="rumour:1", digest="0", body={})))
    assert "evidence" in where(card, unknown)


def test_other_numbers_and_unknown_policies_are_named():
    card, file = pair()
    other = card.model_copy(update={"policy": card.policy.model_copy(update={"digest": "sha256:1"})})
    assert "policy.digest" in where(other, file)
    unknown = card.model_copy(update={"policy": card.policy.model_copy(update={"name": "my-own"})})
    assert where(unknown, file) == ["policy.name"]
    version = card.model_copy(update={"policy": card.policy.model_copy(update={"version": "7.0"})})
    assert "policy.version" in where(version, file)


def test_an_earlier_release_is_found_without_being_given():
    card, file = pair()
    assert verify(card, file, {}) == ()


def test_a_void_card_can_be_verified():
    from bouts.model.evidence import Fault

    card, file = facts.stored(facts.evidence(faults=(Fault(part="sandbox", message="died"),)))
    assert card.final is None
    assert where(card, file) == []


def test_a_record_has_the_name_of_what_is_in_it():
    card, file = pair()
    one, two = [n for n, r in enumerate(file.records) if r.body.get("suite") == "static" and "outcome" in r.body]
    rows = list(file.records)
    for mine, other in ((one, two), (two, one)):
        name, body = file.records[other].id, file.records[mine].body
        rows[mine] = Record(id=name, digest=record_digest(name, body), body=body)
    doctored = EvidenceFile(records=tuple(rows))
    made = card.model_copy(update={"evidence": card.evidence.model_copy(update={"digest": root_digest(tuple(rows))})})
    assert where(made, doctored) == [rows[one].id]
