"""Panels: how the marks of several raters become one.

Neither rule is monotonic: 60, 70, 75 give 70, but 60, 70, 80 give 60.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from types import MappingProxyType
from typing import NamedTuple

from bouts.policy.parts import DistancePanel, MedianPanel
from bouts.scoring.exact import ZERO, Number, exact, ratio_of, rational, show, show_ratio, wholes


class Verdict(NamedTuple):
    """What a panel decided."""

    mark: Fraction | None
    """0–100; `None` where no rater gave a mark."""
    dropped: str | None = None
    """The rater that was left out as an outlier."""
    flagged: bool = False
    """Whether a person should look at it: the rubric may be ambiguous, or raters are missing."""
    because: str = ""
    weights: Mapping[str, Fraction] = MappingProxyType({})
    """What each rater's mark counts; they add up to 1, and a rater that is not named counts nothing."""
    deduction: Fraction = ZERO
    """Points taken off the weighted marks."""
    formula: str = ""
    """How the marks become the mark, filled in with numbers."""


def r1(marks: Mapping[str, Number], rule: MedianPanel) -> Verdict:
    """Rule R1: agreement → median; exactly one rater away from both others → mean of those; else the mean, reduced."""
    rows = _Rows(marks, rule.spread, rule.outlier, rule.deduction)
    spread, limit, deduction = rows.limits
    if len(marks) != 3:
        return _short(rows, spread, deduction)
    (low, first), (middle, _), (high, last) = rows.sorted
    if high - low <= spread:
        return _agreed(rows)
    # The middle one lies between the others, so it is away from both only where each of them is away from both too.
    far_below, far_above = middle - low > limit, high - middle > limit
    if far_below != far_above:
        return _without(rows, first if far_below else last)
    return _torn(rows, deduction)


def r2(marks: Mapping[str, Number], rule: DistancePanel) -> Verdict:
    """Rule R2: agreement → median; one rater far from the median, the others near → mean of those; else as R1."""
    rows = _Rows(marks, rule.spread, rule.outlier, rule.others, rule.deduction)
    spread, limit, others, deduction = rows.limits
    if len(marks) != 3:
        return _short(rows, spread, deduction)
    (low, first), (median, _), (high, last) = rows.sorted
    if high - low <= spread:
        return _agreed(rows)
    below, above = median - low, high - median
    if max(below, above) > limit and min(below, above) <= others:
        return _without(rows, first if below > above else last)
    return _torn(rows, deduction)


class _Rows:
    """Marks and limits as whole numbers of one small unit: exact, and far quicker than fractions."""

    def __init__(self, marks: Mapping[str, Number], *limits: float) -> None:
        self.marks = {name: exact(mark) for name, mark in marks.items()}
        self.shown = {name: show(mark) for name, mark in self.marks.items()}
        bounds, unit = _bounds(*limits)
        ratios = [(*ratio_of(mark), name) for name, mark in self.marks.items()]
        self.unit = whole = lcm(unit, *[bottom for _, bottom, _ in ratios])
        self.limits = [bound * (whole // unit) for bound in bounds] if whole != unit else bounds
        self.sorted = sorted([(top * (whole // bottom), name) for top, bottom, name in ratios])

    def mean(self, without: str | None = None) -> Fraction:
        """Of all marks, or of the others."""
        rows = [whole for whole, name in self.sorted if name != without]
        return rational(sum(rows), self.unit * len(rows))

    def equal(self, without: str | None = None) -> dict[str, Fraction]:
        """Equal weights of all raters, or of the others."""
        names = [name for _, name in self.sorted if name != without]
        return dict.fromkeys(names, _EQUAL[len(names)])

    def __str__(self) -> str:
        return ", ".join([f"{name} {self.shown[name]}" for name in sorted(self.shown)])

    def listed(self, without: str | None = None) -> str:
        """All marks, or the others, for a formula."""
        return ", ".join([mark for name, mark in self.shown.items() if name != without])


@lru_cache
def _bounds(*limits: float) -> tuple[list[int], int]:
    """The limits in the largest unit in which they are whole numbers, and how many of it make 1."""
    return wholes([exact(limit) for limit in limits])


_EQUAL = {number: Fraction(1, number) for number in (1, 2, 3)}


def _agreed(rows: _Rows) -> Verdict:
    name = rows.sorted[1][1]
    shown = rows.shown[name]
    because, formula = f"{rows}: they agree, median {shown}.", f"median of the marks: {shown} = {shown}"
    return Verdict(rows.marks[name], because=because, weights={name: _EQUAL[1]}, formula=formula)


def _without(rows: _Rows, name: str) -> Verdict:
    mark = rows.mean(without=name)
    shown = show(mark)
    because = f"{rows}: {name} is the outlier, mean of the others {shown}."
    formula = f"mean of {rows.listed(without=name)} = {shown}"
    return Verdict(mark, dropped=name, because=because, weights=rows.equal(without=name), formula=formula)


def _torn(rows: _Rows, deduction: int) -> Verdict:
    many = len(rows.sorted)
    unit, total = rows.unit * many, sum([whole for whole, _ in rows.sorted])
    less = min(deduction * many, total)
    mark, off = rational(total - less, unit), rational(less, unit)
    shown, taken = show(mark), f" − {show(off)}" if less else ""
    sums = f"mean {show_ratio(total, unit)} − {show_ratio(deduction, rows.unit)} = {shown}"
    because = f"{rows}: no agreement, {sums}, flagged for review."
    formula = f"mean of {rows.listed()}{taken} = {shown}"
    return Verdict(mark, flagged=True, because=because, weights=rows.equal(), deduction=off, formula=formula)


def _short(rows: _Rows, spread: int, deduction: int) -> Verdict:
    """Fewer raters than three. Two that agree: their mean; two that do not: as above; one: its mark, flagged."""
    if len(rows.sorted) > 3:
        raise ValueError("a panel has at most three raters")
    if not rows.sorted:
        return Verdict(None, because="No rater gave a mark.")
    if len(rows.sorted) == 1:
        shown = rows.listed()
        because, formula = f"{rows}: one rater is left, its mark stands, flagged.", f"{shown} = {shown}"
        return Verdict(rows.mean(), flagged=True, because=because, weights=rows.equal(), formula=formula)
    if rows.sorted[1][0] - rows.sorted[0][0] > spread:
        return _torn(rows, deduction)
    mark = rows.mean()
    shown = show(mark)
    because = f"{rows}: two raters are left and agree, mean {shown}."
    return Verdict(mark, because=because, weights=rows.equal(), formula=f"mean of {rows.listed()} = {shown}")
