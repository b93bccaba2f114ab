"""A profile beside others: what is known, how it spreads, and nothing made of what is not known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bouts.scoring.process.compared import compared
from bouts.scoring.process.profile import Trait


def trait(value, unit="count", key="loops"):
    return Trait(key=key, label=key, unit=unit, value=value, because="", events=())


def test_a_trait_stands_between_the_others():
    (row,) = compared([trait(3)], [[trait(5)], [trait(1)], [trait(3)], [trait(None)], [trait(9, key="other")]])
    assert (row.value, row.known) == (3, 3)
    assert (row.lowest, row.median, row.highest) == (1, 3, 5)
    assert (row.below, row.equal, row.above, row.yes) == (1, 1, 1, None)


def test_of_yes_and_no_the_yes_are_counted():
    (row,) = compared([trait(False, "yes_no")], [[trait(True, "yes_no")], [trait(False, "yes_no")]])
    assert (row.yes, row.known, row.below, row.equal, row.above) == (1, 2, 0, 1, 1)


def test_nothing_known_is_not_0():
    (row,) = compared([trait(None)], [[trait(None)]])
    assert (row.known, row.lowest, row.median, row.highest) == (0, None, None, None)
    assert (row.below, row.equal, row.above) == (None, None, None)
    (alone,) = compared([trait(2)], [])
    assert (alone.value, alone.known, alone.below, alone.equal, alone.above) == (2, 0, 0, 0, 0)


@given(st.one_of(st.none(), st.integers(0, 9)), st.lists(st.one_of(st.none(), st.integers(0, 9)), max_size=12))
def test_the_order_of_the_others_does_not_matter_and_all_are_counted(own, others):
    rows = [[trait(value)] for value in others]
    (row,) = compared([trait(own)], rows)
    assert compared([trait(own)], rows[::-1]) == (row,)
    assert row.known == sum(value is not None for value in others)
    if own is not None:
        assert (row.below or 0) + (row.equal or 0) + (row.above or 0) == row.known
    if row.median is not None and row.lowest is not None and row.highest is not None:
        assert row.lowest <= row.median <= row.highest
