"""Running a suite: inventory, second look, one retry for our own faults, verdicts by enumeration."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bouts.model.challenge import Boundary, Suite
from bouts.model.evidence import TestOutcome
from bouts.model.running import SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Look
from bouts.pipeline.inventory import reconcile
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
    deadline: float
    """`time.monotonic()` value at which the objective judge's time is up."""


@dataclass(frozen=True)
class SuiteResult:
    """The verdicts of one suite, and everything that was seen on the way."""

    verdicts: Mapping[str, TestReport]
    second: Mapping[str, TestOutcome]
    """Outcomes of the second look; empty where there was none."""
    confirmed: tuple[str, ...]
    """Tests that passed in the first look and failed in the second, twice each."""
    unstable: tuple[str, ...]
    """Tests whose outcome changed when nothing else did: no proof of anything."""
    unknown: tuple[str, ...]
    reports: tuple[SuiteReport, ...]
    faults: tuple[str, ...]
    seconds: float


def run_suite(runner: Runner, request: SuiteRequest, on_test: OnTest) -> SuiteResult:
    """Run a suite once, or twice with the second look. Raises `HostFault` where nothing can be run at all."""
    started = time.monotonic()
    reports, faults = _run(runner, request, FIRST, request.planned, request.seed, on_test)
    verdicts, unknown = reconcile(request.planned, [t for r in reports for t in r.tests])
    second: dict[str, TestOutcome] = {}
    confirmed: list[str] = []
    unstable: list[str] = []
    if request.second_look:
        more, more_faults = _run(runner, request, SECOND, request.planned, request.seed + 1, on_test)
        again, _ = reconcile(request.planned, [t for r in more for t in r.tests])
        second = {test: report.outcome for test, report in again.items()}
        differing = tuple(t for t in request.planned if (verdicts[t].outcome == "passed") != (second[t] == "passed"))
        if differing:
            third, third_faults = _settle(runner, request, differing, verdicts, second, confirmed, unstable, on_test)
            more, more_faults = (*more, *third), (*more_faults, *third_faults)
        reports, faults = (*reports, *more), (*faults, *more_faults)
    return SuiteResult(
        verdicts=verdicts,
        second=second,
        confirmed=tuple(confirmed),
        unstable=tuple(unstable),
        unknown=unknown,
        reports=tuple(reports),
        faults=tuple(faults),
        seconds=time.monotonic() - started,
    )


def _settle(
    runner: Runner,
    request: SuiteRequest,
    differing: tuple[str, ...],
    first: Mapping[str, TestReport],
    second: Mapping[str, TestOutcome],
    confirmed: list[str],
    unstable: list[str],
    on_test: OnTest,
) -> tuple[tuple[SuiteReport, ...], tuple[str, ...]]:
    """Run the tests whose answers differ once more in both looks: only what repeats is a difference between looks."""
    a_reports, a_faults = _run(runner, request, FIRST, differing, request.seed + 2, on_test)
    b_reports, b_faults = _run(runner, request, SECOND, differing, request.seed + 3, on_test)
    a, _ = reconcile(differing, [t for r in a_reports for t in r.tests])
    b, _ = reconcile(differing, [t for r in b_reports for t in r.tests])
    for test in differing:
        repeats = (a[test].outcome == "passed") == (first[test].outcome == "passed") and (
            b[test].outcome == "passed"
        ) == (second[test] == "passed")
        (confirmed if repeats else unstable).append(test)
    return (*a_reports, *b_reports), (*a_faults, *b_faults)


def _run(
    runner: Runner, request: SuiteRequest, look: Look, tests: tuple[str, ...], seed: int, on_test: OnTest
) -> tuple[tuple[SuiteReport, ...], tuple[str, ...]]:
    """One run; tests that our own faults spoiled run once more. What fails twice is a fault."""
    report = runner.run(_job(request, look, tests, seed), on_test)
    spoiled = tuple(t.id for t in report.tests if t.outcome == "infrastructure")
    if not spoiled:
        return (report,), report.faults
    again = runner.run(_job(request, look, spoiled, seed), on_test)
    kept = tuple(t for t in report.tests if t.outcome != "infrastructure")
    still = tuple(t.id for t in again.tests if t.outcome == "infrastructure")
    faults = tuple(dict.fromkeys(f"{request.suite.value}: {f}" for f in again.faults)) if still else ()
    return (report.model_copy(update={"tests": kept}), again), faults or (
        (f"{request.suite.value}: {len(still)} tests could not be run",) if still else ()
    )


def _job(request: SuiteRequest, look: Look, tests: tuple[str, ...], seed: int) -> SuiteJob:
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
    )
