"""How long each part of scoring may take: the numbers of the four-judge policy, whatever policy scores in the end, as
what is measured is kept for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bouts.model.running import LoadJob, LoadReport, StartReport, SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Look, SandboxPlan
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.ports import Runner, Turn

LIMITS = FOUR_JUDGE_1.limits
"""Seconds by part."""
PROCESS_EVENTS = 200_000
"""Events of a session that are measured: so many that the policy's limit is never near, and a card does not depend on
how fast a machine is."""


class OutOfTime(Exception):
    """The time of a part is up."""


def at_most(target: Target, seconds: float) -> Target:
    """The same where a suite may take no longer than this."""
    if target.limits.suite_seconds <= seconds:
        return target
    return target.model_copy(update={"limits": target.limits.model_copy(update={"suite_seconds": seconds})})


@dataclass(frozen=True)
class Within:
    """A runner that runs nothing once a part's time is up, and nothing for longer than is left; see `ports.Runner`.

    Raises `OutOfTime`.
    """

    runner: Runner
    deadline: float
    """What `clock` says when the time is up."""
    clock: Callable[[], float] = time.monotonic

    def left(self) -> float:
        """Seconds that are left. Raises `OutOfTime` where there are none."""
        left = self.deadline - self.clock()
        if left <= 0:
            raise OutOfTime
        return left

    def run(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> SuiteReport:
        """As the runner."""
        target = at_most(job.target, self.left())
        report = self.runner.run(job.model_copy(update={"target": target}), on_test)
        self.left()  # what was cut off is no outcome
        return report

    def run_all(
        self, jobs: tuple[SuiteJob, ...], on_test: Callable[[TestReport], None], turn: Turn | None = None
    ) -> tuple[SuiteReport, ...]:
        """As the runner, one after the other."""
        return tuple(self.run(job, on_test) for job in jobs)

    def starts(self, target: Target) -> StartReport:
        """As the runner."""
        self.left()
        return self.runner.starts(target)

    def load(self, job: LoadJob) -> LoadReport:
        """As the runner."""
        self.left()
        return self.runner.load(job)

    def plan(self, target: Target, look: Look) -> SandboxPlan:
        """As the runner."""
        return self.runner.plan(target, look)
