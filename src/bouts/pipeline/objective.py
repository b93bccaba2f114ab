"""The objective judge's evidence: suites, build health, performance, security. What is measured here may be kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.rubric import decides
from bouts.errors import BadChallenge
from bouts.model.base import Fact
from bouts.model.challenge import AdversarialRule, Pattern, StaticRule, Suite
from bouts.model.evidence import (
    AuditChannel,
    BuildFacts,
    Fault,
    MetricFacts,
    Notice,
    Observation,
    SuiteFacts,
    TestFacts,
)
from bouts.model.running import Escape, SuiteReport, Target, TestReport
from bouts.model.sandbox import NetworkAttempt
from bouts.model.text import clean, clean_line
from bouts.pipeline.auditing import SEEN, audit
from bouts.pipeline.judging import allowed
from bouts.pipeline.limits import LIMITS
from bouts.pipeline.looks import seed
from bouts.pipeline.service import loaded_of, started
from bouts.pipeline.steps import Keep, unkept
from bouts.pipeline.suites import SuiteRequest, SuiteResult, run_suites
from bouts.ports import Runner

OBJECTIVE_SECONDS = LIMITS.objective_seconds
"""Wall-clock limit of the objective judge as a whole; tests that have not finished by then have failed."""
MESSAGE_CHARACTERS = 2000
WARNING_CHARACTERS = 300
PLACES = 20


class Watched(Fact):
    """What the watchers saw while code ran, for the integrity checks."""

    network: tuple[NetworkAttempt, ...] = ()
    decoy_reads: tuple[str, ...] = ()
    protocol_errors: tuple[str, ...] = ()
    processes_left: bool = False


class Measured(Fact):
    """Everything that the objective judge needs and that running the code yields."""

    suites: tuple[SuiteFacts, ...]
    tests: tuple[TestFacts, ...]
    build: tuple[BuildFacts, ...]
    metrics: tuple[MetricFacts, ...] = ()
    observations: tuple[Observation, ...] = ()
    """Tests whose answers depend on how the sandbox looks."""
    notices: tuple[Notice, ...] = ()
    audit: tuple[AuditChannel, ...] = ()
    faults: tuple[Fault, ...] = ()
    watched: Watched = Watched()


@dataclass(frozen=True)
class Subject:
    """A staged submission, ready to be run."""

    package: Package
    workspace: Path
    digest: str
    environment: Path | None
    name: str
    changed: frozenset[str] = frozenset()
    """Files that the submission added or changed: warnings of others are no act of its."""


def planned(package: Package, suite: Suite) -> tuple[str, ...]:
    """The suite's inventory. Raises `BadChallenge` where it is missing, or older than the tests."""
    if package.inventory is None or not package.inventory_fits:
        what = "has no inventory" if package.inventory is None else "was changed after its inventory was written"
        raise BadChallenge(
            f"the list of tests {what}",
            where=str(package.root),
            hint=f"write it with: bouts check {package.root} --freeze",
        )
    return package.inventory.static if suite is Suite.STATIC else package.inventory.adversarial


def target_of(subject: Subject, decoys: Path | None = None) -> Target:
    """What the runner needs to know of the code under test."""
    manifest = subject.package.manifest
    return Target(
        workspace=str(subject.workspace),
        environment=str(subject.environment) if subject.environment else None,
        interface=manifest.interface,
        limits=manifest.limits,
        variables=manifest.environment.variables,
        decoys=str(decoys) if decoys else None,
    )


def measure(
    runner: Runner,
    subject: Subject,
    *,
    second_look: bool,
    load: bool,
    decoys: Path | None,
    tell: TellTest,
    keep: Keep = unkept,
    clock: Callable[[], float] = time.monotonic,
) -> Measured:
    """Run the code in every way that the challenge asks for; `keep` does each step, and `clock` tells the time that
    counts. Faults of ours are recorded, never scored."""
    deadline = clock() + OBJECTIVE_SECONDS
    package, target = subject.package, target_of(subject, decoys)
    facts: list[SuiteFacts] = []
    tests: list[TestFacts] = []
    results: list[SuiteResult] = []
    faults: list[Fault] = []
    requests = tuple(
        _request(subject, target, suite, second_look and suite is Suite.ADVERSARIAL, clock, deadline)
        for suite in (Suite.STATIC, Suite.ADVERSARIAL)
    )
    tell.start("tests", sum(len(r.planned) * (2 if r.second_look else 1) for r in requests))
    for request, result in zip(requests, run_suites(runner, requests, tell.test, keep), strict=True):
        results.append(result)
        facts.append(_suite_facts(subject, request, result))
        tests += _test_facts(package, request.suite, result)
        faults += [Fault(part=f"objective.{request.suite.value}", message=clean(f, 500)) for f in result.faults]
    reports = [r for result in results for r in result.reports]
    tell.start("start", 0)
    starts = started(runner, target, reports, keep)
    if load and package.manifest.performance is not None:
        tell.start("load", 0)
    late = clock() >= deadline
    loaded = loaded_of(runner, target, package.manifest.performance if load else None, keep, late=late)
    return Measured(
        suites=tuple(facts),
        tests=tuple(tests),
        build=(starts.build, _exceptions(reports)),
        metrics=loaded.metrics,
        observations=tuple(o for r in results for o in r.observations),
        notices=(*(n for r in results for n in r.notices), *loaded.notices),
        audit=audit(reports),
        faults=(*faults, *starts.faults, *loaded.faults),
        watched=_watched(results),
    )


