"""Which of the warnings that a runner heard are the submission's."""

from bouts.model.running import SuiteReport, Warned
from bouts.pipeline.objective import warnings_of


def report(*warnings):
    return SuiteReport(tests=(), warnings=tuple(Warned(path=p, line=n, kind=k, text=t) for p, n, k, t in warnings))


OLD = ("a.py", 2, "DeprecationWarning", "old")
FILES = frozenset({"a.py", "b.py"})


def test_nobody_listened():
    assert warnings_of((SuiteReport(tests=()),), FILES) is None
    assert warnings_of((SuiteReport(tests=()), report()), FILES) == ()


def test_files_as_given_count_for_nobody():
    given = ("given.py", 1, "DeprecationWarning", "old")
    assert warnings_of((report(given, OLD),), FILES) == ("a.py:2: DeprecationWarning: old",)


def test_each_place_once_over_all_runs_in_order():
    late = ("b.py", 1, "ResourceWarning", "unclosed\nfile\x1b[0m")
    assert warnings_of((report(late), report(OLD, late)), FILES) == (
        "a.py:2: DeprecationWarning: old",
        "b.py:1: ResourceWarning: unclosed\\nfile\\x1b[0m",
    )


def test_an_unknown_line_is_no_number():
    assert warnings_of((report(("a.py", 0, "K", "t")),), FILES) == ("a.py:?: K: t",)


def test_no_more_than_twenty_of_bounded_length():
    found = warnings_of((report(*(("a.py", n, "K", "t" * 999) for n in range(50))),), FILES)
    assert len(found) == 20
    assert max(map(len, found)) <= 300
