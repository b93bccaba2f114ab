"""What a test leaves to objects of the code is told, by kind; operands never decide by themselves."""

import pytest

from bouts.model.judging import Judged

CODE = """
from collections import namedtuple
from dataclasses import dataclass

class Yes:
    def __eq__(self, other): return True
    def __lt__(self, other): return True
    def __contains__(self, value): return True
    def __bool__(self): return True
    def __sub__(self, other): return 0.0
    def startswith(self, text): return True
    def count(self, text): return 1
    __hash__ = None

class Plain:
    pass

class Box:
    def __init__(self, *items): self.items = list(items)
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)

@dataclass
class Point:
    x: int = 0

Pair = namedtuple("Pair", "a b")

class Swallows:
    def __enter__(self): return self
    def __exit__(self, *told):
        self.told = [str(item) for item in told]
        return True

class Silent:
    def __enter__(self): return self
    def __exit__(self, *told): return None

def yes(*args): return Yes()
def call(function, *args):
    try:
        return function(*args)
    except BaseException:
        return None
def data(): return {"total": 1}
def stop(*args): raise StopIteration
class Mailer:
    send = stop
def sort(xs):
    xs.sort()
    return xs
def same(xs): return xs
def rewrite(path): path.write_text("mine")
def lengths():
    got = yield 1
"""
# name: (body of the test, what was asked, what was put besides, whether nothing else came from the code)
CASES = {
    "nothing": ("assert sol.data() == {'total': 1}", None),
    "plain": ("assert sol.yes() != 5 and not sol.yes() == [1] and 5 != sol.yes() and 3 not in [sol.yes()]", None),
    "equality": ("assert sol.yes() == sol.yes()", ("equality", "", True)),
    "order": ("assert sol.yes() < 3", ("order", "", True)),
    "reflected": ("assert 3 > sol.yes()", ("order", "", True)),
    "membership": ("assert 'beta' in sol.yes()", ("membership", "", True)),
    "truth": ("assert sol.yes()", ("truth", "", True)),
    "length": ("assert sol.Box(1)", ("truth", "", True)),
    "arithmetic": ("assert abs(sol.yes() - 2.5) < 0.1", ("arithmetic", "", True)),
    "predicate": ("assert sol.yes().startswith('al')", ("predicate", "", True)),
    "search": ("assert sol.yes().count('al') == 1", ("predicate", "", True)),
    "change": ("assert sol.sort([2, 1]) == [1, 2]", ("change", "", False)),
    "no-change": ("xs = {'b', 'a', 'c'}\n    assert sol.same(xs) is xs", None),
    "identity": ("a, b = sol.Plain(), sol.Plain()\n    assert a != b and a", ("", "equality truth", True)),
    "fields": ("assert sol.Point(1) == sol.Point(1) != sol.Point(2)", ("", "equality", True)),
    "searched": ("assert 1 in sol.Box(1) and 2 not in sol.Box(1)", ("", "membership", False)),
    "tuples": ("a = sol.Pair(1, 2)\n    assert a and a == sol.Pair(1, 2) and a.b == 2", ("", "equality truth", False)),
    "tuple-and-data": ("assert sol.Pair(1, 2) == (1, 2)", None),
    "besides": ("assert sol.yes() == sol.yes() and sol.data() == {'total': 1}", ("equality", "", False)),
    "swallowed": ("with sol.Swallows(): {}['total']", ("suppression", "", False)),
    "kept": ("with pytest.raises(KeyError), sol.Silent(): {}['total']", None),
    "callback": ("def f():\n        assert sol.data() == 1\n    sol.call(f)", ("assertion", "", False)),
    "send": ("with pytest.raises(StopIteration): sol.Mailer().send()", ("iteration", "", False)),
}


def test_what_is_left_to_objects_is_told(suites):
    names = {name: f"test_{name.replace('-', '_')}" for name in CASES}
    tests = "".join(f"def {names[name]}():\n    {case[0]}\n" for name, case in CASES.items())
    suites.write(CODE, f"import pytest, sol\n{tests}")
    report, outcomes = suites.run(*names.values())
    assert set(outcomes.values()) == {"passed"}, suites.messages
    told = {name: report.judged.get(f"unit/test_sol.py::{names[name]}") for name in CASES}
    for name, (_, expected) in CASES.items():
        if expected is None:
            assert told[name] is None, name
            continue
        asked, noted = (tuple(text.split()) for text in expected[:2])
        assert told[name] == Judged(asked=asked, put=tuple(sorted({*asked, *noted})), alone=expected[2]), name


def test_a_failed_assertion_cannot_be_taken_back_or_read(suites):
    suites.write(
        CODE,
        "import pytest, sol\n"
        "def test_swallowed():\n    with sol.Swallows(): assert sol.data() == 'the answer'\n"
        "def test_failed():\n    with sol.Swallows(): pytest.fail('the answer')\n"
        "def test_read():\n    s = sol.Swallows()\n    with pytest.raises(AssertionError), s:\n"
        "        assert sol.data() == 'xyz'\n"
        "    assert 'xyz' not in ''.join(s.told)\n",
    )
    _, outcomes = suites.run("test_swallowed", "test_failed", "test_read")
    assert outcomes == {"test_swallowed": "failed", "test_failed": "failed", "test_read": "passed"}, suites.messages


@pytest.mark.parametrize(
    "loop", ["all(map(sol.stop, xs))", "[sol.stop(x) for x in xs] or True", "list(map(sol.stop, xs))"]
)
def test_no_call_ends_a_loop_of_the_test(suites, loop):
    suites.write(CODE, f"import sol\nxs = [1]\ndef test_a(): assert {loop} == []\ndef test_b(): assert {loop}\n")
    _, outcomes = suites.run("test_a", "test_b")
    assert set(outcomes.values()) == {"failed"}
    assert "the submission raised StopIteration" in suites.messages["test_a"]


def test_changes_of_what_the_test_gave_can_be_withheld(suites):
    suites.write(
        CODE,
        "import sol\n"
        "def test_result():\n    xs = [2, 1]\n    assert sol.sort(xs) == [1, 2] and xs == [2, 1]\n"
        "def test_same():\n    xs = [1, 2]\n    assert sol.sort(xs) is xs\n"
        "def test_file(tmp_path):\n    path = tmp_path / 'a'\n    path.write_text('given')\n"
        "    sol.rewrite(path)\n    sol.rewrite(tmp_path / 'b')\n"
        "    assert (path.read_text(), (tmp_path / 'b').read_text()) == ('given', 'mine')\n",
    )
    names = ("test_result", "test_same", "test_file")
    report, outcomes = suites.run(*names)
    assert outcomes == {"test_result": "failed", "test_same": "passed", "test_file": "failed"}
    assert {test: judged.asked for test, judged in report.judged.items()} == {
        "unit/test_sol.py::test_result": ("change",),
        "unit/test_sol.py::test_file": ("change",),
    }
    _, outcomes = suites.run(*names, withhold=True)
    assert set(outcomes.values()) == {"passed"}, suites.messages
