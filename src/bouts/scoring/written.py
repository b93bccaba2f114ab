"""Deliverables: each written part by its panel; a missing one or a mere placeholder gets its score from the policy."""

from __future__ import annotations

from bouts.model.evidence import DeliverableFacts
from bouts.policy.six_component import DeliverableTable
from bouts.scoring.case import Case
from bouts.scoring.exact import ZERO, exact, show
from bouts.scoring.hidden import safe
from bouts.scoring.parts import Part, weighted

_KEY, _LABEL = "deliverables", "Deliverables"
_DIMENSIONS = {
    "accuracy": "Accuracy",
    "clarity": "Clarity",
    "completeness": "Completeness",
    "actionability": "Actionability",
}


def deliverables(share: float, table: DeliverableTable, case: Case) -> Part:
    """Weighted mean over the deliverables that the challenge declares; unscored where it declares none."""
    declared = sorted(case.evidence.submission.deliverables, key=lambda found: found.id)
    if not declared:
        return Part(_KEY, _LABEL, exact(share), None, "The challenge declares no deliverable.", "not_applicable")
    weights = [exact(found.weight) for found in declared]
    children = [_one(found, table, case) for found in declared]
    for child, weight in zip(children, weights, strict=True):
        child.share = weight / sum(weights, ZERO)
    part = weighted(_KEY, _LABEL, exact(share), children, _said(children))
    if part.score is None:
        part.state = "not_judged"
        part.because = "Not judged: no model configured. Its weight is shared between the others."
    return part


def _one(found: DeliverableFacts, table: DeliverableTable, case: Case) -> Part:
    key, label, records = f"{_KEY}.{found.id}", safe(found.title, 120), ["submission"]
    if not found.present:
        because = f"Missing: {safe(found.path, 120)} was not handed in."
        return Part(key, label, ZERO, exact(table.missing), because, "measured", show(table.missing), records)
    if found.placeholder:
        because = f"A placeholder: there is nothing of its own in {safe(found.path, 120)}."
        return Part(key, label, ZERO, exact(table.placeholder), because, "measured", show(table.placeholder), records)
    item = f"deliverable:{found.id}"
    raters = case.panels.totals(item, key, table.weights.model_dump(), _DIMENSIONS)
    if not raters:
        return Part(key, label, ZERO, None, "Not judged: no model configured.", "not_judged")
    return case.panels.part(key, label, 0, raters, table.panel, item)


def _said(children: list[Part]) -> str:
    text = "; ".join(
        f"{child.label}: {show(child.score, 1) if child.score is not None else 'not judged'}" for child in children
    )
    return f"{text}."
