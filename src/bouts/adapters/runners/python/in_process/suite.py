"""The host's side of the `in-process` boundary: believes nothing that does not fit what it asked for."""

from __future__ import annotations

import importlib.util
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from bouts.adapters.runners.python.calls.inside import listening
from bouts.adapters.runners.python.in_process.hearing import (
    MESSAGE_LIMIT,
    Forged,
    parsed,
    read_line,
    said,
    texts,
    warnings_of,
)
from bouts.adapters.runners.python.in_process.twins import twins_of
from bouts.adapters.runners.python.plan import ENVIRONMENT, plan_for
from bouts.adapters.runners.python.seats import summary
from bouts.adapters.runners.python.text import escape
from bouts.errors import SandboxFault
from bouts.hosts.deadlines import Deadline
from bouts.model.running import Escape, SuiteJob, TestReport, Warned
from bouts.model.sandbox import Command, Mount, SandboxPlan, SandboxReport
from bouts.ports import Running, Sandboxes

TWINS = 5
"""Tests of a suite that are run once more with a wrong expected value."""
COLLECT_SECONDS = 30.0
_PROGRAM, _SUITE, _SUPPORT, _LIBRARY, _INI = "/opt/run.py", "/opt/suite", "/opt/support", "/opt/lib", "/opt/suite.ini"
_PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")
_OUTCOMES = frozenset(("passed", "failed", "error", "skipped"))

Tell = Callable[[dict[str, Any]], None]


@dataclass
class _Round:
    """One sandbox and what it told."""

    left: list[str] | None
    collected: list[str] = field(default_factory=list[str])
    broken: dict[str, str] = field(default_factory=dict[str, str])
    running: str | None = None
    answer: dict[str, Any] | None = None
    twin: bool = False
    """Whether the twin of the test that runs has come to its end."""
    started: float = 0.0
    finished: bool = False
    greeted: bool = False
    """Whether the program inside spoke, which it does before it imports anything submitted."""


