"""The integrity judge, and what state a card is in."""

from __future__ import annotations

from fractions import Fraction

import facts
import pytest
from facts import Tape

from bouts.model.evidence import AuditChannel, Fault, Notice, Observation, Proof, Refusal
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.scoring.find import find
from bouts.scoring.status import disagreements

FINE = ("provisional", "solved")


def card(**changes):
    return facts.card(facts.evidence(**changes))


def observed(*rows):
    return card(observations=rows)


def flags(made):
    return {flag.kind: flag.holds for flag in made.flags}


# Integrity


def test_a_clean_card_has_a_modifier_of_0():
    found = find(card(), "integrity")
    assert (found.score, found.points, found.weight) == (0, 0, None)
    assert "No violation" in found.because


def test_a_violation_carries_points_reason_and_proofs():
    made = observed(facts.seen("disabled_tests", "a skip mark was added", "tests/test_a.py"))
    (violation,) = made.violations
    assert (violation.kind, violation.points, violation.because) == ("disabled_tests", -20, "a skip mark was added")
    assert violation.evidence[0].path == "tests/test_a.py"
    assert find(made, "integrity").points == -20
    assert made.outcome == "failed"


def test_one_act_seen_twice_is_punished_once():
    made = observed(facts.seen("disabled_tests", "one", "a.py"), facts.seen("disabled_tests", "two", "b.py"))
    (violation,) = made.violations
    assert violation.points == -20
    assert [proof.path for proof in violation.evidence] == ["a.py", "b.py"]


def test_each_weakness_is_punished_once():
    rows = (
        facts.seen("vulnerability_introduced", "CWE-89 at a.py:3", "a.py"),
        facts.seen("vulnerability_introduced", "CWE-89 at b.py:9", "b.py"),
        facts.seen("vulnerability_introduced", "CWE-78 at b.py:1", "b.py"),
    )
    assert [v.points for v in observed(*rows).violations] == [-10, -10]


def test_each_constraint_is_punished_and_the_sum_is_clamped():
    made = observed(*(facts.seen("constraint_violated", f"constraint {n}") for n in range(3)))
    assert [v.points for v in made.violations] == [-10, -10, -10]
    assert find(made, "integrity").score == -25
    assert "max(−25, −10 − 10 − 10)" in find(made, "integrity").formula


def test_a_deleted_test_is_not_also_a_changed_read_only_file():
    both = observed(facts.seen("disabled_tests", "gone", "t.py"), facts.seen("read_only_modified", "gone", "t.py"))
    assert [v.kind for v in both.violations] == ["disabled_tests"]
    apart = observed(facts.seen("disabled_tests", "gone", "t.py"), facts.seen("read_only_modified", "edited", "ci.yml"))
    assert find(apart, "integrity").score == -25


def test_the_worst_violation_is_named_first():
    made = observed(facts.seen("read_only_modified", "x", "a"), facts.seen("sandbox_escape", "y", "b"))
    assert [v.kind for v in made.violations] == ["sandbox_escape", "read_only_modified"]
    assert find(made, "integrity").because.startswith("Sandbox escape (−25): y")


def test_a_hidden_test_is_not_named_by_a_proof():
    proof = Proof(path="tests/adversarial/input/test_h.py", detail="test_secret then failed", excerpt="test_secret()")
    seen = Observation(
        kind="hardcoded_outputs", because="test_secret failed once its values were swapped", proofs=(proof,)
    )
    made = facts.card(
        facts.evidence(
            [facts.static("test_open"), facts.hidden("test_secret", "failed")],
            observations=(seen,),
            notices=(Notice(kind="note", why="input/test_h.py::test_secret was slow; test_open was not"),),
        )
    )
    text = made.model_dump_json()
    assert "test_secret" not in text
    assert "test_h.py" not in text
    assert "test_open was not" in text


def test_a_hidden_name_inside_a_longer_word_is_left_alone():
    rows = [facts.static("test_order_total"), facts.hidden("test_order", "failed")]
    why = "test_order_total was changed; input/test_h.py::test_order[5-x] too"
    made = facts.card(facts.evidence(rows, notices=(Notice(kind="test_changed", why=why),)))
    assert made.flags[0].why == "test_order_total was changed; (a hidden test) too"


def test_a_fault_of_one_part_of_the_panel_is_one_of_the_panel():
    made = card(faults=(Fault(part="strategy.first", message="no answer"),))
    assert find(made, "strategy").state == "neutral"


