"""The pytest plugin with which the host runs an author's tests, each against a fresh sandbox."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from _pytest.runner import CallInfo, SetupState
from _pytest.tmpdir import tmppath_result_key

from bouts.adapters.runners.python.boundary import BoundaryNotes, BoundarySession
from bouts.adapters.runners.python.seats import Seats, Watchdog, summary
from bouts.adapters.runners.python.text import escape
from bouts.errors import SandboxFault
from bouts.model.evidence import TestOutcome
from bouts.model.running import SuiteJob, TestReport

MESSAGE_LIMIT = 2000
"""Characters of a test's message."""

Tell = Callable[[dict[str, Any]], None]


class SuitePlugin:
    """Selects, orders and runs the tests; tells of each as it ends."""

    def __init__(
        self, job: SuiteJob, only: tuple[str, ...] | None, boundary: BoundarySession, seats: Seats, tell: Tell
    ):
        self._job = job
        self._only = only
        self._boundary = boundary
        self._seats = seats
        self._tell = tell
        self._left = 0
        self._folder = str(Path(job.tests_folder) / job.suite)
        self.collected: list[str] = []
        self.broken: dict[str, str] = {}
        """Test files that could not be collected, and why."""
        self.internal = ""
        self.after_collection: Callable[[], None] = lambda: None
        self.before_tests: Callable[[], None] = lambda: None

    def pytest_internalerror(self, excrepr: object) -> bool:
        """Remember what broke pytest itself."""
        self.internal = escape(str(excrepr)[-MESSAGE_LIMIT:], MESSAGE_LIMIT)
        return True

    # ------------------------------------------------------------ selecting

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Tell which file is loaded, as one that ends this process can be named by nobody else."""
        if self._job.collect and isinstance(collector, pytest.File):
            self._tell({"loads": collector.nodeid})

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember files that do not load."""
        if report.failed:
            said = str(report.longrepr).strip()
            self.broken[report.nodeid] = escape(said[-MESSAGE_LIMIT:], MESSAGE_LIMIT)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests asked for, in an order drawn from the seed."""
        if self._job.collect:
            self._tell({"loads": None})
        items.sort(key=lambda item: item.nodeid)
        self.collected = [item.nodeid for item in items]
        random.Random(self._job.seed).shuffle(items)  # noqa: S311 - an order, not a secret
        if self._only is not None:
            wanted = frozenset(self._only)
            items[:] = [item for item in items if item.nodeid in wanted]
        self._left = len(items)
        self.after_collection()
        if self._left and not self._job.collect:
            self._seats.ahead()
        self.before_tests()

    # ------------------------------------------------------------ running

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run one test; once more where a sandbox failed through no act of the submission."""
        self._left -= 1
        told = self._attempt(item, nextitem)
        if told["test"]["outcome"] == "infrastructure":
            request = getattr(item, "_initrequest", None)
            if request is not None:
                request()
            told = self._attempt(item, nextitem)
            if told["test"]["outcome"] == "infrastructure":
                told["fault"] = f"{item.nodeid}: {told['test']['message']}"
        told["seen"] = summary(self._seats.reports())
        self._tell(told)
        return True

    def _attempt(self, item: pytest.Item, nextitem: pytest.Item | None) -> dict[str, Any]:
        limit = self._job.target.limits.test_seconds
        self._tell({"begin": item.nodeid})
        try:
            seat = self._seats.take()
        except SandboxFault as fault:
            return self._report(item, Verdict("infrastructure", str(fault)), 0.0, BoundaryNotes())
        if self._left:
            self._seats.ahead()
        dog = Watchdog(seat.sandbox, limit)
        started = time.monotonic()
        try:
            self._boundary.begin(item.nodeid, seat.sandbox, seat.ready)
            verdict = self._phases(item, nextitem)
        except SandboxFault as fault:
            verdict = Verdict("infrastructure", str(fault))
        seconds = time.monotonic() - started
        notes = self._boundary.end()
        if dog.stop() and notes.fault is None:
            others = dog.deadline.put_off
            left_out = f", without {others:.0f} s in which others used the machine" if others >= 1 else ""
            verdict = Verdict("timeout", f"the test did not end within {limit:g} s{left_out}")
            # It died because we killed it.
            notes = replace(notes, escapes=tuple(e for e in notes.escapes if e.kind != "worker_died"))
        else:
            verdict = verdict.with_notes(notes)
        # Where our own fault may have come from what is left in a sandbox, another one is made.
        self._seats.clear(seat, more=self._left > 0 and verdict.outcome != "infrastructure")
        return self._report(item, verdict, seconds, notes)

    def _report(self, item: pytest.Item, verdict: Verdict, seconds: float, notes: BoundaryNotes) -> dict[str, Any]:
        report = TestReport(
            id=item.nodeid, outcome=verdict.outcome, seconds=seconds, message=escape(verdict.message, MESSAGE_LIMIT)
        )
        return {
            "test": report.model_dump(mode="json"),
            "escapes": [escaped.model_dump(mode="json") for escaped in notes.escapes],
            "protocol": list(notes.protocol_errors),
            "judged": notes.judged.model_dump(mode="json") if notes.judged is not None else None,
            "warnings": None if notes.warnings is None else [one.model_dump(mode="json") for one in notes.warnings],
        }

    def _phases(self, item: pytest.Item, nextitem: pytest.Item | None) -> Verdict:
        item.stash[tmppath_result_key] = {}  # pytest's own reports, which are not made here, would fill it
        state: SetupState = item.session._setupstate  # pyright: ignore[reportPrivateUsage]
        setup = _phase("setup", lambda: item.ihook.pytest_runtest_setup(item=item))
        call = None
        if setup.excinfo is None:
            call = _phase("call", lambda: item.ihook.pytest_runtest_call(item=item))
            _unittest_failure(item, call)
        teardown = _phase("teardown", lambda: item.ihook.pytest_runtest_teardown(item=item, nextitem=nextitem))
        if teardown.excinfo is not None:
            # Whatever went wrong, the next test starts from an empty stack.
            while nextitem is None and state.stack:
                state.stack.popitem()
        for phase in (setup, call, teardown):
            if phase is not None and phase.excinfo is not None:
                return self._verdict(phase)
        return Verdict("passed", "")

    def _verdict(self, phase: CallInfo[Any]) -> Verdict:
        assert phase.excinfo is not None
        error = phase.excinfo.value
        if isinstance(error, SandboxFault):
            return Verdict("infrastructure", error.message)
        if isinstance(error, pytest.skip.Exception):
            return Verdict("skipped", str(error))
        outcome: TestOutcome = "failed" if phase.when == "call" else "error"
        return Verdict(outcome, _told(phase.excinfo, self._folder, phase.when))


