"""Python code as shapes: what a copier changes at no cost does not show."""

from __future__ import annotations

import ast
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.adapters.similarity.reading import FILE_BYTES, read_files
from bouts.integrity.similarity.shapes import Bag, bag, key

BENCH = Path(__file__).parents[3] / "bench"
sys.path.insert(0, str(BENCH))
import disguises  # noqa: E402

SOURCE = '''
"""A ledger."""
import math
from collections import defaultdict


class Ledger:
    """Holds entries."""

    def __init__(self, limit=10):
        self.limit = limit
        self.rows = defaultdict(list)

    def post(self, account, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        if len(self.rows[account]) >= self.limit:
            return False
        self.rows[account].append(amount)
        return True

    def total(self, account):
        result = 0
        for amount in self.rows[account]:
            result += amount
        return math.floor(result)


def biggest(ledger, names):
    totals = [ledger.total(name) for name in names if name]
    return max(totals) if totals else None
'''


def of(text: str) -> Bag:
    return bag(read_files({"a.py": text.encode()}))


def same(one: str, two: str) -> bool:
    return of(one) == of(two)


def test_what_differs_differs() -> None:
    assert not same("def f(a):\n    return a + 1\n", "def f(a):\n    return a - 1\n")
    assert not same("x = sorted(y)\n", "x = list(y)\n")
    assert not same("x = s.upper()\n", "x = s.lower()\n")
    assert not same("x = 'one'\n", "x = 'two'\n")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("def f(a):\n    b = len(a)\n    return b\n", "def g(x):\n    y = len(x)\n    return y\n"),
        ("x = 1\n", "# why\nx = 1  # because\n"),
        ('def f():\n    """Doc."""\n    return 7\n', "def f():\n    return 7\n"),
        ("def f(a: int) -> str:\n    return str(a)\n", "def f(a):\n    return str(a)\n"),
        ("x = 3\nx += y\n", "x = 3\nx = x + y\n"),
        ("if a < b:\n    pass\n", "if b > a:\n    pass\n"),
        ("if a == 'k':\n    f()\n", "if 'k' == a:\n    f()\n"),
        ("if not a:\n    f()\n", "if a:\n    f()\n"),
        ("x = a * b\n", "x = b * a\n"),
        ("x = a and b\n", "x = b and a\n"),
        ("for i, x in enumerate(xs):\n    f(x)\n", "for i, x in xs:\n    f(x)\n"),
    ],
)
def test_what_costs_nothing_does_not_show(one: str, two: str) -> None:
    first, second = (dict(of(text).shapes) for text in (one, two))
    assert first == second


def test_a_condition_and_its_opposite_are_one_condition() -> None:
    one, two = (of(text).shapes for text in ("if int != str:\n    f()\n", "if int == str:\n    f()\n"))
    assert key("if ==(int,str)") in one.keys() & two.keys()


METHOD = """
    def settle(self, other):
        for entry in self.rows:
            if helper(entry) > LIMIT:
                other.pay(entry.amount, reason=Kind.LATE)
        return share(self.rows, parts=3)
"""


def test_a_copied_method_is_the_same_where_what_it_used_was_left_behind() -> None:
    whole = f"""
class Kind:
    LATE = 1


LIMIT = 3


def helper(entry):
    return entry


def share(rows, parts):
    return rows


class Book:
    def __init__(self):
        self.rows = []
{METHOD}"""
    alone = METHOD.replace("\n    ", "\n")
    for old, new in (("self", "me"), ("rows", "q"), ("helper", "h"), ("LIMIT", "L"), ("Kind.LATE", "K.X"),
                     ("share", "s"), ("parts", "n")):  # fmt: skip
        alone = alone.replace(old, new)
    lost = set(of(alone).shapes) - set(of(whole).shapes)
    assert not lost


def test_names_of_libraries_tell_unless_nobody_knows_whose_they_are() -> None:
    imported = [of(f"import math\nmath.{name}(2)\n").shapes for name in ("sin", "cos")]
    assert imported[0] != imported[1]
    starred = [of(f"from math import *\n{name}(2)\n").shapes for name in ("sin", "cos")]
    assert starred[0] != starred[1]
    lost = [of(f"{name}(2)\n").shapes for name in ("sin", "cos")]
    assert lost[0] == lost[1]


