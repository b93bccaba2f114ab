"""Running a suite: inventory, second look, one retry for our own faults, verdicts by enumeration."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bouts.integrity.observed import SecondLook
from bouts.integrity.observed import second_look as compare_looks
from bouts.model.challenge import Boundary, Suite
from bouts.model.evidence import Notice, Observation, TestOutcome
from bouts.model.judging import Judgement
from bouts.model.running import SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Look
from bouts.pipeline.inventory import reconcile
from bouts.pipeline.judging import Allowed, hold, withheld
from bouts.pipeline.looks import FIRST, SECOND
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
    """`time.monotonic()` value at which the objective judge's time is up."""
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


def run_suites(runner: Runner, requests: tuple[SuiteRequest, ...], on_test: OnTest) -> list[SuiteResult]:
    """Run suites of the same code: the first look of all of them, then what each needs besides.

    Raises `HostFault` where nothing can be run at all.
    """
    started = time.monotonic()
    jobs = tuple(_job(request, FIRST, request.planned, request.seed) for request in requests)
    first = runner.run_all(jobs, on_test)
    spent = (time.monotonic() - started) / max(1, len(jobs))
    return [_run_suite(runner, r, report, on_test, spent) for r, report in zip(requests, first, strict=True)]


def _run_suite(runner: Runner, request: SuiteRequest, first: SuiteReport, on_test: OnTest, spent: float) -> SuiteResult:
    """Complete a suite's first look, and add the second one where it is asked for."""
    started = time.monotonic() - spent
    runs = _Runs(runner, request, on_test, first)
    usual = runs.run(FIRST, request.planned)
    verdicts, unknown = reconcile(request.planned, usual)
    second: dict[str, TestOutcome] = {}
    look = SecondLook((), (), ())
    if request.second_look:
        other = _outcomes(request.planned, runs.run(SECOND, request.planned))
        second = dict(other)
        steady: dict[str, TestOutcome] = {t: r.outcome for t, r in verdicts.items() if t not in request.racing}
        look = _settle(runs, steady, {t: o for t, o in other.items() if t not in request.racing})
    return SuiteResult(
        verdicts=verdicts,
        second=second,
        observations=look.observations,
        notices=look.notices,
        unknown=unknown,
        reports=tuple(runs.reports),
        faults=tuple(dict.fromkeys(runs.faults)),
        seconds=time.monotonic() - started,
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

    def __init__(self, runner: Runner, request: SuiteRequest, on_test: OnTest, first: SuiteReport) -> None:
        self._runner, self._request, self._on_test = runner, request, on_test
        self._first: SuiteReport | None = first
        self._seed = request.seed
        self.reports: list[SuiteReport] = []
        self.faults: list[str] = []

    def late(self) -> bool:
        """Whether the objective judge's time is up."""
        return time.monotonic() >= self._request.deadline

    def run(self, look: Look, tests: tuple[str, ...]) -> list[TestReport]:
        """One run; tests that our own faults spoiled run once more. What fails twice is a fault."""
        request = self._request
        report, self._first = self._first, None
        if report is None:
            report = self._runner.run(_job(request, look, tests, self._seed), self._on_test)
        report = self._held(report, look)
        spoiled = tuple(t.id for t in report.tests if t.outcome == "infrastructure")
        if not spoiled:
            self.faults += [f"{request.suite.value}: {fault}" for fault in report.faults]
            return list(report.tests)
        again = self._held(self._runner.run(_job(request, look, spoiled, self._seed), self._on_test), look)
        still = [t.id for t in again.tests if t.outcome == "infrastructure"]
        if still:
            self.faults.append(f"{request.suite.value}: {len(still)} tests could not be run")
            self.faults += [f"{request.suite.value}: {fault}" for fault in again.faults]
        return [*(t for t in report.tests if t.outcome != "infrastructure"), *again.tests]

    def _held(self, report: SuiteReport, look: Look) -> SuiteReport:
        """The report, in which no object and no change of the submission decides more than those of the reference."""
        request = self._request
        self._seed += 1
        report, more = withheld(
            hold(report, request.judged),
            request.judged,
            lambda tests: self._runner.run(_job(request, look, tests, self._seed, withhold=True), self._on_test),
        )
        self._seed += more is not None
        self.reports += [report] if more is None else [report, more]
        return report


def _job(request: SuiteRequest, look: Look, tests: tuple[str, ...], seed: int, *, withhold: bool = False) -> SuiteJob:
    left = max(1.0, request.deadline - time.monotonic())
    limits = request.target.limits
    target = request.target
    if limits.suite_seconds > left:
        target = target.model_copy(update={"limits": limits.model_copy(update={"suite_seconds": left})})
    return SuiteJob(
        target=target,
        tests_folder=str(request.tests_folder),
        suite=request.suite,
        boundary=request.boundary,
        tests=tests,
        seed=seed,
        look=look,
        starts=request.suite is Suite.STATIC and look == FIRST and not withhold,
        withhold=withhold,
    )
