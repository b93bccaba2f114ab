"""Piecewise linear scales."""

from __future__ import annotations

from fractions import Fraction

from bouts.policy.parts import Anchors
from bouts.scoring.exact import exact, less


def score(anchors: Anchors, value: Fraction) -> Fraction:
    """Score (0–100) of a measured value: on the line between its neighbours, flat beyond the ends."""
    points = anchors.points
    left_value, left_score = exact(points[0][0]), exact(points[0][1])
    if not less(left_value, value):
        return left_score
    for at, gets in points[1:]:
        right_value, right_score = exact(at), exact(gets)
        if not less(right_value, value):
            share = (value - left_value) / (right_value - left_value)
            return left_score + share * (right_score - left_score)
        left_value, left_score = right_value, right_score
    return left_score
