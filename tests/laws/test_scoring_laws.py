"""What holds for every evidence and every table."""

from __future__ import annotations

import json
from typing import Any

import facts
from drawing import any_four_judge, any_policy, evidence, released, rows_of_tests
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from bouts.model.card import Card, Line
from bouts.model.challenge import Suite
from bouts.model.records import EvidenceFile, Record, from_records, to_records
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.scoring.explain import to_reach, what_if
from bouts.scoring.find import find, walk
from bouts.scoring.four_judge import combine, weights_for
from bouts.scoring.panels import rule_of
from bouts.scoring.reconcile import r1, r2
from bouts.scoring.verify import verify

NEAR = 1e-5
PANELS = ("code_quality", "deliverables.notes", "strategy.tradeoffs")


def leaves(line: Line):
    return [line] if not line.children else [leaf for child in line.children for leaf in leaves(child)]


@given(evidence(), any_policy)
def test_points_add_up_at_every_level(given_evidence, policy):
    card = facts.card(given_evidence, policy)
    assume(card.final is not None)
    assert abs(sum(line.points or 0 for line in card.lines) - card.final) < NEAR
    for line in walk(card.lines):
        if line.children and line.score is not None:
            assert abs(sum(child.points or 0 for child in line.children) - line.points) < NEAR, line.key
            assert abs(sum((c.weight or 0) * (c.score or 0) for c in line.children) - line.score) < 1e-4, line.key


@given(evidence(), any_policy)
def test_a_final_score_lies_between_0_and_100_and_never_above_what_was_attainable(given_evidence, policy):
    card = facts.card(given_evidence, policy)
    assert 0 <= card.final <= 100
    assert card.final <= card.attainable + NEAR
    for line in walk(card.lines):
        if line.score is not None and line.policy_weight is not None and not line.key.endswith(".deduction"):
            assert 0 <= line.score <= 100, line.key


@given(evidence(), any_policy, st.randoms(use_true_random=False))
def test_the_order_of_facts_does_not_matter(given_evidence, policy, random):
    def shuffled(rows):
        return tuple(random.sample(rows, len(rows)))

    fields = ["suites", "tests", "build", "metrics", "findings", "observations", "notices", "audit", "faults"]
    fields += ["marks", "virtues"]
    other = given_evidence.model_copy(update={name: shuffled(getattr(given_evidence, name)) for name in fields})
    one, two = facts.card(given_evidence, policy).model_dump(), facts.card(other, policy).model_dump()

    # Ids of findings are numbers in the list, so references move with the order.
    def without_references(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: without_references(v) for k, v in value.items() if k != "evidence"}
        return [without_references(v) for v in value] if isinstance(value, (list, tuple)) else value

    assert without_references(one) == without_references(two)


@given(rows_of_tests(), any_policy, st.data())
def test_one_more_passed_test_never_lowers_the_objective_score(rows, policy, data):
    failed = [i for i, t in enumerate(rows) if t.outcome != "passed" or t.second not in (None, "passed")]
    assume(failed)
    at = data.draw(st.sampled_from(failed))
    better = list(rows)
    better[at] = rows[at].model_copy(update={"outcome": "passed", "second": None})
    before, after = facts.card(facts.evidence(rows), policy), facts.card(facts.evidence(better), policy)
    for key in ("objective", "static", "adversarial", "correctness"):
        if any(line.key == key for line in before.lines):
            assert (find(after, key).score or 0) >= (find(before, key).score or 0), key
    # With the cap, and with panels unmarked, the finals of these cards move with their tests alone.
    assert after.final >= before.final


@given(evidence(), any_policy, st.data())
def test_a_violation_never_raises_and_a_solved_card_has_none(given_evidence, policy, data):
    from drawing import KINDS

    kind = data.draw(st.sampled_from(KINDS))
    worse = given_evidence.model_copy(
        update={"observations": (*given_evidence.observations, facts.seen(kind, "one more", "app/z.py"))}
    )
    before, after = facts.card(given_evidence, policy), facts.card(worse, policy)
    assert before.final is None or after.final <= before.final
    if any(line.key == "integrity" for line in after.lines):
        assert find(after, "integrity").score <= find(before, "integrity").score
    assert after.outcome != "solved"


