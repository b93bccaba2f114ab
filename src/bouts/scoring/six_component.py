"""Policy `six-component`: evidence in, card out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bouts.model.card import Card, EvidenceRef, Flag, Line, Violation
from bouts.model.challenge import Severity
from bouts.model.evidence import Evidence, Finding
from bouts.policy.six_component import DependencyLevels, QualityTable, SixComponent
from bouts.scoring import case as common
from bouts.scoring import status as state
from bouts.scoring.case import Case, Sheet
from bouts.scoring.exact import Number, exact, show
from bouts.scoring.integrity import unpriced
from bouts.scoring.parts import Part, additive, lines
from bouts.scoring.security import Rows, distinct, security
from bouts.scoring.stability import stability
from bouts.scoring.suites import adversarial, static
from bouts.scoring.written import deliverables

CAP = "critical_cap"
"""Key of the line for the cap."""
LABELS = {
    "static": "Static tests",
    "adversarial": "Hidden adversarial tests",
    "code_quality": "Code quality",
    "deliverables": "Deliverables",
    "security": "Security",
    "stability": "Stability",
}
_DIMENSIONS = {
    "readability": "Readability",
    "architecture": "Architecture",
    "robustness": "Robustness",
    "idiomaticity": "Idiomaticity",
}


def combine(policy: SixComponent, critical: bool = False, **scores: Number | None) -> Fraction:
    """The final score (0–100) of six components by name. One that is `None` or absent leaves its weight to the others;
    with `critical` the cap for critical findings applies."""
    weights: dict[str, float] = policy.weights.model_dump()
    parts = [
        Part(key, key, exact(share), None if (score := scores.get(key)) is None else exact(score), "")
        for key, share in weights.items()
    ]
    return common.within(capped(common.total(parts), policy, critical), policy)


def capped(total: Fraction, policy: SixComponent, critical: bool) -> Fraction:
    """The sum under the cap for critical findings."""
    return min(total, exact(policy.security.critical_cap)) if critical else total


def score(evidence: Evidence, policy: SixComponent, evidence_ref: EvidenceRef) -> Card:
    """The card of this evidence. The same evidence and policy give the same card, to the last digit."""
    case = common.case_of(evidence, policy)
    violations = unpriced(evidence.observations, case.curtain)
    rows = distinct(placed(evidence.findings, policy.security.dependencies))
    parts = () if case.trouble.void else _parts(case, policy, rows)
    total = common.total(parts)
    many = sum(1 for _, finding in rows if finding.severity is Severity.CRITICAL)
    below = capped(total, policy, many > 0)
    if case.trouble.void:
        weights = policy.weights.model_dump()
        made = common.unjudged([(key, label, weights[key]) for key, label in LABELS.items()])
    else:
        made = (*lines(parts), *_cap(total, below, many, policy), *common.clamp_line(below, policy))
    sheet = Sheet(
        final=common.within(below, policy),
        attainable=common.attainable(parts, policy),
        lines=made,
        flags=_flags(case, policy, parts, violations),
        missing=common.missing(parts, case),
        violations=violations,
    )
    return common.card(case, policy, sheet, evidence_ref)


def placed(findings: Sequence[Finding], levels: DependencyLevels) -> tuple[Finding, ...]:
    """The findings, known-vulnerable dependencies among them with the severity that their CVSS score stands for."""
    return tuple(
        finding
        if finding.cvss is None
        else finding.model_copy(update={"severity": dependency_severity(finding.cvss, levels)})
        for finding in findings
    )


def dependency_severity(cvss: float, levels: DependencyLevels) -> Severity:
    """Severity of a known-vulnerable dependency by its CVSS base score (0–10)."""
    for severity in (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM):
        if exact(cvss) >= exact(getattr(levels, severity.value)):
            return severity
    return Severity.LOW


def _parts(case: Case, policy: SixComponent, rows: Rows) -> tuple[Part, ...]:
    weights = policy.weights
    return (
        static("static", weights.static, case.counted),
        adversarial("adversarial", weights.adversarial, policy.severity_weights, policy.hidden_meaning, case.counted),
        _neutral("code_quality", weights.code_quality, policy, case)
        or _code_quality(weights.code_quality, policy.code_quality, case),
        _neutral("deliverables", weights.deliverables, policy, case)
        or deliverables(weights.deliverables, policy.deliverables, case),
        security("security", weights.security, policy.security.points, rows),
        stability(weights.stability, policy.stability, case.evidence, case.curtain),
    )


def _neutral(key: str, share: float, policy: SixComponent, case: Case) -> Part | None:
    if key not in case.trouble.neutral:
        return None
    mark = exact(policy.neutral)
    because = f"Neutral {show(mark)}: the configured models failed; it can be judged again."
    return Part(key, LABELS[key], exact(share), mark, because, "neutral", show(mark))


def _code_quality(share: float, table: QualityTable, case: Case) -> Part:
    key, label = "code_quality", LABELS["code_quality"]
    raters = case.panels.totals(key, key, table.weights.model_dump(), _DIMENSIONS)
    if not raters:
        because = "Not judged: no model configured. Its weight is shared between the others in proportion."
        return Part(key, label, exact(share), None, because, "not_judged")
    return case.panels.part(key, label, share, raters, table.panel, key)


def _cap(total: Fraction, below: Fraction, many: int, policy: SixComponent) -> list[Line]:
    if not many:
        return []
    cap, moved = show(policy.security.critical_cap), below - total
    found = "a critical finding" if many == 1 else f"{many} critical findings"
    effect = f"the sum of {show(total)} is cut to it" if moved else f"the sum of {show(total)} does not exceed it"
    because = f"With {found} the final score is at most {cap}; {effect}."
    return [additive(CAP, "Critical cap", moved, because, formula=f"min({cap}, {show(total)}) − {show(total)}")]


def _flags(
    case: Case, policy: SixComponent, parts: Sequence[Part], violations: tuple[Violation, ...]
) -> tuple[Flag, ...]:
    return (
        *state.severe_kinds(violations, policy.severe, case.holds),
        *case.panels.shown(case.holds),
        *case.trouble.flags,
        *common.neutral_flags(parts),
        *state.informing(case.evidence, case.counted, case.curtain, case.holds),
    )