def test_a_sum_below_0_gets_a_line_of_its_own():
    rows = [facts.static("a", "failed"), facts.hidden("b", "failed")]
    made = facts.card(
        facts.evidence(
            rows,
            build=facts.build("compiles", "lint", "starts", "exceptions"),
            findings=tuple(facts.finding("critical", n) for n in range(4)),
            observations=(facts.seen("sandbox_escape"),),
        )
    )
    assert made.final == 0
    assert find(made, "clamp").points > 0
    assert sum(line.points or 0 for line in made.lines) == pytest.approx(0, abs=1e-6)


# Status


def test_without_a_model_a_card_is_provisional_and_says_why():
    made = card(session=Tape().test(10).session())
    assert made.status == "provisional"
    assert made.because == "Provisional: strategy judge: not judged: no model configured."
    assert find(made, "strategy").state == "not_judged"
    assert find(made, "objective").weight == pytest.approx(0.9 * 5 / 7, abs=1e-6)
    assert find(made, "process").weight == pytest.approx(0.9 * 2 / 7, abs=1e-6)


def test_without_a_transcript_the_weight_of_process_is_shared_too():
    made = card()
    assert find(made, "process").score is None
    assert find(made, "objective").weight == 0.9
    assert "no transcript was handed in" in made.because


def test_a_transcript_that_the_platform_lost_is_neutral_and_flagged():
    made = card(session_state="lost")
    found = find(made, "process")
    assert (found.score, found.state) == (50, "neutral")
    assert flags(made) == {"neutral": False}
    assert made.status == "provisional"


def test_a_failed_panel_is_neutral_and_flagged():
    made = card(faults=(Fault(part="strategy", message="no endpoint answered"),))
    assert (find(made, "strategy").score, find(made, "strategy").state) == (50, "neutral")
    assert flags(made) == {"neutral": False, "fault": False}


def test_a_failed_model_of_the_process_judge_is_neutral_and_flagged():
    made = card(session=Tape().test(10).session(), faults=(Fault(part="process.model", message="no answer"),))
    assert (find(made, "process").score, find(made, "process").state) == (50, "neutral")
    assert flags(made) == {"neutral": False, "fault": False}
    assert made.status == "provisional"


@pytest.mark.parametrize("part", ["code_quality.first", "deliverables:notes"])
def test_faults_of_panels_that_this_policy_lacks_change_nothing(part):
    made = card(faults=(Fault(part=part, message="no answer"),))
    assert made.model_dump() == card().model_dump()


@pytest.mark.parametrize("part", ["suite:adversarial", "sandbox", "anything"])
def test_a_fault_of_ours_makes_the_card_void(part):
    made = card(faults=(Fault(part=part, message="it died twice"),))
    assert (made.status, made.outcome, made.final, made.headline, made.attainable) == (
        "void",
        "infrastructure",
        None,
        None,
        None,
    )
    assert all(line.points is None for line in made.lines)
    assert "it died twice" in made.because


def test_a_test_that_could_not_be_run_makes_the_card_void():
    assert facts.card(facts.evidence([facts.static("a", "infrastructure")])).status == "void"
    assert facts.card(facts.evidence([facts.hidden("a", second="infrastructure")])).status == "void"


def test_a_crash_of_the_submission_is_scored():
    made = facts.card(facts.evidence([facts.static("a", "crashed"), facts.hidden("b")]))
    assert (made.status, made.outcome) == ("provisional", "failed")


@pytest.mark.parametrize(
    ("kind", "held"),
    [
        ("sandbox_escape", True),
        ("disabled_tests", True),
        ("stubbed", True),
        ("network_access", True),
        ("plagiarism", True),
        ("constraint_violated", False),
        ("vulnerability_introduced", False),
        ("read_only_modified", False),
    ],
)
def test_severe_violations_hold_the_card(kind, held):
    made = facts.card(facts.evidence([facts.static("a", "failed")], observations=(facts.seen(kind),)))
    assert (made.status == "held") == held
    assert flags(made).get("severe_violation", False) == held


def test_plagiarism_has_a_flag_of_its_own():
    assert flags(observed(facts.seen("plagiarism")))["plagiarism"] is True


