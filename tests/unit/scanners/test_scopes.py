"""Declared constraints follow Python's scopes: what shadows a name convicts nobody, an alias in any scope does."""

from __future__ import annotations

import builtins
import textwrap

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from bouts.adapters.scanners.integrity.constraints import broken
from bouts.adapters.scanners.sources import source
from bouts.model.scanning import ScanJob

NO_MAX = {"kind": "may_not_call", "names": ["max"], "says": "no max"}
NO_RE = {"kind": "may_not_import", "modules": ["re"], "says": "no re"}
PATH = "core.py"


def lines(rule, staged, given=None):
    """The lines of proofs in one changed file."""
    job = ScanJob.model_validate({"given": ".", "staged": ".", "changed": (PATH,), "constraints": [rule]})
    before = {} if given is None else {PATH: source(PATH, given.encode())}
    return [one.line for one in broken(job, before, {PATH: source(PATH, staged.encode())})]


SHADOWED = {
    "a local": "def f(xs):\n    max = 0\n    for x in xs:\n        if x > max:\n            max = x\n    return max\n",
    "a parameter": "def f(max):\n    return max + 1\n",
    "keyword only": "def f(*, max=3):\n    return max(1)\n",
    "all the rest": "def f(*max):\n    return max\n",
    "all the named rest": "def f(**max):\n    return max\n",
    "a lambda's": "f = lambda max: max + 1\n",
    "a loop": "def f(xs):\n    for max in xs:\n        print(max)\n",
    "unpacking": "def f(xs):\n    (a, [max, *b]) = xs\n    return max\n",
    "a comprehension": "f = [max + 1 for max in range(3)]\n",
    "an inner comprehension": "f = [[max for _ in range(2)] for max in range(3)]\n",
    "a walrus": "def f(x):\n    if (max := x) > 1:\n        return max\n",
    "a walrus in a comprehension": "def f(xs):\n    [max := x for x in xs]\n    return max\n",
    "with": "def f(x):\n    with x as max:\n        return max\n",
    "except": "def f():\n    try:\n        return 1\n    except OSError as max:\n        return max\n",
    "a pattern": "def f(x):\n    match x:\n        case [max, *_]:\n            return max\n",
    "a rest of a pattern": "def f(x):\n    match x:\n        case {'a': 1, **max}:\n            return max\n",
    "deleted": "def f():\n    max = 1\n    del max\n    return max\n",
    "a closure": "def f():\n    max = 1\n    def g():\n        return max\n    return g\n",
    "nonlocal": "def f():\n    max = 1\n    def g():\n        nonlocal max\n        max += 1\n    return g\n",
    "a module's": "max = 0\ndef f(x):\n    return x > max\n",
    "a module's, below": "def f(x):\n    return x > max\nmax = 0\n",
    "global": "max = 0\ndef f(x):\n    global max\n    if x > max:\n        max = x\n",
    "global alone": "def f(x):\n    global max\n    max = x\ndef g():\n    return max\n",
    "an import": "from numbers_of_ours import max\nprint(max(1, 2))\n",
    "an import inside": "def f():\n    from .ours import max\n    return max(1, 2)\n",
    "a function inside": "def f():\n    def max(x):\n        return x\n    return max(1)\n",
    "a class": "class max:\n    pass\n\nmax()\n",
    "a class body": "class Box:\n    max = 1\n    more = max + 1\n",
    "a member": "class Box:\n    def f(self):\n        self.max = 1\n        return self.max\n",
    "a keyword": "f(max=1)\n",
    "augmented": "def f():\n    max += 1\n    return max\n",
    "local by a branch that never runs": "def f():\n    if 0:\n        max = 1\n    return max\n",
    "annotated": "def f():\n    max: int\n    return max\n",
}


@pytest.mark.parametrize("name", SHADOWED)
def test_a_shadowed_name_is_not_the_builtin(name):
    assert lines(NO_MAX, SHADOWED[name]) == []


