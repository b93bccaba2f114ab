"""The fewest lines to raise for a target. From the card alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from bouts.errors import BadUsage
from bouts.model.base import Fact
from bouts.model.card import Card, Line
from bouts.policy.catalogue import CardPolicy
from bouts.policy.six_component import SixComponent
from bouts.scoring.case import within
from bouts.scoring.exact import HUNDRED, ZERO, exact, show, stored
from bouts.scoring.explore import CLAMP, INTEGRITY, final_of, is_added
from bouts.scoring.known import policy_of
from bouts.scoring.panels import rule_of
from bouts.scoring.six_component import CAP


class Raise(Fact):
    """One line to be raised."""

    key: str
    label: str
    before: float
    """Score of the line as the card has it."""
    after: float
    """Score that it needs."""
    points: float
    """What raising it adds to the sum."""
    how: str = ""
    """What has to be done, where that is no higher score."""


class Reach(Fact):
    """The cheapest way to a target: the fewest lines, those with the most to win first, the last one only as far as
    needed."""

    target: float
    final: float
    """The final score now."""
    highest: float
    """The final score with every line that can be raised at its best."""
    reachable: bool
    because: str
    steps: tuple[Raise, ...]
    """Every line that can be raised, where the target is out of reach."""


def to_reach(card: Card, target: float) -> Reach:
    """The fewest lines to raise until the final score reaches `target`.

    Lines that measure something (those without lines below them, and those that a panel rated) can be raised to 100, a
    negative integrity modifier to 0, and a cap for critical findings lifted. What was not judged, or has a neutral
    score, cannot. Raises `BadUsage` for a void card or a target that is no number from 0 to 100.
    """
    now = final_of(card)
    if not math.isfinite(target) or not 0 <= target <= 100:
        raise BadUsage(f"{target:g} is not a score from 0 to 100")
    policy = policy_of(card)
    # Below the clamp the sum has to climb back to 0 before anything shows; above a cap nothing shows.
    raw = now - sum((exact(line.points or 0) for line in card.lines if line.key in (CLAMP, CAP)), ZERO)
    rows = sorted(_room(card, policy), key=lambda row: (-row.points, row.line.key))
    rows = [row for row in rows if row.points > 0]
    highest = within(raw + sum((row.points for row in rows), ZERO), policy)
    lifted = _cap(card, policy, exact(target))
    steps: list[Raise] = [] if lifted is None else [_lift(lifted)]
    left = exact(target) - raw if exact(target) > now else ZERO
    for row in rows:
        if left <= 0:
            break
        won = min(left, row.points)
        steps.append(row.step(won))
        left -= won
    return Reach(
        target=target,
        final=stored(now),
        highest=stored(highest),
        reachable=left <= 0,
        because=_said(target, now, highest, left <= 0, len(steps)),
        steps=tuple(steps),
    )


def _said(target: float, now: Fraction, highest: Fraction, reachable: bool, steps: int) -> str:
    if not reachable:
        return f"{show(target)} is out of reach: with every line at its best this card would get {show(highest)}."
    if not steps:
        return f"The final score is {show(now)} already."
    return f"{show(target)} is reached by raising {steps} line{'s' if steps > 1 else ''}:"


def _cap(card: Card, policy: CardPolicy, target: Fraction) -> Line | None:
    """The line of the cap, where the target lies above it: no other line can show until the critical findings go."""
    if not isinstance(policy, SixComponent) or target <= exact(policy.security.critical_cap):
        return None
    return next((line for line in card.lines if line.key == CAP), None)


def _lift(line: Line) -> Raise:
    now = exact(line.points or 0)
    how = "no critical finding may be left, as the final score is capped otherwise"
    return Raise(key=line.key, label=line.label, before=stored(now), after=0.0, points=stored(-now), how=how)


@dataclass(slots=True, frozen=True)
class _Row:
    """A line that can be raised, and what that can win."""

    line: Line
    best: Fraction
    points: Fraction

    def step(self, won: Fraction) -> Raise:
        now = exact(self.line.score or 0)
        after = now + (self.best - now) * won / self.points
        return Raise(
            key=self.line.key,
            label=self.line.label,
            before=stored(now),
            after=stored(after),
            points=stored(won),
        )


def _room(card: Card, policy: CardPolicy) -> Iterator[_Row]:
    for line in card.lines:
        if line.key == INTEGRITY:
            yield _Row(line, ZERO, -exact(line.points or 0))
        elif not is_added(line):
            yield from _below(line, Fraction(1), policy)


def _below(line: Line, parent: Fraction, policy: CardPolicy) -> Iterator[_Row]:
    if line.weight is None or line.score is None:
        return
    share = parent * exact(line.weight)
    rated = rule_of(policy, line.key) is not None
    if not rated:
        for child in line.children:
            yield from _below(child, share, policy)
    if (rated or not line.children) and line.state == "measured":
        yield _Row(line, HUNDRED, share * (HUNDRED - exact(line.score)))
