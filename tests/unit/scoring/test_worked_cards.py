"""The rich cards, summed by hand from the facts, not by the code."""

from __future__ import annotations

from fractions import Fraction

import facts
import pytest
import whole_evidence

from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.partial_credit_1 import PARTIAL_CREDIT_1
from bouts.policy.parts import DistancePanel, MedianPanel
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.scoring.find import find
from bouts.scoring.reconcile import r1, r2
from bouts.scoring.status import disagreements

POLICIES = {policy.name: policy for policy in (FOUR_JUDGE_1, SIX_COMPONENT_1, PARTIAL_CREDIT_1)}

BROKEN_OBJECTIVE = (
    Fraction(40, 100) * Fraction(100, 9)  # 1 of 1 + 2.5 + 0.5 + 1 + 3 + 1 points
    + Fraction(30, 100) * Fraction(550, 12)  # 3 + 2 + 0.5 of 6 + 4 + 1 + 1
    + Fraction(15, 100) * 30  # it starts, and nothing else holds
    # 600 ms lies halfway from 200 to 1000, 768 MB halfway from 512 to 1024, throughput was not measured;
    # one critical finding (the high one at the same line is the same weakness), one high, two medium, one low
    + Fraction(15, 100) * (Fraction(75 + 25 + 0, 3) + (100 - 25 - 10 - 6)) / 2
)
BROKEN_STRATEGY = (
    Fraction(20, 100) * 70  # 60, 70, 75: the median
    + Fraction(15, 100) * 90  # 92, 85, 90
    + Fraction(20, 100) * (Fraction(50 + 68 + 70, 3) - 10)  # largest distance 18
    + Fraction(20, 100) * Fraction(80 + 75, 2)  # 40 is dropped
    + Fraction(15, 100) * (80 - 10)  # 70, 90, 80: distances 10 and 10
    + Fraction(10, 100) * Fraction(5 + 0, 2)  # 45 is dropped
)
NOTES = Fraction(Fraction("74.5") + 50 + Fraction("93.05"), 3) - 10


def test_the_objective_and_strategy_judges_of_the_broken_card():
    card = facts.card(whole_evidence.broken())
    assert find(card, "objective").score == pytest.approx(float(BROKEN_OBJECTIVE), abs=1e-6)
    assert find(card, "strategy").score == pytest.approx(float(BROKEN_STRATEGY), abs=1e-6)


def test_the_process_judge_of_the_broken_card():
    card = facts.card(whole_evidence.broken())
    # Start 40; 8 of 10 comes too late, at 120 s of 250; one fall (8 to 4); 4 of 10 five times in a row, two too many.
    assert find(card, "process.trajectory").score == 40 - 10 - 2 * 5
    # One file outside the scope, one dependency, 30 lines changed after everything had passed.
    assert find(card, "process.scope").score == 100 - 10 - 15 - 3


def test_the_sum_of_the_broken_card():
    card = facts.card(whole_evidence.broken())
    process = find(card, "process").score
    # Plagiarism, two constraints, one weakness twice seen, a claim: 50, clamped to 25; bonuses 5 + 3 + 2.
    assert find(card, "integrity").points == -25 + 10
    total = float(BROKEN_OBJECTIVE / 2 + BROKEN_STRATEGY / 5) + 0.2 * process - 15
    assert card.final == pytest.approx(total, abs=1e-5)
    assert (card.status, card.outcome) == ("held", "out_of_budget")


def test_the_broken_card_by_six_components():
    card = facts.card(whole_evidence.broken(), SIX_COMPONENT_1)
    deliverables = NOTES * 2 / 4  # of three deliverables, one weighs 2; the others are missing and a placeholder
    total = (
        Fraction(35, 100) * Fraction(100, 9)
        + Fraction(15, 100) * Fraction(550, 12)
        + Fraction(20, 100) * 75  # 40, 70, 80: 40 is dropped
        + Fraction(15, 100) * deliverables
        + Fraction(10, 100) * (100 - 25 - 15 - 2 * 5 - 1)
        + Fraction(5, 100) * 0
    )
    assert card.final == pytest.approx(float(total), abs=1e-6)
    assert find(card, "critical_cap").points == 0


def test_the_broken_card_by_partial_credit():
    card = facts.card(whole_evidence.broken(), PARTIAL_CREDIT_1)
    # 4 of 13 tests; one short call; no docstring; one rm -rf; 25 steps where 5 would do.
    total = Fraction(40, 100) * Fraction(400, 13) + Fraction(25 * 90 + 15 * 90 + 10 * 70 + 10 * 0, 100)
    assert card.final == pytest.approx(float(total), abs=1e-6)


def test_the_marked_card_by_four_judges():
    card = facts.card(whole_evidence.marked())
    performance = (75 + 100) / 2  # 60 requests/s lie halfway from 20 to 100; a low finding costs nothing
    objective = 0.40 * 50 + 0.30 * 100 + 0.15 * 100 + 0.15 * performance
    process = 0.25 * 91 + 0.25 * 62 + 0.20 * 33 + 0.15 * 74 + 0.15 * 100  # scope is measured alone
    strategy = (80 + 60) / 2 - 10  # two raters, 20 apart; the sixth dimension has no mark
    assert card.final == pytest.approx(0.60 * objective + 0.15 * process + 0.15 * strategy - 5 - 5 + 5 + 5, abs=1e-5)


