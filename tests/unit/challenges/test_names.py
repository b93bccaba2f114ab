"""Patterns of `editable` and names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.challenges.names import fold, matches, odd, pattern_problem, shown


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("src/a.py", "src/**", True),
        ("src/b/c/a.py", "src/**", True),
        ("src", "src/**", False),
        ("srcs/a.py", "src/**", False),
        ("a.py", "**/*.py", True),
        ("x/y/a.py", "**/*.py", True),
        ("x/y/a.py", "*.py", False),
        ("x/a.py", "x/*.py", True),
        ("x/y/a.py", "x/*.py", False),
        ("x/y/a.py", "x/**/a.py", True),
        ("x/a.py", "x/**/a.py", True),
        ("ab.py", "a?.py", True),
        ("a/.py", "a?.py", False),
        ("a[1].py", "a[1].py", True),
        ("a1.py", "a[1].py", False),
        ("a\n.py", "*.py", True),
        ("anything/at/all", "**", True),
    ],
)
def test_patterns(path, pattern, fits):
    assert matches(path, pattern) is fits


@given(st.text(min_size=1, max_size=20).filter(lambda s: not set("*?") & set(s) and "//" not in s))
def test_a_pattern_without_stars_matches_itself_alone(path):
    assert matches(path, path) and not matches(path + "x", path)


@pytest.mark.parametrize("pattern", ["../a", "/a", "a//b", "./a", "a/", "a/**b", "", " a", "a\\b", "*" * 13])
def test_patterns_that_cannot_be_meant(pattern):
    assert pattern_problem(pattern)


def test_folding_sees_through_case_and_compatibility_forms():
    assert fold("ＣＯＮＦＴＥＳＴ.py") == fold("conftest.py") == fold("ConfTest.PY")
    assert fold("ﬁle") == "file"


@given(st.text())
def test_shown_names_are_printable(path):
    assert shown(path).isprintable()
    assert odd(path) is None or isinstance(odd(path), str)
