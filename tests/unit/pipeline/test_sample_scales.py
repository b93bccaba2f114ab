from __future__ import annotations

import facts
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.pipeline.samples import on_scale

SCORES = st.floats(0, 100).map(lambda x: round(x, 6))


def card(final: float | None, attainable: float | None = 80.0):
    return facts.card(facts.evidence()).model_copy(update={"final": final, "attainable": attainable})


@pytest.mark.parametrize(
    ("scale", "final", "untouched", "value"),
    [
        ("final", 60.0, None, 60.0),
        ("attainable", 60.0, None, 75.0),
        ("gain", 60.0, 20.0, 100 * 40 / 60),
        ("gain", 20.0, 20.0, 0.0),
        ("gain", 10.0, 20.0, -100 / 6),
        ("gain", 80.0, 20.0, 100.0),
        ("gain", 60.0, None, None),
        ("gain", 60.0, 80.0, None),
        ("final", None, None, None),
        ("attainable", None, 20.0, None),
    ],
)
def test_scales(scale: str, final: float | None, untouched: float | None, value: float | None) -> None:
    found = on_scale(card(final), scale, None if untouched is None else card(untouched))
    assert found == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize("attainable", [None, 0.0])
def test_nothing_attainable_is_no_scale(attainable: float | None) -> None:
    assert on_scale(card(10.0, attainable), "attainable", None) is None


@given(SCORES, SCORES)
def test_a_better_card_is_never_lower_on_any_scale(one: float, other: float) -> None:
    low, high = sorted((one, other))
    for scale in ("final", "attainable", "gain"):
        below, above = on_scale(card(low), scale, card(15.0)), on_scale(card(high), scale, card(15.0))
        assert below is not None
        assert above is not None
        assert below <= above
