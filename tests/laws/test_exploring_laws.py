"""Supposing scores, and the way to a target, under every policy."""

from __future__ import annotations

import re
from fractions import Fraction

import drawing
import facts
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bouts.model.card import Card, Line
from bouts.model.evidence import DeliverableFacts, ProducedCode
from bouts.model.marks import Mark
from bouts.policy.catalogue import POLICIES
from bouts.policy.four_judge import FourJudge
from bouts.policy.six_component import SixComponent
from bouts.scoring import four_judge, partial_credit, six_component
from bouts.scoring.exact import ZERO, exact
from bouts.scoring.explain import derive, to_reach, what_if
from bouts.scoring.find import walk
from bouts.scoring.reconcile import r1, r2

RATERS = ("ada", "ben", "cleo")
ITEMS = {
    "code_quality": ("readability", "architecture", "robustness", "idiomaticity"),
    "strategy": ("decomposition", "prioritization", "tradeoffs", "architecture", "communication", "ambiguity"),
    "deliverable:notes": ("accuracy", "clarity", "completeness", "actionability"),
    "deliverable:plan": ("accuracy", "clarity", "completeness", "actionability"),
}
PARTS = {"notes": 1.0, "plan": 2.5}
CARD_POLICIES = [policy for name, policy in POLICIES.items() if name != "headline"]


@st.composite
def marks(draw: st.DrawFn):
    made = []
    for item, dimensions in ITEMS.items():
        raters = draw(st.integers(0, 3))
        for seat, rater in enumerate(RATERS[:raters], 1):
            made += [
                Mark(
                    rater=rater,
                    family=f"family-{seat}",
                    item=item,
                    dimension=name,
                    mark=float(draw(st.integers(0, 100))),
                    because="so it seems",
                    position=seat,
                )
                for name in dimensions
                if draw(st.integers(0, 9))
            ]
    return tuple(made)


@st.composite
def rated(draw: st.DrawFn):
    """Evidence with raters' marks, written parts, warnings and marks of the produced code."""
    plain = draw(drawing.evidence())
    written = tuple(
        DeliverableFacts(
            id=name, path=f"{name}.md", title=name.capitalize(), weight=weight, present=draw(st.integers(0, 5)) > 0
        )
        for name, weight in PARTS.items()
    )
    produced = ProducedCode(files=draw(st.integers(0, 1)), docstring=draw(st.booleans()), handling=draw(st.booleans()))
    submission = plain.submission.model_copy(update={"deliverables": written, "produced": produced})
    suites = tuple(suite.model_copy(update={"warnings": ()}) for suite in plain.suites)
    return plain.model_copy(update={"marks": draw(marks()), "submission": submission, "suites": suites})


def weights_of(policy, key: str) -> dict[str, float]:
    """Weights of the lines below a key, straight from the tables."""
    if isinstance(policy, FourJudge):
        return {
            "objective": policy.objective.weights,
            "objective.performance_security": policy.objective.halves,
            "process": policy.process.weights,
            "strategy": policy.strategy.weights,
        }[key].model_dump()
    if key == "deliverables":
        return PARTS
    table = policy.deliverables if key.startswith("deliverables.") else policy.code_quality
    return table.weights.model_dump()


def by_hand(line: Line, given, policy) -> Fraction | None:
    """The score of a line as a reader works it out: from the marks and the tables, not from the card's own weights."""
    if line.key in given:
        return Fraction(given[line.key])
    if not any(key.startswith(f"{line.key}.") for key in given):
        return None if line.score is None else exact(line.score)
    below = {
        child.key.rpartition(".")[2]: by_hand(child, given, policy)
        for child in line.children
        if not child.key.endswith(".deduction")
    }
    scores = {name: score for name, score in below.items() if score is not None}
    if isinstance(policy, SixComponent) and re.fullmatch(r"code_quality|deliverables\.[^.]+", line.key):
        return r1(scores, policy.code_quality.panel).mark
    if isinstance(policy, FourJudge) and re.fullmatch(r"strategy\.[^.]+", line.key) and scores:
        return r2(scores, policy.strategy.panel).mark
    weights = weights_of(policy, line.key)
    whole = sum((exact(weights[name]) for name in scores), ZERO)
    return sum((exact(weights[name]) * score for name, score in scores.items()), ZERO) / whole if whole else None


