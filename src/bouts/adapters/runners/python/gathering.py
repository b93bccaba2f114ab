"""What the suite children told, put together into one report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bouts.model.evidence import TestOutcome
from bouts.model.judging import Judged
from bouts.model.running import Escape, StartReport, SuiteJob, SuiteReport, TestReport, Warned
from bouts.model.sandbox import NetworkAttempt

LOST: dict[str, Any] = {
    "network": [],
    "decoy_reads": [],
    "memory_peak_bytes": None,
    "network_level": "partial",
    "decoy_level": "partial",
    "memory_level": "partial",
    "processes_left": False,
}
"""What is known of a sandbox whose report never came."""

MAX_WARNINGS = 200
"""Warnings of one run that are kept."""
_ORDER = ("none", "partial", "complete")


class Gathered:
    """The state of one run, over all its children."""

    def __init__(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> None:
        self._job = job
        self._on_test = on_test
        self._tests: list[TestReport] = []
        self._done: set[str] = set()
        self._running: str | None = None
        self._died: set[str] = set()
        self.complete = False
        """Whether a child came to its end, or nothing more can be done."""
        self._collected: tuple[str, ...] = ()
        self._loading: str | None = None
        """The test file that a child loads, where it lists tests."""
        self._unloaded: dict[str, str] = {}
        self._start: StartReport | None = None
        self._escapes: list[Escape] = []
        self._protocol: list[str] = []
        self._faults: list[str] = []
        self._judged: dict[str, Judged] = {}
        self._warnings: dict[tuple[str, int, str], Warned] | None = None
        self._network: dict[NetworkAttempt, None] = {}
        self._decoys: set[str] = set()
        self._peak: int | None = None
        self._left = False
        self._levels: dict[str, str] = {}

    def left(self) -> list[str]:
        """Ids that nobody has reported yet."""
        return [name for name in self._job.tests if name not in self._done]

    def take(self, message: dict[str, Any]) -> None:
        """A message from a child at work."""
        if "loads" in message:
            self._loading = message["loads"]
        if "begin" in message:
            self._running = message["begin"]
        if "test" in message:
            self._running = None
            report = TestReport.model_validate(message["test"])
            self._add(report)
            self._escapes += [Escape.model_validate(item) for item in message["escapes"]]
            self._protocol += [f"{report.id}: {said}" for said in message["protocol"]]
            if message["judged"] is not None:
                self._judged[report.id] = Judged.model_validate(message["judged"])
            self._hear(message.get("warnings"))
            self.see(message["seen"])
            if "fault" in message:
                self._faults.append(message["fault"])

    def finished(self, result: dict[str, Any]) -> None:
        """The last message of a child that came to its end."""
        self.complete = True
        self._collected = tuple(result["collected"])
        if result["start"] is not None:
            self._start = StartReport.model_validate(result["start"])
        self._faults += result["faults"]
        self.see(result["seen"])
        broken: dict[str, str] = result["broken"]
        if self._job.collect:
            self._faults += [f"{name}: {said}" for name, said in broken.items()]
            if not result.get("spoiled"):
                self._unloaded |= broken
        for name in self.left():
            file = name.partition("::")[0]
            if file in broken and result.get("spoiled"):
                self._close(name, "infrastructure", result["spoiled"])
            elif file in broken:
                self._close(name, "error", f"the test file does not load: {broken[file]}")

    def child_died(self) -> bool:
        """A child ended without an answer: the test that ran gets a second chance."""
        name = self._running
        self._running = None
        if name is None:
            self._not_listed(
                "the tests' process died while it collected tests",
                "it ends the tests' process, so no test can be listed",
            )
            return False
        if name in self._died:
            self._close(name, "crashed", "the tests' process died twice while this test ran")
        self._died.add(name)
        return True

    def child_hung(self) -> bool:
        """A child did not move on in time and was killed."""
        name = self._running
        self._running = None
        if name is None:
            self._not_listed(
                "collecting the tests took too long", "it does not come to its end, so no test can be listed"
            )
            return False
        limit = self._job.target.limits.test_seconds
        self._close(name, "timeout", f"the test did not end within {limit:g} s and had to be killed")
        return True

    def out_of_time(self) -> None:
        """The suite's own limit is over."""
        self.complete = True
        limit = self._job.target.limits.suite_seconds
        for name in self.left():
            self._close(name, "timeout", f"the suite did not end within {limit:g} s")

    def _not_listed(self, why: str, of_file: str) -> None:
        if self._loading is None:
            self._faults.append(why)
        else:
            self._unloaded[self._loading] = of_file
            self._faults.append(f"{self._loading}: {of_file}")

    def give_up(self, why: str) -> None:
        """Nothing more can be run, through a fault of ours."""
        self.complete = True
        self._faults.append(why)

    def report(self, seconds: float, put_off: float = 0.0) -> SuiteReport:
        """Everything that was told."""
        return SuiteReport(
            tests=tuple(self._tests),
            collected=self._collected if self._job.collect else (),
            unloaded=self._unloaded,
            escapes=tuple(self._escapes),
            network=tuple(self._network),
            network_level=self._levels.get("network_level", "none"),
            decoy_reads=tuple(sorted(self._decoys)),
            decoy_level=self._levels.get("decoy_level", "none"),
            memory_peak_bytes=self._peak,
            memory_level=self._levels.get("memory_level", "none"),
            processes_left=self._left,
            protocol_errors=tuple(self._protocol),
            judged=self._judged,
            warnings=None if self._warnings is None else tuple(one for _, one in sorted(self._warnings.items())),
            faults=tuple(self._faults),
            start=self._start,
            seconds=seconds,
            put_off=put_off,
        )

    def _close(self, name: str, outcome: TestOutcome, message: str) -> None:
        self._add(TestReport(id=name, outcome=outcome, seconds=0.0, message=message))

    def _add(self, report: TestReport) -> None:
        self._done.add(report.id)
        self._tests.append(report)
        self._on_test(report)

    def _hear(self, told: list[Any] | None) -> None:
        if told is None:
            return
        known = self._warnings = self._warnings or {}
        for item in told:
            one = Warned.model_validate(item)
            if len(known) < MAX_WARNINGS:
                known.setdefault((one.path, one.line, one.kind), one)

    def see(self, seen: dict[str, Any]) -> None:
        """What sandboxes saw."""
        for attempt in seen["network"]:
            self._network.setdefault(NetworkAttempt.model_validate(attempt))
        self._decoys |= set(seen["decoy_reads"])
        if seen["memory_peak_bytes"] is not None:
            self._peak = max(self._peak or 0, seen["memory_peak_bytes"])
        self._left = self._left or seen["processes_left"]
        for name in ("network_level", "decoy_level", "memory_level"):
            if seen[name]:
                now = self._levels.get(name, "complete")
                self._levels[name] = min(now, seen[name], key=_ORDER.index)

    def seen(self) -> dict[str, Any]:
        """What the sandboxes saw so far, in the shape that `see` takes."""
        return {
            "network": list(self._network),
            "decoy_reads": sorted(self._decoys),
            "memory_peak_bytes": self._peak,
            "processes_left": self._left,
            **{name: self._levels.get(name, "") for name in ("network_level", "decoy_level", "memory_level")},
        }


def share(runs: list[Gathered]) -> None:
    """Let every run of a shared sandbox show what was seen in any of them."""
    for seen in [run.seen() for run in runs]:
        for run in runs:
            run.see(seen)
