"""How tests end: every way for code to go wrong has one outcome, and none of them touches the next test."""

import pytest

from bouts.adapters.runners.python.runner import PythonRunner
from bouts.model.challenge import Boundary, CliInterface, Interface


def test_order_comes_from_the_seed(suites):
    suites.write(
        "def f(): return 1", "import sol\n" + "".join(f"def test_{n}(): assert sol.f() == 1\n" for n in range(8))
    )
    names = [f"test_{n}" for n in range(8)]
    suites.run(*names, seed=1)
    first = suites.order
    suites.run(*reversed(names), seed=1)
    assert suites.order == first
    suites.run(*names, seed=2)
    assert suites.order != first
    assert sorted(suites.order) == names


def test_only_what_is_asked_for_is_run(suites):
    suites.write("def f(): return 1", "import sol\ndef test_a(): sol.f()\ndef test_b(): sol.f()\n")
    report, outcomes = suites.run("test_a", "test_none")
    assert outcomes == {"test_a": "passed"}
    assert report.faults == ()


def test_collecting(suites):
    suites.write(
        "CASES = [1]",
        "import pytest\nfrom sol import CASES, nothing\n@pytest.mark.parametrize('x', ['a b', 1])\n"
        "def test_a(x): ...\n",
    )
    report = suites.collect()
    assert report.collected == ("unit/test_sol.py::test_a[1]", "unit/test_sol.py::test_a[a b]")
    assert report.tests == ()
    assert report.faults == ()


def test_outcomes(suites):
    suites.write(
        "def f(x): return x\ndef bad(): raise ValueError('\\x1b[31mno')\n",
        """
import pytest, sol
@pytest.fixture
def broken(): sol.bad()
@pytest.fixture
def late():
    yield
    sol.bad()
def test_passes(): assert sol.f(1) == 1
def test_fails(): assert sol.f(1) == 2
def test_raises(): sol.bad()
def test_setup(broken): ...
def test_teardown(late): ...
def test_skipped(): pytest.skip("not here")
@pytest.mark.skip(reason="marked")
def test_marked(): ...
def test_exit(): pytest.exit("out")
def test_system_exit(): raise SystemExit(0)
def test_interrupt(): raise KeyboardInterrupt
""",
    )
    names = "passes fails raises setup teardown skipped marked exit system_exit interrupt".split()
    report, outcomes = suites.run(*(f"test_{name}" for name in names))
    assert outcomes == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_raises": "failed",
        "test_setup": "error",
        "test_teardown": "error",
        "test_skipped": "skipped",
        "test_marked": "skipped",
        "test_exit": "failed",
        "test_system_exit": "failed",
        "test_interrupt": "failed",
    }
    assert suites.messages["test_fails"].startswith("unit/test_sol.py:10: assert 1 == 2\n +  where 1 =")
    assert "\\x1b[31mno" in suites.messages["test_raises"]
    assert report.faults == ()


def test_code_that_raises_what_steers_pytest_has_failed(suites):
    suites.write(
        """
class Skipped(BaseException): pass
class Exit(Exception): pass
Skipped.__module__ = "_pytest.outcomes"
def skip(): raise Skipped("not today")
def leave(): raise Exit("bye")
def interrupt(): raise KeyboardInterrupt
def quit(): raise SystemExit(0)
def close(): raise GeneratorExit
""",
        "import sol\n"
        + "".join(f"def test_{name}(): sol.{name}()\n" for name in ("skip", "leave", "interrupt", "quit", "close")),
    )
    _, outcomes = suites.run("test_skip", "test_leave", "test_interrupt", "test_quit", "test_close")
    assert set(outcomes.values()) == {"failed"}
    assert len(outcomes) == 5


def test_code_that_does_not_import_fails_each_test_with_the_reason(suites):
    suites.write(
        "import nothing_of_this_name",
        "import pytest, sol\nfrom sol import f, Ledger, MyError\n@pytest.mark.parametrize('g', [f, Ledger])\n"
        "def test_call(g): g()\ndef test_raises():\n    with pytest.raises(MyError): f()\n"
        "def test_attribute(): sol.LIMIT\n"
        "def test_any():\n    with pytest.raises(Exception): assert f(1) == 2 + Ledger\n",
    )
    assert suites.collect().collected == tuple(
        f"unit/test_sol.py::{name}"
        for name in ("test_any", "test_attribute", "test_call[Ledger]", "test_call[f]", "test_raises")
    )
    _, outcomes = suites.run("test_call[f]", "test_call[Ledger]", "test_raises", "test_attribute")
    assert set(outcomes.values()) == {"failed"}
    assert "No module named 'nothing_of_this_name'" in suites.messages["test_call[f]"]
    assert "nothing_of_this_name" in suites.messages["test_attribute"]


