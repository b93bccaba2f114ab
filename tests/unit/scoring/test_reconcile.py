"""Panels, by both rules."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.parts import MedianPanel
from bouts.scoring.reconcile import r1, r2

R1 = MedianPanel(spread=15, outlier=15, deduction=10)
R2 = FOUR_JUDGE_1.strategy.panel


def panel(*marks):
    return dict(zip("abc", marks, strict=False))


@pytest.mark.parametrize(
    ("marks", "mark", "dropped", "flagged"),
    [
        ((72, 68, 76), 72, None, False),
        ((60, 70, 75), 70, None, False),
        ((40, 70, 80), 75, "a", False),
        ((80, 40, 70), 75, "b", False),
        ((50, 70, 90), 60, None, True),
        ((70, 80, 90), 70, None, True),
        ((60, 70, 80), 60, None, True),
        ((50, 68, 70), 69, "a", False),
        ((0, 0, 16), 0, "c", False),
        ((0, 8, 16), 0, None, True),
    ],
)
def test_rule_1(marks, mark, dropped, flagged):
    verdict = r1(panel(*marks), R1)
    assert (verdict.mark, verdict.dropped, verdict.flagged) == (mark, dropped, flagged)


@pytest.mark.parametrize(
    ("marks", "mark", "dropped", "flagged"),
    [
        ((72, 68, 76), 72, None, False),
        ((85, 80, 50), Fraction("82.5"), "c", False),
        ((50, 68, 70), Fraction(158, 3), None, True),
        ((40, 70, 80), 75, "a", False),
        ((40, 60, 80), 50, None, True),
        ((50, 70, 81), 57, None, True),
        ((49, 70, 80), 75, "a", False),
        ((50, 70, 80), Fraction(170, 3), None, True),
    ],
)
def test_rule_2(marks, mark, dropped, flagged):
    verdict = r2(panel(*marks), R2)
    assert (verdict.mark, verdict.dropped, verdict.flagged) == (mark, dropped, flagged)


@pytest.mark.parametrize("rule", [lambda m: r1(m, R1), lambda m: r2(m, R2)], ids=["R1", "R2"])
def test_fewer_than_three_raters(rule):
    assert rule(panel(60, 75)).mark == Fraction("67.5")
    assert not rule(panel(60, 75)).flagged
    apart = rule(panel(60, 76))
    assert (apart.mark, apart.flagged) == (58, True)
    assert rule(panel(0, 16)).mark == 0
    one = rule(panel(77))
    assert (one.mark, one.flagged) == (77, True)
    assert rule({}).mark is None


def test_the_reason_names_the_raters():
    assert "a is the outlier" in r1(panel(40, 70, 80), R1).because
    assert "flagged" in r2(panel(50, 68, 70), R2).because
