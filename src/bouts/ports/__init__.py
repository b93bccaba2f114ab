"""The Protocols through which the pipeline reaches the world, on one screen; that of a ledger is in `ports.ledger`."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Protocol

from bouts.model.evidence import Observation
from bouts.model.running import LoadJob, LoadReport, StartReport, SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Command, Ended, Look, Probe, SandboxPlan, SandboxReport
from bouts.model.scanning import ScanJob, ScanReport, SwapJob, SwappedTests


class Running(Protocol):
    """A command that runs in a sandbox. The channel is a stream socket; the other end is descriptor 3 inside."""

    channel: socket.socket | None

    def wait(self, seconds: float) -> Ended | None:
        """How the command ended, or `None` while it runs."""
        ...

    def terminate(self) -> None:
        """Ask the command to end (SIGTERM to its process group); it may take its time or ignore that."""
        ...

    def kill(self) -> None:
        """End the command and its process group."""
        ...


class Sandbox(Protocol):
    """One isolated place: processes, files and network of its own. Several commands may run in it, one after another
    or side by side; what they write is gone when it is destroyed."""

    def put(self, path: str, data: bytes) -> None:
        """Write a file below the workspace, following no link."""
        ...

    def get(self, path: str, limit: int) -> bytes | None:
        """The first `limit` bytes of a regular file, or `None`."""
        ...

    def start(
        self, command: Command, *, channel: bool = False, stdin: bytes = b"", terminal_fd: int | None = None
    ) -> Running:
        """Start a command; with `terminal_fd` on that terminal."""
        ...

    def exec(self, command: Command, *, stdin: bytes = b"") -> Ended:
        """Run a command to its end."""
        ...

    def connect(self, port: int, seconds: float) -> socket.socket:
        """A connection to 127.0.0.1:port inside."""
        ...

    def waited(self) -> float:
        """Seconds, counted from the first time of asking, for which other work on this machine kept what runs inside,
        and this process, from its processors: no limit counts these. Asked again and again while a limit runs."""
        ...

    def kill(self) -> None:
        """Kill every process inside."""
        ...

    def renew(self) -> bool:
        """Kill every process inside; whether the sandbox is then as good as new."""
        ...

    def destroy(self) -> SandboxReport:
        """Kill, give everything back, and tell what the watchers saw."""
        ...


class Sandboxes(Protocol):
    """A backend that makes sandboxes."""

    def probe(self) -> Probe:
        """What works on this machine."""
        ...

    def create(self, plan: SandboxPlan) -> Sandbox:
        """Make a sandbox. Raises `SandboxUnavailable` or `SandboxFault`."""
        ...

    def reap_orphans(self) -> tuple[str, ...]:
        """Clear what dead runs left; what was removed."""
        ...


class Turn(Protocol):
    """A place among the submissions whose code may run at the same time."""

    def begin(self) -> None:
        """Wait for a place, if there is none yet."""
        ...

    def end(self) -> None:
        """Leave the place to another, if there is one."""
        ...


class Runner(Protocol):
    """Runs a language's tests with the code under test behind its boundary."""

    def run(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> SuiteReport:
        """Run the tests of one suite."""
        ...

    def run_all(
        self, jobs: tuple[SuiteJob, ...], on_test: Callable[[TestReport], None], turn: Turn | None = None
    ) -> tuple[SuiteReport, ...]:
        """Run several suites of the same code, sharing what can be shared. What must be ready before the first test may
        be done before the turn begins, and cleared away after it has ended."""
        ...

    def starts(self, target: Target) -> StartReport:
        """Whether the code starts at its boundary."""
        ...

    def load(self, job: LoadJob) -> LoadReport:
        """Measure a service under load."""
        ...

    def plan(self, target: Target, look: Look) -> SandboxPlan:
        """The sandbox that code is tested in."""
        ...


class Scanner(Protocol):
    """Reads source files and executes none of them."""

    def scan(self, job: ScanJob) -> ScanReport:
        """Compile check, lint, security and integrity of one submission."""
        ...

    def swapped(self, job: SwapJob) -> tuple[SwappedTests, ...]:
        """Visible tests as given, and with other values."""
        ...

    def environment(self) -> dict[str, str]:
        """Version by tool."""
        ...

    def close(self) -> None:
        """End helper processes."""
        ...


class Listed(Protocol):
    """An entry of a similarity index."""

    @property
    def number(self) -> int:
        """Its place: a smaller number was added earlier."""
        ...


class Kept(Protocol):
    """What became of code that was added to a similarity index."""

    @property
    def named(self) -> Listed:
        """Its entry."""
        ...


class Similarities(Protocol):
    """An index of submissions that tells copies from honest solutions of the same task."""

    def reads(self, path: str) -> bool:
        """Whether a file is in a language that can be compared."""
        ...

    def add(
        self,
        task: str,
        files: Mapping[str, bytes],
        *,
        agent: str | None,
        label: str,
        given: Mapping[str, bytes] | None = None,
    ) -> Kept:
        """Add a submission, or with `agent=None` a known solution."""
        ...

    def judge(
        self, task: str, number: int, *, similarity: float, percentile: float
    ) -> tuple[Observation | None, object]:
        """Whether an entry is too like an earlier one of another agent or a known solution."""
        ...
