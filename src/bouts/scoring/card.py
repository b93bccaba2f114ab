"""From evidence to card under any policy: the one place that knows which function scores which table."""

from __future__ import annotations

from bouts.model.card import Card, EvidenceRef
from bouts.model.evidence import Evidence
from bouts.policy.catalogue import Policy
from bouts.scoring import four_judge


def score(evidence: Evidence, policy: Policy, evidence_ref: EvidenceRef) -> Card:
    """The card of this evidence under this policy; nothing is run, and the same input gives the same card."""
    return four_judge.score(evidence, policy, evidence_ref)