class Verdict:
    """How a test ended."""

    def __init__(self, outcome: TestOutcome, message: str) -> None:
        self.outcome: TestOutcome = outcome
        self.message = message

    def with_notes(self, notes: BoundaryNotes) -> Verdict:
        """What the boundary saw decides over what the test itself came to."""
        if notes.fault is not None:
            return Verdict("infrastructure", notes.fault)
        if notes.protocol_errors:
            return Verdict("failed", f"the submission's process broke the protocol: {notes.protocol_errors[0]}")
        if notes.crashed is not None:
            return Verdict("crashed", notes.crashed)
        return self


def _phase(when: Any, function: Callable[[], object]) -> CallInfo[Any]:
    return cast("CallInfo[Any]", CallInfo.from_call(function, when=when))


def _unittest_failure(item: pytest.Item, call: CallInfo[Any]) -> None:
    """A `unittest.TestCase` keeps what its test raised to itself, for a report of pytest's that is not made here."""
    kept = cast("list[pytest.ExceptionInfo[BaseException]] | None", getattr(item, "_excinfo", None))
    if kept:
        if call.excinfo is None:
            call.excinfo = kept[0]
        kept.clear()


def _told(caught: pytest.ExceptionInfo[BaseException], folder: str, when: str) -> str:
    """Place, kind and text of an exception, as short as it can be understood."""
    error = caught.value
    place = ""
    for entry in reversed(caught.traceback):
        path = str(entry.path)
        if path.startswith(folder + "/"):
            place = f"{path[len(folder) + 1 :]}:{entry.lineno + 1}: "
            break
    try:
        said = str(error)
    except Exception as trouble:
        said = f"(its text cannot be read: {type(trouble).__name__})"
    kind = type(error).__name__
    during = "" if when == "call" else f"in {when}: "
    said = said if kind == "AssertionError" and said.startswith("assert") else f"{kind}: {said}"
    return f"{during}{place}{said}"
