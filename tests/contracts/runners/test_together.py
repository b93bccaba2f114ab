"""Several suites of the same code in one child and one sandbox."""

from __future__ import annotations

import pytest

from bouts.model.challenge import Suite

CODE = """
import socket
import time

CALLS = []

class Wrong(Exception):
    pass

def note(x):
    CALLS.append(x)
    return len(CALLS)

def fail():
    raise Wrong("no")

def reach():
    try:
        socket.create_connection(("192.0.2.9", 80), 0.2)
    except OSError:
        return "unreachable"

def hang():
    time.sleep(60)
"""
TESTS = """
import helper
import pytest
from sol import Wrong, fail, hang, note, reach

def test_fresh():
    assert note({n}) == 1

def test_own_error():
    with pytest.raises(Wrong):
        fail()

def test_helper():
    assert helper.WHO == "{who}" and helper.Wrong is Wrong

def test_reach():
    assert reach() == "unreachable"

def test_hang():
    hang()
"""


@pytest.fixture
def two(suites):
    """A visible and a hidden suite whose files, and whose helper modules, have the same names."""
    suites.write(code=CODE)
    jobs = []
    for number, suite in enumerate((Suite.STATIC, Suite.ADVERSARIAL)):
        folder = suites.tests / suite.value / "unit"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "test_sol.py").write_text(TESTS.format(n=number, who=suite.value))
        (suites.tests / suite.value / "conftest.py").write_text(
            "import pathlib, sys\nsys.path.insert(0, str(pathlib.Path(__file__).parent / 'own'))\n"
        )
        own = suites.tests / suite.value / "own"
        own.mkdir()
        (own / "helper.py").write_text(f"from sol import Wrong\nWHO = {suite.value!r}\n")
        jobs.append(suite)

    def make(*names, **limits):
        ids = tuple(f"unit/test_sol.py::{name}" for name in names)
        return tuple(suites.job(ids, **limits).model_copy(update={"suite": suite}) for suite in jobs)

    return make


def outcomes(report):
    return {test.id.partition("::")[2]: test.outcome for test in report.tests}


def test_each_suite_is_its_own(runner, two):
    names = ("test_fresh", "test_own_error", "test_helper")
    for report in runner.run_all(two(*names), lambda _: None):
        assert outcomes(report) == dict.fromkeys(names, "passed"), [t.message for t in report.tests]
        assert not report.faults


def test_what_the_sandbox_saw_stands_in_every_report(runner, two):
    jobs = two("test_fresh", "test_reach")
    for report in runner.run_all((jobs[0].model_copy(update={"tests": jobs[0].tests[:1]}), jobs[1]), lambda _: None):
        assert [attempt.address for attempt in report.network if not attempt.allowed] == ["192.0.2.9:80"]
        assert report.network_level == "complete"
        assert report.memory_peak_bytes is not None


def test_a_hanging_test_costs_itself_alone(runner, two):
    for report in runner.run_all(two("test_hang", "test_fresh", "test_own_error", test_seconds=1), lambda _: None):
        found = outcomes(report)
        assert found.pop("test_hang") == "timeout"
        assert set(found.values()) == {"passed"}


def test_jobs_that_differ_run_by_themselves(runner, two):
    first, second = two("test_fresh")
    other = second.target.model_copy(update={"variables": {"MORE": "1"}})
    reports = runner.run_all((first, second.model_copy(update={"target": other})), lambda _: None)
    assert [outcomes(report) for report in reports] == [{"test_fresh": "passed"}] * 2


class Turn:
    """Notes when a place is taken and left, among the tests that are told."""

    def __init__(self):
        self.seen = []

    def begin(self):
        self.seen.append("begin")

    def end(self):
        self.seen.append("end")


def test_tests_run_within_the_turn_and_the_rest_outside(runner, two):
    turn = Turn()
    reports = runner.run_all(two("test_fresh", "test_own_error"), lambda told: turn.seen.append(told.id), turn)
    assert [len(report.tests) for report in reports] == [2, 2]
    assert turn.seen[0] == "begin"
    assert turn.seen.count("begin") == 1
    assert turn.seen[-1] == "end"
    assert len(turn.seen) == 6


def test_a_turn_begins_where_suites_do_not_share(runner, two):
    turn = Turn()
    (only,) = runner.run_all(two("test_fresh")[:1], lambda told: turn.seen.append(told.id), turn)
    assert only.tests[0].outcome == "passed"
    assert turn.seen[0] == "begin"