def test_order_does_not_count_in_the_bag() -> None:
    rows = ["def a(x):\n    return x.strip()\n", "def b(x):\n    return len(x) // 2\n", "y = open('f')\n"]
    assert of("".join(rows)).shapes == of("".join(reversed(rows))).shapes


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_renaming_changes_nothing(seed: int) -> None:
    renamed = ast.unparse(disguises.rename(ast.parse(SOURCE), random.Random(seed)))
    assert renamed != ast.unparse(ast.parse(SOURCE))
    assert of(renamed) == of(SOURCE)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_comments_types_and_moved_functions_leave_the_bag(seed: int) -> None:
    for name in ("comments", "type hints"):
        assert of(disguises.disguised(SOURCE, (name,), str(seed)) or "") == of(SOURCE)
    moved = disguises.disguised(SOURCE, ("reorder",), str(seed))
    assert of(moved or "").shapes == of(SOURCE).shapes


def test_names_of_other_files_say_nothing() -> None:
    one = read_files({"a.py": b"from b import helper\nx = helper(1)\n", "b.py": b"def helper(n):\n    return n\n"})
    two = read_files({"a.py": b"from c import other\nx = other(1)\n", "c.py": b"def other(n):\n    return n\n"})
    left, right = bag(one), bag(two)
    # The import itself names the module; everything else is alike.
    assert len(set(left.shapes) ^ set(right.shapes)) == 2


HOSTILE = {
    "brackets": "(" * 20_000,
    "closed brackets": "x = " + "[" * 90 + "]" * 90,
    "signs": "-" * 20_000 + "1",
    "attributes": "a" + ".a" * 20_000,
    "sums": "1" + "+1" * 20_000,
    "elifs": "if a:\n pass\n" + "elif a:\n pass\n" * 500,
    "calls": "f(" * 190 + ")" * 190,
    "null bytes": "a = 1\x00b = 2",
    "broken": "def f(:\n  return (\n",
    "dedent": "if x:\n        y\n    z\n",
    "empty": "",
    "form feed": "\x0cx = 1\n",
    "long line": "x = [" + "1," * 20_000 + "]",
    "long name": "a" * 50_000 + " = 1",
    "huge number": "x = " + "9" * 5_000,
    "odd letters": "ｘ = 1\nª = 2\n\u2028 = 3",
    "type comment": "x = 1  # type: (((\n",
}


@pytest.mark.parametrize("name", list(HOSTILE))
@pytest.mark.parametrize("ending", ["py", "js", "ts", "tsx", "go", "rs"])
def test_hostile_files_are_read_or_said(name: str, ending: str) -> None:
    (reading,) = read_files({f"a.{ending}": HOSTILE[name].encode()})
    lines = len(HOSTILE[name].splitlines()) + 2
    assert all(1 <= s.first <= s.last <= lines for s in reading.shapes)


def test_invalid_bytes_and_large_files_are_bounded() -> None:
    (reading,) = read_files({"a.py": b"\xff\xfe\x00x = 1\n" + b"y = 2\n" * FILE_BYTES})
    assert "only the start was read" in reading.partial
    last = max([p.last for p in reading.prints] + [s.last for s in reading.shapes] + [1])
    assert last <= FILE_BYTES // 6 + 2


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["py", "js", "ts", "tsx", "go", "rs"]), st.binary(max_size=300))
def test_no_bytes_are_too_much(ending: str, data: bytes) -> None:
    (reading,) = read_files({f"a.{ending}": data})
    assert reading.language


PIECES = st.sampled_from(
    [
        *[
            "if x:",
            "for a in b:",
            "while x",
            "def f(",
            "fn f()",
            "func",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "\n",
            "    ",
            ":",
            "=>",
        ],
        *[
            "x",
            "y.z",
            "'s'",
            "`t${x}`",
            "1",
            "==",
            ">",
            "lambda",
            "match x {",
            "case",
            "async",
            "await",
            "#",
            "//",
            "/*",
            "\\",
        ],
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["py", "js", "ts", "tsx", "go", "rs"]), st.lists(PIECES, max_size=60))
def test_no_mix_of_pieces_is_too_much(ending: str, pieces: list[str]) -> None:
    text = " ".join(pieces)
    (reading,) = read_files({f"a.{ending}": text.encode()})
    assert all(1 <= s.first <= s.last <= text.count("\n") + 2 for s in reading.shapes)


def test_the_standard_library_is_read_whole() -> None:
    import json
    import pathlib
    import typing

    for module in (ast, json.decoder, pathlib, typing, random):
        data = Path(module.__file__ or "").read_bytes()
        (reading,) = read_files({"m.py": data})
        assert reading.language == "python"
        assert reading.partial == ""
        assert len(reading.shapes) > 100
        assert len(reading.prints) > 50


def test_files_of_other_kinds_are_left() -> None:
    assert read_files({"README.md": b"# x", "data.json": b"{}", "Makefile": b"all:"}) == ()