def test_syntax_error(suites):
    suites.write("def f(:", "from sol import f\ndef test_a(): f()")
    _, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "failed"}
    assert "SyntaxError" in suites.messages["test_a"]


def test_time_limits(suites):
    suites.write(
        "import time\ndef loop():\n    while True: pass\ndef nap(): time.sleep(60)\ndef f(): return 1\n"
        "def endless():\n    while True: yield 1\n",
        "import sol\ndef test_loop(): sol.loop()\ndef test_nap():\n    try: sol.nap()\n    except BaseException: pass\n"
        "def test_endless(): list(sol.endless())\ndef test_good(): assert sol.f() == 1\n",
    )
    report, outcomes = suites.run("test_loop", "test_nap", "test_endless", "test_good", test_seconds=0.7)
    assert outcomes == {"test_loop": "timeout", "test_nap": "timeout", "test_endless": "timeout", "test_good": "passed"}
    assert report.escapes == (), "killed by us: no exception that escaped"
    assert "0.7 s" in suites.messages["test_loop"]


def test_import_that_never_ends(suites):
    suites.write("while True: pass", "from sol import f\ndef test_a(): f()\ndef test_b(): f()")
    _, outcomes = suites.run("test_a", "test_b", test_seconds=0.7)
    assert outcomes == {"test_a": "timeout", "test_b": "timeout"}


def test_test_that_hangs_outside_the_code_is_killed_and_the_rest_is_run(suites, monkeypatch):
    monkeypatch.setattr("bouts.adapters.runners.python.runner.GRACE_SECONDS", 0.5)
    suites.write(
        "def f(): return 1",
        "import sol, time\ndef test_hang():\n    sol.f()\n    while True: time.sleep(1)\n"
        "def test_a(): assert sol.f() == 1\ndef test_b(): assert sol.f() == 1\n",
    )
    report, outcomes = suites.run("test_hang", "test_a", "test_b", test_seconds=0.5)
    assert outcomes == {"test_hang": "timeout", "test_a": "passed", "test_b": "passed"}
    assert report.faults == ()


def test_suite_limit(suites):
    suites.write(
        "import time\ndef nap(): time.sleep(60)\n",
        "import sol\n" + "".join(f"def test_{n}(): sol.nap()\n" for n in range(4)),
    )
    _, outcomes = suites.run(*(f"test_{n}" for n in range(4)), suite_seconds=1.5, test_seconds=5)
    assert set(outcomes.values()) == {"timeout"}
    assert len(outcomes) == 4
    assert "the suite did not end within 1.5 s" in suites.messages.values()


def test_process_that_dies(suites):
    suites.write(
        "import os, signal\ndef leave(n): os._exit(n)\ndef shot(): os.kill(os.getpid(), signal.SIGSEGV)\n"
        "def eat():\n    x = []\n    while True: x.append(bytearray(1 << 20))\ndef f(): return 1\n",
        "import pytest, sol\ndef test_exit(): sol.leave(0)\ndef test_shot(): sol.shot()\ndef test_eat(): sol.eat()\n"
        "def test_caught():\n    with pytest.raises(BaseException): sol.leave(3)\n"
        "def test_good(): assert sol.f() == 1\n",
    )
    report, outcomes = suites.run("test_exit", "test_shot", "test_caught", "test_good")
    assert outcomes == {
        "test_exit": "crashed",
        "test_shot": "crashed",
        "test_caught": "crashed",
        "test_good": "passed",
    }
    assert "exit status 0" in suites.messages["test_exit"]
    assert "signal 11" in suites.messages["test_shot"]
    assert sorted(escape.kind for escape in report.escapes) == ["worker_died"] * 3
    assert report.faults == ()


def test_memory(suites):
    suites.write(
        "def eat():\n    x = []\n    while True: x.append(bytearray(1 << 20))\ndef f(): return 1\n",
        "import sol\ndef test_eat(): sol.eat()\ndef test_good(): assert sol.f() == 1\n",
    )
    _, outcomes = suites.run("test_eat", "test_good", memory_mb=64)
    assert outcomes["test_good"] == "passed"
    assert outcomes["test_eat"] in ("crashed", "failed")
    assert "emory" in suites.messages["test_eat"]


