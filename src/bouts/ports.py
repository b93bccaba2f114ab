"""The Protocols through which the pipeline reaches the world, on one screen."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from bouts.model.running import LoadJob, LoadReport, StartReport, SuiteJob, SuiteReport, Target, TestReport
from bouts.model.sandbox import Command, Ended, Look, Probe, SandboxPlan, SandboxReport
from bouts.model.scanning import ScanJob, ScanReport
from bouts.model.session import Session


class Running(Protocol):
    """A command that runs in a sandbox. The channel is a stream socket; the other end is descriptor 3 inside."""

    channel: socket.socket | None

    def wait(self, seconds: float) -> Ended | None: ...
    def terminate(self) -> None:
        """Ask the command to end (SIGTERM to its process group); it may take its time or ignore that."""
        ...

    def kill(self) -> None: ...


class Sandbox(Protocol):
    """One isolated place: processes, files and network of its own. Several commands may run in it, one after another
    or side by side; what they write is gone when it is destroyed."""

    def put(self, path: str, data: bytes) -> None: ...
    def get(self, path: str, limit: int) -> bytes | None: ...
    def start(
        self, command: Command, *, channel: bool = False, stdin: bytes = b"", terminal_fd: int | None = None
    ) -> Running: ...
    def exec(self, command: Command, *, stdin: bytes = b"") -> Ended: ...
    def connect(self, port: int, seconds: float) -> socket.socket: ...
    def kill(self) -> None: ...
    def renew(self) -> bool:
        """Kill every process inside; whether the sandbox is then as good as new."""
        ...

    def destroy(self) -> SandboxReport: ...


class Sandboxes(Protocol):
    """A backend that makes sandboxes."""

    def probe(self) -> Probe: ...
    def create(self, plan: SandboxPlan) -> Sandbox: ...
    def reap_orphans(self) -> tuple[str, ...]: ...


class Runner(Protocol):
    """Runs a language's tests with the code under test behind its boundary."""

    def run(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> SuiteReport: ...
    def run_all(self, jobs: tuple[SuiteJob, ...], on_test: Callable[[TestReport], None]) -> tuple[SuiteReport, ...]: ...
    def starts(self, target: Target) -> StartReport: ...
    def load(self, job: LoadJob) -> LoadReport: ...
    def plan(self, target: Target, look: Look) -> SandboxPlan: ...


class Scanner(Protocol):
    """Reads source files and executes none of them."""

    def scan(self, job: ScanJob) -> ScanReport: ...
    def environment(self) -> dict[str, str]: ...
    def close(self) -> None: ...


class Transcripts(Protocol):
    """Reads an agent's session."""

    def read(self, path: Path) -> Session: ...
