"""Running a suite: inventory, second look, one retry for our own faults, verdicts by enumeration."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from bouts.integrity.observed import SecondLook
from bouts.integrity.observed import second_look as compare_looks
from bouts.model.base import Fact
from bouts.model.challenge import Boundary, Suite
from bouts.model.evidence import Notice, Observation, TestOutcome
from bouts.model.judging import Judgement
from bouts.model.running import SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Look
from bouts.pipeline.inventory import reconcile
from bouts.pipeline.judging import Allowed, hold, withheld
from bouts.pipeline.limits import at_most
from bouts.pipeline.looks import FIRST, SECOND
from bouts.pipeline.steps import Keep, unkept
from bouts.ports import Runner

OnTest = Callable[[TestReport], None]


@dataclass(frozen=True)
class SuiteRequest:
    """One suite of one submission, to be run."""

    target: Target
    tests_folder: Path
    suite: Suite
    boundary: Boundary
    planned: tuple[str, ...]
    seed: int
    second_look: bool
    racing: frozenset[str]
    """Tests of the pattern concurrency: a race comes out as it likes and never convicts."""
    deadline: float
    """What `clock` says when the objective judge's time is up."""
    clock: Callable[[], float] = time.monotonic
    """Seconds since any fixed moment; waiting for a turn does not count."""
    seconds: float = math.inf
    """What the objective judge may take as a whole, whenever its parts were done."""
    judged: Allowed = field(default_factory=dict[str, tuple[Judgement, ...]])
    """What objects of the submission may decide."""


@dataclass(frozen=True)
class SuiteResult:
    """The verdicts of one suite, and everything that was seen on the way."""

    verdicts: Mapping[str, TestReport]
    second: Mapping[str, TestOutcome]
    """Outcomes of the second look; empty where there was none."""
    observations: tuple[Observation, ...]
    """Tests whose answers depend on how the sandbox looks."""
    notices: tuple[Notice, ...]
    """Tests that came out both ways when nothing else changed: no proof of anything."""
    unknown: tuple[str, ...]
    reports: tuple[SuiteReport, ...]
    faults: tuple[str, ...]
    seconds: float


class Looked(Fact):
    """The first look of one suite, completed: each fault of ours was retried once."""

    tests: tuple[TestReport, ...]
    reports: tuple[SuiteReport, ...]
    """What was seen, run by run, without the tests."""
    faults: tuple[str, ...] = ()
    runs: int
    """Runs that it took; each had an order of its own, and so has the next."""
    seconds: float


class FirstLook(Fact):
    """The first look of all suites of a submission."""

    suites: tuple[Looked, ...]

    @property
    def faults(self) -> tuple[str, ...]:
        """What went wrong on our side."""
        return tuple(fault for suite in self.suites for fault in suite.faults)


class SecondLooked(Fact):
    """One suite in an environment that looks different."""

    outcomes: dict[str, TestOutcome]
    observations: tuple[Observation, ...] = ()
    notices: tuple[Notice, ...] = ()
    reports: tuple[SuiteReport, ...] = ()
    faults: tuple[str, ...] = ()
    seconds: float = 0.0


def run_suites(
    runner: Runner, requests: tuple[SuiteRequest, ...], on_test: OnTest, keep: Keep = unkept
) -> list[SuiteResult]:
    """Run suites of the same code: the first look of all of them, then the second where it is asked for. `keep` does
    each of these steps.

    Raises `HostFault` where nothing can be run at all.
    """
    first = keep("first_look", FirstLook, lambda: _first(runner, requests, on_test))
    spent = sum(looked.seconds for looked in first.suites)
    results: list[SuiteResult] = []
    for request, looked in zip(requests, first.suites, strict=True):
        second = SecondLooked(outcomes={})
        if request.second_look:
            left = replace(request, deadline=min(request.deadline, request.clock() + request.seconds - spent))
            second = keep("second_look", SecondLooked, partial(_second, runner, left, looked, on_test))
            spent += second.seconds
        results.append(_result(request, looked, second))
    return results


def _first(runner: Runner, requests: tuple[SuiteRequest, ...], on_test: OnTest) -> FirstLook:
    clock = requests[0].clock
    started = clock()
    jobs = _together(requests, tuple(_job(request, FIRST, request.planned, request.seed) for request in requests))
    reports = runner.run_all(jobs, on_test)
    shared = (clock() - started) / max(1, len(jobs))
    suites: list[Looked] = []
    for request, report in zip(requests, reports, strict=True):
        started = clock()
        runs = _Runs(runner, request, on_test, report)
        tests = runs.run(FIRST, request.planned)
        seconds = shared + clock() - started
        suites.append(
            Looked(
                tests=tuple(tests), reports=_seen(runs), faults=tuple(runs.faults), runs=runs.number, seconds=seconds
            )
        )
    return FirstLook(suites=tuple(suites))


def _together(requests: tuple[SuiteRequest, ...], jobs: tuple[SuiteJob, ...]) -> tuple[SuiteJob, ...]:
    """The jobs with less time each where they would otherwise take longer, together, than the objective judge may."""
    wanted = sum(job.target.limits.suite_seconds for job in jobs)
    left = max(1.0, requests[0].deadline - requests[0].clock())
    if wanted <= left:
        return jobs
    shares = (at_most(job.target, job.target.limits.suite_seconds * left / wanted) for job in jobs)
    return tuple(job.model_copy(update={"target": share}) for job, share in zip(jobs, shares, strict=True))


