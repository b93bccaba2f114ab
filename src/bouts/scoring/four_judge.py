"""Policy `four-judge`: evidence in, card out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bouts.model.card import Card, EvidenceRef, Flag, Line
from bouts.model.evidence import Evidence
from bouts.policy.four_judge import FourJudge, JudgeWeights
from bouts.scoring import case as common
from bouts.scoring import status as state
from bouts.scoring.case import Case, Sheet
from bouts.scoring.exact import Number, clamp, exact
from bouts.scoring.integrity import Integrity, integrity
from bouts.scoring.objective import objective
from bouts.scoring.parts import Part, additive, lines
from bouts.scoring.process.judge import process
from bouts.scoring.strategy import strategy


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
    extra = clamp(exact(integrity), exact(policy.integrity.lowest), exact(policy.integrity.highest))
    return common.within(common.total(parts) + extra, policy)


def score(evidence: Evidence, policy: FourJudge, evidence_ref: EvidenceRef) -> Card:
    """The card of this evidence. The same evidence and policy give the same card, to the last digit."""
    case = common.case_of(evidence, policy)
    judged = integrity(evidence.observations, evidence.virtues, policy.integrity, case.curtain)
    weights = weights_for(policy, evidence.challenge.format.value)
    parts = () if case.trouble.void else _parts(case, policy, weights)
    raw = common.total(parts) + judged.modifier
    if case.trouble.void:
        made = common.unjudged(
            [(key, f"{key.capitalize()} judge", getattr(weights, key)) for key in ("objective", "process", "strategy")]
        )
    else:
        made = (*lines(parts), _integrity_line(judged), *common.clamp_line(raw, policy))
    sheet = Sheet(
        final=common.within(raw, policy),
        attainable=common.attainable(parts, policy),
        lines=made,
        flags=_flags(case, policy, judged, parts),
        missing=common.missing(parts, case),
        violations=judged.violations,
        bonuses=judged.bonuses,
    )
    return common.card(case, policy, sheet, evidence_ref)


def _parts(case: Case, policy: FourJudge, weights: JudgeWeights) -> tuple[Part, ...]:
    return (
        objective(weights.objective, policy.objective, case.evidence, case.counted),
        process(weights.process, policy, case),
        strategy(weights.strategy, policy, case),
    )


def _integrity_line(judged: Integrity) -> Line:
    return additive(
        "integrity",
        "Integrity judge",
        judged.modifier,
        judged.because,
        formula=judged.formula,
        evidence=judged.records,
    )


def _flags(case: Case, policy: FourJudge, judged: Integrity, parts: Sequence[Part]) -> tuple[Flag, ...]:
    scores: dict[str, Fraction | None] = {part.key: part.score for part in parts}
    scores["integrity"] = judged.modifier
    return (
        *state.severe(judged.violations, policy.integrity, case.holds),
        *state.disagreements(policy.disagreements, scores, case.holds),
        *case.panels.shown(case.holds),
        *case.trouble.flags,
        *common.neutral_flags(parts),
        *state.informing(case.evidence, case.counted, case.curtain, case.holds),
    )
