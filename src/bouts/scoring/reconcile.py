"""Panels: how the marks of several raters become one.

Neither rule is monotonic: 60, 70, 75 give 70, but 60, 70, 80 give 60.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from bouts.policy.parts import DistancePanel, MedianPanel
from bouts.scoring.exact import ZERO, Number, exact, show


@dataclass(slots=True, frozen=True)
class Verdict:
    """What a panel decided."""

    mark: Fraction | None
    """0–100; `None` where no rater gave a mark."""
    dropped: str | None = None
    """The rater that was left out as an outlier."""
    flagged: bool = False
    """Whether a person should look at it: the rubric may be ambiguous, or raters are missing."""
    because: str = ""
    weights: Mapping[str, Fraction] = field(default_factory=dict[str, Fraction])
    """What each rater's mark counts; they add up to 1, and a rater that is not named counts nothing."""
    deduction: Fraction = ZERO
    """Points taken off the weighted marks."""
    how: Literal["", "median of the marks:"] = ""


def r1(marks: Mapping[str, Number], rule: MedianPanel) -> Verdict:
    """Rule R1: agreement → median; exactly one rater away from both others → mean of those; else the mean, reduced."""
    if len(marks) != 3:
        return _short(marks, exact(rule.spread), exact(rule.deduction))
    rows = _sorted(marks)
    if rows[2][0] - rows[0][0] <= exact(rule.spread):
        return _agreed(rows)
    limit = exact(rule.outlier)
    away = [
        (mark, name)
        for mark, name in rows
        if all(abs(mark - other) > limit for other, another in rows if another != name)
    ]
    if len(away) == 1:
        return _without(rows, away[0][1])
    return _torn(rows, exact(rule.deduction))


def r2(marks: Mapping[str, Number], rule: DistancePanel) -> Verdict:
    """Rule R2: agreement → median; one rater far from the median, the others near → mean of those; else as R1."""
    if len(marks) != 3:
        return _short(marks, exact(rule.spread), exact(rule.deduction))
    rows = _sorted(marks)
    if rows[2][0] - rows[0][0] <= exact(rule.spread):
        return _agreed(rows)
    median = rows[1][0]
    distances = sorted(((abs(mark - median), name) for mark, name in rows), reverse=True)
    if distances[0][0] > exact(rule.outlier) and distances[1][0] <= exact(rule.others):
        return _without(rows, distances[0][1])
    return _torn(rows, exact(rule.deduction))


_Rows = list[tuple[Fraction, str]]


def _sorted(marks: Mapping[str, Number]) -> _Rows:
    return sorted((exact(mark), name) for name, mark in marks.items())


def _agreed(rows: _Rows) -> Verdict:
    mark, name = rows[1]
    because = f"{_shown(rows)}: they agree, median {show(mark)}."
    return Verdict(mark, because=because, weights={name: Fraction(1)}, how="median of the marks:")


def _without(rows: _Rows, name: str) -> Verdict:
    rest = [mark for mark, rater in rows if rater != name]
    mark = sum(rest, ZERO) / len(rest)
    because = f"{_shown(rows)}: {name} is the outlier, mean of the others {show(mark)}."
    return Verdict(mark, dropped=name, because=because, weights=_equal(rows, without=name))


def _torn(rows: _Rows, deduction: Fraction) -> Verdict:
    mean = sum((mark for mark, _ in rows), ZERO) / len(rows)
    mark = max(ZERO, mean - deduction)
    because = f"{_shown(rows)}: no agreement, mean {show(mean)} − {show(deduction)} = {show(mark)}, flagged for review."
    return Verdict(mark, flagged=True, because=because, weights=_equal(rows), deduction=mean - mark)


def _equal(rows: _Rows, without: str | None = None) -> dict[str, Fraction]:
    names = [name for _, name in rows if name != without]
    return {name: Fraction(1, len(names)) for name in names}


def _short(marks: Mapping[str, Number], spread: Fraction, deduction: Fraction) -> Verdict:
    """Fewer raters than three. Two that agree: their mean; two that do not: as above; one: its mark, flagged."""
    if len(marks) > 3:
        raise ValueError("a panel has at most three raters")
    rows = _sorted(marks)
    if not rows:
        return Verdict(None, because="No rater gave a mark.")
    if len(rows) == 1:
        because = f"{_shown(rows)}: one rater is left, its mark stands, flagged."
        return Verdict(rows[0][0], flagged=True, because=because, weights=_equal(rows))
    if rows[1][0] - rows[0][0] > spread:
        return _torn(rows, deduction)
    mark = (rows[0][0] + rows[1][0]) / 2
    because = f"{_shown(rows)}: two raters are left and agree, mean {show(mark)}."
    return Verdict(mark, because=because, weights=_equal(rows))


def _shown(rows: _Rows) -> str:
    return ", ".join(f"{name} {show(mark)}" for mark, name in sorted(rows, key=lambda row: row[1]))