def _second(runner: Runner, request: SuiteRequest, first: Looked, on_test: OnTest) -> SecondLooked:
    started = request.clock()
    runs = _Runs(runner, request, on_test, number=first.runs)
    other = _outcomes(request.planned, runs.run(SECOND, request.planned))
    usual = _outcomes(request.planned, list(first.tests))
    look = _settle(
        runs,
        {t: outcome for t, outcome in usual.items() if t not in request.racing},
        {t: outcome for t, outcome in other.items() if t not in request.racing},
    )
    return SecondLooked(
        outcomes=dict(other),
        observations=look.observations,
        notices=look.notices,
        reports=_seen(runs),
        faults=tuple(runs.faults),
        seconds=request.clock() - started,
    )


def _seen(runs: _Runs) -> tuple[SuiteReport, ...]:
    return tuple(report.model_copy(update={"tests": (), "judged": {}}) for report in runs.reports)


def _result(request: SuiteRequest, first: Looked, second: SecondLooked) -> SuiteResult:
    verdicts, unknown = reconcile(request.planned, first.tests)
    return SuiteResult(
        verdicts=verdicts,
        second=second.outcomes,
        observations=second.observations,
        notices=second.notices,
        unknown=unknown,
        reports=(*first.reports, *second.reports),
        faults=tuple(dict.fromkeys((*first.faults, *second.faults))),
        seconds=first.seconds + second.seconds,
    )


def _settle(runs: _Runs, first: Mapping[str, TestOutcome], second: Mapping[str, TestOutcome]) -> SecondLook:
    """Run tests whose answers differ again, in both looks in turn, until each is either steady or flaky."""
    usual, other = [first], [second]
    look = compare_looks(usual, other)
    while look.confirm and not runs.late():
        usual.append(_outcomes(look.confirm, runs.run(FIRST, look.confirm)))
        other.append(_outcomes(look.confirm, runs.run(SECOND, look.confirm)))
        look = compare_looks(usual, other)
    return look


def _outcomes(tests: tuple[str, ...], reports: list[TestReport]) -> Mapping[str, TestOutcome]:
    verdicts, _ = reconcile(tests, reports)
    return {test: report.outcome for test, report in verdicts.items()}


class _Runs:
    """The runs of one suite of one submission: each in another order, each fault of ours retried once."""

    def __init__(
        self,
        runner: Runner,
        request: SuiteRequest,
        on_test: OnTest,
        first: SuiteReport | None = None,
        *,
        number: int = 0,
    ) -> None:
        """`first` is the report of the first run where that was made already, `number` how many others were."""
        self._runner, self._request, self._on_test = runner, request, on_test
        self._first = first
        self.number = number
        self.reports: list[SuiteReport] = []
        self.faults: list[str] = []

    def _seed(self) -> int:
        return self._request.seed + self.number

    def late(self) -> bool:
        """Whether the objective judge's time is up."""
        return self._request.clock() >= self._request.deadline

    def run(self, look: Look, tests: tuple[str, ...]) -> list[TestReport]:
        """One run; tests that our own faults spoiled run once more. What fails twice is a fault."""
        request = self._request
        report, self._first = self._first, None
        if report is None:
            report = self._runner.run(_job(request, look, tests, self._seed()), self._on_test)
        report = self._held(report, look)
        spoiled = tuple(t.id for t in report.tests if t.outcome == "infrastructure")
        if not spoiled:
            self.faults += [f"{request.suite.value}: {fault}" for fault in report.faults]
            return list(report.tests)
        again = self._held(self._runner.run(_job(request, look, spoiled, self._seed()), self._on_test), look)
        still = [t.id for t in again.tests if t.outcome == "infrastructure"]
        if still:
            self.faults.append(f"{request.suite.value}: {len(still)} tests could not be run")
            self.faults += [f"{request.suite.value}: {fault}" for fault in again.faults]
        return [*(t for t in report.tests if t.outcome != "infrastructure"), *again.tests]

    def _held(self, report: SuiteReport, look: Look) -> SuiteReport:
        """The report, in which no object and no change of the submission decides more than those of the reference."""
        request = self._request
        self.number += 1
        report, more = withheld(
            hold(report, request.judged),
            request.judged,
            lambda tests: self._runner.run(_job(request, look, tests, self._seed(), withhold=True), self._on_test),
        )
        self.number += more is not None
        self.reports += [report] if more is None else [report, more]
        return report


def _job(request: SuiteRequest, look: Look, tests: tuple[str, ...], seed: int, *, withhold: bool = False) -> SuiteJob:
    return SuiteJob(
        target=at_most(request.target, max(1.0, request.deadline - request.clock())),
        tests_folder=str(request.tests_folder),
        suite=request.suite,
        boundary=request.boundary,
        tests=tests,
        seed=seed,
        look=look,
        starts=request.suite is Suite.STATIC and look == FIRST and not withhold,
        withhold=withhold,
    )
