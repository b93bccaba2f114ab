"""What changed between two cards, and why: the points that moved add up to the difference in final."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

from bouts.errors import UserError
from bouts.model.base import Fact
from bouts.model.card import Card, Line, PolicyRef
from bouts.model.records import EvidenceFile
from bouts.policy import catalogue
from bouts.policy.fields import changed
from bouts.scoring.exact import ZERO, exact, stored
from bouts.scoring.known import policy_of
from bouts.scoring.unlike import CountChange, RecordChange, counts, records

ROUNDING = Fraction(1, 10**5)
"""Points up to which two cards agree: scores and points are stored to six places."""
Kind = Literal["added", "removed", "changed"]


class LineChange(Fact):
    """One line of the sum that is not the same on both cards."""

    key: str
    label: str
    depth: int
    """0 for the terms of the sum; their points add up to the difference in final."""
    change: Kind
    state_before: str | None
    state_after: str | None
    score_before: float | None
    score_after: float | None
    weight_before: float | None
    """Share of the parent."""
    weight_after: float | None
    points_before: float | None
    points_after: float | None
    points: float
    """What the line adds to the final on the second card, less what it adds on the first."""
    by_score: float | None
    """The part of `points` that comes from the other score, at the mean of both weights."""
    by_weight: float | None
    """The part of `points` that comes from the other weight, at the mean of both scores; with `by_score` it is all."""
    why: str
    """What moved it, in a few words."""
    formula_before: str
    formula_after: str
    because_before: str
    because_after: str


class FieldDifference(Fact):
    """A number of the policy that the two cards' policies state differently."""

    path: str
    before: object
    after: object
    change: Kind
    meaning: str


class Noted(Fact):
    """A violation, bonus or flag that only one of the cards has."""

    what: Literal["violation", "bonus", "flag"]
    change: Literal["added", "removed"]
    kind: str
    points: float | None
    because: str


class CardDiff(Fact):
    """Two cards, first to second."""

    same_challenge: bool
    same_submission: bool
    same_evidence: bool
    final_before: float | None
    final_after: float | None
    difference: float | None
    """Final of the second card less final of the first; `null` where one is void."""
    status_before: str
    status_after: str
    outcome_before: str
    outcome_after: str
    policy_before: PolicyRef
    policy_after: PolicyRef
    policy: tuple[FieldDifference, ...]
    """Fields that differ, where both policies are known here."""
    policy_note: str
    """Empty, or why the fields could not be compared."""
    lines: tuple[LineChange, ...]
    counts: tuple[CountChange, ...]
    """Tests as both cards count them, where the counts differ."""
    noted: tuple[Noted, ...]
    evidence_at_hand: bool
    """Whether the evidence of both cards was there to be compared record by record."""
    records: tuple[RecordChange, ...]
    """Records that differ; hidden tests are among them, as the evidence is the author's. Times are not compared."""


def compare(
    before: Card,
    after: Card,
    evidence_before: EvidenceFile | None = None,
    evidence_after: EvidenceFile | None = None,
) -> CardDiff:
    """Everything that differs. Records are compared only where the evidence of both cards is given."""
    fields, note = _policies(before, after)
    both = evidence_before is not None and evidence_after is not None
    difference = None
    if before.final is not None and after.final is not None:
        difference = stored(exact(after.final) - exact(before.final))
    return CardDiff(
        same_challenge=before.challenge.digest == after.challenge.digest,
        same_submission=before.submission.digest == after.submission.digest,
        same_evidence=before.evidence.digest == after.evidence.digest,
        final_before=before.final,
        final_after=after.final,
        difference=difference,
        status_before=before.status,
        status_after=after.status,
        outcome_before=before.outcome,
        outcome_after=after.outcome,
        policy_before=before.policy,
        policy_after=after.policy,
        policy=fields,
        policy_note=note,
        lines=tuple(_lines(before, after)),
        counts=counts(before.tests, after.tests),
        noted=(*_noted(before, after, "added"), *_noted(after, before, "removed")),
        evidence_at_hand=both,
        records=records(evidence_before, evidence_after) if evidence_before and evidence_after else (),
    )


def _policies(before: Card, after: Card) -> tuple[tuple[FieldDifference, ...], str]:
    if before.policy.digest == after.policy.digest:
        return (), ""
    try:
        one, two = policy_of(before), policy_of(after)
    except UserError as error:
        return (), f"the fields cannot be compared: {error.message}"
    for ref, table in ((before.policy, one), (after.policy, two)):
        if ref.digest != catalogue.policy_digest(table):
            return (), f"a card was made with other numbers than {ref.name} {ref.version} has here"
    rows = tuple(
        FieldDifference(path=c.path, before=c.before, after=c.after, change=c.change, meaning=c.meaning)
        for c in changed(one, two)
        if c.path not in ("name", "version", "title", "source")
    )
    return rows, ""


