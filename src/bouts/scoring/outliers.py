"""Raters that panels dropped as outliers: the log of each event, and who is dropped too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from bouts.model.base import Fact
from bouts.model.card import Card
from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1
from bouts.scoring.exact import exact, show, stored
from bouts.scoring.find import walk
from bouts.scoring.known import policy_of
from bouts.scoring.panels import SEATS, rule_of

_HALF = 0.5


class RaterMark(Fact):
    """What one rater gave."""

    rater: str
    mark: float
    """0–100."""


class OutlierEvent(Fact):
    """One panel that dropped a rater."""

    challenge: str
    item: str
    """Key of the panel's line: `strategy.tradeoffs`, `code_quality`, `deliverables.notes`."""
    marks: tuple[RaterMark, ...]
    """All three, in the order of the seats."""
    dropped: str


class FrequentOutlier(Fact):
    """A rater that needs another prompt, or replacement."""

    rater: str
    dropped: int
    """Events in which it was the outlier."""
    events: int
    """All events."""
    share: float
    because: str


def outlier_events(card: Card) -> tuple[OutlierEvent, ...]:
    """The events of one card, in its order. Raises `NotFound` where the card's policy is not known here."""
    policy = policy_of(card)
    found: list[OutlierEvent] = []
    for line in walk(card.lines):
        if rule_of(policy, line.key) is None:
            continue
        raters = line.children
        # Only where a panel of three drops one do the two others count half each and the third nothing.
        if len(raters) != SEATS or sorted(child.weight or 0 for child in raters) != [0, _HALF, _HALF]:
            continue
        marks = tuple(RaterMark(rater=_name(child.key), mark=child.score or 0) for child in raters)
        dropped = next(_name(child.key) for child in raters if not child.weight)
        found.append(OutlierEvent(challenge=card.challenge.id, item=line.key, marks=marks, dropped=dropped))
    return tuple(found)


def frequent_outliers(
    events: Iterable[OutlierEvent], challenges: int, rules: Beside = BESIDE_1
) -> tuple[FrequentOutlier, ...]:
    """Raters that were the outlier in more than the rules' share of all events, once enough challenges were judged.

    `challenges` is how many were judged in all, with outliers or without.
    """
    rows = list(events)
    if challenges < rules.outlier_challenges or not rows:
        return ()
    limit = exact(rules.outlier_share)
    found: list[FrequentOutlier] = []
    for rater, many in sorted(Counter(event.dropped for event in rows).items()):
        share = Fraction(many, len(rows))
        if share > limit:
            because = (
                f"{rater} was the outlier in {many} of {len(rows)} events over {challenges} challenges, which is more "
                f"than {show(limit * 100)} %: its prompt needs tuning, or it needs to be replaced."
            )
            row = FrequentOutlier(rater=rater, dropped=many, events=len(rows), share=stored(share), because=because)
            found.append(row)
    return tuple(found)


def _name(key: str) -> str:
    return key.rpartition(".")[2]
