"""The table that a card was made with."""

from __future__ import annotations

from bouts.model.card import Card
from bouts.policy.catalogue import CardPolicy, card_policy, variant
from bouts.policy.partial_credit import PartialCredit


def policy_of(card: Card) -> CardPolicy:
    """The released table of the card's policy and version; a variant is put together from the weights on the card.

    Raises `NotFound` for a version that is not known here, `BadUsage` for weights that make no variant and for a policy
    that scores no cards.
    """
    version, plus, name = card.policy.version.partition("+")
    base = card_policy(card.policy.name, version if plus else card.policy.version)
    if not plus or not isinstance(base, PartialCredit):
        return card_policy(card.policy.name, card.policy.version)
    return variant(name, {line.key: line.policy_weight for line in card.lines if line.policy_weight is not None}, base)
