"""What other scores would have given, and the fewest lines to raise for a target. From the card alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bouts.errors import BadUsage
from bouts.model.base import Fact
from bouts.model.card import Card, Line
from bouts.policy.catalogue import CardPolicy
from bouts.policy.four_judge import FourJudge
from bouts.policy.six_component import SixComponent
from bouts.scoring.case import total, within
from bouts.scoring.exact import ZERO, exact, stored
from bouts.scoring.find import WHOLE, find, walk
from bouts.scoring.known import policy_of
from bouts.scoring.panels import DEDUCTION, panel, rule_of
from bouts.scoring.parts import Part, additive, lines, shares_of, weighted
from bouts.scoring.six_component import CAP, capped

INTEGRITY, CLAMP = "integrity", "clamp"
_ROUNDING = Fraction(1, 10**5)
"""Points that come from the card's own rounding and are no change."""


class Change(Fact):
    """What a line would become."""

    key: str
    label: str
    before: float | None
    """Score of the line as the card has it, 0–100 (the points themselves for lines that are added as they are)."""
    after: float | None
    """Score that it would have."""
    weight_before: float | None
    """Share of the line above it, as the card has it."""
    weight_after: float | None
    """Share that it would have."""
    points: float
    """What it would then add to the final, less what it adds now."""


class WhatIf(Fact):
    """A card with other scores."""

    final: float
    """The final score that it would have, 0–100."""
    changes: tuple[Change, ...]
    """Every line whose score or points would differ, in the card's order. Lines below one that was supposed have no
    part in the sum any more and are left out."""


def what_if(card: Card, scores: Mapping[str, float]) -> WhatIf:
    """The sum with other scores for some lines. A line that was not judged counts again once it is given a score.

    The cap for critical findings stays where a card has it: it follows from the findings, not from the security score.
    `critical_cap=0` supposes that there are none. Raises `NotFound` for an unknown key, and `BadUsage` for a void card,
    a score out of range, or a line given together with one below it.
    """
    final_of(card)
    policy = policy_of(card)
    given = _checked(card, scores, policy)
    parts = [_part(line, given, policy) for line in card.lines if not is_added(line)]
    extra = given.get(INTEGRITY, _points(card, INTEGRITY))
    raw = total(parts) + extra
    under = _under_cap(card, raw, given, policy)
    final = within(under, policy)
    after = {line.key: line for line in walk(lines(parts))}
    for key, points in ((INTEGRITY, extra), (CAP, under - raw), (CLAMP, final - under)):
        after[key] = additive(key, "", points, "")
    return WhatIf(final=stored(final), changes=tuple(_changes(card, after, given)))


def is_added(line: Line) -> bool:
    """Whether a line is added as it is: a modifier, a cap, a clamp. Every other line has a share in its policy."""
    return line.policy_weight is None


def final_of(card: Card) -> Fraction:
    """The final score. Raises `BadUsage` for a void card."""
    if card.final is None:
        raise BadUsage("a void card has no score", hint="score the submission again")
    return exact(card.final)


def _points(card: Card, key: str) -> Fraction:
    return sum((exact(line.points or 0) for line in card.lines if line.key == key), ZERO)


def _under_cap(card: Card, raw: Fraction, given: Mapping[str, Fraction], policy: CardPolicy) -> Fraction:
    there = any(line.key == CAP for line in card.lines) and CAP not in given
    return capped(raw, policy, there) if isinstance(policy, SixComponent) else raw


def _checked(card: Card, scores: Mapping[str, float], policy: CardPolicy) -> dict[str, Fraction]:
    given: dict[str, Fraction] = {}
    for key, value in scores.items():
        if key == WHOLE:
            hint = f"suppose lines that it is the sum of, or ask what it takes: --to-reach {value:g}"
            raise BadUsage("the final score follows from the lines", where=key, hint=hint)
        find(card, key)
        low, high = _range(key, policy)
        if not low <= value <= high:
            only = f"{low:g}" if low == high else f"between {low:g} and {high:g}"
            raise BadUsage(f"{value:g} is not {only}", where=key)
        given[key] = exact(value)
    for key in given:
        over = next((other for other in given if key.startswith(f"{other}.")), None)
        if over is not None:
            raise BadUsage(f"{over} already stands for the lines below it", where=key, hint="give one of the two")
    return given


def _range(key: str, policy: CardPolicy) -> tuple[float, float]:
    if key == CLAMP:
        raise BadUsage("the clamp follows from the other lines", where=key)
    if key.rpartition(".")[2] == DEDUCTION:
        raise BadUsage("a panel's deduction follows from the raters' marks", where=key, hint="give the raters' scores")
    if key == CAP:
        return 0, 0
    if key == INTEGRITY and isinstance(policy, FourJudge):
        return policy.integrity.lowest, policy.integrity.highest
    return 0, 100


def _part(line: Line, given: Mapping[str, Fraction], policy: CardPolicy) -> Part:
    share = exact(line.policy_weight or 0)
    if line.key in given:
        return Part(line.key, line.label, share, given[line.key], "")
    rule = rule_of(policy, line.key)
    below = any(key.startswith(f"{line.key}.") for key in given)
    raters = [_part(child, given, policy) for child in line.children if not _deducts(child)]
    if rule is not None and raters and all(rater.score is not None for rater in raters):
        part, _ = panel(line.key, line.label, share, raters, rule)
        # A score that nothing touched stays as the card has it.
        part.score = part.score if below or line.score is None else exact(line.score)
        return part
    if below:
        return weighted(line.key, line.label, share, raters, "")
    score = None if line.score is None else exact(line.score)
    part = Part(line.key, line.label, share, score, "", children=raters)
    part.weights = shares_of(raters)
    return part


def _deducts(line: Line) -> bool:
    return line.key.rpartition(".")[2] == DEDUCTION


def _changes(card: Card, after: Mapping[str, Line], given: Mapping[str, Fraction]) -> Iterator[Change]:
    known = {line.key: line for line in walk(card.lines)}
    order = [*known, *(key for key in after if key not in known)]
    for key in _placed(order, known):
        old, new = known.get(key), after.get(key)
        if new is None and (old is None or not _deducts(old) or any(key.startswith(f"{over}.") for over in given)):
            continue
        line = new or old
        assert line is not None
        points = exact(new.points or 0 if new else 0) - exact(old.points or 0 if old else 0)
        before, then = old.score if old else None, new.score if new else None
        if (old is None and abs(points) <= _ROUNDING) or (before == then and abs(points) <= _ROUNDING):
            continue
        label = old.label if old else line.label or key.replace("_", " ").capitalize()
        yield Change(
            key=key,
            label=label,
            before=before,
            after=then,
            weight_before=old.weight if old else None,
            weight_after=new.weight if new else None,
            points=stored(points),
        )


def _placed(order: Sequence[str], known: Mapping[str, Line]) -> list[str]:
    """The card's order; a line that is new stands after what is above it."""
    made = [key for key in order if key in known]
    for key in order:
        if key not in known:
            over = key.rpartition(".")[0]
            last = max((n for n, other in enumerate(made) if other == over or other.startswith(f"{over}.")), default=-1)
            made.insert(last + 1 if over and last >= 0 else len(made), key)
    return made
