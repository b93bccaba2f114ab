"""Which reviews fit a card, and which were said already."""

from __future__ import annotations

from collections.abc import Sequence

from bouts.errors import BadUsage
from bouts.model.card import Card
from bouts.model.ledger import ReviewAction, ReviewEntry
from bouts.model.tallied import CardRow, ReviewRow


def known(body: ReviewEntry, earlier: Sequence[ReviewRow]) -> int | None:
    """The entry that says the same: the last one of a card, or of appeals and second cards any."""
    for review in reversed(earlier):
        same = (review.action, review.by, review.reason, review.second, review.final)
        if same == (body.action, body.by, body.reason, body.second, body.final):
            return review.seq
        if body.action != "appeal" and body.second is None:
            return None
    return None


def may(row: CardRow, action: ReviewAction, reason: str, second: Card | None, final: float | None) -> None:
    """Raise `BadUsage` where a review's parts do not go together."""
    where = row.card[:23]
    if action != "adjust" and (second is not None or final is not None):
        raise BadUsage(f"only `adjust` brings another final, not `{action}`", where=where)
    if action == "adjust" and (second is None) == (final is None):
        raise BadUsage("an adjustment brings a second card or a final, one of the two", where=where)
    if action in ("adjust", "void", "appeal") and not reason.strip():
        raise BadUsage(f"to {action} needs a reason", where=where, hint="--reason TEXT")
    if row.status == "void" and action != "void":
        hint = "score the submission again; nothing was measured that could be judged"
        raise BadUsage("the card is void through a fault that is not the submission's", where=where, hint=hint)
    if second is not None and (second.policy.name, second.policy.version) != (row.policy, row.version):
        raise BadUsage("the second card is of another policy", where=where)
    if row.replaced_by is not None:
        raise BadUsage("a second card stands in this one's place", where=where, hint=f"review {row.replaced_by[:23]}")
