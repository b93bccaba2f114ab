"""Policy `four-judge`: evidence in, card out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bouts.model.card import (
    Card,
    ChallengeRef,
    EvidenceRef,
    Flag,
    Line,
    PolicyRef,
    SubmissionRef,
)
from bouts.model.evidence import Evidence
from bouts.policy.catalogue import policy_digest
from bouts.policy.four_judge import FourJudge, JudgeWeights
from bouts.scoring import status as state
from bouts.scoring.exact import ZERO, Number, clamp, exact, headline, show, stored
from bouts.scoring.hidden import Curtain
from bouts.scoring.integrity import Integrity, integrity
from bouts.scoring.objective import objective
from bouts.scoring.parts import Part, additive, effective, lines
from bouts.scoring.process.judge import process
from bouts.scoring.suites import Tally, counts, tally

_STRATEGY = {
    "decomposition": "Decomposition",
    "prioritization": "Prioritization",
    "tradeoffs": "Tradeoff handling",
    "architecture": "Architecture",
    "communication": "Communication",
    "ambiguity": "Ambiguity handling",
}
_NO_MODEL = "Not judged: no model configured."


def weights_for(policy: FourJudge, challenge_format: str) -> JudgeWeights:
    """Weights of the judges for a format; an unknown one gets those of the fallback."""
    return policy.formats.get(challenge_format) or policy.formats[policy.fallback_format]


def combine(
    policy: FourJudge,
    challenge_format: str,
    *,
    objective: Number | None,
    process: Number | None,
    strategy: Number | None,
    integrity: Number = 0,
) -> Fraction:
    """The final score (0–100) of four judges. A judge that is `None` leaves its weight to the others."""
    weights = weights_for(policy, challenge_format)
    scores = {"objective": objective, "process": process, "strategy": strategy}
    parts = [
        Part(key, key, exact(getattr(weights, key)), None if score is None else exact(score), "")
        for key, score in scores.items()
    ]
    return _total(parts, _bounded(policy, integrity), policy)


def _bounded(policy: FourJudge, value: Number) -> Fraction:
    return clamp(exact(value), exact(policy.integrity.lowest), exact(policy.integrity.highest))


def _sum(parts: Sequence[Part]) -> Fraction:
    terms = ((part.score, weight) for part, weight in zip(parts, effective(parts), strict=True))
    return sum((score * weight for score, weight in terms if score is not None and weight is not None), ZERO)


def _total(parts: Sequence[Part], extra: Fraction, policy: FourJudge) -> Fraction:
    return clamp(_sum(parts) + extra, exact(policy.lowest), exact(policy.highest))


@dataclass(slots=True)
class _Case:
    """One evidence under one policy, with what several steps need."""

    evidence: Evidence
    policy: FourJudge
    counted: Tally
    curtain: Curtain
    trouble: state.Faults
    judged: Integrity
    holds: frozenset[str]

    @property
    def weights(self) -> JudgeWeights:
        return weights_for(self.policy, self.evidence.challenge.format.value)


def score(evidence: Evidence, policy: FourJudge, evidence_ref: EvidenceRef) -> Card:
    """The card of this evidence. The same evidence and policy give the same card, to the last digit."""
    counted, curtain = tally(evidence.tests), Curtain(evidence)
    case = _Case(
        evidence,
        policy,
        counted,
        curtain,
        state.faults(evidence, policy, counted, curtain),
        integrity(evidence.observations, (), policy.integrity, curtain),
        frozenset(rule.kind for rule in policy.holds),
    )
    parts = () if case.trouble.void else _parts(case)
    flags = _flags(case, parts)
    status, because = state.status(case.trouble.void, flags, _missing(case, parts))
    void = status == "void"
    final = _total(parts, case.judged.modifier, policy)
    c, s = evidence.challenge, evidence.submission
    return Card.model_construct(
        schema_="bouts.card/1",
        outcome=state.outcome(evidence, counted, case.judged.violations, void=void),
        challenge=ChallengeRef.model_construct(
            id=c.id,
            version=c.version,
            digest=c.digest,
            title=c.title,
            format=c.format.value,
            family=c.family,
            tier=c.tier,
        ),
        submission=SubmissionRef.model_construct(agent=s.agent, digest=s.digest),
        policy=PolicyRef.model_construct(name=policy.name, version=policy.version, digest=policy_digest(policy)),
        status=status,
        because=because,
        final=None if void else stored(final),
        headline=None if void else headline(final),
        attainable=None if void else stored(_attainable(parts, policy)),
        lines=_void_lines(case) if void else _lines(case, parts),
        tests=counts(counted),
        flags=flags,
        violations=case.judged.violations,
        bonuses=case.judged.bonuses,
        audit={channel.channel: channel.level for channel in evidence.audit},
        environment=evidence.environment,
        evidence=evidence_ref,
    )


def _parts(case: _Case) -> tuple[Part, ...]:
    weights, policy, neutral = case.weights, case.policy, case.trouble.neutral
    return (
        objective(weights.objective, policy.objective, case.evidence, case.counted),
        process(weights.process, policy, case.evidence, neutral),
        _strategy(weights.strategy, policy, neutral),
    )


def _strategy(share: float, policy: FourJudge, neutral: set[str]) -> Part:
    key, label = "strategy", "Strategy judge"
    if "strategy" in neutral:
        mark = exact(policy.neutral)
        because = f"Neutral {show(mark)}: the configured models failed; it can be judged again."
        return Part(key, label, exact(share), mark, because, "neutral", show(mark))
    children = [
        Part(f"strategy.{name}", text, exact(getattr(policy.strategy.weights, name)), None, _NO_MODEL, "not_judged")
        for name, text in _STRATEGY.items()
    ]
    because = f"{_NO_MODEL} Its weight is shared between the other judges in proportion."
    return Part(key, label, exact(share), None, because, "not_judged", children=children)


def _missing(case: _Case, parts: Sequence[Part]) -> list[str]:
    """What keeps a card from being final, one phrase each."""
    rows = [
        f"{part.label.lower()}: {part.because.partition('. ')[0].rstrip('.').lower()}"
        for part in parts
        if part.score is None or part.state == "neutral"
    ]
    return rows + case.trouble.provisional


def _attainable(parts: Sequence[Part], policy: FourJudge) -> Fraction:
    terms = ((part.reach, weight) for part, weight in zip(parts, effective(parts), strict=True))
    best = sum((reach * weight for reach, weight in terms if weight is not None), ZERO)
    return clamp(best, exact(policy.lowest), exact(policy.highest))


def _flags(case: _Case, parts: Sequence[Part]) -> tuple[Flag, ...]:
    scores: dict[str, Fraction | None] = {part.key: part.score for part in parts}
    scores["integrity"] = case.judged.modifier
    neutral = [(part.label, part.because) for part in parts if part.state == "neutral"]
    return (
        *state.severe(case.judged.violations, case.policy.integrity, case.holds),
        *state.disagreements(case.policy.disagreements, scores, case.holds),
        *case.trouble.flags,
        *(Flag.model_construct(kind="neutral", why=f"{label}: {because}", holds=False) for label, because in neutral),
        *state.informing(case.evidence, case.counted, case.curtain, case.holds),
    )


def _lines(case: _Case, parts: Sequence[Part]) -> tuple[Line, ...]:
    judged, policy = case.judged, case.policy
    made = [
        *lines(parts),
        additive(
            "integrity",
            "Integrity judge",
            judged.modifier,
            judged.because,
            formula=judged.formula,
            evidence=judged.records,
        ),
    ]
    raw = _sum(parts) + judged.modifier
    final = clamp(raw, exact(policy.lowest), exact(policy.highest))
    if final != raw:
        because = (
            f"The sum is {show(raw)}; a final score lies between {show(policy.lowest)} and {show(policy.highest)}."
        )
        made.append(additive("clamp", "Clamp", final - raw, because, formula=f"{show(final)} − {show(raw)}"))
    return tuple(made)


def _void_lines(case: _Case) -> tuple[Line, ...]:
    why = "Not judged: the card is void."
    return lines(
        [
            Part(key, f"{key.capitalize()} judge", exact(getattr(case.weights, key)), None, why, "not_judged")
            for key in ("objective", "process", "strategy")
        ]
    )