@pytest.mark.parametrize(
    ("deed", "left"),
    [
        ("r, w = os.pipe(); os.fork() or (os.setsid(), os.write(w, b'.'), time.sleep(60)); os.read(r, 1)", True),
        ("os.waitpid(os.fork() or os._exit(0), 0)", False),
        ("os.getpid()", False),
    ],
)
def test_daemons_that_were_left_are_told_of(suites, deed, left):
    suites.write(
        f"import os, time\ndef f():\n    {deed}\n    return 1\n",
        "import sol\ndef test_a(): assert sol.f() == 1\n",
    )
    report, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "passed"}
    assert report.processes_left is left


def test_printing_without_end_is_told_as_that_and_not_as_memory(suites):
    suites.write(
        "import os\ndef flood():\n    while True: print('x' * 5000)\n"
        "def direct():\n    while True: os.write(1, b'x' * 5000)\n"
        "def much():\n    print('y' * 300000)\n    return 1\n",
        "import sol\ndef test_flood(): sol.flood()\ndef test_direct(): sol.direct()\n"
        "def test_much(capsys):\n    assert sol.much() == 1\n    assert capsys.readouterr().out.startswith('yyy')\n",
    )
    _, outcomes = suites.run("test_flood", "test_direct", "test_much", memory_mb=128)
    assert outcomes == {"test_flood": "crashed", "test_direct": "crashed", "test_much": "passed"}
    for name in ("test_flood", "test_direct"):
        assert "wrote more output than a test may" in suites.messages[name]


def test_escapes(suites):
    suites.write(
        """
import asyncio, atexit, threading
def thread():
    t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()
def hook(): atexit.register(lambda: {}["gone"])
def task():
    async def boom(): raise ValueError("lost")
    async def main():
        asyncio.ensure_future(boom())
        await asyncio.sleep(0.01)
    asyncio.run(main())
def fine(): raise KeyError("received")
""",
        "import pytest, sol\ndef test_thread(): sol.thread()\ndef test_hook(): sol.hook()\n"
        "def test_task(): sol.task()\n"
        "def test_fine():\n    with pytest.raises(KeyError): sol.fine()\n",
    )
    report, outcomes = suites.run("test_thread", "test_hook", "test_task", "test_fine")
    assert set(outcomes.values()) == {"passed"}
    found = {
        (escape.test.partition("::")[2], escape.kind, escape.detail.partition(":")[0]) for escape in report.escapes
    }
    assert found == {
        ("test_thread", "thread", "ZeroDivisionError"),
        ("test_hook", "exit", "KeyError"),
        ("test_task", "task", "ValueError"),
    }


def test_test_file_that_does_not_load(suites):
    suites.write("def f(): return 1", "import nowhere\ndef test_a(): ...")
    suites.write(tests="import sol\ndef test_b(): assert sol.f() == 1", name="unit/test_other.py")
    _, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "error"}
    assert "nowhere" in suites.messages["test_a"]
    assert suites.collect().faults != ()


def test_a_tests_process_that_dies(suites):
    suites.write("def f(): return 1", "import os, sol\ndef test_a(): os._exit(0)\ndef test_b(): assert sol.f() == 1")
    _, outcomes = suites.run("test_a", "test_b")
    assert outcomes == {"test_a": "crashed", "test_b": "passed"}


def test_nothing_of_one_test_is_left_for_the_next(suites):
    suites.write(
        "import os\nseen = []\n"
        "def mark(n):\n    seen.append(n)\n    open('left.txt', 'a').write('x')\n    return len(seen)\n"
        "def left(): return os.path.exists('left.txt')\n",
        "import sol\n"
        + "".join(f"def test_{n}():\n    assert not sol.left()\n    assert sol.mark(1) == 1\n" for n in range(3)),
    )
    _, outcomes = suites.run("test_0", "test_1", "test_2")
    assert set(outcomes.values()) == {"passed"}


def test_starts(suites, runner: PythonRunner):
    suites.write("X = 1")
    assert runner.starts(suites.target()).ok
    suites.write("import nothing_here")
    report = runner.starts(suites.target())
    assert not report.ok
    assert "sol: ModuleNotFoundError: No module named 'nothing_here'" in report.detail
    suites.write("import os\nos._exit(0)")
    assert "exit status 0" in runner.starts(suites.target()).detail
    suites.write("while True: pass")
    assert "did not end within 0.5 s" in runner.starts(suites.target(test_seconds=0.5)).detail


def test_temporary_folder_at_another_boundary(suites):
    suites.boundary = Boundary.CLI
    suites.interface = Interface(cli=CliInterface(command=("python", "sol.py")))
    suites.write(
        "import sys\nprint(sys.argv[1])",
        "def test_a(tmp_path, run_cli):\n    (tmp_path / 'x').write_text('y')\n"
        "    assert run_cli('z').stdout == 'z\\n'\n",
    )
    _, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "passed"}, suites.messages
