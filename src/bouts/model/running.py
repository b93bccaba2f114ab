"""What a runner is asked to do and what it reports back."""

from __future__ import annotations

from bouts.model.base import Fact
from bouts.model.challenge import Boundary, Interface, Limits, Performance, Suite
from bouts.model.evidence import MetricFacts, TestOutcome
from bouts.model.judging import Judged
from bouts.model.sandbox import Look, NetworkAttempt


class Target(Fact):
    """The code under test and what it runs on."""

    workspace: str
    """Host folder with the staged tree, world-readable."""
    environment: str | None = None
    """Host folder with the challenge's installed dependencies, or none."""
    interface: Interface
    limits: Limits = Limits()
    variables: dict[str, str] = {}
    decoys: str | None = None


class SuiteJob(Fact):
    """Run these tests of one suite."""

    target: Target
    tests_folder: str
    """Host folder of the package's `tests/`."""
    suite: Suite
    boundary: Boundary
    tests: tuple[str, ...]
    """Ids relative to the suite's folder; empty with `collect`."""
    collect: bool = False
    """List the suite's tests instead of running them."""
    starts: bool = False
    """Whether to see on the way if the code starts; runners that cannot leave `start` empty."""
    seed: int = 0
    look: Look = Look()
    withhold: bool = False
    """Whether the test does not get to see what the code changes of what the test gave it: arguments and files."""


class TestReport(Fact):
    """One test, as the trusted process reported it."""

    id: str
    outcome: TestOutcome
    seconds: float
    message: str = ""


class Escape(Fact):
    """An exception that no test received: from a thread, task or exit hook, a 500, a dead worker."""

    test: str
    kind: str
    """`thread`, `task`, `exit`, `status_500`, `worker_died`."""
    detail: str


class Warned(Fact):
    """A warning that the code under test gave: deprecation, leaked resource, coroutine that was never awaited."""

    path: str
    """File of the workspace that it comes from, relative to it."""
    line: int
    """0 where it is not known."""
    kind: str
    """Name of the category, such as `DeprecationWarning`."""
    text: str


class StartReport(Fact):
    """Whether the code starts at its boundary."""

    ok: bool
    detail: str


class SuiteReport(Fact):
    """What a runner saw of one run of a suite.

    Ids may be missing or unknown; the pipeline holds them against the inventory.
    """

    tests: tuple[TestReport, ...]
    collected: tuple[str, ...] = ()
    """With `collect`: every id, sorted."""
    unloaded: dict[str, str] = {}
    """With `collect`: test files that do not load, and why; each is among the faults, too."""
    escapes: tuple[Escape, ...] = ()
    network: tuple[NetworkAttempt, ...] = ()
    network_level: str = "none"
    decoy_reads: tuple[str, ...] = ()
    decoy_level: str = "none"
    memory_peak_bytes: int | None = None
    memory_level: str = "none"
    processes_left: bool = False
    """Whether after a test processes still ran that had left, or outlived, what was started for it."""
    protocol_errors: tuple[str, ...] = ()
    """Forged or broken answers of the worker: proof of tampering where they cannot be accidents."""
    judged: dict[str, Judged] = {}
    """Tests that left something to objects of the code."""
    warnings: tuple[Warned, ...] | None = None
    """Warnings of the code, each place once, sorted; `null` where nobody listened."""
    faults: tuple[str, ...] = ()
    """What went wrong on our side."""
    start: StartReport | None = None
    seconds: float = 0.0
    put_off: float = 0.0
    """Seconds of these for which other work on the machine kept the code from its processors."""


class LoadJob(Fact):
    """Measure the service under load."""

    target: Target
    performance: Performance


class LoadReport(Fact):
    """What the load client measured."""

    metrics: tuple[MetricFacts, ...]
    problem: str = ""
    """Why nothing, or not everything, could be measured."""
    fault: str = ""
    """What went wrong on our side."""
