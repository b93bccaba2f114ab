"""Exact numbers and their one rounding."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.scoring import interpolate
from bouts.scoring.exact import (
    add,
    clamp,
    dot,
    exact,
    half_up,
    headline,
    less,
    product,
    ratio_of,
    rational,
    show,
    stored,
    sum_of,
)


def test_a_float_is_read_by_its_digits():
    assert exact(0.1) == Fraction(1, 10)
    assert exact(0.1) + exact(0.2) == exact(0.3)
    assert exact(1e-7) == Fraction(1, 10_000_000)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [("2.5", 3), ("2.4999999", 2), ("82.5", 83), ("0.5", 1), ("-2.5", -2), ("-2.6", -3)],
)
def test_a_half_goes_up(value, rounded):
    assert headline(Fraction(value)) == rounded
    assert half_up(Fraction(value)) == rounded


def test_numbers_are_stored_to_six_places():
    assert stored(Fraction(2, 3)) == 0.666667
    assert stored(Fraction(1, 2_000_000)) == 0.000001
    assert stored(Fraction(-1, 3)) == -0.333333


@pytest.mark.parametrize(
    ("value", "text"), [(Fraction(2, 3), "0.67"), (80, "80"), (82.50, "82.5"), (-15, "−15"), (0.005, "0.01"), (0, "0")]
)
def test_numbers_are_shown_short(value, text):
    assert show(value) == text


@given(st.fractions(-1000, 1000))
def test_what_is_stored_is_within_half_a_millionth(value):
    assert abs(Fraction(repr(stored(value))) - value) <= Fraction(1, 2_000_000)


@pytest.mark.parametrize(
    ("metric", "value", "score"),
    [
        ("p95_ms", 0, 100),
        ("p95_ms", 200, 100),
        ("p95_ms", 600, 75),
        ("p95_ms", 1000, 50),
        ("p95_ms", 3000, 25),
        ("p95_ms", 5000, 0),
        ("p95_ms", 50_000, 0),
        ("memory_mb", 100, 100),
        ("memory_mb", 256, 100),
        ("memory_mb", 384, 75),
        ("memory_mb", 512, 50),
        ("memory_mb", 768, 25),
        ("memory_mb", 1024, 0),
        ("memory_mb", 2000, 0),
        ("throughput_rps", 0, 0),
        ("throughput_rps", 5, 0),
        ("throughput_rps", 12.5, 25),
        ("throughput_rps", 20, 50),
        ("throughput_rps", 60, 75),
        ("throughput_rps", 100, 100),
        ("throughput_rps", 5000, 100),
    ],
)
def test_performance_scales_at_between_and_beyond_their_anchors(metric, value, score):
    assert interpolate.score(FOUR_JUDGE_1.objective.performance[metric], exact(value)) == score


@pytest.mark.parametrize(("calls", "score"), [(1, 100), (3, 100), (6.5, 75), (10, 50), (20, 25), (30, 0), (99, 0)])
def test_the_scale_of_tool_calls(calls, score):
    assert interpolate.score(FOUR_JUDGE_1.process.efficiency.calls_per_test, exact(calls)) == score


@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_quick_arithmetic_is_that_of_fractions(a, b):
    assert ratio_of(a) == a.as_integer_ratio()
    assert rational(a.numerator * 6, a.denominator * 6) == a
    assert hash(rational(a.numerator * 6, a.denominator * 6)) == hash(a)
    assert less(a, b) == (a < b)
    assert not less(a, a)
    assert product(a, b) == a * b
    low, high = min(a, b), max(a, b)
    assert [clamp(x, low, high) for x in (low - 1, low, (low + high) / 2, high, high + 1)] == [
        low,
        low,
        (low + high) / 2,
        high,
        high,
    ]
    assert sum_of((a, 3), (b, -2), (7, 0)) == 3 * a - 2 * b
    assert dot([a, None, b], [b, a, None]) == a * b
    assert add([a, b, a]) == 2 * a + b
