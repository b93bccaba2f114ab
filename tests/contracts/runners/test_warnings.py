"""Warnings of submitted code: heard at `calls` and `in-process`, without a change in what the code does."""

import pytest

from bouts.model.challenge import Boundary

HEAD = "import warnings\n"
WARNS = f"""{HEAD}
import functools, re
PATTERN = "\\d"
async def co(): return 1
def old(): warnings.warn("old thing", DeprecationWarning)
def soon(): warnings.warn("soon", PendingDeprecationWarning)
def forgets(): co(); return 1
def leaks():
    file = open("/dev/null")
    return 1
class Holder:
    def leaks(self):
        file = open("/dev/null")
    def __len__(self):
        file = open("/dev/null")
        return 1
def user(): warnings.warn("for whoever asks")
def divides(): warnings.warn("divided", RuntimeWarning)
def caller(): warnings.warn("yours", DeprecationWarning, stacklevel=2)
def many():
    for _ in range(1000): warnings.warn("old thing", DeprecationWarning)
def library():
    # What warns is the standard library's code, at a line of its own.
    exec(compile("import warnings; warnings.warn('x', DeprecationWarning)", "/opt/python/lib/x.py", "exec"),
         {{"__name__": "x"}})
"""


def places(report):
    return [(w.path, w.line, w.kind) for w in report.warnings]


def line_of(text, code=WARNS):
    return next(number for number, line in enumerate(code.split("\n"), 1) if text in line)


TESTS = """
import sol
def test_quiet(): assert sol.user
def test_old(): sol.old()
def test_soon(): sol.soon()
def test_forgets(): assert sol.forgets() == 1
def test_leaks(): assert sol.leaks() == 1
def test_method(): sol.Holder().leaks()
def test_len(): assert len(sol.Holder()) == 1
def test_others(): sol.user(), sol.divides(), sol.caller(), sol.library()
def test_many(): sol.many()
def test_not_awaited_here(): sol.co()
"""
ESCAPE = ("sol.py", 0, "DeprecationWarning" if __import__("sys").version_info < (3, 12) else "SyntaxWarning")


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("quiet", []),
        ("old", [("sol.py", line_of('"old thing"'), "DeprecationWarning")]),
        ("soon", [("sol.py", line_of('"soon"'), "PendingDeprecationWarning")]),
        ("forgets", [("sol.py", line_of("def forgets"), "RuntimeWarning")]),
        ("leaks", [("sol.py", line_of("def leaks():"), "ResourceWarning")]),
        ("method", [("sol.py", line_of("def leaks(self)"), "ResourceWarning")]),
        ("len", [("sol.py", 0, "ResourceWarning")]),
        ("others", []),
        ("many", [("sol.py", line_of("in range(1000)"), "DeprecationWarning")]),
        ("not_awaited_here", []),
    ],
)
def test_what_is_heard_at_calls(suites, test, expected):
    suites.write(WARNS, TESTS)
    report, outcomes = suites.run(f"test_{test}")
    assert set(outcomes.values()) == {"passed"}, suites.messages
    assert places(report) == sorted([ESCAPE, *expected])


@pytest.mark.parametrize("boundary", [Boundary.CALLS, Boundary.IN_PROCESS])
def test_each_place_once_over_all_tests(suites, boundary):
    suites.boundary = boundary
    suites.write(
        f"{HEAD}def f(n): warnings.warn(f'old {{n}}', DeprecationWarning)\n"
        "def g(): warnings.warn('\\x1b[31mred', DeprecationWarning)\n",
        "import sol\ndef test_a(): sol.f(1)\ndef test_b(): sol.f(2)\ndef test_c(): sol.g()\ndef test_d(): ...\n",
    )
    report, outcomes = suites.run("test_a", "test_b", "test_c", "test_d")
    assert set(outcomes.values()) == {"passed"}, suites.messages
    assert places(report) == [("sol.py", 2, "DeprecationWarning"), ("sol.py", 3, "DeprecationWarning")]
    assert "\x1b" not in report.warnings[1].text


@pytest.mark.parametrize("boundary", [Boundary.CALLS, Boundary.IN_PROCESS])
def test_nobody_warned(suites, boundary):
    suites.boundary = boundary
    suites.write(
        "def f(): return 1\n", "import warnings, sol\ndef test_a():\n    warnings.warn('t', DeprecationWarning)\n"
    )
    report, outcomes = suites.run("test_a")
    assert (outcomes, report.warnings) == ({"test_a": "passed"}, ())


OWN_SAY = f"""{HEAD}
def warn(): warnings.warn("old", DeprecationWarning)
def caught():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warn()
    with warnings.catch_warnings(record=True) as more:
        warnings.warn("for users, seen to")
        warn()
    return [str(one.message) for one in (*seen, *more)]
def ignored():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warn()
def error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn()
def shown():
    warnings.simplefilter("always")
    warn()
def reset():
    warnings.resetwarnings()
    warn()
def filters(): return len(warnings.filters)
"""


@pytest.mark.parametrize("boundary", [Boundary.CALLS, Boundary.IN_PROCESS])
def test_what_the_program_says_of_its_warnings_stands(suites, boundary):
    suites.boundary = boundary
    suites.write(
        OWN_SAY,
        """
import pytest, sol
def test_caught(): assert sol.caught() == ["old", "for users, seen to"]
def test_ignored(): sol.ignored()
def test_error():
    with pytest.raises(DeprecationWarning, match="old"): sol.error()
""",
    )
    report, outcomes = suites.run("test_caught", "test_ignored", "test_error")
    assert set(outcomes.values()) == {"passed"}, suites.messages
    assert report.warnings == ()


@pytest.mark.parametrize("name", ["shown", "reset"])
def test_what_the_program_chooses_to_show_is_shown_and_heard(suites, name):
    suites.write(
        OWN_SAY, f"import sol\ndef test_a(capsys):\n    sol.{name}()\n    assert 'old' in capsys.readouterr().err\n"
    )
    report, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "passed"}, suites.messages
    assert places(report) == [("sol.py", 3, "DeprecationWarning")]


def test_nothing_is_printed_that_was_not_before(suites):
    suites.write(WARNS, "import sol\ndef test_a(capsys):\n    sol.old()\n    assert capsys.readouterr().err == ''\n")
    assert suites.run("test_a")[1] == {"test_a": "passed"}, suites.messages


def test_warnings_without_end_are_bounded(suites):
    lines = "\n".join(f"    warnings.warn('{n}' * 9999, DeprecationWarning)" for n in range(300))
    suites.write(f"{HEAD}def f():\n{lines}\n", "import sol\ndef test_a(): sol.f()\n")
    report, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "passed"}
    assert 1 < len(report.warnings) <= 50
    assert max(len(w.text) for w in report.warnings) <= 300


def test_a_forged_shape_is_a_broken_answer(suites):
    forge = """
import sys
def f():
    worker = next(v for k, v in sys.modules.items() if k.endswith("_calls.worker"))
    import gc
    [it] = [o for o in gc.get_objects() if type(o).__name__ == "Worker"]
    it._warned.append(["a", "b"])
"""
    suites.write(forge, "import sol\ndef test_a(): sol.f()\n")
    report, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "failed"}
    assert report.protocol_errors != ()
