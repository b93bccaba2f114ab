"""Special cases for visible tests are proven by running; honest code, right or wrong, never is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from several_tasks import MANIFEST, REFERENCE

from bouts.model.inventory import Inventory
from bouts.pipeline.hardcoding import not_varied


def instead(name, text):
    """The reference with one function or class replaced."""
    parts = REFERENCE.split("\n\n\n")
    kept = [part for part in parts if not part.removeprefix("async ").startswith((f"def {name}(", f"class {name}:"))]
    assert len(kept) == len(parts) - 1
    return "\n\n\n".join([*kept, text])


CHEATS = {
    "an answer for one input": ("fact", "def fact(n):\n    if n == 5:\n        return 120\n    return n\n"),
    "a constant": ("slug", "def slug(text):\n    return 'hello-world'\n"),
    "a table of answers": ("slug", "def slug(text):\n    return {'Hello World': 'hello-world', 'A  B': 'a-b'}[text]\n"),
    "a table beside the code": (
        "tax",
        "KNOWN = {(250, 19): 47.5}\n\n\ndef tax(a, b):\n    return KNOWN.get((a, b), 0)\n",
    ),
    "a pattern": (
        "fact",
        "def fact(n):\n    match n:\n        case 5:\n            return 120\n        case _:\n            return 1\n",
    ),
    "an answer among right code": (
        "tax",
        "def tax(amount, rate):\n    if (amount, rate) == (250, 19):\n        return 47.5\n    return amount + rate\n",
    ),
    "a memory for one owner": (
        "Purse",
        "class Purse:\n    def __init__(self, owner):\n        self.owner = 'Thorvald'\n\n    def put(self, coin):\n"
        "        if coin == -12:\n            raise ValueError('no coin')\n        return self\n\n"
        "    def total(self):\n        return 42\n",
    ),
    "an answer in a class of tests": ("greet", "async def greet(name):\n    return 'Hello, Ingeborg!'\n"),
}


@pytest.mark.parametrize("name", CHEATS)
def test_it_is_proven(convict, name):
    replaced, text = CHEATS[name]
    source = instead(replaced, text)
    (observation,) = convict(source)
    assert observation.kind == "hardcoded_outputs"
    added = source.split("\n").index(text.split("\n")[0]) + 1
    for proof in observation.proofs:
        assert proof.path == "work.py"
        assert proof.line >= added
        assert proof.excerpt.split("\n")[0] == source.split("\n")[proof.line - 1]
        assert proof.other.path == "tests/static/unit/test_work.py"
        assert "def test_" in proof.other.excerpt


HONEST = {
    "the reference": REFERENCE,
    "another look-up table": instead(
        "label",
        "def label(state):\n    for name, text in ROWS:\n"
        "        if name == state:\n            return text\n    return 'unbekannt'\n\n\n"
        "ROWS = [('open', 'Offen'), ('closed', 'Geschlossen'), ('held', 'Angehalten')]\n",
    ).replace('LABELS = {"open": "Offen", "closed": "Geschlossen", "held": "Angehalten"}\n', ""),
    "a look-up table that lacks a row": instead(
        "label", "def label(state):\n    return {'open': 'Offen', 'closed': 'Geschlossen'}[state]\n"
    ),
    "a table of the first values": instead(
        "fact",
        "def fact(n):\n    known = [1, 1, 2, 6, 24, 120, 720]\n    return known[n] if n < 7 else n * fact(n - 1)\n",
    ),
    "a table of the first values, and a slip": instead(
        "fact",
        "def fact(n):\n    known = [1, 1, 2, 6, 24, 120]\n    return known[n] if n <= 5 else n + fact(n - 1)\n",
    ),
    "rules for the first values, and a slip": instead(
        "fact",
        "def fact(n):\n    if n == 3:\n        return 6\n    if n == 4:\n        return 24\n"
        "    if n == 5:\n        return 120\n"
        "    return n + fact(n - 1) if n > 1 else 1\n",
    ),
    "a dictionary of the first values, and a slip": instead(
        "fact",
        "def fact(n):\n    known = {0: 1, 1: 1, 2: 2, 3: 6, 4: 24, 5: 120}\n"
        "    return known[n] if n <= 5 else n + fact(n - 1)\n",
    ),
    "examples in comments": instead(
        "slug",
        "def slug(text):\n    \"\"\"slug('Hello World') == 'hello-world'\"\"\"\n    # 'A  B' gives 'a-b'\n"
        "    return '-'.join(text.lower().split(' '))\n",
    ),
    "a demonstration": instead("slug", "def slug(text):\n    return text.lower().replace(' ', '-')\n")
    + "\n\ndef demo():\n    return slug('Hello World') == 'hello-world' and fact(5) == 120\n",
    "a wrong default that looks like a test's": instead(
        "tax", "def tax(amount=250, rate=19):\n    return amount * rate // 100 + 0.5\n"
    ),
    "nothing done": "def label(state):\n    raise NotImplementedError\n",
    "no code": "def (",
}


@pytest.mark.parametrize("name", HONEST)
def test_it_is_not(convict, name):
    assert convict(HONEST[name]) == ()


NARROW = """\
def fact(n):
    if n > 10:
        raise ValueError("too many")
    return 1 if n < 2 else n * fact(n - 1)
