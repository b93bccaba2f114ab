"""The worked examples of the documents, and the figures that follow from their formulas."""

from __future__ import annotations

from fractions import Fraction

import facts
import pytest

from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.scoring.exact import ZERO, exact, stored
from bouts.scoring.find import find
from bouts.scoring.four_judge import combine, weights_for
from bouts.scoring.integrity import modifier
from bouts.scoring.parts import Part, weighted

INTEGRITY = FOUR_JUDGE_1.integrity


def mean(weights, scores) -> Fraction:
    named = weights.model_dump()
    children = [Part(n, n, exact(named[n]), exact(scores[n]), "") for n in named]
    return weighted("x", "x", Fraction(1), children, "").score or ZERO


@pytest.mark.parametrize(
    ("objective", "process", "strategy", "integrity", "final"),
    [(92, 85, 88, 3, "83.6"), (98, 70, 75, -25, "53"), (40, 45, 50, 8, "47")],
)
def test_the_three_agents(objective, process, strategy, integrity, final):
    total = combine(
        FOUR_JUDGE_1, "standard", objective=objective, process=process, strategy=strategy, integrity=integrity
    )
    assert total == Fraction(final)


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("sprint", (0.60, 0.15, 0.15)),
        ("standard", (0.50, 0.20, 0.20)),
        ("marathon", (0.40, 0.20, 0.30)),
        ("unheard-of", (0.50, 0.20, 0.20)),
    ],
)
def test_weights_by_format(name, weights):
    found = weights_for(FOUR_JUDGE_1, name)
    assert (found.objective, found.process, found.strategy) == weights


@pytest.mark.parametrize(("name", "final"), [("sprint", "81.15"), ("marathon", "80.2")])
def test_the_same_judges_in_other_formats(name, final):
    # 0.60·92 + 0.15·85 + 0.15·88 = 81.15; 0.40·92 + 0.20·85 + 0.30·88 = 80.2
    assert combine(FOUR_JUDGE_1, name, objective=92, process=85, strategy=88) == Fraction(final)


def test_a_submission_that_only_compiles_has_build_health_30():
    card = facts.card(facts.evidence(build=facts.build("lint", "starts", "exceptions")))
    assert find(card, "objective.build").score == 30


def test_the_printed_score_card_by_its_own_formulas():
    objective = mean(
        FOUR_JUDGE_1.objective.weights, {"static": 96, "adversarial": 80, "build": 100, "performance_security": 82}
    )
    process = mean(
        FOUR_JUDGE_1.process.weights,
        {"tool_use": 90, "error_recovery": 80, "trajectory": 88, "efficiency": 78, "scope": 90},
    )
    strategy = mean(
        FOUR_JUDGE_1.strategy.weights,
        {
            "decomposition": 92,
            "prioritization": 85,
            "tradeoffs": 90,
            "architecture": 88,
            "communication": 80,
            "ambiguity": 90,
        },
    )
    assert objective == Fraction("89.7")
    assert process == Fraction("85.3")
    assert strategy == Fraction("87.75")
    total = combine(FOUR_JUDGE_1, "standard", objective=objective, process=process, strategy=strategy, integrity=3)
    assert total == Fraction("82.46")


def test_what_a_card_with_no_model_and_no_performance_part_can_reach():
    tape = facts.Tape().add("read", "app/a.py").add("edit", "app/a.py", lines_changed=3).test(10)
    card = facts.card(facts.evidence(session=tape.session()))
    assert stored(exact(card.attainable)) == pytest.approx(88.794643)
    assert round(card.attainable, 1) == 88.8


def test_with_every_judge_90_is_attainable():
    assert combine(FOUR_JUDGE_1, "standard", objective=100, process=100, strategy=100) == 90
    assert combine(FOUR_JUDGE_1, "standard", objective=100, process=100, strategy=100, integrity=10) == 100


@pytest.mark.parametrize(
    ("penalties", "bonuses", "result"),
    [
        ([], [], 0),
        ([-25, -20], [], -25),
        ([-10, -10, -10], [], -25),
        ([], [5, 3, 5], 10),
        ([], [5, 3, 2], 10),
        ([-25], [5, 5, 5], -15),
        ([-5], [3], -2),
    ],
)
def test_stacking(penalties, bonuses, result):
    assert modifier(penalties, bonuses, INTEGRITY) == result


def test_two_critical_findings_leave_50():
    card = facts.card(facts.evidence(findings=(facts.finding("critical", 1), facts.finding("critical", 2))))
    assert find(card, "objective.performance_security.security").score == 50