class TellTest:
    """Tells how far the tests of one submission are."""

    def __init__(self, tell: TellStep) -> None:
        self._tell = tell
        self._what, self._total, self._done = "", 0, 0

    def start(self, what: str, total: int) -> None:
        """A part begins."""
        self._what, self._total, self._done = what, total, 0
        self._tell(what, 0, total)

    def test(self, _report: TestReport) -> None:
        """A test ended."""
        self._done += 1
        self._tell(self._what, min(self._done, self._total) if self._total else self._done, self._total)


class TellStep:
    """`(what, done, total)` for one item."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Say nothing by default."""


def _request(
    subject: Subject, target: Target, suite: Suite, second: bool, clock: Callable[[], float], deadline: float
) -> SuiteRequest:
    package = subject.package
    spec = package.manifest.suites.static if suite is Suite.STATIC else package.manifest.suites.adversarial
    return SuiteRequest(
        target=target,
        tests_folder=package.tests,
        suite=suite,
        boundary=spec.boundary,
        planned=planned(package, suite),
        seed=seed(package.digest, subject.digest, suite.value),
        second_look=second,
        racing=_racing(package) if suite is Suite.ADVERSARIAL else frozenset(),
        deadline=deadline,
        clock=clock,
        seconds=OBJECTIVE_SECONDS,
        judged=allowed(package, suite),
    )


def _racing(package: Package) -> frozenset[str]:
    return frozenset(test for test, rule in package.hidden_rules.items() if rule.pattern is Pattern.CONCURRENCY)


def _suite_facts(subject: Subject, request: SuiteRequest, result: SuiteResult) -> SuiteFacts:
    package = subject.package
    spec = package.manifest.suites.static if request.suite is Suite.STATIC else package.manifest.suites.adversarial
    return SuiteFacts(
        suite=request.suite,
        boundary=request.boundary,
        planned=len(request.planned),
        seed=request.seed,
        seconds=round(result.seconds, 3),
        second_look=request.second_look,
        in_process_reason=spec.in_process_reason,
        unknown=tuple(clean_line(u, 200) for u in result.unknown[:PLACES]),
        warnings=warnings_of(result.reports, subject.changed),
    )


def warnings_of(reports: tuple[SuiteReport, ...], files: frozenset[str]) -> tuple[str, ...] | None:
    """What warned in these files, in any of the runs; `None` where nobody listened."""
    told = [report.warnings for report in reports if report.warnings is not None]
    if not told:
        return None
    places = {(one.path, one.line, one.kind): one for several in told for one in several if one.path in files}
    found = [one for _, one in sorted(places.items())][:PLACES]
    return tuple(clean_line(f"{w.path}:{w.line or '?'}: {w.kind}: {w.text}", WARNING_CHARACTERS) for w in found)


def _test_facts(package: Package, suite: Suite, result: SuiteResult) -> list[TestFacts]:
    rubric = package.manifest.rubric
    static: Mapping[str, StaticRule] = package.visible_rules if suite is Suite.STATIC else {}
    hidden: Mapping[str, AdversarialRule] = package.hidden_rules if suite is Suite.ADVERSARIAL else {}
    made: list[TestFacts] = []
    for test, report in result.verdicts.items():
        visible, secret = static.get(test), hidden.get(test)
        if visible is None and secret is None:
            raise BadChallenge(
                f"no rule of the rubric matches the test {suite.value}/{test}",
                where=str(package.root / "challenge.yaml"),
                hint="add a rule under rubric." + suite.value,
            )
        made.append(
            TestFacts(
                suite=suite,
                id=test,
                outcome=report.outcome,
                seconds=round(report.seconds, 3),
                message=clean(report.message, MESSAGE_CHARACTERS),
                points=visible.points if visible else 1.0,
                category=visible.category if visible else None,
                severity=secret.severity if secret else None,
                cwe=secret.cwe if secret else None,
                pattern=secret.pattern if secret else None,
                behaviours=(visible.behaviour,) if visible else secret.validates if secret else (),
                second=result.second.get(test),
                decides=decides(rubric, suite, test),
            )
        )
    return made


def _exceptions(reports: Iterable[SuiteReport]) -> BuildFacts:
    escapes: list[Escape] = [e for r in reports for e in r.escapes]
    places = tuple(dict.fromkeys(f"{e.kind}: {clean_line(e.detail, 300)}" for e in escapes))
    if not escapes:
        detail = "no exception escaped while the suites ran"
    else:
        detail = f"{len(escapes)} exceptions escaped while the suites ran"
    return BuildFacts(check="exceptions", ok=not escapes, detail=detail, places=places[:PLACES])


def _watched(results: Iterable[SuiteResult]) -> Watched:
    reports = [r for result in results for r in result.reports]
    return Watched(
        network=tuple(dict.fromkeys(n for r in reports for n in r.network if not n.allowed))[:SEEN],
        decoy_reads=tuple(dict.fromkeys(d for r in reports for d in r.decoy_reads))[:SEEN],
        protocol_errors=tuple(dict.fromkeys(clean(p, 500) for r in reports for p in r.protocol_errors))[:SEEN],
        processes_left=any(r.processes_left for r in reports),
    )