class InProcessSuite:
    """Runs one job, in as many sandboxes as it takes."""

    def __init__(self, job: SuiteJob, tell: Tell, sandboxes: Sandboxes) -> None:
        self._job = job
        self._tell = tell
        self._sandboxes = sandboxes
        self._twins: dict[str, str] = {}
        self._reports: list[SandboxReport] = []

    def run(self, only: tuple[str, ...] | None) -> dict[str, Any]:
        """Run the tests asked for, or list them."""
        state = _Round(None if only is None else list(only))
        if only is not None:
            self._twins = twins_of(Path(self._job.tests_folder) / self._job.suite, only, TWINS, self._job.seed)
        faults: list[str] = []
        for _ in range(len(only or ()) + 2):
            before = len(state.left or ()), len(self._twins)
            try:
                again = self._round(state)
            except SandboxFault as fault:
                faults.append(str(fault))
                if len(faults) > 1:
                    break
                continue
            if not again or (len(state.left or ()), len(self._twins)) == before:
                break
        if len(faults) > 1:
            for _ in range(len(state.left or ())):
                self._close(state, "infrastructure", faults[-1])
        if len(faults) < 2:
            faults.clear()  # once is bad luck, and what was left has been run since
        return {
            "collected": sorted(state.collected),
            "broken": state.broken,
            "faults": faults if only is not None or state.finished else ["the tests could not be listed", *faults],
            "seen": summary(self._reports),
            "start": None,
        }

    def _round(self, state: _Round) -> bool:
        """One sandbox. Says whether tests are left that another should run."""
        sandbox = self._sandboxes.create(self._plan())
        state.running, state.finished, state.answer = None, False, None
        state.greeted = False
        nonce = os.urandom(16).hex()
        try:
            told = {"nonce": nonce, "only": state.left, "seed": self._job.seed, "twins": self._twins, **self._paths()}
            command = Command(argv=("python", "-I", "-S", "-E", "-B", _PROGRAM, "3"), seconds=24 * 3600)
            running = sandbox.start(command, channel=True, stdin=json.dumps(told).encode() + b"\n")
            return self._listen(running, nonce, state, sandbox.waited)
        finally:
            sandbox.kill()
            self._reports.append(sandbox.destroy())

    def _listen(self, running: Running, nonce: str, state: _Round, waited: Callable[[], float]) -> bool:
        channel = running.channel
        if channel is None:
            raise SandboxFault("a sandbox gave no channel")
        limit = self._job.target.limits.test_seconds
        buffer = bytearray()
        deadline, began = Deadline(COLLECT_SECONDS + limit, waited), state.started
        try:
            while not state.finished:
                line = read_line(channel, buffer, deadline)
                if line is None:
                    return self._died(running, state)
                self._hear(parsed(line, nonce), state)
                if state.running is None or state.started != began:
                    deadline, began = Deadline(limit, waited), state.started
        except TimeoutError:
            return self._late(state, limit)
        except Forged as forged:
            self._close(state, "failed", f"the tests' process was tampered with: {forged}", [str(forged)])
            return bool(state.left)
        finally:
            channel.close()
        return False

    def _hear(self, message: dict[str, Any], state: _Round) -> None:
        if message.get("hello") is True:
            state.greeted = True
        elif "collected" in message:
            state.collected, state.broken = texts(message["collected"]), said(message["broken"])
        elif "begin" in message:
            if state.left is None or message["begin"] not in state.left or state.running is not None:
                raise Forged("a test began that was not asked for, or twice")
            state.running, state.started = message["begin"], time.monotonic()
            state.answer, state.twin = None, False
            self._tell({"begin": state.running})
        elif "result" in message:
            if message["result"] != state.running or state.answer is not None:
                raise Forged("a result came for a test that did not run, or twice")
            state.answer = message
        elif "end" in message and message.get("twin") is False:
            self._ended(message, state)
        elif "finished" in message:
            state.finished = True
        else:
            self._hear_twin(message, state)

    def _hear_twin(self, message: dict[str, Any], state: _Round) -> None:
        if state.running is None or state.running not in self._twins or state.answer is not None:
            raise Forged("an unknown message")
        if "twin_result" in message:
            if message.get("failed") is not True:
                raise Forged("a test passed although its expected value had been replaced by a wrong one")
        elif message.get("twin") is True and "end" in message:
            # A twin that ended without a result has not passed.
            state.twin, state.started = True, time.monotonic()
        elif message.get("twin") != state.running:
            raise Forged("an unknown message")

    def _ended(self, message: dict[str, Any], state: _Round) -> None:
        if message["end"] != state.running:
            raise Forged("a test ended that did not run")
        if state.running in self._twins and not state.twin:
            raise Forged("a test was not run with a wrong expected value, as it was to be")
        answer = state.answer
        if answer is None:
            self._close(state, "crashed", f"the test's process ended with status {message.get('status')!r}")
            return
        if answer.get("outcome") not in _OUTCOMES or type(answer.get("message")) is not str:
            raise Forged("a result that no test has")
        escapes, warnings = texts(answer.get("escapes")), warnings_of(answer.get("warnings"))
        self._close(state, answer["outcome"], answer["message"], escapes=escapes, warnings=warnings)

    def _died(self, running: Running, state: _Round) -> bool:
        ended = running.wait(2.0)
        if ended is not None and ended.kind == "sandbox_error":
            raise SandboxFault(ended.detail or "a sandbox died")
        how = "closed its connection" if ended is None else f"ended ({ended.kind}, status {ended.status})"
        if ended is not None and ended.stderr:
            how += f"; it wrote: {ended.stderr[-500:].decode('utf-8', 'replace').strip()}"
        if not state.greeted:
            raise SandboxFault(f"before any code of the submission ran, the tests' process {how}")
        if state.running is None and state.left:
            state.running, state.started = state.left[0], time.monotonic()
        self._close(state, "crashed", f"the tests' process {how}")
        return bool(state.left)

    def _late(self, state: _Round, limit: float) -> bool:
        if not state.greeted:
            raise SandboxFault("the tests' process did not begin in time")
        if state.running in self._twins and not state.twin:
            del self._twins[state.running]  # with a wrong value it may never end; the test itself is run without
            return True
        if state.running is None and state.left:
            # Loading the tests, or the code with them, takes too long: no test will ever run.
            for name in list(state.left):
                state.running, state.started = name, time.monotonic()
                self._close(state, "timeout", "loading the tests did not end in time")
            return False
        self._close(state, "timeout", f"the test did not end within {limit:g} s")
        return bool(state.left)

    def _close(
        self,
        state: _Round,
        outcome: Any,
        message: str,
        protocol: list[str] | None = None,
        escapes: list[str] | None = None,
        warnings: list[Warned] | None = None,
    ) -> None:
        name, state.running = state.running, None
        if name is None:
            name = state.left[0] if state.left else None
        if name is None or state.left is None:
            return
        state.left.remove(name)
        seconds = max(0.0, time.monotonic() - state.started) if state.started else 0.0
        report = TestReport(id=name, outcome=outcome, seconds=seconds, message=escape(message, MESSAGE_LIMIT))
        told = [Escape(test=name, kind="thread", detail=escape(said, 500)) for said in escapes or ()]
        self._tell(
            {
                "test": report.model_dump(mode="json"),
                "escapes": [item.model_dump(mode="json") for item in told],
                "protocol": protocol or [],
                "judged": None,
                "warnings": None if warnings is None else [one.model_dump(mode="json") for one in warnings],
                "seen": summary([]),
            }
        )

    # ------------------------------------------------------------ the sandbox

    def _plan(self) -> SandboxPlan:
        plan = plan_for(self._job.target, self._job.look)
        tests = Path(self._job.tests_folder)
        here = Path(__file__).parent
        mounts = [
            *plan.mounts,
            Mount(source=str(here / "inside.py"), target=_PROGRAM),
            Mount(source=listening.__file__, target=f"{_LIBRARY}/listening.py"),
            Mount(source=str(here.parent / "suite.ini"), target=_INI),
            Mount(source=str(tests / self._job.suite), target=_SUITE),
        ]
        if (tests / "support").is_dir():
            mounts.append(Mount(source=str(tests / "support"), target=_SUPPORT))
        for name in _PACKAGES:
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.submodule_search_locations:
                mounts.append(Mount(source=spec.submodule_search_locations[0], target=f"{_LIBRARY}/{name}"))
            elif spec is not None and spec.origin:
                mounts.append(Mount(source=spec.origin, target=f"{_LIBRARY}/{name}.py"))
        variables = {**plan.variables, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return plan.model_copy(update={"mounts": tuple(mounts), "variables": variables})

    def _paths(self) -> dict[str, Any]:
        workspace = PurePosixPath(self._job.look.workspace)
        calls = self._job.target.interface.calls
        folders = [str(workspace / folder) for folder in (calls.path if calls is not None else (".",))]
        return {
            "first": [_LIBRARY],
            "last": [_SUPPORT, *folders, ENVIRONMENT],
            "arguments": [
                *("-c", _INI, "--rootdir", _SUITE, "--confcutdir", _SUITE, "--import-mode=importlib"),
                *("--strict-markers", "--strict-config", "--capture=no", "--continue-on-collection-errors"),
                *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:faulthandler"),
                *("-p", "no:unraisableexception", "-p", "no:threadexception", "-p", "no:doctest", "-p", "no:junitxml"),
                *("-p", "no:warnings", "-p", "no:stepwise", "-p", "no:pastebin", "-p", "no:legacypath"),
                *("-p", "no:setuponly", "-p", "no:setupplan"),
                *(["--collect-only"] if self._job.collect else []),
                _SUITE,
            ],
        }