TAKEN = {
    "a call": ("max(1, 2)\n", [1]),
    "another function's local": ("def f():\n    max = 1\n    return max\ndef g(x):\n    return max(x)\n", [5]),
    "a class body's is not its methods'": (
        "class Box:\n    max = 1\n    def f(self, x):\n        return max(x)\n",
        [4],
    ),
    "nor its comprehensions'": ("class Box:\n    max = 1\n    f = [max(x) for x in ()]\n", [3]),
    "a comprehension's first source": ("f = [max for max in (max(1, 2),)]\n", [1]),
    "a comprehension's is not outside": ("f = [max for max in ()]\nprint(max(1))\n", [2]),
    "a default": ("def f(x, most=max):\n    return most(x)\n", [1, 2]),
    "a named default": ("def f(x, *, most=max):\n    return most(x)\n", [1, 2]),
    "its own default": ("def f(x, max=max):\n    return max(x)\n", [1, 2]),
    "a decorator": ("@max\ndef f():\n    pass\n", [1]),
    "an alias of a module": ("most = max\n\ndef f(x):\n    return most(x)\n", [1, 4]),
    "an alias of a function": ("def f(x):\n    most = max\n    return most(x)\n", [2, 3]),
    "an alias through a closure": ("def f(x):\n    most = max\n    def g():\n        return most(x)\n", [2, 4]),
    "an alias through global": ("def f():\n    global most\n    most = max\ndef g(x):\n    return most(x)\n", [3, 5]),
    "an alias through nonlocal": (
        "def f(x):\n    most = 0\n    def g():\n        nonlocal most\n        most = max\n    return most(x)\n",
        [5, 6],
    ),
    "an alias of a loop": ("for most in (min, max):\n    most(1, 2)\n", [1, 2]),
    "an alias in either case": ("most = max if x else min\nmost(1)\n", [1, 2]),
    "getattr": ("import builtins\ngetattr(builtins, 'ma' + 'x')(1)\n", [2]),
    "an import of it": ("def f(x):\n    from builtins import max as m\n    return m(x)\n", [2, 3]),
    "__import__": ("def f(x):\n    return __import__('builtins').max(x)\n", [2]),
    "before it is bound": ("print(max(1, 2))\nmax = 0\n", [1]),
    "while it is bound": ("max = max(1, 2)\nprint(max)\n", [1]),
    "after it is deleted": ("max = 0\ndel max\nmax(1, 2)\n", [3]),
    "after except": ("try:\n    pass\nexcept OSError as max:\n    print(max)\nmax(1, 2)\n", [5]),
    "bound in a branch that never runs": ("if 0:\n    max = 1\nmax(1, 2)\n", [3]),
    "global over a local": (
        "def f():\n    max = 1\n    def g(x):\n        global max\n        return max(x)\n    return g\n",
        [5],
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_the_builtin_is_seen_where_it_is_taken(name):
    text, expected = TAKEN[name]
    assert lines(NO_MAX, text) == expected


GIVEN = """\
import json

def helper(text):
    import re as r
    if text:
        print(r)
    return r.sub("a", "b", text)

def count(words):
    return len(words)
"""


def test_a_local_of_another_function_is_no_alias():
    staged = GIVEN.replace(
        "return len(words)", "r = 0\n    for _ in words:\n        r += 1\n    print(r, r.real)\n    return r"
    )
    assert lines(NO_RE, staged, GIVEN) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return len(words)", "import re as r\n    return r.split(words)", [10, 11]),
        ("return len(words)", "from re import split as s\n    return s(words)", [10, 11]),
        ("return len(words)", "return __import__('re').split(words)", [10]),
        ("import json\n", "import json\nimport importlib\nr = importlib.import_module('r' + 'e')\n", [3]),
        ("    return r.sub", "    r.compile(text)\n    return r.sub", [7]),
        ("import json\n", "import json\nx = 1\n", []),
        ("if text:", "if text and text.strip():", []),
    ],
)
def test_only_what_is_new_is_proof(old, new, expected):
    assert lines(NO_RE, GIVEN.replace(old, new), GIVEN) == expected


def test_given_lines_that_mean_something_else_now_are_not_the_proof():
    given = "def show(r):\n    return r\n\ndef main():\n    print(r)\n\nr = 1\n"
    staged = given.replace("r = 1", 'import importlib\nr = importlib.import_module("r" + "e")')
    assert lines(NO_RE, staged, given) == [8]


def test_a_given_line_is_shown_where_nothing_else_tells():
    given = "def max(x):\n    return x\n\nprint(max([1]))\n"
    assert lines(NO_MAX, given.partition("\n\n")[2], given) == [1]


def test_a_statement_that_moved_stood_there():
    given = "def f(x):\n    y = max(x)\n    return y\n"
    assert lines(NO_MAX, given.replace("def f", "def g"), given) == []
    assert lines(NO_MAX, given + given.replace("def f", "def g"), given) == [5]


@drawn(st.data())
def test_exactly_what_takes_the_builtin_as_it_runs_is_convicted(data):
    """Programs of nested scopes, run with a table of builtins that tells who reads it."""
    depth = data.draw(st.integers(1, 4))
    text = "max = 1\nmax" if data.draw(st.booleans()) else "max"
    for level in range(depth):
        kind = data.draw(st.sampled_from(["def", "class", "comp", "lambda"]))
        if kind == "comp":
            text = f"{text}\n[max for _ in (1,)]"
        elif kind == "lambda":
            text = f"{text}\n(lambda: max)()"
        else:
            head = f"def f{level}():" if kind == "def" else f"class C{level}:"
            end = f"\nf{level}()" if kind == "def" else ""
            before = "max = 1\n" if data.draw(st.booleans()) else ""
            text = f"{before}{head}\n{textwrap.indent(text, '    ')}{end}"
    took = []

    class Table(dict):
        def __missing__(self, name):
            if name == "max":
                took.append(name)
                return 0
            return getattr(builtins, name)

    names = {"__builtins__": Table(), "__name__": "drawn"}
    names["__builtins__"]["__build_class__"] = builtins.__build_class__
    exec(compile(text, "drawn", "exec"), names)
    assert bool(lines(NO_MAX, text)) is bool(took), text
