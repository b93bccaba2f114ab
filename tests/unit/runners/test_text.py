import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.runners.python.text import escape


def test_harmless_text_stays():
    assert escape("assert 1 == 2\n\t+ où") == "assert 1 == 2\n\t+ où"


def test_what_could_deceive_is_written_out():
    assert escape("\x1b[2J") == "\\x1b[2J"
    assert escape("a\u202eb") == "a\\u202eb"
    assert escape("a\u200bb\ufeff") == "a\\u200bb\\ufeff"
    assert escape("\r\x00\x85\ud800") == "\\x0d\\x00\\x85\\ud800"
    assert escape("\U000e0041") == "\\U000e0041"


def test_long_text_is_cut():
    assert escape("x" * 50, 10) == "x" * 9 + "…"
    assert len(escape("\x00" * 50, 10)) == 10


@given(st.text(st.characters()))
def test_nothing_unsafe_is_left(text):
    shown = escape(text, 1000)
    assert len(shown) <= 1000
    assert all(
        character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
        for character in shown
    )
    shown.encode("utf-8")
