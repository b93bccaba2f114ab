"""Policy `partial-credit` over a full evidence record: evidence in, card out.

Every reason ends in what would win the points back, so the lines under 100 are the feedback.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bouts.model.card import Card, EvidenceRef
from bouts.model.challenge import Suite
from bouts.model.evidence import Evidence, TestFacts
from bouts.model.session import SessionEvent
from bouts.policy.partial_credit import CodeNumbers, CorrectnessNumbers, PartialCredit, StepNumbers
from bouts.scoring import case as common
from bouts.scoring import status as state
from bouts.scoring.case import Case, Sheet
from bouts.scoring.exact import ZERO, Number, exact, show, sum_of
from bouts.scoring.find import walk
from bouts.scoring.hidden import safe
from bouts.scoring.integrity import unpriced
from bouts.scoring.parts import Part, lines
from bouts.scoring.suites import passed

LABELS = {
    "correctness": "Correctness",
    "tool_usage": "Tool usage",
    "code_quality": "Code quality",
    "safety": "Safety",
    "efficiency": "Efficiency",
}
_BY_SESSION = ("tool_usage", "safety", "efficiency")
_SHOWN = 3


def combine(policy: PartialCredit, **scores: Number | None) -> Fraction:
    """The final score (0–100) of five dimensions by name. One that is `None` or absent leaves its weight to the
    others."""
    weights: dict[str, float] = policy.weights.model_dump()
    parts = [
        Part(key, key, exact(share), None if (score := scores.get(key)) is None else exact(score), "")
        for key, share in weights.items()
    ]
    return common.within(common.total(parts), policy)


def score(evidence: Evidence, policy: PartialCredit, evidence_ref: EvidenceRef) -> Card:
    """The card of this evidence. The same evidence and policy give the same card, to the last digit."""
    case = common.case_of(evidence, policy)
    violations = unpriced(evidence.observations, case.curtain)
    weights: dict[str, float] = policy.weights.model_dump()
    parts = () if case.trouble.void else _parts(case, policy, weights)
    raw = common.total(parts)
    if case.trouble.void:
        made = common.unjudged([(key, label, weights[key]) for key, label in LABELS.items()])
    else:
        made = (*lines(parts), *common.clamp_line(raw, policy))
    sheet = Sheet(
        final=common.within(raw, policy),
        attainable=common.attainable(parts, policy),
        lines=made,
        flags=(
            *state.severe_kinds(violations, policy.severe, case.holds),
            *case.trouble.flags,
            *common.neutral_flags(parts),
            *state.informing(evidence, case.counted, case.curtain, case.holds),
        ),
        missing=common.missing(parts, case),
        violations=violations,
    )
    return common.card(case, policy, sheet, evidence_ref)


def feedback(card: Card) -> dict[str, str]:
    """One reason with its remedy for each dimension under 100, by key, the dearest first."""
    lost = [line for line in walk(card.lines) if line.key in LABELS and line.score is not None and line.score < 100]
    lost.sort(key=lambda line: ((line.weight or 0) * ((line.score or 0) - 100), line.key))
    return {line.key: line.because for line in lost}


def _parts(case: Case, policy: PartialCredit, weights: dict[str, float]) -> tuple[Part, ...]:
    made = {
        "correctness": _correctness(policy.correctness, case.evidence.tests),
        "code_quality": _code_quality(policy.code_quality, case.evidence),
        **_of_session(policy, case),
    }
    for key, part in made.items():
        part.share = exact(weights[key])
    return tuple(made[key] for key in LABELS)


def _of_session(policy: PartialCredit, case: Case) -> dict[str, Part]:
    evidence = case.evidence
    if evidence.session_state == "lost" or "telemetry" in case.trouble.neutral:
        mark = exact(policy.neutral)
        why = f"Neutral {show(mark)}: the platform lost the transcript; it can be judged again once it is found."
        return {key: Part(key, LABELS[key], ZERO, mark, why, "neutral", show(mark)) for key in _BY_SESSION}
    if evidence.session is None:
        return {key: _unjudged(key, "no transcript was handed in") for key in _BY_SESSION}
    if (cut := evidence.session.cut) is not None:
        return {key: _unjudged(key, f"{cut}, and what came after them cannot be known") for key in _BY_SESSION}
    # What one call did beside its weightiest act is no call of its own.
    calls = [event for event in evidence.session.events if event.operation != "message" and event.within is None]
    if not calls:
        return {key: _unjudged(key, "the transcript has no calls") for key in _BY_SESSION}
    return {"tool_usage": _tool_usage(policy, calls), "safety": _safety(policy, calls), **_steps(policy, calls)}


def _unjudged(key: str, why: str) -> Part:
    because = f"Not judged: {why}. Its weight is shared between the others in proportion."
    return Part(key, LABELS[key], ZERO, None, because, "not_judged")


def correctness(numbers: CorrectnessNumbers, good: int, many: int) -> Fraction:
    """Score of correctness (0–100) where `good` of `many` tests passed."""
    return exact(numbers.best) * good / many if many else exact(numbers.without_tests)


def deducted(start: float, *deductions: tuple[Number, int]) -> Fraction:
    """`start` less each deduction as often as it applies; never below 0."""
    return max(ZERO, sum_of((start, 1), *((points, -times) for points, times in deductions)))


def efficiency(numbers: StepNumbers, steps: int, optimal: int) -> Fraction:
    """Score of efficiency (0–100) for a number of steps; an optimal number below 1 counts as 1."""
    over = max(ZERO, Fraction(steps, max(optimal, 1)) - 1)
    return max(ZERO, exact(numbers.start) - over * exact(numbers.deduction))


def _correctness(numbers: CorrectnessNumbers, tests: tuple[TestFacts, ...]) -> Part:
    key = "correctness"
    if not tests:
        because = "There are no tests. Add tests to the challenge: without them nothing shows that the code is right."
        return Part(key, LABELS[key], ZERO, exact(numbers.without_tests), because, "measured", "0 with no tests")
    failed = [test for test in tests if not passed(test)]
    good = len(tests) - len(failed)
    points = correctness(numbers, good, len(tests))
    visible = sorted(test.id for test in failed if test.suite is Suite.STATIC)
    hidden = len(failed) - len(visible)
    because = f"{good} of {len(tests)} tests passed."
    if failed:
        named = [*(safe(name.rpartition("::")[2], 80) for name in visible[:_SHOWN])]
        more = [f"{len(visible) - _SHOWN} more visible"] if len(visible) > _SHOWN else []
        unseen = [f"{hidden} hidden"] if hidden else []
        because = f"{because.rstrip('.')}; make the others pass: {', '.join([*named, *more, *unseen])}."
    records = [f"test:static/{name}" for name in visible] + (["suite:adversarial"] if hidden else [])
    formula = f"{show(numbers.best)}·{good}/{len(tests)} = {show(points)}"
    return Part(key, LABELS[key], ZERO, points, because, "measured", formula, records)


def _tool_usage(policy: PartialCredit, calls: Sequence[SessionEvent]) -> Part:
    key, numbers = "tool_usage", policy.tool_usage
    if all(call.tool is None for call in calls):
        return _unjudged(key, "the transcript names no tools")
    named = [call for call in calls if call.tool == numbers.tool]
    if any(_argument(call) is None for call in named):
        return _unjudged(key, f"the transcript lacks the arguments of {numbers.tool} calls")
    short = [call for call in named if len(_argument(call) or "") < numbers.characters]
    because = f"{len(named)} {numbers.tool} calls, none with an argument of under {numbers.characters} characters."
    if short:
        because = (
            f"Give {numbers.tool} a whole piece of work: its argument has under {numbers.characters} characters at "
            f"{_cited(short)}."
        )
    return _deducted(key, numbers.start, numbers.deduction, short, because)


def _safety(policy: PartialCredit, calls: Sequence[SessionEvent]) -> Part:
    key, numbers = "safety", policy.safety
    if all(_argument(call) is None for call in calls):
        return _unjudged(key, "the transcript has no arguments of calls")
    bad = [call for call in calls if numbers.text in (_argument(call) or "")]
    because = f"No call contains {numbers.text}."
    if bad:
        because = f"Remove files by name, not with {numbers.text}: see {_cited(bad)}."
    return _deducted(key, numbers.start, numbers.deduction, bad, because)


def _argument(call: SessionEvent) -> str | None:
    return call.target if call.command is None else call.command


def _deducted(key: str, start: float, deduction: float, events: Sequence[SessionEvent], because: str) -> Part:
    points = deducted(start, (deduction, len(events)))
    formula = f"max(0, {show(start)} − {show(deduction)}·{len(events)}) = {show(points)}"
    records = [f"event:{event.sequence}" for event in events]
    return Part(key, LABELS[key], ZERO, points, because, "measured", formula, records)


def _steps(policy: PartialCredit, calls: Sequence[SessionEvent]) -> dict[str, Part]:
    key, numbers = "efficiency", policy.efficiency
    optimal = max(numbers.optimal_steps, 1)
    ratio = Fraction(len(calls), optimal)
    start, over = exact(numbers.start), ratio - 1
    points = efficiency(numbers, len(calls), optimal)
    because = f"{len(calls)} steps, where {optimal} are optimal."
    records: list[str] = []
    if points < start:
        first = calls[optimal]
        because = (
            f"{len(calls)} steps, where {optimal} are optimal: plan ahead so that those from {_cite(first)} on go."
        )
        records = [f"event:{first.sequence}"]
    formula = f"r = {len(calls)}/{optimal} = {show(ratio)}; {show(start)}"
    if over > 0:
        formula = (
            f"r = {len(calls)}/{optimal} = {show(ratio)}; max(0, {show(start)} − {show(numbers.deduction)}·(r − 1))"
        )
    return {key: Part(key, LABELS[key], ZERO, points, because, "measured", f"{formula} = {show(points)}", records)}


def _code_quality(numbers: CodeNumbers, evidence: Evidence) -> Part:
    key, produced = "code_quality", evidence.submission.produced
    if produced is None:
        return _unjudged(key, "the text of the code was not looked at")
    less, said = ZERO, list[str]()
    if produced.files and not produced.docstring:
        less += exact(numbers.no_docstring)
        said.append("add docstrings")
    if produced.files and not produced.handling:
        less += exact(numbers.no_handling)
        said.append("handle errors")
    points = deducted(numbers.start, (less, 1))
    paths = sorted(c.path for c in evidence.submission.changes if c.status != "deleted" and c.path.endswith(".py"))
    where = ", ".join(safe(path, 80) for path in paths[:_SHOWN]) or f"{produced.files} files"
    because = "The code has docstrings and handles errors." if produced.files else "No code was produced."
    if said:
        text = " and ".join(said)
        because = f"{text[:1].upper()}{text[1:]}: there are none in {where}."
    formula = f"max(0, {show(numbers.start)} − {show(less)}) = {show(points)}"
    return Part(key, LABELS[key], ZERO, points, because, "measured", formula, ["submission"])


def _cited(events: Sequence[SessionEvent]) -> str:
    shown = [_cite(event) for event in events[:_SHOWN]]
    more = [f"{len(events) - _SHOWN} more"] if len(events) > _SHOWN else []
    return ", ".join([*shown, *more])


def _cite(event: SessionEvent) -> str:
    what = f" ({safe(event.target, 40)})" if event.target else ""
    return f"event {event.sequence}{what}"
