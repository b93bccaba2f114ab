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
from bouts.hosts.crowded import Crowd
from bouts.hosts.deadlines import Deadline
from bouts.hosts.zygote import Job, Zygote
from bouts.model.challenge import Boundary
from bouts.model.running import LoadJob, LoadReport, StartReport, SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Look, SandboxPlan
from bouts.ports import Turn

PRELOAD = ("pytest", "bouts.adapters.runners.python.host", "bouts.adapters.runners.python.starting")
"""Modules that the zygote should load."""

GRACE_SECONDS = 15.0
"""Beyond a test's own limit, until the whole suite child is killed."""
COLLECT_SECONDS = 60.0
SUITE_MOST = 2.0
"""What others use of the machine puts the limit of a suite off, until it is this many times as long."""


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
        gathered, suite = Gathered(job, on_test), _Suite(job)
        # This ends: each child that dies or hangs closes a test at the latest when it happens a second time. However
        # often a submission brings the tests' process down, those are its failures and no fault of ours.
        while self._one_child(job, gathered, suite):
            pass
        return gathered.report(time.monotonic() - suite.started, suite.put_off)

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
        gathered, suites = [Gathered(job, on_test) for job in jobs], [_Suite(job) for job in jobs]
        self._shared_child(jobs, gathered, suites, turn)
        if turn is not None and not all(one.complete for one in gathered):
            turn.begin()
        for job, one, suite in zip(jobs, gathered, suites, strict=True):
            suite.renew()
            while not one.complete and self._one_child(job, one, suite):
                pass
        share(gathered)
        told = zip(gathered, suites, strict=True)
        return tuple(one.report(time.monotonic() - suites[0].started, suite.put_off) for one, suite in told)

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
            answer = _next(child, Deadline(seconds, Crowd(child.pid).waited))
        finally:
            child.kill()
        if answer is None:
            raise HostFault(f"a helper process did not answer within {seconds:g} s")
        if "error" in answer:
            raise HostFault(f"a helper process failed: {answer['error']}")
        return answer["result"]["report"]

    def _one_child(self, job: SuiteJob, gathered: Gathered, suite: _Suite) -> bool:
        """Run what is left in one child. Says whether something is left that another child should try."""
        left = gathered.left()
        if not left and not job.collect:
            return False
        payload = {"task": "suite", "job": job.model_dump(mode="json"), "only": left, "folder": self._folder()}
        child = self._zygote.start(self._target, payload)
        try:
            return self._follow(child, job, gathered, suite)
        finally:
            child.kill()

    def _shared_child(
        self, jobs: tuple[SuiteJob, ...], gathered: list[Gathered], suites: list[_Suite], turn: Turn | None
    ) -> None:
        """Run all jobs in one child for as long as that lives; a job that it does not finish is for another child."""
        parts = [{"job": job.model_dump(mode="json"), "only": list(job.tests)} for job in jobs]
        payload = {"task": "suites", "jobs": parts, "folder": self._folder(), "waits": turn is not None}
        child = self._zygote.start(self._target, payload)
        try:
            for job, one, suite in zip(jobs, gathered, suites, strict=True):
                suite.renew()
                self._follow(child, job, one, suite, turn, last=one is gathered[-1])
                if not one.complete:
                    return
            last = _next(child, Deadline(GRACE_SECONDS, Crowd(child.pid).waited))
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
        suite: _Suite,
        turn: Turn | None = None,
        *,
        last: bool = False,
    ) -> bool:
        """Take what a child tells until its suite is over; it may wait for `turn`, which ends with the `last` suite's
        last test."""
        crowd = suite.follow(child)
        patience = COLLECT_SECONDS + job.target.limits.test_seconds
        while True:
            now = time.monotonic()
            try:
                message = _next(child, Deadline(patience, crowd), suite.deadline)
            except HostFault:
                return gathered.child_died()
            if message is None and not suite.deadline.left():
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
                suite.deadline.extend(time.monotonic() - now)
                child.send({"go": True})
            gathered.take(message)
            if last and turn is not None and "test" in message and not gathered.left():
                turn.end()
            if "begin" in message:
                patience = 2 * job.target.limits.test_seconds + GRACE_SECONDS


class _Suite:
    """The limit of one suite, over all children that run a part of it."""

    def __init__(self, job: SuiteJob) -> None:
        self.started = time.monotonic()
        self._limit = job.target.limits.suite_seconds
        self._crowd, self._before = Crowd(), 0.0
        self.deadline = self._whole()

    def renew(self) -> None:
        """The whole limit is there from now on."""
        self._before, self.deadline = self.put_off, self._whole()

    def follow(self, child: Job) -> Callable[[], float]:
        """It is this child that runs now: for how long others kept it from its processors, so far."""
        self._crowd.follow(child.pid)
        return self._crowd.waited

    @property
    def put_off(self) -> float:
        """Seconds by which the limit was put off because of others."""
        return self._before + self.deadline.put_off

    def _whole(self) -> Deadline:
        return Deadline(self._limit, self._crowd.waited, most=SUITE_MOST)


def _next(child: Job, *deadlines: Deadline) -> dict[str, Any] | None:
    """The child's next message, or `None` when none came before the first of the deadlines. Raises `HostFault`."""
    came: list[dict[str, Any]] = []

    def receive(seconds: float) -> bool:
        message = child.receive(seconds)
        if message is not None:
            came.append(message)
        return message is not None

    first, *others = deadlines
    first.wait(receive, *others)
    for one in others:
        one.look()
    return came[0] if came else None
