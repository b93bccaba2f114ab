"""Which statements are worth a second run of the visible tests; none of them is proof of anything."""

from __future__ import annotations

import pytest

from bouts.adapters.scanners.integrity.hardcoded import candidates
from bouts.adapters.scanners.sources import source

TEST = b"""\
import pytest
from solution import report


def test_report():
    assert report(17) == "total: 1,234.50"
    assert report("a long input") == "a long input"
    assert report(19, 4) == [10, 20, 30]


@pytest.mark.parametrize("given, expected", [(3, "three"), (4, "four")])
def test_words(given, expected):
    assert report(given) == expected
"""
GIVEN = "def report(x):\n    return str(x)\n"
REPORT = "tests/static/test_r.py::test_report"


def found(staged, given=GIVEN, reference=None):
    return candidates(
        {"tests/static/test_r.py": TEST},
        {"a.py": source("a.py", given.encode())},
        {"a.py": source("a.py", staged.encode())},
        None if reference is None else {"a.py": reference.encode()},
    )


def lines(staged, **more):
    return sorted({(item.line, item.test.rpartition("::")[2]) for item in found(staged, **more)})


@pytest.mark.parametrize(
    ("staged", "expected"),
    [
        (
            "def report(x):\n    if x == 17:\n        return 'total: 1,234.50'\n",
            [(2, "test_report"), (3, "test_report")],
        ),
        ("def report(x, y):\n    return {(19, 4): [10, 20, 30]}[x, y]\n", [(2, "test_report")]),
        ("TABLE = {3: 'three', 4: 'four'}\ndef report(x):\n    return TABLE[x]\n", [(1, "test_words")]),
        ("def report(x):\n    match x:\n        case 'a long input':\n            return x\n", [(3, "test_report")]),
        ("def report(x, answer='total: 1,234.50'):\n    return answer\n", [(1, "test_report")]),
        ("report = lambda x: 'three' if x == 3 else 'four'\n", [(1, "test_words")]),
    ],
)
def test_a_statement_with_literals_of_a_visible_test_is_found(staged, expected):
    assert lines(staged) == expected


@pytest.mark.parametrize(
    "staged",
    [
        "def report(x):\n    return [x + 1, 3, 2]\n",
        'def report(x):\n    """Gives total: 1,234.50."""\n    "a long input"\n    return str(x)\n',
        "def report(x):\n    return f'total: 1,234.50 {x}'\n",
        "def report(x):\n    return x[4]\n",
        "def (",
        "\ufeffdef report(x):\n    return 'total: 1,234.50'\n",
    ],
)
def test_small_numbers_and_what_is_no_value_are_not(staged):
    assert lines(staged) == []


def test_what_the_given_code_or_the_reference_holds_means_something():
    table = "NAMES = {3: 'three', 4: 'four'}\ndef report(x):\n    return NAMES[x]\n"
    assert lines(table) != []
    assert lines(table + "\n", given=table) == []
    assert lines(table, reference=table) == []


def test_places_are_those_of_the_file():
    staged = "def report(x):\n    y = 'é'; return {'a long input': [10, 20, 30]}.get(x, 5)\n"
    (one,) = found(staged)
    data = staged.encode()
    assert [(data[part.start : part.end].decode(), part.value) for part in one.literals] == [
        ("'a long input'", "'a long input'"),
        ("[10, 20, 30]", "[10, 20, 30]"),
        ("10", "10"),
        ("20", "20"),
        ("30", "30"),
    ]
    assert one.test == REPORT
    assert one.test_excerpt.startswith("def test_report():\n    assert report(17)")
    assert one.excerpt == "    y = 'é'; return {'a long input': [10, 20, 30]}.get(x, 5)"
