"""The tables of six-component, partial-credit and headline: every number as the documents have it."""

from __future__ import annotations

import pytest

from bouts.model.base import Fact
from bouts.policy.beside_1 import BESIDE_1
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.partial_credit_1 import PARTIAL_CREDIT_1
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.scoring.exact import exact

SIX, CREDIT, HEAD = SIX_COMPONENT_1, PARTIAL_CREDIT_1, HEADLINE_2026_07


def numbers(fact: Fact) -> dict[str, object]:
    return fact.model_dump()


def test_six_component():
    assert numbers(SIX.weights) == {
        "static": 0.35,
        "adversarial": 0.15,
        "code_quality": 0.20,
        "deliverables": 0.15,
        "security": 0.10,
        "stability": 0.05,
    }
    assert numbers(SIX.severity_weights) == {"critical": 3, "high": 2, "medium": 1, "low": 0.5}
    assert set(numbers(SIX.code_quality.weights).values()) == {0.25}
    assert numbers(SIX.deliverables.weights) == {
        "accuracy": 0.40,
        "clarity": 0.25,
        "completeness": 0.20,
        "actionability": 0.15,
    }
    assert (SIX.deliverables.missing, SIX.deliverables.placeholder) == (0, 0)
    for panel in (SIX.code_quality.panel, SIX.deliverables.panel):
        assert numbers(panel) == {"rule": "R1", "spread": 15, "outlier": 15, "deduction": 10}
    assert numbers(SIX.security.points) == {"critical": 25, "high": 15, "medium": 5, "low": 1}
    assert numbers(SIX.security.dependencies) == {"critical": 9, "high": 7, "medium": 4}
    assert SIX.security.critical_cap == 75
    assert numbers(SIX.stability) == {"crashed": 0, "warned": 50, "clean": 100}
    assert (SIX.lowest, SIX.highest, SIX.neutral, SIX.test_seconds) == (0, 100, 50, 10)
    assert numbers(SIX.static_mix) == {"functionality": 0.50, "edge": 0.30, "integration": 0.20}
    assert numbers(SIX.adversarial_mix) == {"written": 0.40, "generated": 0.60}


def test_partial_credit():
    assert list(numbers(CREDIT.weights).items()) == [
        ("correctness", 0.40),
        ("tool_usage", 0.25),
        ("code_quality", 0.15),
        ("safety", 0.10),
        ("efficiency", 0.10),
    ]
    assert numbers(CREDIT.tool_usage) == {"start": 100, "tool": "execute_code", "characters": 10, "deduction": 10}
    assert numbers(CREDIT.safety) == {"start": 100, "text": "rm -rf", "deduction": 30}
    assert numbers(CREDIT.efficiency) == {"start": 100, "optimal_steps": 5, "deduction": 40}
    assert numbers(CREDIT.code_quality) == {
        "start": 100,
        "docstring": '"""',
        "no_docstring": 10,
        "handling": "try",
        "no_handling": 15,
    }
    assert numbers(CREDIT.correctness) == {"best": 100, "without_tests": 0}
    assert CREDIT.decimals == 1


def test_headline():
    table, radar = HEAD.composite, HEAD.radar
    assert numbers(table.weights) == {"success": 0.40, "execution": 0.30, "cost": 0.30}
    for scale in (table.latency, radar.latency):
        assert scale.points == ((500, 100), (2000, 80), (5000, 50), (10000, 0))
    for scale in (table.cost, radar.cost):
        assert scale.points == ((0.001, 100), (0.01, 80), (0.05, 50), (0.10, 20), (0.20, 0))
    assert radar.steps.points == ((5, 100), (10, 80), (20, 50), (40, 20), (80, 0))
    assert (table.consistency_runs, table.neutral_consistency, table.without_success, table.decimals) == (5, 1, 0, 2)
    assert (radar.runs, radar.latency_runs, radar.robustness_outcomes) == (100, 5, 2)
    assert set(numbers(radar.weights).values()) == {0.20}
    assert (HEAD.repeatability.levels, HEAD.repeatability.outcomes) == ((1, 3, 5), 3)
    assert HEAD.version == "2026-07-zero-success-v1"


def test_beside_scores():
    assert BESIDE_1.tie_breaks == ("final", "iterations", "time")
    assert (BESIDE_1.late_jump_attempts, BESIDE_1.outlier_challenges, BESIDE_1.outlier_share) == (3, 50, 0.5)


@pytest.mark.parametrize(
    "weights",
    [
        SIX.weights,
        SIX.code_quality.weights,
        SIX.deliverables.weights,
        SIX.static_mix,
        SIX.adversarial_mix,
        CREDIT.weights,
        HEAD.composite.weights,
        HEAD.radar.weights,
    ],
    ids=lambda weights: type(weights).__name__,
)
def test_shares_add_up_to_1(weights):
    assert sum(exact(share) for share in numbers(weights).values()) == 1


def test_scales_rise_in_their_values():
    for scale in (HEAD.composite.latency, HEAD.composite.cost, HEAD.radar.latency, HEAD.radar.cost, HEAD.radar.steps):
        values = [value for value, _ in scale.points]
        assert values == sorted(set(values))


def test_every_policy_counts_weaknesses_by_one_table():
    assert SIX.security.weaknesses == FOUR_JUDGE_1.objective.weaknesses


def test_what_costs_15_points_or_more_elsewhere_holds_a_card_that_takes_none():
    severe = {rule.kind for rule in FOUR_JUDGE_1.integrity.penalties if rule.points <= FOUR_JUDGE_1.integrity.hold_at}
    assert set(SIX.severe) == set(CREDIT.severe) == severe
