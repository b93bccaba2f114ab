from __future__ import annotations

import plots
from hypothesis import given
from hypothesis import strategies as st

from bouts.render.columns import Column, cells, cut, fitted, listed, name, pad

COLUMNS = (Column("rank", right=True), Column("agent", least=8), Column("final", right=True))


def texts(rows: list[list[str]], width: int) -> list[str]:
    return ["".join(span.text for span in line) for line in fitted(COLUMNS, rows, width)]


def test_wide_characters_take_two_cells_and_marks_none() -> None:
    assert cells("日本") == 4
    assert cells("e\u0301") == 1
    assert cut("日本語です", 6) == "日本…"
    assert pad("日本", 6) == "日本  "
    assert pad("a", 3, right=True) == "  a"


def test_only_names_are_cut_and_never_below_their_least() -> None:
    rows = [["1", plots.LONG, "83.6"], ["22", "b", "7.0"]]
    wide = texts(rows, 200)
    assert wide[1].startswith(f"   1  {plots.LONG}  ")
    narrow = texts(rows, 40)
    assert all(cells(line) <= 40 for line in narrow)
    assert narrow[1].endswith(" 83.6")
    assert "…" in narrow[1]
    assert texts(rows, 1)[1] == "   1  An agen…   83.6"


@given(st.lists(st.text(max_size=60).map(name), max_size=5), st.integers(30, 100))
def test_lines_fit(names: list[str], width: int) -> None:
    for line in texts([["1", one, "50.0"] for one in names], width):
        assert cells(line) <= width


@given(st.text(max_size=200))
def test_a_name_is_one_line_and_shown_as_it_is_twice(text: str) -> None:
    once = name(text)
    assert len(once) <= 100
    assert "\n" not in once
    assert "\x1b" not in once
    assert name(once) == once


def test_the_rest_of_a_list_is_counted() -> None:
    assert listed(list("abcdefgh")) == "a, b, c, d, e, f and 2 more"


def test_piles_of_marks_are_cut_down() -> None:
    assert name("a" + "\u0316" * 50) == "a\u0316\u0316"
