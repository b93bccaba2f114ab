from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from bouts.model.text import clean, clean_line


def test_what_steers_or_hides_is_shown():
    assert clean("a\x1b[31mb\r\x00", 100) == "a\\x1b[31mb\\x0d\\x00"
    assert clean("a\u202eb\u200bc\ufeff\u2066\U000e0041", 100) == "a\\u202eb\\u200bc\\ufeff\\u2066\\U000e0041"
    assert clean("a\u00a0b\u2028c\ud800\ufe0f\u3164", 100) == "a\\xa0b\\u2028c\\ud800\\ufe0f\\u3164"


def test_plain_text_of_any_script_stays():
    text = "def f(x):\n\treturn 'größe 東京 שלום e\u0301 😀'"
    assert clean(text, 100) == text


def test_a_cut_is_shown_and_never_splits_an_escape():
    assert clean("abcdef", 6) == "abcdef"
    assert clean("abcdef", 5) == "abcd…"
    assert clean("abc\u202edef", 7) == "abc…"
    assert clean_line("a\nb\tc", 20) == "a\\nb\\tc"
    assert clean_line("a" * 50 + "\n", 10) == "a" * 9 + "…"


@given(st.text(st.characters(), max_size=60), st.integers(1, 80))
@example("\u202e", 6)
@example("\u202e", 5)
@example("ab", 1)
def test_cleaned_text_is_within_bounds_and_harmless(text, limit):
    cleaned = clean(text, limit)
    assert len(cleaned) <= limit
    for character in cleaned:
        assert character in "\n\t " or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"}
    assert clean(cleaned, limit) == cleaned
    line = clean_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
    assert "\t" not in line
