"""Submissions that attack the process they run in: none gains a pass, and none hurts the tests of another."""

import pytest

TESTS = """
import pytest
from sol import add, merge, Ledger
def test_add(): assert add(-4, 9) == 5
def test_merge(): assert merge([[1, 2], [2, 3]]) == [[1, 3]]
def test_ledger():
    ledger = Ledger()
    ledger.put(3)
    assert ledger.total == 3
def test_error():
    with pytest.raises(ValueError, match="negative"):
        Ledger().put(-1)
def test_in_place():
    xs = [2, 1]
    assert merge(xs) == [] or xs == [1, 2]
"""
NAMES = ("test_add", "test_merge", "test_ledger", "test_error", "test_in_place")

ATTACKS = {
    "subclasses": """
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __getattr__(self, name): return Any()
    def __call__(self, *a, **k): return Any()
    __hash__ = None
class List(list):
    def __eq__(self, other): return True
add = lambda *a: Any()
merge = lambda *a: List()
class Ledger:
    put = lambda self, x: None
    total = Any()
""",
    "forged-answers": """
import gc, json, os
def _speak():
    for found in gc.get_objects():
        if type(found).__name__ == "Worker" and hasattr(found, "send"):
            for name in list(found._outstanding):
                found.send({"id": name, "ok": 5})
                found.send({"id": name, "ok": [[1, 3]]})
            return
add = lambda *a: _speak()
merge = lambda *a: _speak()
Ledger = lambda *a: _speak()
""",
    "patched-worker": """
import sys
worker = sys.modules["_calls.worker"]
worker.OPERATIONS["eq"] = lambda *a: True
worker.OPERATIONS["call"] = lambda *a: None
worker.OPERATIONS["get"] = lambda *a: None
worker.OPERATIONS["method"] = lambda *a: None
class Ledger: ...
def add(a, b): ...
def merge(x): ...
""",
    "raw-channel": """
import os
for fd in range(3, 300):
    try:
        os.write(fd, b"\\x00\\x00\\x00\\x02{}" * 3)
    except OSError:
        pass
""",
    "garbage-channel": """
import os
for fd in range(3, 300):
    try:
        os.write(fd, os.urandom(64))
    except OSError:
        pass
""",
    "closed-channel": "import os\nos.closerange(0, 1000)\n",
    "fork-answers": """
import os
if os.fork():
    import time
    time.sleep(0.2)
    os._exit(0)
def add(a, b): return 0
merge = Ledger = add
""",
    "exit-on-use": "import sys\ndef add(*a): sys.exit(0)\nmerge = Ledger = add\n",
    "skips": """
class Skipped(BaseException): pass
Skipped.__module__ = "_pytest.outcomes"
def add(*a): raise Skipped("skip")
merge = Ledger = add
""",
    "reads-frames": """
import sys
def add(*a):
    frame = sys._getframe()
    while frame:
        for name in ("expected", "test_add"):
            if name in frame.f_globals or name in frame.f_locals: return 5
        frame = frame.f_back
merge = Ledger = add
""",
    "lying-classes": """
class Meta(type):
    def __instancecheck__(cls, other): return True
    def __subclasscheck__(cls, other): return True
    def __eq__(cls, other): return True
    __hash__ = type.__hash__
    __mro__ = (ValueError, BaseException, object)
class Ledger(metaclass=Meta):
    __class__ = property(lambda self: int)
    put = lambda self, x: None
    @property
    def total(self): return self
    def __eq__(self, other): return True
    __hash__ = None
def add(*a): return Ledger()
merge = add
""",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_passes(suites, attack):
    suites.write(ATTACKS[attack], TESTS)
    report, outcomes = suites.run(*NAMES, test_seconds=5)
    assert sorted(outcomes) == sorted(NAMES)
    assert "passed" not in outcomes.values(), outcomes
    assert "infrastructure" not in outcomes.values(), outcomes
    assert report.faults == ()


@pytest.mark.parametrize("attack", ["forged-answers", "raw-channel", "garbage-channel"])
def test_what_cannot_be_an_accident_is_told(suites, attack):
    suites.write(ATTACKS[attack], TESTS)
    report, _ = suites.run(*NAMES)
    assert report.protocol_errors != ()


def test_an_attacked_suite_leaves_the_next_alone(suites):
    suites.write(ATTACKS["raw-channel"], TESTS)
    suites.run(*NAMES)
    suites.write(
        """
def add(a, b): return a + b
def merge(xs):
    if xs and isinstance(xs[0], int):
        xs.sort()
        return None
    return [[xs[0][0], xs[-1][1]]]
class Ledger:
    total = 0
    def put(self, x):
        if x < 0: raise ValueError("negative")
        self.total += x
""",
        TESTS,
    )
    _, outcomes = suites.run(*NAMES)
    assert set(outcomes.values()) == {"passed"}, suites.messages


def test_ranges_and_numbers_without_end_stay_over_there(suites):
    suites.write(
        "def r(): return range(10**15)\ndef n(): return 10**5000\n"
        "def deep():\n    x = []\n    for _ in range(500): x = [x]\n    return x\n"
        "def big(): return 'x' * (40 << 20)\n"
        "def many(): return [[] for _ in range(600_000)]\n",
        "import sol\n"
        + "".join(f"def test_{name}(): list(sol.{name}())\n" for name in ("r", "n", "deep", "big", "many")),
    )
    report, outcomes = suites.run("test_r", "test_n", "test_deep", "test_big", "test_many")
    assert set(outcomes.values()) == {"failed"}
    assert all("cannot cross" in message for message in suites.messages.values())
    assert report.protocol_errors == ()


def test_a_shared_folder_has_an_end(suites):
    suites.write(
        "def many(folder):\n    for n in range(2500): (folder / str(n)).touch()\n"
        "def deep(folder):\n    (folder / '/'.join('d' * 60)).mkdir(parents=True)\n"
        "def much(folder):\n    for n in range(9): (folder / str(n)).write_bytes(bytes(1 << 20))\n"
        "def swap(folder):\n    (folder / 'a').unlink()\n    (folder / 'a' / 'b').mkdir(parents=True)\n"
        "    (folder / 'c' / 'd').rmdir()\n    (folder / 'c').rmdir()\n    (folder / 'c').write_text('file')\n",
        "import sol\n"
        + "".join(f"def test_{name}(tmp_path): sol.{name}(tmp_path)\n" for name in ("many", "deep", "much"))
        + "def test_swap(tmp_path):\n    (tmp_path / 'a').write_text('x')\n"
        "    (tmp_path / 'c' / 'd').mkdir(parents=True)\n"
        "    sol.swap(tmp_path)\n    assert (tmp_path / 'a' / 'b').is_dir()\n"
        "    assert (tmp_path / 'c').read_text() == 'file'\n",
    )
    report, outcomes = suites.run("test_many", "test_deep", "test_much", "test_swap")
    assert outcomes == {"test_many": "failed", "test_deep": "failed", "test_much": "failed", "test_swap": "passed"}
    assert all("cannot cross" in suites.messages[name] for name in ("test_many", "test_deep", "test_much"))
    assert (report.protocol_errors, report.escapes) == ((), ())
