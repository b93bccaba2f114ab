"""Measures a service under load.

Closed-loop clients outside the sandbox; time by the host's monotonic clock, memory by the kernel.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass, field, replace

from bouts.adapters.runners.python.load_figures import Measurement, metric_facts, problem_text
from bouts.adapters.runners.python.load_script import Script, Template
from bouts.adapters.runners.python.load_wire import WireConnection, WireError, WireTimeout
from bouts.adapters.runners.python.service import Service, ServiceFailed, ending
from bouts.errors import SandboxFault
from bouts.model.challenge import HttpInterface, Performance
from bouts.model.running import LoadJob, LoadReport
from bouts.model.sandbox import SandboxPlan
from bouts.ports import Sandboxes

_OUTPUT_BYTES = 64 << 20
"""Least limit on the service's output under load: an access log is no offence here."""
_SETUP_SECONDS = 20.0
"""Limit on all setup requests of one repeat together."""
_REQUEST_SECONDS = 10.0
"""Limit on one request, or the challenge's limit of a test where that is less; far beyond where points end."""
_RETRY_PAUSE = 0.01
_NOTICE_SECONDS = 0.1
"""How long failed requests wait to hear that the service died: the one is seen a moment before the other."""


def measure(job: LoadJob, sandboxes: Sandboxes, plan: SandboxPlan) -> LoadReport:
    """Measure `performance.repeats` times, each time on the service started anew in a fresh sandbox made by `plan`.

    A sandbox that dies through a fault of ours is made again once; the second time is reported as `fault`.
    """
    http = job.target.interface.http
    if http is None:
        return LoadReport(metrics=(), problem="the challenge has no http interface, so there is no service to measure")
    output = max(plan.limits.output_bytes, _OUTPUT_BYTES)
    plan = plan.model_copy(update={"limits": plan.limits.model_copy(update={"output_bytes": output})})
    limit = min(job.target.limits.test_seconds, _REQUEST_SECONDS)
    repeats: list[Measurement] = []
    fault, faults = "", 0
    while len(repeats) < job.performance.repeats:
        try:
            repeats.append(_repeat(job.performance, http, limit, sandboxes, plan))
        except SandboxFault as error:
            faults += 1
            if faults > 1:
                fault = error.message
                break
    names = job.performance.metrics
    facts = [facts for name in names if (facts := metric_facts(name, repeats)) is not None]
    return LoadReport(metrics=tuple(facts), problem=problem_text(names, repeats), fault=fault)


def _repeat(
    performance: Performance, http: HttpInterface, limit: float, sandboxes: Sandboxes, plan: SandboxPlan
) -> Measurement:
    sandbox = sandboxes.create(plan)
    destroyed = False
    try:
        service = Service(sandbox, http, _SETUP_SECONDS + performance.seconds + limit)
        measurement = _measured(performance, service, limit)
        destroyed = True
        report = sandbox.destroy()
    finally:
        if not destroyed:
            sandbox.destroy()
    return replace(measurement, memory_bytes=report.memory_peak_bytes, memory_level=report.memory_level)


def _measured(performance: Performance, service: Service, limit: float) -> Measurement:
    try:
        service.start()
    except ServiceFailed as error:
        return _nothing(str(error))
    script = Script(performance.requests)
    problem = _set_up(performance, script, service, limit)
    if problem:
        return _nothing(problem)
    measurement = _Load(service, script, performance, limit).run()
    service.ended(_NOTICE_SECONDS if measurement.failed else 0)
    return _nothing(f"the service ended under load: {ending(service.died[-1])}") if service.dead else measurement


def _nothing(problem: str) -> Measurement:
    return Measurement(latencies=(), answered=0, problem=problem)


def _set_up(performance: Performance, script: Script, service: Service, limit: float) -> str:
    """Send the setup requests one after another; what went wrong, or nothing."""
    setup = Script(performance.setup, script.numbers)
    deadline = time.monotonic() + _SETUP_SECONDS
    wire: WireConnection | None = None
    try:
        for _ in range(len(setup)):
            template, data = setup.next()
            seconds = min(limit, deadline - time.monotonic())
            if seconds <= 0:
                return f"the setup requests took longer than {_SETUP_SECONDS:g} s"
            wire = wire or WireConnection(service.connect(seconds))
            status, open_ = wire.ask(data, seconds)
            if status != template.expect:
                return f"setup request {template.name}: {status} instead of {template.expect}"
            if not open_:
                wire.close()
                wire = None
    except (WireError, OSError) as error:
        return f"a setup request failed: {error}"
    finally:
        if wire is not None:
            wire.close()
    return ""


@dataclass
class _Tally:
    """What one client saw. Each client has its own, so that nothing is shared while time is measured."""

    latencies: list[float] = field(default_factory=list[float])
    answered: int = 0
    failures: Counter[str] = field(default_factory=Counter[str])
    last: float = 0.0
    error: BaseException | None = None


class _Load:
    """One measurement: `clients` threads, each sending its next request when the last one was answered."""

    def __init__(self, service: Service, script: Script, performance: Performance, limit: float) -> None:
        self._service = service
        self._script = script
        self._performance = performance
        self._limit = limit
        self._end = 0.0

    def run(self) -> Measurement:
        """Load the service for `performance.seconds`; requests on their way by then are waited for."""
        tallies = [_Tally() for _ in range(self._performance.clients)]
        wires = [self._open(tally) for tally in tallies]
        pairs = zip(tallies, wires, strict=True)
        threads = [threading.Thread(target=self._client, args=pair, daemon=True) for pair in pairs]
        began = time.monotonic()
        self._end = began + self._performance.seconds
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for tally in tallies:
            if tally.error is not None:
                raise tally.error
        return Measurement(
            latencies=tuple(seconds for tally in tallies for seconds in tally.latencies),
            answered=sum(tally.answered for tally in tallies),
            failures=dict(sum((tally.failures for tally in tallies), Counter[str]())),
            # Never less than the window: a service that falls silent early must not gain from it.
            seconds=max(self._performance.seconds, max(tally.last for tally in tallies) - began),
        )

    def _open(self, tally: _Tally) -> WireConnection | None:
        try:
            return WireConnection(self._service.connect(self._limit))
        except OSError:
            tally.failures["no connection"] += 1
            return None

    def _client(self, tally: _Tally, wire: WireConnection | None) -> None:
        try:
            while time.monotonic() < self._end:
                if wire is None:
                    wire = self._open(tally)
                if wire is None:
                    if not self._service.running:
                        break
                    time.sleep(_RETRY_PAUSE)
                    continue
                template, data = self._script.next()
                if not self._one(tally, wire, template, data):
                    wire.close()
                    wire = None
        except BaseException as error:  # told to the thread that waits for this one
            tally.error = error
        finally:
            if wire is not None:
                wire.close()

    def _one(self, tally: _Tally, wire: WireConnection, template: Template, data: bytes) -> bool:
        """Send one request and count it; whether the connection can be used again."""
        began = time.monotonic()
        try:
            status, again = wire.ask(data, self._limit)
        except WireTimeout as error:
            # It took at least that long: leaving it out would make a hanging service look fast.
            tally.latencies.append(self._limit)
            tally.failures[str(error)] += 1
            return False
        except WireError as error:
            tally.failures[str(error)] += 1
            return False
        tally.last = time.monotonic()
        if status == template.expect:
            tally.answered += 1
            tally.latencies.append(tally.last - began)
        else:
            tally.failures[f"{template.name}: {status} instead of {template.expect}"] += 1
        return again
