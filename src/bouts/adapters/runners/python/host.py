"""The suite child: a trusted process, forked from a zygote with pytest loaded, in which an author's tests run.

Submitted code never runs here. The child may be killed at any time; what it has told by then stands.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bouts.adapters.runners.python import sessions
from bouts.adapters.runners.python.boundary import BoundarySession
from bouts.adapters.runners.python.calls.finder import Finder
from bouts.adapters.runners.python.calls.session import CallsBoundary, CallsWorker
from bouts.adapters.runners.python.calls.standins import RemoteModule
from bouts.adapters.runners.python.keeping import KeptSandboxes
from bouts.adapters.runners.python.plan import plan_for
from bouts.adapters.runners.python.seats import Seat, Seats, Watchdog, summary
from bouts.adapters.runners.python.suite import SuitePlugin, Tell
from bouts.errors import SandboxFault
from bouts.hosts.line import Line
from bouts.model.challenge import Boundary
from bouts.model.running import Escape, LoadJob, StartReport, SuiteJob, Target, TestReport
from bouts.model.sandbox import Command, Ended, Look, Mount, SandboxPlan, SandboxReport
from bouts.ports import Sandboxes

ADDRESS_SPACE = 8 << 30
"""Bytes that this process may map: hostile data must exhaust one test, not the machine."""

_SESSIONS = 2
"""Suites that run in one child."""
_USED_MODELS = (SuiteJob, TestReport, Escape, StartReport, SandboxPlan, Mount, Command, Ended, SandboxReport)


def run_suite(payload: dict[str, Any], line: Line, sandboxes: Sandboxes) -> dict[str, Any]:
    """Do what `PythonRunner` asks: run or list a suite, see whether the code starts, or measure it under load."""
    _harden()
    task = payload["task"]
    if task == "suite":
        return _run(payload, line.send, sandboxes)
    if task == "suites":
        return _run_all(payload, line, sandboxes)
    if task == "starts":
        from bouts.adapters.runners.python.starting import starts

        target = Target.model_validate(payload["target"])
        return {"report": starts(target, sandboxes, payload["folder"]).model_dump(mode="json")}
    from bouts.adapters.runners.python.load import measure

    job = LoadJob.model_validate(payload["job"])
    return {"report": measure(job, sandboxes, plan_for(job.target, Look())).model_dump(mode="json")}


def warm() -> None:
    """Run a small suite once, so that what pytest loads and compiles on the way is there for every child, and have
    sessions ready for the suites of a submission."""
    for model in _USED_MODELS:
        model.model_rebuild()
    with tempfile.TemporaryDirectory() as folder:
        empty, suite = Path(folder) / "empty", Path(folder) / "static"
        empty.mkdir()
        suite.mkdir()
        (suite / "test_warm.py").write_text(
            "import pytest\n\n@pytest.mark.parametrize('n', [1])\ndef test_warm(n):\n    assert n == 1\n",
            encoding="utf-8",
        )
        sessions.prepare(1, empty)
        sessions.run(sessions.Tests(suite, (str(suite),)), [])
        sessions.prepare(_SESSIONS, empty)
    sys.modules.pop("test_warm", None)


def _harden() -> None:
    """Nothing that a test prints reaches anyone's terminal; memory has an end."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    os.close(nowhere)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > ADDRESS_SPACE:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, hard))


def _run_all(payload: dict[str, Any], line: Line, sandboxes: Sandboxes) -> dict[str, Any]:
    """Several suites of the same code, one after another; each result is told as soon as it is there."""
    kept = KeptSandboxes(sandboxes)
    path, loaded = list(sys.path), set(sys.modules)
    last = len(payload["jobs"]) - 1
    for number, part in enumerate(payload["jobs"]):
        kept.more = number < last
        waits = payload.get("waits") and not number
        result = _run({**part, "folder": payload["folder"]}, line.send, kept, _wait_on(line) if waits else None)
        _forget(path, loaded, part["job"]["tests_folder"])
        line.send({"done": number, "result": result})
    return {"seen": summary(kept.close())}


def _wait_on(line: Line) -> Callable[[], None]:
    def wait() -> None:
        line.send({"waits": True})
        line.receive(None)

    return wait


def _forget(path: list[str], loaded: set[str], tests: str) -> None:
    """Unload the author's modules and the stand-ins, so that the next suite gets its own."""
    sys.path[:] = path
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Finder)]
    for name in set(sys.modules) - loaded:
        module = sys.modules[name]
        if isinstance(module, RemoteModule) or str(vars(module).get("__file__") or "").startswith(f"{tests}/"):
            del sys.modules[name]


