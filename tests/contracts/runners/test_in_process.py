"""The `in-process` boundary: ordinary pytest inside the sandbox, and what gives tampering away."""

import pytest

from bouts.adapters.runners.python.in_process.suite import InProcessSuite
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.model.challenge import Boundary


@pytest.fixture
def inside(suites):
    suites.boundary = Boundary.IN_PROCESS
    return suites


def test_outcomes(inside):
    (inside.tests / "support").mkdir()
    (inside.tests / "support" / "makers.py").write_text("ONE = 1\n")
    inside.write(
        "import os, time\nseen = []\ndef f(x):\n    seen.append(x)\n    return x\n"
        "def leave(): os._exit(0)\ndef nap(): time.sleep(60)\n",
        """
import pytest
from makers import ONE
from sol import f, leave, nap, seen
def test_passes(tmp_path, monkeypatch):
    assert f(ONE) == 1
    assert seen == [1]
def test_again():
    assert f(2) == 2
    assert seen == [2]
def test_fails(): assert f(1) == 2
def test_dies(): leave()
def test_hangs(): nap()
def test_skips(): pytest.skip("not here")
@pytest.fixture
def broken(): raise ValueError("x")
def test_setup(broken): ...
@pytest.mark.parametrize("n", [1, 2])
def test_many(n):
    assert f(n) == n
""",
    )
    listed = inside.collect()
    assert "unit/test_sol.py::test_many[2]" in listed.collected
    assert listed.faults == ()
    names = "passes again fails dies hangs skips setup".split()
    report, outcomes = inside.run(*(f"test_{name}" for name in names), "test_many[1]", test_seconds=1.5)
    assert inside.messages["test_passes"] == ""
    assert outcomes == {
        "test_passes": "passed",
        "test_again": "passed",
        "test_fails": "failed",
        "test_dies": "crashed",
        "test_hangs": "timeout",
        "test_skips": "skipped",
        "test_setup": "error",
        "test_many[1]": "passed",
    }
    assert "assert 1 == 2" in inside.messages["test_fails"]
    assert report.protocol_errors == ()
    assert report.faults == ()


def test_code_that_leaves_when_it_is_imported(inside):
    inside.write("import os\nos._exit(0)", "import sol\ndef test_a(): ...\ndef test_b(): ...\n")
    _, outcomes = inside.run("test_a", "test_b")
    assert outcomes == {"test_a": "crashed", "test_b": "crashed"}


ALWAYS_EQUAL = """
class Anything(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
def f(x): return Anything(0)
"""

PATCHED = """
import _pytest.python
def f(x): return 0
_pytest.python.Function.runtest = lambda self: None
"""

FORGED = """
import gc, json, os
def f(x):
    for found in gc.get_objects():
        if type(found).__name__ == "Reporter":
            for name in ("test_a", "test_b"):
                found.say(result=f"unit/test_sol.py::{name}", outcome="passed", message="", seconds=0, escapes=[])
            os._exit(0)
"""

TESTS = "from sol import f\ndef test_a():\n    assert f(1) == 1\ndef test_b():\n    assert f(2) == 2\n"


@pytest.mark.parametrize("code", [ALWAYS_EQUAL, FORGED], ids=["always-equal", "forged"])
def test_tampering_that_is_noticed(inside, code):
    inside.write(code, TESTS)
    report, _ = inside.run("test_a", "test_b")
    assert report.protocol_errors != ()


def test_tampering_with_pytest_is_noticed(inside):
    inside.write(PATCHED, TESTS)
    report, _ = inside.run("test_a", "test_b")
    assert report.protocol_errors != ()


def test_honest_code_is_not_accused(inside):
    inside.write(
        "def f(x): return x\ndef g(): return 0.1 + 0.2\ndef h(): return {'a': [1]}\ndef n(): return None\n",
        "import pytest\nfrom sol import f, g, h, n\ndef test_a(): assert f('x') == 'x'\n"
        "def test_b(): assert g() == pytest.approx(0.3)\ndef test_c(): assert h() == {'a': [1]}\n"
        "def test_d(): assert n() == None\ndef test_e():\n    assert f(float('inf')) == float('inf')\n",
    )
    report, outcomes = inside.run("test_a", "test_b", "test_c", "test_d", "test_e")
    assert set(outcomes.values()) == {"passed"}, inside.messages
    assert report.protocol_errors == ()


NO_SOURCE = """
import ast, inspect, sys
def none(*args, **named): raise OSError
inspect.getsource = ast.parse = none
sys.modules["__main__"].phases = lambda item: ("passed", "")
def f(x): return 0
"""

SILENT = """
import sys
reporter = sys.modules["__main__"].Reporter
say = reporter.say
def quiet(self, **told):
    if not told.get("twin") and "twin_result" not in told:
        say(self, **({**told, "outcome": "passed"} if "outcome" in told else told))
reporter.say = quiet
def f(x): return 0
"""


@pytest.mark.parametrize("code", [NO_SOURCE, SILENT], ids=["no-source", "silent"])
def test_a_twin_cannot_be_left_out(inside, code):
    inside.write(code, TESTS)
    report, _ = inside.run("test_a", "test_b")
    assert report.protocol_errors != ()


