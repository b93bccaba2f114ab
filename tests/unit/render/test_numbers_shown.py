from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.render import numbers

NUMBERS = st.floats(-1000, 1000)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.05, "0.1"), (0.25, "0.3"), (82.45, "82.5"), (2.675, "2.7"), (-0.05, "-0.1"), (100.0, "100.0"), (None, "–")],
)
def test_scores_are_rounded_half_up_by_their_digits(value: float | None, shown: str) -> None:
    assert numbers.score(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(3.0, "+3.0"), (-15.0, "-15.0"), (0.0, "0.0"), (-0.04, "0.0"), (None, "–")]
)
def test_signed(value: float | None, shown: str) -> None:
    assert numbers.signed(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(0.5, "0.50"), (0.6429, "0.643"), (1.0, "1.00"), (None, "")])
def test_weights(value: float | None, shown: str) -> None:
    assert numbers.weight(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0123, "12 ms"),
        (3.44, "3.4 s"),
        (125.0, "2 min 5 s"),
        (179.6, "3 min 0 s"),
        (0.9996, "1.0 s"),
        (119.96, "2 min 0 s"),
        (None, "–"),
    ],
)
def test_seconds(value: float | None, shown: str) -> None:
    assert numbers.seconds(value) == shown


@given(NUMBERS)
def test_a_shown_number_is_at_most_half_a_place_away(value: float) -> None:
    assert abs(Decimal(numbers.score(value)) - Decimal(repr(value))) <= Decimal("0.05")
    assert numbers.score(value) != "-0.0"


@given(NUMBERS, NUMBERS)
def test_order_is_kept(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert Decimal(numbers.score(low)) <= Decimal(numbers.score(high))