def test_the_marked_card_by_six_components():
    card = facts.card(whole_evidence.marked(), SIX_COMPONENT_1)
    # Two raters 12 apart: their mean. One rater: its mark. The run only warned.
    total = 0.35 * 50 + 0.15 * 100 + 0.20 * 72 + 0.15 * 71 + 0.10 * 99 + 0.05 * 50
    assert card.final == pytest.approx(total, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "policy", "total"),
    [
        # No hidden tests: 40, 15 and 15 of 70 remain; neither process nor strategy was judged; a bonus of 2.
        ("sparse", "four-judge", Fraction(90, 100) * Fraction(40 * 50 + 15 * 0 + 15 * Fraction(175, 2), 70) + 2),
        # Visible tests 50 and security 100 of weights 35 and 10.
        ("sparse", "six-component", Fraction(35 * 50 + 10 * 100, 45)),
        # Correctness alone.
        ("sparse", "partial-credit", Fraction(50)),
        # Hidden 0, build 100, performance and security 87.5 of weights 30, 15, 15; two neutral judges.
        ("lost", "four-judge", Fraction(50, 100) * Fraction(15 * 100 + 15 * Fraction(175, 2), 60) + 20 + 0),
        # Hidden 0, quality and deliverables neutral, security 100 of weights 15, 20, 15, 10.
        ("lost", "six-component", Fraction(20 * 50 + 15 * 50 + 10 * 100, 60)),
        # Correctness 0; tool usage, safety and efficiency neutral; no code was looked at.
        ("lost", "partial-credit", Fraction((25 + 10 + 10) * 50, 85)),
    ],
)  # fmt: skip
def test_what_is_missing_leaves_its_weight_to_the_others(name, policy, total):
    card = facts.card(whole_evidence.ALL[name](), POLICIES[policy])
    assert card.final == pytest.approx(float(total), abs=1e-6)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_void_card_has_no_number(policy):
    card = facts.card(whole_evidence.void(), POLICIES[policy])
    assert (card.status, card.final, card.headline, card.attainable) == ("void", None, None, None)
    assert {line.score for line in card.lines} == {None}


@pytest.mark.parametrize("gap", [-1, 0, 1])
def test_rule_1_at_its_limits(gap):
    rule = SIX_COMPONENT_1.code_quality.panel
    assert isinstance(rule, MedianPanel)
    wide = 50 + rule.spread + gap
    agreed = r1({"a": 50, "b": 51, "c": wide}, rule)
    # At 66 the third is 15 from the second, so nobody is alone: the mean of 50, 51, 66 less 10.
    assert (agreed.mark, agreed.dropped, agreed.flagged) == (51 if gap <= 0 else Fraction(167, 3) - 10, None, gap > 0)
    # The third mark is more than 15 away from both others only from 51 + 15 + 1 on.
    third = 51 + rule.outlier + gap
    verdict = r1({"a": 50, "b": 51, "c": third}, rule)
    assert (verdict.dropped, verdict.flagged) == ({-1: None, 0: None, 1: "c"}[gap], gap == 0)


@pytest.mark.parametrize("gap", [-1, 0, 1])
def test_rule_2_at_its_limits(gap):
    rule = FOUR_JUDGE_1.strategy.panel
    assert isinstance(rule, DistancePanel)
    far = r2({"a": 50, "b": 52, "c": 52 + 20 + gap}, rule)
    assert (far.dropped, far.flagged) == (("c", False) if gap > 0 else (None, True))
    near = r2({"a": 60 - 10 - gap, "b": 60, "c": 90}, rule)
    assert (near.dropped, near.flagged) == (("c", False) if gap <= 0 else (None, True))
    agreed = r2({"a": 50, "b": 51, "c": 65 + gap}, rule)
    assert (agreed.mark, agreed.flagged) == ((51, False) if gap <= 0 else (Fraction(166 + 1, 3) - 10, True))


@pytest.mark.parametrize("rule", FOUR_JUDGE_1.disagreements, ids=lambda rule: rule.kind)
@pytest.mark.parametrize(("over", "under", "flagged"), [(1, 1, True), (0, 1, False), (1, 0, False)])
def test_judges_disagree_beyond_both_limits_only(rule, over, under, flagged):
    scores = {rule.high: Fraction(rule.above) + over, rule.low: Fraction(rule.below) - under}
    found = disagreements((rule,), scores, frozenset({rule.kind}))
    assert [(flag.kind, flag.holds) for flag in found] == ([(rule.kind, True)] if flagged else [])


def test_a_judge_that_did_not_judge_disagrees_with_nobody():
    (rule, *_) = FOUR_JUDGE_1.disagreements
    assert not disagreements((rule,), {rule.high: None, rule.low: Fraction(0)}, frozenset())
    assert not disagreements((rule,), {rule.high: Fraction(100), rule.low: None}, frozenset())


@pytest.mark.parametrize("rule", FOUR_JUDGE_1.integrity.penalties, ids=lambda rule: rule.kind)
def test_each_penalty_alone(rule):
    card = facts.card(facts.evidence(observations=(facts.seen(rule.kind, "it was seen", "app/a.py"),)))
    clean = facts.card(facts.evidence())
    assert card.final == pytest.approx(clean.final + rule.points, abs=1e-6)
    assert [(v.kind, v.points) for v in card.violations] == [(rule.kind, rule.points)]
    assert (card.status == "held") is (rule.points <= -15)
    assert card.outcome == "failed"
    assert find(card, "integrity").evidence == ("observation:1",)


@pytest.mark.parametrize("rule", FOUR_JUDGE_1.integrity.bonuses, ids=lambda rule: rule.kind)
def test_each_bonus_alone_and_once(rule):
    card = facts.card(facts.evidence(virtues=(facts.virtue(rule.kind), facts.virtue(rule.kind, "again"))))
    clean = facts.card(facts.evidence())
    assert card.final == pytest.approx(clean.final + rule.points, abs=1e-6)
    assert [(b.kind, b.points) for b in card.bonuses] == [(rule.kind, rule.points)]