def final_by_hand(card: Card, given, policy) -> Fraction:
    tops = {line.key: line for line in card.lines}
    scores = {key: by_hand(line, given, policy) for key, line in tops.items() if line.policy_weight is not None}
    if isinstance(policy, FourJudge):
        extra = given.get("integrity", tops["integrity"].points)
        return four_judge.combine(policy, card.challenge.format, integrity=extra, **scores)
    if isinstance(policy, SixComponent):
        critical = "critical_cap" in tops and "critical_cap" not in given
        return six_component.combine(policy, critical, **scores)
    return partial_credit.combine(policy, **scores)


def supposable(card: Card) -> list[str]:
    keys = [line.key for line in walk(card.lines)]
    return [key for key in keys if key != "clamp" and not key.endswith(".deduction")]


def drawn(data, card: Card) -> dict[str, float]:
    given: dict[str, float] = {}
    for key in data.draw(st.lists(st.sampled_from(supposable(card)), max_size=4, unique=True), label="keys"):
        if any(key.startswith(f"{other}.") or other.startswith(f"{key}.") for other in given):
            continue
        low, high = {"integrity": (-25, 10), "critical_cap": (0, 0)}.get(key, (0, 100))
        given[key] = data.draw(st.integers(low, high), label=key)
    return given


@settings(max_examples=120, deadline=None)
@given(rated(), st.sampled_from(CARD_POLICIES), st.data())
def test_supposing_equals_scoring_by_hand(evidence, policy, data):
    card = facts.card(evidence, policy)
    assume(card.final is not None)
    given = drawn(data, card)
    answer = what_if(card, given)
    assert answer.final == pytest.approx(float(final_by_hand(card, given, policy)), abs=1e-4)
    tops = [c for c in answer.changes if "." not in c.key]
    assert card.final + sum(c.points for c in tops) == pytest.approx(answer.final, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(rated(), st.sampled_from(CARD_POLICIES), st.data())
def test_what_is_below_another_line_moves_with_its_weight_alone(evidence, policy, data):
    """No line outside the supposed one is shown to lose its points; only its weight may change."""
    card = facts.card(evidence, policy)
    assume(card.final is not None)
    given = drawn(data, card)
    known = {line.key: line for line in walk(card.lines)}
    changes = {c.key: c for c in what_if(card, given).changes}
    for key, change in changes.items():
        line = known.get(key)
        related = any(key.startswith(f"{g}.") or g.startswith(f"{key}.") or g == key for g in given)
        if line is None or related or line.policy_weight is None or key.endswith(".deduction"):
            continue
        assert change.before == pytest.approx(change.after, abs=1e-5)
        top = changes.get(key.partition(".")[0])
        assert top is not None
        if any(g.partition(".")[0] == top.key for g in given):
            continue  # a line beside it was supposed, which may have had no score before
        before = known[top.key].points
        if before and line.points:
            share = line.points / before
            assert change.points == pytest.approx(share * top.points, abs=1e-3)


@settings(max_examples=80, deadline=None)
@given(rated(), st.sampled_from(CARD_POLICIES), st.integers(0, 100))
def test_the_way_to_a_target_leads_there(evidence, policy, target):
    card = facts.card(evidence, policy)
    assume(card.final is not None)
    plan = to_reach(card, target)
    assert plan.highest >= card.final - 1e-4
    assert plan.reachable == (target <= plan.highest + 1e-4) or abs(target - plan.highest) < 1e-3
    if plan.reachable and plan.steps:
        supposed = {step.key: min(step.after, 100.0) for step in plan.steps}
        assert what_if(card, supposed).final == pytest.approx(target, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(rated(), st.sampled_from(CARD_POLICIES))
def test_every_line_has_a_derivation_with_a_formula(evidence, policy):
    card = facts.card(evidence, policy)
    for key in (None, *(line.key for line in walk(card.lines))):
        found = derive(card, key)
        assert found.general, key
        assert found.because, key
        assert bool(found.filled) == (found.score is not None), key
