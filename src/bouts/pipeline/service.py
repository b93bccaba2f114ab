"""What running the code shows besides tests: whether it starts, and how fast it is under load."""

from __future__ import annotations

from collections.abc import Iterable

from bouts.errors import WorldError
from bouts.model.base import Fact
from bouts.model.challenge import Performance
from bouts.model.evidence import BuildFacts, Fault, MetricFacts, Notice
from bouts.model.running import LoadJob, StartReport, SuiteReport, Target
from bouts.model.text import clean
from bouts.pipeline.steps import Keep
from bouts.ports import Runner


class Started(Fact):
    """Whether the code starts."""

    build: BuildFacts
    faults: tuple[Fault, ...] = ()


class Loaded(Fact):
    """What came of the service under load."""

    metrics: tuple[MetricFacts, ...] = ()
    notices: tuple[Notice, ...] = ()
    faults: tuple[Fault, ...] = ()


def started(runner: Runner, target: Target, reports: Iterable[SuiteReport], keep: Keep) -> Started:
    """Whether the code starts: seen while the tests ran, else tried."""
    seen = next((r.start for r in reports if r.start is not None), None)
    return _started(seen) if seen is not None else keep("start", Started, lambda: _start(runner, target))


def _start(runner: Runner, target: Target) -> Started:
    try:
        return _started(runner.starts(target))
    except WorldError as error:
        return Started(
            build=BuildFacts(check="starts", ok=False, detail="could not be tried"),
            faults=(Fault(part="objective.build", message=clean(str(error), 500)),),
        )


def _started(report: StartReport) -> Started:
    return Started(build=BuildFacts(check="starts", ok=report.ok, detail=clean(report.detail, 500)))


def loaded_of(runner: Runner, target: Target, performance: Performance | None, keep: Keep, *, late: bool) -> Loaded:
    """The performance that a challenge asks for; nothing where it asks for none, or the time is up."""
    if performance is None:
        return Loaded()
    if late:
        why = "The objective judge's time was up before the service could be measured under load."
        return Loaded(notices=(Notice(kind="performance_incomplete", why=why),))
    return keep("load", Loaded, lambda: _loaded(runner, LoadJob(target=target, performance=performance)))


def _loaded(runner: Runner, job: LoadJob) -> Loaded:
    try:
        report = runner.load(job)
    except WorldError as error:
        return Loaded(faults=(Fault(part="objective.performance", message=clean(str(error), 500)),))
    notices = (Notice(kind="performance_incomplete", why=clean(report.problem, 500)),) if report.problem else ()
    faults = (Fault(part="objective.performance", message=clean(report.fault, 500)),) if report.fault else ()
    return Loaded(metrics=report.metrics, notices=notices, faults=faults)
