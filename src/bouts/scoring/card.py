"""From evidence to card under any policy: the one place that knows which function scores which table."""

from __future__ import annotations

from bouts.model.card import Card, EvidenceRef
from bouts.model.evidence import Evidence
from bouts.policy.catalogue import Policy, for_cards
from bouts.policy.four_judge import FourJudge
from bouts.policy.partial_credit import PartialCredit
from bouts.policy.six_component import SixComponent
from bouts.scoring import four_judge, partial_credit, six_component


def score(evidence: Evidence, policy: Policy, evidence_ref: EvidenceRef) -> Card:
    """The card of this evidence under this policy; nothing is run, and the same input gives the same card.

    Raises `BadUsage` for a policy that scores whole cohorts of runs.
    """
    table = for_cards(policy)
    match table:
        case FourJudge():
            return four_judge.score(evidence, table, evidence_ref)
        case SixComponent():
            return six_component.score(evidence, table, evidence_ref)
        case PartialCredit():
            return partial_credit.score(evidence, table, evidence_ref)
