"""Derivations, suppositions, and the way to a target."""

from __future__ import annotations

import facts
import pytest
from facts import Tape

from bouts.errors import BadUsage, NotFound
from bouts.model.evidence import Fault
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.scoring.explain import derive, to_reach, what_if
from bouts.scoring.find import find, walk
from bouts.scoring.formulas import general


def pair(**changes):
    rows = [facts.static("a"), facts.static("b", "failed", message="boom"), facts.hidden("secret", "failed", "high")]
    session = Tape().add("read", "app/a.py").add("edit", "app/a.py", lines_changed=3).test(9).session()
    return facts.stored(facts.evidence(rows, **{"session": session, "findings": (facts.finding(),), **changes}))


def test_a_line_down_to_its_evidence():
    card, file = pair()
    found = derive(card, "objective.static", file)
    assert (found.score, found.weight, found.policy_weight) == (50, 0.4, 0.4)
    assert found.general.startswith("100 · points of passed tests")
    assert found.filled == "100·1/2 = 50"
    assert [(s.id, s.body["message"]) for s in found.evidence] == [("test:static/unit/test_a.py::b", "boom")]


def test_without_the_evidence_only_ids_are_there():
    card, _ = pair()
    (source,) = derive(card, "objective.static").evidence
    assert (source.id, source.body) == ("test:static/unit/test_a.py::b", None)


def test_hidden_tests_show_only_where_the_evidence_is_at_hand():
    card, file = pair()
    assert "secret" not in derive(card, "objective.adversarial").model_dump_json()
    found = derive(card, "objective.adversarial", file)
    assert [s.id for s in found.evidence] == ["suite:adversarial", "test:adversarial/input/test_h.py::secret"]


def test_the_whole_sum():
    card, _ = pair()
    found = derive(card)
    assert found.key == "final"
    assert [c.key for c in found.children] == ["objective", "process", "strategy", "integrity"]
    assert "0.5·objective + 0.2·process + 0.2·strategy" in found.general
    assert found.filled.endswith(f"= {round(card.final, 2):g}")


def test_every_line_has_a_general_formula():
    card, _ = pair(observations=(facts.seen("stubbed"),))
    formulas = general(FOUR_JUDGE_1, "standard")
    assert {line.key for line in walk(card.lines)} <= set(formulas)
    assert all(formulas.values())


def test_observations_are_the_evidence_of_integrity():
    card, file = pair(observations=(facts.seen("stubbed", "it returns 3", "a.py"),))
    (source,) = derive(card, "integrity", file).evidence
    assert source.body["because"] == "it returns 3"


def test_an_unknown_key_gets_the_nearest():
    card, _ = pair()
    with pytest.raises(NotFound, match=r"objective\.static"):
        derive(card, "objective.statics")
    with pytest.raises(NotFound, match=r"objective\.performance_security\.security"):
        derive(card, "security")


def test_supposing_a_score():
    card, _ = pair()
    answer = what_if(card, {"objective.static": 100})
    weight = find(card, "objective").weight
    assert answer.final == pytest.approx(card.final + weight * 0.4 * 50, abs=1e-5)
    assert [c.key for c in answer.changes] == ["objective", "objective.static"]
    assert answer.changes[1].points == pytest.approx(weight * 0.4 * 50, abs=1e-5)


def test_supposing_a_judge_that_was_not_there_takes_its_weight_back():
    card, _ = pair()
    answer = what_if(card, {"strategy": 80})
    objective, process = find(card, "objective").score, find(card, "process").score
    assert answer.final == pytest.approx(0.5 * objective + 0.2 * process + 16, abs=1e-4)


def test_supposing_a_dimension_of_a_judge_that_was_not_there():
    card, _ = pair()
    one = what_if(card, {"strategy.tradeoffs": 80})
    assert one.final == what_if(card, {"strategy": 80}).final


def test_supposing_integrity_goes_through_the_clamp():
    card, _ = pair()
    assert what_if(card, {"integrity": -25}).final == pytest.approx(max(0, card.final - 25), abs=1e-5)


@pytest.mark.parametrize(
    "scores",
    [
        {"objective": 101},
        {"objective": -1},
        {"objective": float("nan")},
        {"integrity": 11},
        {"objective": 50, "objective.static": 60},
    ],
)
def test_what_cannot_be_supposed(scores):
    card, _ = pair()
    with pytest.raises(BadUsage):
        what_if(card, scores)


def test_the_way_to_a_target_raises_the_line_with_the_most_to_win_first():
    card, _ = pair()
    plan = to_reach(card, card.final + 1)
    (step,) = plan.steps
    assert step.key == "objective.adversarial"
    assert step.points == pytest.approx(1)
    assert what_if(card, {step.key: step.after}).final == pytest.approx(card.final + 1, abs=1e-4)


def test_a_penalty_is_a_line_to_raise():
    card, _ = pair(observations=(facts.seen("sandbox_escape"),))
    assert to_reach(card, card.final + 20).steps[0].key == "integrity"


def test_targets_that_are_there_already_and_targets_out_of_reach():
    card, _ = pair()
    assert to_reach(card, 1).steps == ()
    plan = to_reach(card, 100)
    assert not plan.reachable
    assert plan.highest == pytest.approx(card.attainable, abs=1e-4)
    assert "out of reach" in plan.because
    with pytest.raises(BadUsage):
        to_reach(card, 101)
    with pytest.raises(BadUsage):
        to_reach(card, float("inf"))


def test_a_void_card_cannot_be_explored_but_explained():
    card, _ = facts.stored(facts.evidence(faults=(Fault(part="sandbox", message="died"),)))
    assert derive(card).filled == ""
    for explore in (lambda: what_if(card, {"objective": 5}), lambda: to_reach(card, 5)):
        with pytest.raises(BadUsage, match="void"):
            explore()