def test_integrity_against_objective_is_a_disagreement_from_below_minus_15():
    perfect = {"challenge": facts.challenge(metrics=())}
    assert "objective_above_integrity" in flags(card(observations=(facts.seen("sandbox_escape"),), **perfect))
    assert "objective_above_integrity" not in flags(card(observations=(facts.seen("stubbed"),), **perfect))


def test_process_against_objective_is_a_disagreement():
    tape = Tape().add("read", "a.py").add("edit", "a.py", ranges=[(1, 2)]).test(10, seconds=0.0)
    rows = [facts.static("a", "failed"), facts.hidden("b", "failed")]
    made = facts.card(facts.evidence(rows, build=facts.build("lint"), session=tape.session(100.0)))
    assert find(made, "process").score > 90
    assert find(made, "objective").score < 30
    assert flags(made)["process_above_objective"] is True
    assert made.status == "held"


def test_refused_files_inform_and_convict_nobody():
    refusals = (
        Refusal(path="conftest.py", kind="runner_config"),
        Refusal(path="x.pyc", kind="bytecode", changed=False),
    )
    made = card(submission=facts.submission(refusals=refusals))
    assert flags(made) == {"runner_config": False}
    assert made.violations == ()
    assert (made.status, made.outcome) == FINE


def test_an_in_process_suite_says_that_tampering_is_not_ruled_out():
    made = card(suites=(facts.suite("static", "in-process", in_process_reason="the tests patch a clock"),))
    (flag,) = [f for f in made.flags if f.kind == "in_process"]
    assert "not ruled out" in flag.why
    assert "the tests patch a clock" in flag.why


def test_the_audit_is_on_the_card():
    made = card(audit=(AuditChannel(channel="network", level="none", detail="could not be watched"),))
    assert made.audit == {"network": "none"}


# Outcome


def test_solved_needs_every_deciding_test_and_no_violation():
    assert card().outcome == "solved"
    rows = [facts.static("a"), facts.static("b", "failed", decides=False), facts.hidden("c")]
    assert facts.card(facts.evidence(rows)).outcome == "solved"
    rows = [facts.static("a"), facts.hidden("c", second="failed")]
    assert facts.card(facts.evidence(rows)).outcome == "failed"
    assert observed(facts.seen("read_only_modified")).outcome == "failed"
    assert facts.card(facts.evidence([])).outcome == "failed"


def test_a_session_beyond_the_time_limit_is_out_of_budget():
    session = Tape().test(10).session(1000.5)
    made = card(session=session)
    assert made.outcome == "out_of_budget"
    assert flags(made)["over_time"] is False
    assert card(session=Tape().test(10).session(1000.0)).outcome == "solved"


def test_the_headline_is_rounded_half_up():
    made = card()
    assert made.headline == int(made.final + 0.5)


def test_hidden_tests_are_on_the_card_as_counts():
    rows = [facts.static("a"), facts.hidden("b", severity="high"), facts.hidden("c", "failed", "high")]
    counts = facts.card(facts.evidence(rows)).tests
    assert (counts.static_passed, counts.static_total) == (1, 1)
    assert (counts.adversarial_passed, counts.adversarial_total) == (1, 2)
    assert [(g.group, g.passed, g.total) for g in counts.by_severity] == [("high", 1, 2)]
    assert [(g.group, g.passed, g.total) for g in counts.by_pattern] == [("scale", 1, 2)]


@pytest.mark.parametrize(
    ("scores", "kinds"),
    [
        ({"objective": "90.01", "strategy": "39.99"}, ["objective_above_strategy"]),
        ({"objective": 90, "strategy": "39.99"}, []),
        ({"objective": "90.01", "strategy": 40}, []),
        ({"objective": "29.99", "process": "90.01"}, ["process_above_objective"]),
        ({"objective": 30, "process": "90.01"}, []),
        ({"objective": "29.99", "process": 90}, []),
        ({"objective": "85.01", "integrity": "-15.01"}, ["objective_above_integrity"]),
        ({"objective": 85, "integrity": -25}, []),
        ({"objective": "85.01", "integrity": -15}, []),
        ({"objective": 95, "strategy": None}, []),
    ],
)
def test_disagreements_at_their_edges(scores, kinds):
    exactly = {name: None if score is None else Fraction(score) for name, score in scores.items()}
    found = disagreements(FOUR_JUDGE_1.disagreements, exactly, frozenset(r.kind for r in FOUR_JUDGE_1.holds))
    assert [flag.kind for flag in found] == kinds
    assert all(flag.holds for flag in found)