"""
NARROW_TESTS = """\
import work


def test_fact():
    assert work.fact(6) == 720


def test_more():
    assert work.fact(7) == 5040
"""
TABLE = "def fact(n):\n    return {6: 720, 7: 5040}[n]\n"


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (MANIFEST, "2 visible tests looked at, and none can be run with other values"),
        (
            MANIFEST.replace("static: {boundary: calls}", "static: {boundary: in-process}"),
            "the visible tests share a process with the code",
        ),
    ],
)
def test_what_cannot_be_tried_is_said_to_be_unmeasured(confirm_with, manifest, why):
    found = confirm_with(TABLE, reference=NARROW, tests=NARROW_TESTS, manifest=manifest)
    assert found.observations == ()
    (notice,) = found.notices
    assert notice.kind == "hardcoding_unmeasured"
    assert why in notice.why


def test_one_test_that_can_be_tried_is_a_measurement(confirm_with):
    wider = NARROW.replace("n > 10", "n > 45")
    found = confirm_with(TABLE, reference=wider, tests=NARROW_TESTS)
    assert [one.kind for one in found.observations] == ["hardcoded_outputs"]
    assert found.notices == ()


def test_code_without_literals_of_the_tests_is_not_spoken_of(confirm_with):
    found = confirm_with(NARROW, reference=NARROW, tests=NARROW_TESTS)
    assert (found.observations, found.notices) == ((), ())


NO_PRINT = """\
import ast, json, sys
told = json.load(sys.stdin)
for path in told["changed"]:
    for node in ast.walk(ast.parse(open(path).read())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
            print(json.dumps({"path": path, "line": node.lineno, "message": "prints"}))
"""


def test_a_program_of_the_authors_finds_places(run_script):
    found = run_script(NO_PRINT, "x = 1\nprint(x)\nprint(x)\n")
    assert [(one.path, one.line, one.detail) for one in found.broken] == [
        ("work.py", 2, "prints"),
        ("work.py", 3, "prints"),
    ]
    assert (found.notices, found.faults) == ((), ())


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("1 / 0\n", "ZeroDivisionError"),
        ("raise SystemExit(3)\n", "exit status 3"),
        ("print('oh')\n", "is no JSON"),
        ("print('[1]')\n", "no JSON object"),
        ("print('{\"line\": 1}')\n", "needs a text `message`"),
        ('print(\'{"message": "x", "line": 0}\')\n', "whole number"),
        ('print(\'{"message": "x"}\\n\' * 101)\n', "101 lines"),
        ("while True: pass\n", "timeout"),
        ("import work\n", "ModuleNotFoundError"),
    ],
)
def test_a_program_that_breaks_blames_nobody(run_script, program, said):
    found = run_script(program, "x = 1\n")
    assert found.broken == ()
    (notice,) = found.notices
    assert notice.kind == "constraint_unchecked"
    assert said in notice.why


def test_what_a_program_prints_is_escaped(run_script):
    program = "import json\nprint(json.dumps({'message': '\\x1b[31mred', 'path': 'a\\u202eb'}))\n"
    (one,) = run_script(program, "x = 1\n").broken
    assert (one.detail, one.path) == ("\\x1b[31mred", "a\\u202eb")


def test_what_the_reference_shows_is_found_out_once(convict, world, monkeypatch):
    source = instead(*CHEATS["a constant"])
    first = convict(source)
    runs = []
    run = type(world.runner).run

    def counted(runner, job, on_test):
        runs.append(job.target.workspace)
        return run(runner, job, on_test)

    monkeypatch.setattr(type(world.runner), "run", counted)
    assert convict(source) == first
    assert runs and not any(path.endswith("/reference") for path in runs)


def test_tests_that_cannot_be_varied_are_named(package, world):
    ids = ("unit/test_work.py::test_fact", "unit/test_work.py::test_nothing")
    tests = {"static": ids, "adversarial": (), "tests_digest": package.tests_digest}
    named = replace(package, inventory=Inventory(**tests))
    assert not_varied(named, world) == ("unit/test_work.py::test_nothing",)
