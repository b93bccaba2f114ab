"""What other scores would have given, and the fewest lines to raise for a target. From the card alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from bouts.errors import BadUsage
from bouts.model.base import Fact
from bouts.model.card import Card, Line
from bouts.policy import catalogue
from bouts.policy.catalogue import CardPolicy
from bouts.policy.four_judge import FourJudge
from bouts.scoring.exact import HUNDRED, ZERO, clamp, exact, show, stored
from bouts.scoring.find import find, walk
from bouts.scoring.parts import Part, additive, effective, lines, shares_of, weighted

_INTEGRITY, _CLAMP = "integrity", "clamp"
_ADDED = (_INTEGRITY, _CLAMP)
_ROUNDING = Fraction(1, 10**5)
"""Points that come from the card's own rounding and are no change."""


class Change(Fact):
    """What a line would become."""

    key: str
    label: str
    before: float | None
    """Score of the line as the card has it, 0–100 (the modifier itself for `integrity`)."""
    after: float | None
    """Score that it would have."""
    points: float
    """What it would then add to the final, less what it adds now."""


class WhatIf(Fact):
    """A card with other scores."""

    final: float
    """The final score that it would have, 0–100."""
    changes: tuple[Change, ...]
    """Every line whose score or points would differ, in the card's order."""


class Raise(Fact):
    """One line to be raised."""

    key: str
    label: str
    before: float
    """Score of the line as the card has it."""
    after: float
    """Score that it needs."""
    points: float
    """What raising it adds to the final."""


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


def what_if(card: Card, scores: Mapping[str, float]) -> WhatIf:
    """The sum with other scores for some lines. A line that was not judged counts again once it is given a score.

    Raises `NotFound` for an unknown key, and `BadUsage` for a void card, a score out of range, or a line given together
    with one below it.
    """
    _final(card)
    policy = catalogue.card_policy(card.policy.name, card.policy.version)
    given = _checked(card, scores, policy)
    parts = [_part(line, given) for line in card.lines if line.key not in _ADDED]
    extra = given.get(_INTEGRITY)
    if extra is None:
        extra = sum((exact(line.points or 0) for line in card.lines if line.key == _INTEGRITY), ZERO)
    terms = [part.score * weight for part, weight in zip(parts, effective(parts), strict=True) if part.score and weight]
    final = clamp(sum(terms, ZERO) + extra, exact(policy.lowest), exact(policy.highest))
    after = {line.key: line for line in walk(lines(parts))}
    after[_INTEGRITY] = additive(_INTEGRITY, "", extra, "")
    after[_CLAMP] = additive(_CLAMP, "", final - sum(terms, ZERO) - extra, "")
    pairs = [(line, after[line.key]) for line in walk(card.lines) if line.key in after]
    changes = tuple(_change(old, new) for old, new in pairs)
    return WhatIf(
        final=stored(final),
        changes=tuple(c for c in changes if c.before != c.after or abs(exact(c.points)) > _ROUNDING),
    )


def _checked(card: Card, scores: Mapping[str, float], policy: CardPolicy) -> dict[str, Fraction]:
    given: dict[str, Fraction] = {}
    for key, value in scores.items():
        find(card, key)
        if key == _CLAMP:
            raise BadUsage("the clamp follows from the other lines", where=key)
        low, high = 0.0, 100.0
        if key == _INTEGRITY and isinstance(policy, FourJudge):
            low, high = policy.integrity.lowest, policy.integrity.highest
        if not low <= value <= high:
            raise BadUsage(f"{value:g} is not between {low:g} and {high:g}", where=key)
        given[key] = exact(value)
    for key in given:
        over = next((other for other in given if key.startswith(f"{other}.")), None)
        if over is not None:
            raise BadUsage(f"{over} already stands for the lines below it", where=key, hint="give one of the two")
    return given


def _part(line: Line, given: Mapping[str, Fraction]) -> Part:
    share = exact(line.policy_weight or 0)
    score = None if line.score is None else exact(line.score)
    if line.key in given:
        return Part(line.key, line.label, share, given[line.key], "")
    if not any(key.startswith(f"{line.key}.") for key in given):
        part = Part(line.key, line.label, share, score, "")
        part.children = [_part(child, given) for child in line.children]
        part.weights = shares_of(part.children)
        return part
    return weighted(line.key, line.label, share, [_part(child, given) for child in line.children], "")


def _change(old: Line, new: Line) -> Change:
    points = exact(new.points or 0) - exact(old.points or 0)
    return Change(key=old.key, label=old.label, before=old.score, after=new.score, points=stored(points))


def to_reach(card: Card, target: float) -> Reach:
    """The fewest lines to raise until the final score reaches `target`.

    Lines that measure something (those without lines below them) can be raised to 100, and a negative integrity
    modifier to 0. What was not judged, or has a neutral score, cannot. Raises `BadUsage` for a void card or a target
    that is no number from 0 to 100.
    """
    now = _final(card)
    if not math.isfinite(target) or not 0 <= target <= 100:
        raise BadUsage(f"{target:g} is not a score from 0 to 100")
    # Below the clamp the sum has to climb back to 0 before anything shows.
    raw = now - sum((exact(line.points or 0) for line in card.lines if line.key == _CLAMP), ZERO)
    rows = sorted(_room(card), key=lambda row: (-row.points, row.line.key))
    rows = [row for row in rows if row.points > 0]
    highest = clamp(raw + sum((row.points for row in rows), ZERO), ZERO, HUNDRED)
    need = exact(target) - raw if exact(target) > now else ZERO
    steps: list[Raise] = []
    left = need
    for row in rows:
        if left <= 0:
            break
        won = min(left, row.points)
        steps.append(row.step(won))
        left -= won
    reachable = left <= 0
    return Reach(
        target=target,
        final=stored(now),
        highest=stored(highest),
        reachable=reachable,
        because=_said(target, now, highest, reachable, len(steps)),
        steps=tuple(steps),
    )


def _said(target: float, now: Fraction, highest: Fraction, reachable: bool, steps: int) -> str:
    if not reachable:
        return f"{show(target)} is out of reach: with every line at its best this card would get {show(highest)}."
    if not steps:
        return f"The final score is {show(now)} already."
    return f"{show(target)} is reached by raising {steps} line{'s' if steps > 1 else ''}:"


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


def _room(card: Card) -> Iterator[_Row]:
    for line in card.lines:
        if line.key == _INTEGRITY:
            yield _Row(line, ZERO, -exact(line.points or 0))
        elif line.key != _CLAMP:
            yield from _below(line, Fraction(1))


def _below(line: Line, parent: Fraction) -> Iterator[_Row]:
    if line.weight is None or line.score is None:
        return
    share = parent * exact(line.weight)
    for child in line.children:
        yield from _below(child, share)
    if not line.children and line.state == "measured":
        yield _Row(line, HUNDRED, share * (HUNDRED - exact(line.score)))


def _final(card: Card) -> Fraction:
    if card.final is None:
        raise BadUsage("a void card has no score", hint="score the submission again")
    return exact(card.final)