def _run(
    payload: dict[str, Any], tell: Tell, sandboxes: Sandboxes, wait: Callable[[], None] | None = None
) -> dict[str, Any]:
    job = SuiteJob.model_validate(payload["job"])
    only = None if job.collect else tuple(payload["only"])
    if job.boundary is Boundary.IN_PROCESS:
        from bouts.adapters.runners.python.in_process.suite import InProcessSuite

        return InProcessSuite(job, tell, sandboxes).run(only)
    boundary = make_boundary(job, payload["folder"])
    seats = Seats(sandboxes, boundary, renew=job.boundary is Boundary.CALLS)
    plugin = SuitePlugin(job, only, boundary, seats, tell)
    if wait is not None:
        plugin.before_tests = wait
    faults: list[str] = []
    start: list[StartReport] = []
    if isinstance(boundary, CallsBoundary):
        from bouts.adapters.runners.python.starting import imports

        calls, limit = job.target.interface.calls, job.target.limits.test_seconds
        assert calls is not None

        def started(worker: CallsWorker, dog: Watchdog) -> None:
            # What a fault of ours keeps from being seen here is tried by itself later.
            with contextlib.suppress(SandboxFault):
                start.append(imports(worker, calls.modules, dog, limit))

        _collect_with(boundary, seats, plugin, limit, started if job.starts else None)
    try:
        status = sessions.run(_tests_of(job, only), [plugin, *_fixtures(boundary)])
        if status not in (0, 1, 2, 5):
            faults.append(f"pytest could not run (exit status {int(status)}): {plugin.internal}")
        seen = seats.close()
    except SandboxFault as fault:
        faults.append(str(fault))
        seen = []
    boundary.close()
    result: dict[str, Any] = {"collected": sorted(plugin.collected), "broken": plugin.broken, "faults": faults}
    result["spoiled"] = boundary.fault if isinstance(boundary, CallsBoundary) else None
    result["seen"] = summary(seen)
    result["start"] = start[0].model_dump(mode="json") if start else None
    return result


def make_boundary(job: SuiteJob, folder: str) -> BoundarySession:
    """The boundary that the suite declares."""
    if job.boundary is Boundary.CALLS:
        return CallsBoundary(job.target, job.look, folder, withhold=job.withhold)
    if job.boundary is Boundary.HTTP:
        from bouts.adapters.runners.python.http import HttpBoundary

        return HttpBoundary(job.target, job.look, folder)
    from bouts.adapters.runners.python.cli import CliBoundary

    return CliBoundary(job.target, job.look, folder)


def _fixtures(boundary: BoundarySession) -> list[object]:
    plugin = boundary.plugin()
    return [] if plugin is None else [plugin]


def _collect_with(
    boundary: CallsBoundary,
    seats: Seats,
    plugin: SuitePlugin,
    seconds: float,
    started: Callable[[CallsWorker, Watchdog], None] | None,
) -> None:
    """Names bound at the top of test files are looked up in a first seat, which then serves the first test."""
    taken: list[tuple[Seat, Watchdog]] = []

    def collector() -> Any:
        seat = seats.take()
        taken.append((seat, Watchdog(seat.sandbox, seconds)))
        return seat.ready

    def after() -> None:
        if started is not None:
            with contextlib.suppress(SandboxFault):
                collector() if not taken else None
        if started is not None and taken:
            seat, dog = taken[-1]
            assert isinstance(seat.ready, CallsWorker)
            started(seat.ready, dog)
        usable = boundary.collected()
        for number, (seat, dog) in enumerate(taken, 1):
            if not dog.stop() and usable and number == len(taken):
                seats.give_back(seat)
            else:
                seats.clear(seat)
        taken.clear()

    boundary.open(collector)
    plugin.after_collection = after


def _tests_of(job: SuiteJob, only: tuple[str, ...] | None) -> sessions.Tests:
    tests = Path(job.tests_folder)
    folder, support = tests / job.suite, tests / "support"
    if support.is_dir():
        sys.path.insert(0, str(support))
    files = sorted({name.partition("::")[0] for name in only}) if only is not None else []
    paths = tuple(str(folder / name) for name in files if (folder / name).is_file()) or (str(folder),)
    return sessions.Tests(folder, paths, job.collect)
