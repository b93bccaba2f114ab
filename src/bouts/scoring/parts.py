"""The sum while it is being made: exact scores in a tree, and how it becomes the lines of a card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from bouts.model.base import made
from bouts.model.card import Line, LineState
from bouts.scoring.exact import HUNDRED, ZERO, add, dot, ratio, ratio_of, show, stored, stored_ratio

EVIDENCE_SHOWN = 20
"""Ids of records that a line carries at most."""


@dataclass(slots=True)
class Part:
    """One step of the sum. A score of `None` means that nothing was judged: its weight goes to its siblings."""

    key: str
    label: str
    share: Fraction
    """Share of the parent as the policy states it."""
    score: Fraction | None
    because: str
    state: LineState = "measured"
    formula: str = ""
    evidence: Sequence[str] = ()
    children: Sequence[Part] = ()
    reach: Fraction = HUNDRED
    """The score that this part could have reached."""
    weights: Sequence[Fraction | None] = ()
    """Of each child, the share of this part that it really has."""


def effective(parts: Sequence[Part]) -> list[Fraction | None]:
    """Each part's share after the shares of unscored parts were given to the others in proportion."""
    if all(part.score is not None for part in parts):
        return [part.share for part in parts]
    total = add(part.share for part in parts)
    live = add(part.share for part in parts if part.score is not None)
    grown = total / live if live else ZERO
    return [None if part.score is None else part.share * grown for part in parts]


def shares_of(children: Sequence[Part]) -> list[Fraction | None]:
    """Each child's share of its parent, adding up to 1 over those that have a score; empty where none counts."""
    shares = [None if child.score is None else child.share for child in children]
    total = add(share for share in shares if share is not None)
    if not total or total == 1:
        return shares if total else []
    return [None if share is None else share / total for share in shares]


def dearest(parts: Iterable[Part], reach: Fraction | None = None) -> list[Part]:
    """The parts with a score below their reach, or below the `reach` given, the costliest to their parent first."""
    rows: list[tuple[int, int, Part]] = []
    for part in parts:
        if part.score is not None:
            (a, b), (c, d) = ratio_of(part.score), ratio_of(reach or part.reach)
            lost = c * b - a * d
            if lost > 0:
                p, q = ratio_of(part.share)
                rows.append((p * lost, q * b * d, part))
    unit = lcm(*(bottom for _, bottom, _ in rows))
    rows.sort(key=lambda row: -row[0] * (unit // row[1]))
    return [part for _, _, part in rows]


def weighted(key: str, label: str, share: Fraction, children: list[Part], because: str) -> Part:
    """A part whose score is the weighted mean of its children; unscored where none of them has a score."""
    weights = shares_of(children)
    if not weights:
        return Part(key, label, share, None, because, "not_applicable", children=children)
    score = dot(weights, [child.score for child in children])
    best = all(child.reach is HUNDRED for child in children)
    reach = HUNDRED if best else dot(weights, [child.reach for child in children])
    counted = [(weight, child.score) for child, weight in zip(children, weights, strict=True)]
    terms = [f"{show(w, 4)}·{show(mark)}" for w, mark in counted if w is not None and mark is not None]
    formula = f"{' + '.join(terms)} = {show(score)}"
    return Part(key, label, share, score, because, "measured", formula, (), children, reach, weights)


def lines(parts: Sequence[Part]) -> tuple[Line, ...]:
    """The lines of a card from its top parts, whose shares are shares of the final score."""
    return tuple(_line(part, weight, 1, 1) for part, weight in zip(parts, effective(parts), strict=True))


def _line(part: Part, weight: Fraction | None, top: int, bottom: int) -> Line:
    if weight is not None:
        a, b = ratio_of(weight)
        top, bottom = top * a, bottom * b
    score = points = None
    if part.score is not None:
        a, b = ratio_of(part.score)
        score, points = stored_ratio(a, b), ratio(top * a, bottom * b)
    # The share of the final score is not brought to lowest terms, which would take most of the time.
    a, b = ratio_of(part.share)
    share, children = stored_ratio(a, b), ()
    if part.children:
        weights = part.weights or [None] * len(part.children)
        children = tuple([_line(p, w, top, bottom) for p, w in zip(part.children, weights, strict=True)])
    return made(
        Line,
        key=part.key,
        label=part.label,
        state=part.state,
        score=score,
        weight=None if weight is None else share if weight is part.share else stored(weight),
        policy_weight=share,
        points=points,
        because=part.because,
        formula=part.formula,
        evidence=tuple(part.evidence[:EVIDENCE_SHOWN]),
        children=children,
    )


def additive(
    key: str, label: str, points: Fraction, because: str, *, formula: str = "", evidence: Sequence[str] = ()
) -> Line:
    """A line that is added as it is: the integrity modifier, a cap, a clamp."""
    number = stored(points)
    return made(
        Line,
        key=key,
        label=label,
        state="measured",
        score=number,
        weight=None,
        policy_weight=None,
        points=number,
        because=because,
        formula=formula,
        evidence=tuple(evidence[:EVIDENCE_SHOWN]),
        children=(),
    )
