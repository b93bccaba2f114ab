from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.render.columns import cells
from bouts.render.marks import MOST, thinned
from bouts.render.standings import words
from bouts.standings.estimates import Interval


def ends(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, level=0.95)


def test_figures_as_people_read_them() -> None:
    assert words.interval(ends(79.14, 88.05)) == "79.1–88.1"
    assert words.interval(ends(0.5, 0.75), few=True, factor=100) == "50.0–75.0*"
    assert words.interval(None) == "–"
    assert words.difference(ends(-1.3, 9.94)) == "[−1.3, +9.9]"
    assert words.difference(ends(0, 0)) == "[0.0, 0.0]"
    assert [words.span(*pair) for pair in ((2, 4), (1, 1), (None, None))] == ["2–4", "1", "–"]
    assert [words.chance(p) for p in (0.0314, 0.0004, 1.0, None)] == ["p = 0.031", "p < 0.001", "p = 1.000", "–"]
    assert words.many(1, "task") == "1 task"
    assert words.many(1200, "task") == "1,200 tasks"


def test_tasks_lose_their_digest_only_where_that_leaves_them_apart() -> None:
    named = words.tasks(["a@1+11", "b@1+22", "b@1+33", "c@1+44#7", "plain", "d@2+55#1", "d@2+55#2"])
    assert named == {
        "a@1+11": "a@1",
        "b@1+22": "b@1+22",
        "b@1+33": "b@1+33",
        "c@1+44#7": "c@1#7",
        "plain": "plain",
        "d@2+55#1": "d@2#1",
        "d@2+55#2": "d@2#2",
    }


@given(st.lists(st.text(alphabet="ab+#@1", max_size=8), max_size=8))
def test_no_two_tasks_are_called_the_same(names: list[str]) -> None:
    named = words.tasks(names)
    assert len(set(named.values())) == len(set(names))


def test_a_whisker_is_a_row_of_a_forest_plot() -> None:
    assert words.whisker(50, ends(25, 75), (0, 100), 9) == "  ├─●─┤  "
    assert words.whisker(100, None, (0, 100), 9) == "        ●"
    assert words.whisker(None, None, (0, 100), 4) == "    "


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100), st.integers(1, 60))
def test_a_whisker_has_its_width(value: float, one: float, other: float, room: int) -> None:
    row = words.whisker(value, ends(min(one, other), max(one, other)), (0, 100), room)
    assert cells(row) == room
    assert "●" in row


@pytest.mark.parametrize(("counts", "shown"), [((0, 1, 2, 8), " ▁▂█"), ((), ""), ((0, 0), "  "), ((5,), "█")])
def test_sparks(counts: tuple[int, ...], shown: str) -> None:
    assert words.spark(counts) == shown


@given(st.text())
def test_marks_are_thinned_once_and_for_all(text: str) -> None:
    once = thinned(text)
    assert thinned(once) == once
    assert "\u0316" * (MOST + 1) not in once
