"""The main process's side of running Python tests; implements `bouts.ports.Runner`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bouts.adapters.runners.python.calls.payload import default_cache, worker_folder
from bouts.adapters.runners.python.gathering import LOST, Gathered, share
from bouts.adapters.runners.python.plan import plan_for
from bouts.errors import HostFault
from bouts.hosts.stopped import stood_still
from bouts.hosts.zygote import Job, Zygote
from bouts.model.challenge import Boundary
from bouts.model.running import LoadJob, LoadReport, StartReport, SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Look, SandboxPlan
from bouts.ports import Turn

PRELOAD = ("pytest", "bouts.adapters.runners.python.host")
"""Modules that the zygote should load."""

GRACE_SECONDS = 15.0
"""Beyond a test's own limit, until the whole suite child is killed."""
COLLECT_SECONDS = 60.0


class PythonRunner:
    """Runs suites in children of a zygote. Thread-safe: each call has a child of its own.

    `host_target` names a function `(payload, line)` that calls `host.run_suite(payload, line, sandboxes)`;
    `cache` is a folder for the worker's bytecode.
    """

    def __init__(self, zygote: Zygote, host_target: str, cache: Path | None = None) -> None:
        self._zygote = zygote
        self._target = host_target
        self._cache = cache if cache is not None else default_cache()
        self._made: Path | None = None

    def run(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> SuiteReport:
        """Run the tests asked for, or list them. A test that is not in the report was not reported by anyone."""
        started = time.monotonic()
        gathered = Gathered(job, on_test)
        deadline = started + job.target.limits.suite_seconds
        # This ends: each child that dies or hangs closes a test at the latest when it happens a second time. However
        # often a submission brings the tests' process down, those are its failures and no fault of ours.
        while self._one_child(job, gathered, deadline):
            pass
        return gathered.report(time.monotonic() - started)

    def run_all(
        self, jobs: tuple[SuiteJob, ...], on_test: Callable[[TestReport], None], turn: Turn | None = None
    ) -> tuple[SuiteReport, ...]:
        """Run several suites of the same code. At the boundary `calls` they share a child and, renewed between any two
        tests, a sandbox; what the sandbox saw then stands in every report. There the child is started, and the tests of
        the first suite are collected, before the turn begins; it ends with the last test."""
        same = {(j.boundary, j.collect, j.look.model_dump_json(), j.target.model_dump_json()) for j in jobs}
        if len(jobs) < 2 or len(same) > 1 or any(j.boundary is not Boundary.CALLS or j.collect for j in jobs):
            if turn is not None:
                turn.begin()
            return tuple(self.run(job, on_test) for job in jobs)
        started = time.monotonic()
        gathered = [Gathered(job, on_test) for job in jobs]
        self._shared_child(jobs, gathered, turn)
        if turn is not None and not all(one.complete for one in gathered):
            turn.begin()
        for job, one in zip(jobs, gathered, strict=True):
            deadline = time.monotonic() + job.target.limits.suite_seconds
            while not one.complete and self._one_child(job, one, deadline):
                pass
        share(gathered)
        return tuple(one.report(time.monotonic() - started) for one in gathered)

    def starts(self, target: Target) -> StartReport:
        """Whether the code starts at its boundary. Raises `HostFault` or `SandboxFault`."""
        payload = {"task": "starts", "target": target.model_dump(mode="json"), "folder": self._folder()}
        limit = 2 * target.limits.test_seconds + COLLECT_SECONDS
        return StartReport.model_validate(self._ask(payload, limit))

    def load(self, job: LoadJob) -> LoadReport:
        """Measure the service under load. Raises `HostFault` or `SandboxFault`."""
        performance = job.performance
        http = job.target.interface.http
        ready = http.ready_seconds if http is not None else 0.0
        limit = performance.repeats * (performance.seconds + ready + 30.0) + COLLECT_SECONDS
        payload = {"task": "load", "job": job.model_dump(mode="json"), "folder": self._folder()}
        return LoadReport.model_validate(self._ask(payload, limit))

    def plan(self, target: Target, look: Look) -> SandboxPlan:
        """The sandbox that this code is tested in."""
        return plan_for(target, look)

    def _folder(self) -> str:
        # Its name is a digest over the worker's sources, which is worth finding out once; a folder that somebody has
        # cleared away since is made again.
        if self._made is None or not self._made.is_dir():
            self._made = worker_folder(self._cache)
        return str(self._made)

    def _ask(self, payload: dict[str, Any], seconds: float) -> dict[str, Any]:
        child = self._zygote.start(self._target, payload)
        try:
            answer = child.receive(seconds)
        finally:
            child.kill()
        if answer is None:
            raise HostFault(f"a helper process did not answer within {seconds:g} s")
        if "error" in answer:
            raise HostFault(f"a helper process failed: {answer['error']}")
        return answer["result"]["report"]

    def _one_child(self, job: SuiteJob, gathered: Gathered, deadline: float) -> bool:
        """Run what is left in one child. Says whether something is left that another child should try."""
        left = gathered.left()
        if not left and not job.collect:
            return False
        payload = {"task": "suite", "job": job.model_dump(mode="json"), "only": left, "folder": self._folder()}
        child = self._zygote.start(self._target, payload)
        try:
            return self._follow(child, job, gathered, deadline)
        finally:
            child.kill()

    def _shared_child(self, jobs: tuple[SuiteJob, ...], gathered: list[Gathered], turn: Turn | None) -> None:
        """Run all jobs in one child for as long as that lives; a job that it does not finish is for another child."""
        parts = [{"job": job.model_dump(mode="json"), "only": list(job.tests)} for job in jobs]
        payload = {"task": "suites", "jobs": parts, "folder": self._folder(), "waits": turn is not None}
        child = self._zygote.start(self._target, payload)
        try:
            for job, one in zip(jobs, gathered, strict=True):
                deadline = time.monotonic() + job.target.limits.suite_seconds
                self._follow(child, job, one, deadline, turn, last=one is gathered[-1])
                if not one.complete:
                    return
            last = child.receive(GRACE_SECONDS)
            gathered[-1].see(last["result"]["seen"] if last is not None and "result" in last else LOST)
        except HostFault:
            gathered[-1].see(LOST)
        finally:
            child.kill()

    def _follow(
        self,
        child: Job,
        job: SuiteJob,
        gathered: Gathered,
        deadline: float,
        turn: Turn | None = None,
        *,
        last: bool = False,
    ) -> bool:
        """Take what a child tells until its suite is over; it may wait for `turn`, which ends with the `last` suite's
        last test."""
        patience = COLLECT_SECONDS + job.target.limits.test_seconds
        while True:
            now = time.monotonic()
            wait = max(0.0, min(patience, deadline - now))
            try:
                message = child.receive(wait)
            except HostFault:
                return gathered.child_died()
            if message is None and (late := stood_still(now, wait)):
                deadline += late
                continue
            if message is None and time.monotonic() >= deadline:
                gathered.out_of_time()
                return False
            if message is None:
                return gathered.child_hung()
            if "error" in message:
                gathered.give_up(f"the tests' process failed: {message['error']}")
                return False
            if "result" in message:
                gathered.finished(message["result"])
                return False
            if "waits" in message and turn is not None:
                turn.begin()
                deadline += time.monotonic() - now
                child.send({"go": True})
            gathered.take(message)
            if last and turn is not None and "test" in message and not gathered.left():
                turn.end()
            if "begin" in message:
                patience = 2 * job.target.limits.test_seconds + GRACE_SECONDS