@given(any_four_judge, st.sampled_from(["sprint", "standard", "marathon", "unheard-of"]), st.data())
def test_an_unjudged_judge_counts_neither_as_0_nor_as_100(policy, challenge_format, data):
    mark = data.draw(st.integers(0, 100))
    weights = weights_for(policy, challenge_format)
    assume(weights.objective and weights.process)
    total = weights.objective + weights.process + weights.strategy
    assume(0 < total <= 1)
    same = combine(policy, challenge_format, objective=mark, process=mark, strategy=None)
    whole = combine(policy, challenge_format, objective=mark, process=mark, strategy=mark)
    assert same == whole
    alone = combine(policy, challenge_format, objective=mark, process=None, strategy=None)
    assert alone == whole


@given(evidence(), any_policy)
def test_the_same_evidence_gives_the_same_card(given_evidence, policy):
    assert facts.card(given_evidence, policy).model_dump() == facts.card(given_evidence, policy).model_dump()


@given(evidence(), any_policy)
def test_a_card_survives_being_stored_and_agrees_with_its_own_evidence(given_evidence, policy):
    card, file = facts.stored(given_evidence, policy)
    assert verify(card, file, {policy.name: policy}) == ()


def numbers(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        return [p for key, inner in value.items() for p in numbers(inner, (*path, key))]
    if isinstance(value, list):
        return [p for i, inner in enumerate(value) for p in numbers(inner, (*path, i))]
    return [path] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def edited(value: Any, path: tuple[str | int, ...], by: float) -> Any:
    if not path:
        return value + by
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = edited(value[path[0]], path[1:], by)
    return copy


def place(body: Any, path: tuple[str | int, ...]) -> str:
    """The start of what verify must name for an edit at this path of a card."""
    if path[0] != "lines":
        return str(path[0])
    line = body["lines"][path[1]]
    for step in path[2:]:
        if isinstance(step, int) and isinstance(line, list):
            line = line[step]
        elif step == "children":
            line = line["children"]
    return f"{line['key']} {path[-1]}"


@given(evidence(), st.data())
def test_verify_names_any_number_that_was_edited_on_the_card(given_evidence, data):
    policy = data.draw(released)
    card, file = facts.stored(given_evidence, policy)
    body = json.loads(card.model_dump_json())
    path = data.draw(st.sampled_from(numbers(body)))
    by = data.draw(st.sampled_from([1, -1, 0.000001, 10]))
    try:
        forged = Card.model_validate(edited(body, path, by))
    except ValidationError:
        assume(False)
    problems = verify(forged, file, {policy.name: policy})
    assert any(p.where.startswith(place(body, path)) for p in problems), (path, problems)


@given(evidence(), st.data())
def test_verify_names_any_record_that_was_edited(given_evidence, data):
    card, file = facts.stored(given_evidence)
    bodies = [(i, path) for i, record in enumerate(file.records) for path in numbers(record.body)]
    at, path = data.draw(st.sampled_from(bodies))
    record = file.records[at]
    forged = Record(id=record.id, digest=record.digest, body=edited(record.body, path, 1))
    records = (*file.records[:at], forged, *file.records[at + 1 :])
    problems = verify(card, EvidenceFile(records=records), {FOUR_JUDGE_1.name: FOUR_JUDGE_1})
    assert record.id in [p.where for p in problems]


@given(evidence(), released, st.data())
def test_supposing_what_is_true_changes_nothing(given_evidence, policy, data):
    card = facts.card(given_evidence, policy)
    line = data.draw(st.sampled_from([w for w in walk(card.lines) if w.score is not None and w.key != "clamp"]))
    assume(line.key == "integrity" or 0 <= line.score <= 100)
    answer = what_if(card, {line.key: line.score})
    assert abs(answer.final - card.final) < NEAR


@given(evidence(), st.integers(0, 100))
def test_the_way_to_a_target_leads_there_and_no_shorter_one_does(given_evidence, target):
    card = facts.card(given_evidence)
    plan = to_reach(card, target)
    assert plan.reachable == (target <= plan.highest)
    if plan.reachable and plan.steps:
        reached = what_if(card, {step.key: step.after for step in plan.steps}).final
        assert abs(reached - max(target, card.final)) < 1e-4
        rooms = sorted((100 - line.score) for top in card.lines for line in leaves(top) if line.score is not None)
        assert len(plan.steps) <= len(rooms)
        before_last = sum(step.points for step in plan.steps[:-1])
        clamped = sum(line.points for line in card.lines if line.key == "clamp")
        assert card.final - clamped + before_last < target + NEAR


@given(evidence(), st.data())
def test_rescoring_is_idempotent_and_the_way_there_does_not_matter(given_evidence, data):
    first, second = data.draw(released), data.draw(released)
    _, file = facts.stored(given_evidence, first)
    again = from_records(file.records)
    direct = facts.card(given_evidence, second)
    assert facts.card(again, second).model_dump() == direct.model_dump()
    assert facts.card(from_records(to_records(again)), second).model_dump() == direct.model_dump()


@given(evidence(), any_policy)
def test_null_counts_neither_as_0_nor_as_100(given_evidence, policy):
    """Weights of what was not judged go to the others in proportion, at every level with weights from the policy."""
    card = facts.card(given_evidence, policy)
    assume(card.final is not None)
    rows = [line for line in card.lines if line.policy_weight is not None]
    scored = [line for line in rows if line.score is not None]
    whole, live = sum(line.policy_weight for line in rows), sum(line.policy_weight for line in scored)
    for line in rows:
        if line.score is None:
            assert (line.weight, line.points) == (None, None)
        elif live:
            assert abs(line.weight - line.policy_weight * whole / live) < NEAR
    low = min((line.score for line in scored), default=0) * whole
    high = max((line.score for line in scored), default=0) * whole
    if live:
        total = sum(line.points for line in rows if line.points is not None)
        assert low - 1e-3 <= total <= high + 1e-3


@given(st.permutations([60, 70, 75]), st.permutations([60, 70, 80]))
def test_neither_panel_rule_is_monotonic(lower, higher):
    """Known, kept and stated: a rater who gives 5 points more takes 10 points off."""
    for reconcile, rule in (
        (r1, SIX_COMPONENT_1.code_quality.panel),
        (r1, SIX_COMPONENT_1.deliverables.panel),
        (r2, FOUR_JUDGE_1.strategy.panel),
    ):
        assert reconcile(dict(zip("abc", lower, strict=True)), rule).mark == 70
        assert reconcile(dict(zip("abc", higher, strict=True)), rule).mark == 60


@given(st.lists(st.integers(0, 100), min_size=1, max_size=3), any_policy, st.randoms(use_true_random=False))
def test_a_panel_does_not_care_who_gave_which_mark(marks, policy, random):
    rules = [rule for key in PANELS if (rule := rule_of(policy, key)) is not None]
    named = list(zip("abc", marks, strict=False))
    mixed = list(zip("abc", random.sample(marks, len(marks)), strict=False))
    for rule in rules:
        reconcile = r1 if rule.rule == "R1" else r2
        verdict = reconcile(dict(named), rule)
        assert verdict.mark == reconcile(dict(mixed), rule).mark
        assert 0 <= verdict.mark <= max(marks)
        assert sum(verdict.weights.values()) == 1
        weighted = sum(verdict.weights.get(name, 0) * mark for name, mark in named)
        assert weighted - verdict.deduction == verdict.mark


@given(rows_of_tests())
def test_a_card_names_no_hidden_test(rows):
    text = facts.card(facts.evidence(rows, notices=())).model_dump_json()
    for test in rows:
        if test.suite is Suite.ADVERSARIAL:
            assert test.id not in text