def _lines(before: Card, after: Card) -> Iterator[LineChange]:
    yield from _rows(before.lines, after.lines, Fraction(1), Fraction(1), 0)


def _rows(
    before: Sequence[Line], after: Sequence[Line], share_before: Fraction, share_after: Fraction, depth: int
) -> Iterator[LineChange]:
    old, new = ({line.key: line for line in rows} for rows in (before, after))
    for key in dict.fromkeys((*old, *new)):
        left, right = old.get(key), new.get(key)
        inner = _share(left, share_before), _share(right, share_after)
        row = _change(key, left, right, inner, depth)
        if row is not None:
            yield row
        yield from _rows(left.children if left else (), right.children if right else (), *inner, depth + 1)


def _share(line: Line | None, parent: Fraction) -> Fraction:
    """Share of the final that a line has; what is added as it is has all of its own."""
    if line is None or line.score is None or line.points is None:
        return ZERO
    return parent if line.weight is None else parent * exact(line.weight)


def _change(
    key: str, left: Line | None, right: Line | None, shares: tuple[Fraction, Fraction], depth: int
) -> LineChange | None:
    moved = _points(right) - _points(left)
    like = left is not None and right is not None and _alike(left, right) and abs(moved) <= ROUNDING
    line = right or left
    if like or line is None or (moved == 0 and (left is None or right is None) and line.points is None):
        return None
    by_score, by_weight = _split(left, right, shares)
    return LineChange(
        key=key,
        label=line.label,
        depth=depth,
        change="added" if left is None else "removed" if right is None else "changed",
        state_before=left.state if left else None,
        state_after=right.state if right else None,
        score_before=left.score if left else None,
        score_after=right.score if right else None,
        weight_before=left.weight if left else None,
        weight_after=right.weight if right else None,
        points_before=left.points if left else None,
        points_after=right.points if right else None,
        points=stored(moved),
        by_score=by_score,
        by_weight=by_weight,
        why=_why(left, right),
        formula_before=left.formula if left else "",
        formula_after=right.formula if right else "",
        because_before=left.because if left else "",
        because_after=right.because if right else "",
    )


def _alike(left: Line, right: Line) -> bool:
    # Weights are stored to six places too; a weight that differs beyond them moves no point.
    return (left.score, left.state, left.weight) == (right.score, right.state, right.weight)


def _points(line: Line | None) -> Fraction:
    return exact(line.points) if line is not None and line.points is not None else ZERO


def _split(
    left: Line | None, right: Line | None, shares: tuple[Fraction, Fraction]
) -> tuple[float | None, float | None]:
    if left is None or right is None or left.score is None or right.score is None:
        return None, None
    if left.points is None or right.points is None:
        return None, None
    moved = _points(right) - _points(left)
    # Where only one of the two differs it has it all: weights are stored to six places, so a product is not exact.
    by_weight = moved if left.score == right.score else ZERO
    if left.score != right.score and shares[0] != shares[1]:
        by_weight = (shares[1] - shares[0]) * (exact(left.score) + exact(right.score)) / 2
    return stored(moved - by_weight), stored(by_weight)


def _why(left: Line | None, right: Line | None) -> str:
    if left is None or right is None:
        return f"only the {'second' if left is None else 'first'} card has this line"
    said: list[str] = []
    if left.state != right.state:
        said.append(f"{_state(left)}, then {_state(right)}")
    if left.score is not None and right.score is not None and left.score != right.score:
        said.append("another score")
    if left.policy_weight != right.policy_weight:
        said.append("another weight in the policy")
    elif left.weight is not None and right.weight is not None and left.weight != right.weight:
        said.append("another weight, as other lines beside it were judged")
    return "; ".join(said) or "another weight of the line above"


def _state(line: Line) -> str:
    return line.state.replace("_", " ")


def _noted(before: Card, after: Card, change: Literal["added", "removed"]) -> Iterator[Noted]:
    """What the second has and the first lacks."""
    known = {(v.kind, v.points, v.because) for v in before.violations}
    for v in after.violations:
        if (v.kind, v.points, v.because) not in known:
            yield Noted(what="violation", change=change, kind=v.kind, points=v.points, because=v.because)
    earned = {(b.kind, b.points, b.because) for b in before.bonuses}
    for b in after.bonuses:
        if (b.kind, b.points, b.because) not in earned:
            yield Noted(what="bonus", change=change, kind=b.kind, points=b.points, because=b.because)
    flags = {(f.kind, f.why) for f in before.flags}
    for f in after.flags:
        if (f.kind, f.why) not in flags:
            yield Noted(what="flag", change=change, kind=f.kind, points=None, because=f.why)


def moved(diff: CardDiff) -> tuple[tuple[str, float], ...]:
    """The terms of the difference: key and points of every line of the sum that moved."""
    return tuple((row.key, row.points) for row in diff.lines if row.depth == 0 and row.points)