FRAMES = {
    "constants": "def f(x):\n    code = sys._getframe(1).f_code\n"
    "    return next(c for c in code.co_consts if type(c) is int and c != x)\n",
    "locals": "def f(x): return sys._getframe(1).f_locals['expected']\n",
}


@pytest.mark.parametrize("how", FRAMES)
def test_an_answer_that_is_taken_from_the_tests_frame_is_a_wrong_one_in_a_twin(inside, how):
    tests = {
        "constants": "from sol import f\ndef test_a():\n    assert f(1) == 11\n",
        "locals": "import pytest\nfrom sol import f\n@pytest.mark.parametrize('expected', [11])\n"
        "def test_a(expected):\n    assert f(1) == expected\n",
    }
    inside.write("import sys\n" + FRAMES[how], tests[how])
    report, outcomes = inside.run("test_a" if how == "constants" else "test_a[11]")
    assert set(outcomes.values()) == {"failed"}
    assert report.protocol_errors != ()


def test_code_that_is_honestly_wrong_is_not_accused(inside):
    # Each gives what a simpler twin would have taken for the wrong value.
    inside.write(
        "def add(a, b): return 0\ndef even(n): return False\ndef slug(t): return 'ax'\ndef row(): return ['x']\n",
        "from sol import add, even, row, slug\ndef test_add():\n    assert add(2, -3) == -1\n"
        "def test_even():\n    assert even(2) == True\ndef test_slug():\n    assert slug('') == 'a'\n"
        "def test_row():\n    assert row() == []\n",
    )
    report, outcomes = inside.run("test_add", "test_even", "test_slug", "test_row")
    assert set(outcomes.values()) == {"failed"}
    assert report.protocol_errors == ()


def test_a_twin_that_never_ends_costs_its_test_nothing(inside):
    inside.write(
        "def count(xs): return len(xs)\n",
        "from sol import count\ndef test_a():\n    n = 0\n    while n != 3:\n        n = count('abc')\n"
        "    assert n == 3\ndef test_b():\n    assert count('') == 0\n"
        "def test_c():\n    wanted = []\n    assert count('a') == (wanted or [1])[0]\n",
    )
    report, outcomes = inside.run("test_a", "test_b", "test_c", test_seconds=2)
    assert set(outcomes.values()) == {"passed"}, inside.messages
    assert report.protocol_errors == ()


class Failing:
    """The real sandboxes, in which a program other than ours is started the first times."""

    def __init__(self, backend, program, times):
        self._backend, self._program, self._times = backend, program, times

    def create(self, plan):
        return FailingSandbox(self._backend.create(plan), self)

    def command(self, command):
        self._times -= 1
        return command if self._times < 0 else command.model_copy(update={"argv": ("python", "-c", self._program)})


class FailingSandbox:
    def __init__(self, sandbox, failing):
        self._sandbox, self._failing = sandbox, failing

    def start(self, command, **options):
        return self._sandbox.start(self._failing.command(command), **options)

    def kill(self):
        self._sandbox.kill()

    def waited(self):
        return self._sandbox.waited()

    def destroy(self):
        return self._sandbox.destroy()


@pytest.fixture
def started(inside, tmp_path):
    """Runs a job with a program that fails so many times; gives outcomes, messages and faults."""
    backend = Bubblewrap(tmp_path / "sandboxes")
    inside.write(
        "def f(): return 1\n", "import sol\ndef test_a(): assert sol.f() == 1\ndef test_b(): assert sol.f() == 2\n"
    )
    ids = ("unit/test_sol.py::test_a", "unit/test_sol.py::test_b")

    def run(program, times, **limits):
        told = []
        suite = InProcessSuite(inside.job(ids, **limits), told.append, Failing(backend, program, times))
        result = suite.run(ids)
        tests = {one["test"]["id"][-6:]: one["test"]["outcome"] for one in told if "test" in one}
        return tests, {one["test"]["message"] for one in told if "test" in one}, result["faults"]

    yield run
    backend.close()


DIES, HANGS = "raise SystemExit('no pytest here')", "import time; time.sleep(60)"


@pytest.mark.parametrize("program", [DIES, HANGS])
def test_an_end_before_any_code_ran_is_our_fault_and_tried_again(started, monkeypatch, program):
    monkeypatch.setattr("bouts.adapters.runners.python.in_process.suite.COLLECT_SECONDS", 2.0)
    assert started(program, 1, test_seconds=2)[::2] == ({"test_a": "passed", "test_b": "failed"}, [])
    outcomes, messages, faults = started(program, 2, test_seconds=2)
    assert outcomes == {"test_a": "infrastructure", "test_b": "infrastructure"}
    assert len(faults) == 2
    assert ("no pytest here" in messages.pop()) is (program == DIES)


def test_an_end_while_the_code_is_imported_is_the_submission_s(inside):
    inside.write("import os\nos._exit(3)\n", "import sol\ndef test_a(): ...\n")
    report, outcomes = inside.run("test_a")
    assert (outcomes, report.faults) == ({"test_a": "crashed"}, ())
