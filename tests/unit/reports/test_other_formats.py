import json

import pytest

from bouts.errors import BadFile, BadUsage
from bouts.reports.reading import TITLES, read_report


def read(text, form=None):
    return read_report(text.encode(), form, where="report")


def outcomes(told):
    return {t.id: t.outcome for t in told.tests}


def test_tap_13():
    told = read(
        "TAP version 13\n1..4\nok 1 - a\nnot ok 2 - b\n  ---\n  message: bad\n  duration_ms: 4.5\n  ...\n"
        "ok 3 - c # SKIP no tool\nnot ok 4 - d # TODO later\n"
    )
    assert told.format == "tap" and told.discrepancies == ()
    assert outcomes(told) == {"a": "passed", "b": "failed", "c": "skipped", "d": "skipped"}
    assert (told.tests[1].seconds, told.tests[1].message) == (0.0045, "message: bad")


def test_of_subtests_the_innermost_count_and_an_outer_one_that_failed_alone():
    told = read(
        "TAP version 14\n# Subtest: a\n    ok 1 - x\n    not ok 2 - y\n    1..2\nnot ok 1 - a\n"
        "# Subtest: b\n    ok 1 - z\n    1..1\nnot ok 2 - b\n1..2\n"
    )
    assert outcomes(told) == {"a > x": "passed", "a > y": "failed", "b > z": "passed", "b": "failed"}
    assert told.discrepancies == ()


def test_tap_that_contradicts_itself():
    told = read("1..3\nok 1 - a\nok 1 - b\nBail out! gone\nok 3 - c\n")
    assert outcomes(told) == {"a": "passed", "b": "passed"}
    assert told.discrepancies == (
        "test number 1 is told twice",
        "it ends early: Bail out! gone",
        "3 tests were planned, and 1 are told",
    )


def test_a_point_within_diagnostics_is_none():
    told = read("TAP version 13\nnot ok 1 - a\n  ---\n  ok 2 - b\n  ...\n1..1\n")
    assert outcomes(told) == {"a": "failed"}


def test_ctrf():
    tests = [
        {"name": "a", "status": "passed", "duration": 1500},
        {"name": "b", "suite": ["x", "y"], "filePath": "t.js", "status": "failed", "message": "m", "trace": "t"},
        {"name": "c", "status": "pending"},
        {"name": "d", "status": "other"},
        {"name": "e", "status": "PASSED!"},
    ]
    told = read(json.dumps({"results": {"tool": {"name": "z"}, "summary": {"tests": 5, "passed": 4}, "tests": tests}}))
    assert told.format == "ctrf"
    assert outcomes(told) == {"a": "passed", "t.js::x > y::b": "failed", "c": "skipped", "d": "other", "e": "other"}
    assert (told.tests[0].seconds, told.tests[1].message) == (1.5, "m\nt")
    assert told.discrepancies == (
        "some tests have no status that the format knows",
        "the summary counts 4 passed, and the list 1",
    )


def test_jest():
    rows = [
        {"ancestorTitles": ["a"], "title": "t", "status": "passed", "duration": 3},
        {"title": "u", "status": "failed", "failureMessages": ["x"]},
    ]
    files = [
        {"name": "f.js", "assertionResults": rows},
        {"name": "g.js", "status": "failed", "message": "no", "assertionResults": []},
    ]
    told = read(json.dumps({"numTotalTests": 2, "numPassedTests": 2, "testResults": files}))
    assert outcomes(told) == {"f.js::a > t": "passed", "f.js::u": "failed", "g.js": "error"}
    assert told.discrepancies == ("numPassedTests is 2, and the list has 1",)


def test_go():
    events = [
        ("run", "A"),
        ("run", "A/x"),
        ("output", "A/x"),
        ("fail", "A/x"),
        ("fail", "A"),
        ("run", "B"),
        ("pass", "C"),
    ]
    lines = [{"Action": action, "Package": "p", "Test": test, "Output": "no\n"} for action, test in events]
    told = read("\n".join(map(json.dumps, [*lines, {"Action": "fail", "Package": "p"}])))
    assert told.format == "go"
    assert outcomes(told) == {"p::A/x": "failed", "p::C": "passed", "p::B": "error"}
    assert told.tests[0].message == "no"
    assert told.discrepancies == ("a test began and did not end: p::B",)


def test_console_output():
    told = read(
        "collected 2 items\n\x1b[32mtests/a.py::test_b[x y] PASSED  [ 50%]\x1b[0m\ntests/a.py::test_c FAILED [100%]\n"
        "FAILED tests/a.py::test_c - assert 1 == 2\ntest m::t ... ok\ntest u ... ignored\n--- FAIL: TestA (0.01s)\n"
        "test_q (m.T.test_q) ... ERROR\n"
    )
    assert told.format == "log" and told.discrepancies == ()
    assert outcomes(told) == {
        "tests/a.py::test_b[x y]": "passed",
        "tests/a.py::test_c": "failed",
        "m::t": "passed",
        "u": "skipped",
        "TestA": "failed",
        "test_q (m.T.test_q)": "error",
    }


def test_a_line_that_says_otherwise_later_makes_a_test_told_twice():
    told = read("a.py::b PASSED\na.py::b FAILED\n")
    assert [(t.outcome, t.times) for t in told.tests] == [("failed", 2)]


@pytest.mark.parametrize(
    "text",
    [
        '{"results": {"tests": [{"name": "a", "status": "passed", "duration": 1e999}]}}',
        '{"results": {"tests": [NaN]}}',
        '{"results": {"tests": [{"name": "a", "name": "b"}]}}',
        '{"results": {"tests": ' + "[" * 100_000 + "]" * 100_000 + "}}",
        '{"results": {"tests": [' + "{}," * 600_000 + "{}]}}",
        '{"results": {}}',
        "[]",
        "",
    ],
)
def test_json_beyond_bounds_is_refused(text):
    for form in ("ctrf", "jest"):
        with pytest.raises(BadFile, match="not a test report"):
            read(text, form)


def test_lines_without_end_are_refused():
    for form in ("tap", "log", "go"):
        with pytest.raises(BadFile, match="lines"):
            read("\n" * 2_100_000, form)
    with pytest.raises(BadFile, match="no events"):
        read("{\n" * 200_000, "go")


def test_messages_are_bounded_together():
    rows = [{"name": str(n), "status": "failed", "message": "m" * 3_000} for n in range(1_500)]
    told = read(json.dumps({"results": {"tests": rows}}), "ctrf")
    assert sum(len(t.message) for t in told.tests) <= 2_000_000
    assert told.discrepancies == ("messages beyond two million characters are left out",)


def test_an_unknown_format_and_unknown_content():
    with pytest.raises(BadUsage, match="no report format"):
        read("1..1\nok 1\n", "xml")
    with pytest.raises(BadFile, match="no known format"):
        read("hello")
    assert set(TITLES) == {"junit", "tap", "ctrf", "jest", "go", "log"}
