"""The table of result shapes: what test runners print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.transcripts import results

PRINTED = [
    (
        "pytest",
        "== short test summary info ==\nFAILED a.py::test_x - assert 1\n== 1 failed, 3 passed, 2 skipped in 0.12s ==",
        (3, 1, 2),
        ["a.py::test_x"],
    ),
    ("pytest", "3 passed in 0.01s", (3, 0, 0), []),
    ("pytest", "ERROR a.py\n1 error in 0.10s", (0, 1, 0), ["a.py"]),
    ("pytest", "=== 2 passed, 1 xfailed, 1 xpassed, 3 warnings in 61.02s (0:01:01) ===", (4, 0, 0), []),
    ("pytest", "no tests ran in 0.01s", (0, 0, 0), []),
    (
        "unittest",
        "FAIL: test_a (t.T)\n----\nRan 4 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1)",
        (1, 2, 1),
        ["test_a (t.T)"],
    ),
    ("unittest", "Ran 2 tests in 0.000s\n\nOK", (2, 0, 0), []),
    (
        "jest",
        "  ● till › rounds\n\nTests:       1 failed, 1 skipped, 4 passed, 6 total\nTime: 1 s",
        (4, 1, 1),
        ["till › rounds"],
    ),
    (
        "vitest",
        " FAIL  till.test.ts > rounds\n Test Files  1 failed (1)\n      Tests  1 failed | 4 passed | 1 skipped (6)\n",
        (4, 1, 1),
        ["till.test.ts > rounds"],
    ),
    (
        "node",
        "not ok 2 - rounds\n# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n",
        (2, 1, 0),
        ["rounds"],
    ),
    (
        "node",
        "✖ rounds (0.5ms)\nℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
        (2, 1, 0),
        ["rounds"],
    ),
    (
        "cargo",
        "test a::b ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured\n"
        "test result: ok. 2 passed; 0 failed; 0 ignored;",
        (3, 1, 1),
        ["a::b"],
    ),
    (
        "nextest",
        "        FAIL [   0.01s] till::tests rounds\n     Summary [   0.1s] 3 tests run: 2 passed, 1 failed, 1 skipped",
        (2, 1, 1),
        ["till::tests rounds"],
    ),
    (
        "mocha",
        "  2 passing (5ms)\n  1 pending\n  1 failing\n\n  1) till rounds:\n     Error",
        (2, 1, 1),
        ["till rounds"],
    ),
    ("rspec", "5 examples, 1 failure, 1 pending\n\nrspec ./till_spec.rb:3 # rounds", (3, 1, 1), ["./till_spec.rb:3"]),
    (
        "junit",
        "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s\n"
        "[INFO] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1",
        (2, 2, 1),
        [],
    ),
    ("junit", "9 tests completed, 2 failed, 1 skipped", (6, 2, 1), []),
    (
        "go",
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n=== RUN   TestB/x\n"
        "    --- FAIL: TestB/x (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\tx/y\t0.01s",
        (1, 1, 0),
        ["TestB/x"],
    ),
]


@pytest.mark.parametrize(("runner", "text", "counts", "names"), PRINTED)
def test_each_shape(runner, text, counts, names):
    result = results.read(text)
    assert result is not None
    assert result.runner == runner
    assert (result.passed, result.failed, result.skipped) == counts
    assert list(result.names) == names
    assert result.total == result.passed + result.failed


@pytest.mark.parametrize(("runner", "text", "counts", "names"), PRINTED)
def test_colours_and_line_ends_change_nothing(runner, text, counts, names):
    painted = "\r\n".join(f"\x1b[31m{line}\x1b[0m" for line in text.split("\n"))
    result = results.read(painted)
    assert result is not None
    assert (result.runner, result.passed, result.failed, result.skipped) == (runner, *counts)


def test_go_without_names_tells_only_whether_it_passed():
    good, bad = results.read("ok  \tx/y\t0.01s"), results.read("--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx/y\t0.01s")
    assert good is not None
    assert bad is not None
    assert (good.complete, good.failed, bad.complete, bad.failed, bad.names) == (False, 0, False, 1, ("TestA",))


def test_several_runs_in_one_output_add_up():
    text = "3 passed in 0.1s\n1 failed, 1 passed in 0.1s"
    both, last = results.read(text, 2), results.read(text)
    assert both is not None
    assert last is not None
    assert (both.passed, both.failed) == (4, 1)
    assert (last.passed, last.failed) == (1, 1)


@pytest.mark.parametrize(
    "text", ["", "all good", "3 passed", "Tests: many total", "FAILED", "collected 3 items\n\na.py ..."]
)
def test_no_total_is_no_result(text):
    assert results.read(text) is None


@given(st.text(alphabet="0123456789 passedfilrTtsRunOK=().,:\n-|ℹ✖●#", max_size=300))
def test_any_text_gives_counts_or_nothing(text):
    result = results.read(text)
    assert result is None or (result.passed >= 0 and result.failed >= 0 and result.skipped >= 0)


@pytest.mark.parametrize(
    "piece",
    [
        "1 passed, ",
        "Ran 1 test in 0.1s\n",
        "\n",
        " ",
        "Tests  1 a",
        "--- FAIL: A\n",
        "FAILED ::",
        "# pass 1\n",
        "1 passing\n",
        "● a › ",
    ],
)
def test_long_outputs_of_odd_pieces_are_read_in_time(piece):
    results.read(piece * (400_000 // len(piece)))
