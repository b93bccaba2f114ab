"""The `cli` boundary: a test runs the submission's command in its sandbox through the fixture `run_cli`."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from bouts.adapters.runners.python.boundary import BoundaryNotes, Crashed
from bouts.adapters.runners.python.heard import Heard, listening
from bouts.adapters.runners.python.plan import plan_for
from bouts.adapters.runners.python.service import MAX_READ, ending, failures_of_files, shown
from bouts.errors import SandboxFault
from bouts.hosts.deadlines import MOST
from bouts.model.challenge import CliInterface
from bouts.model.running import Escape, StartReport, Target
from bouts.model.sandbox import Command, Ended, Look, SandboxPlan
from bouts.ports import Sandbox, Sandboxes

_CRASHES = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGSYS})
_SHOWN = 1000
_END_SECONDS = 30.0
"""Beyond a command's own limit, put off as far as it may be, until the sandbox itself is taken to be broken."""
_PYTHON_BROKE = re.compile(
    rb"""^Traceback\ \(most\ recent\ call\ last\):
    | ^(SyntaxError|IndentationError|TabError):\s
    | ^\S*python[\d.]*:\ (can't\ open\ file|can't\ find|No\ module\ named|Error\ while\ finding)
    """,
    re.MULTILINE | re.VERBOSE,
)
"""What the interpreter itself says when a program cannot be found, read or run to its end."""
_CANNOT_RUN = 126
"""Exit statuses from here on mean, by custom, that the command could not be run or died by a signal."""


@dataclass(frozen=True)
class CliResult:
    """How one run of the command ended."""

    status: int
    """Exit status, or minus the number of the signal that killed it."""
    stdout_bytes: bytes
    stderr_bytes: bytes
    seconds: float
    read: Callable[[str], bytes | None]
    """`read(path)`: the content of a file of the workspace as it is now, or `None`."""

    @property
    def stdout(self) -> str:
        """Standard output as UTF-8; bytes that are none are replaced by U+FFFD."""
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        """Standard error as UTF-8; bytes that are none are replaced by U+FFFD."""
        return self.stderr_bytes.decode("utf-8", "replace")

    def __repr__(self) -> str:
        out, err = shown(self.stdout_bytes, _SHOWN), shown(self.stderr_bytes, _SHOWN)
        return f"<status {self.status}, stdout {out!r}, stderr {err!r}>"


class RunCli:
    """The fixture `run_cli`: `run_cli(*args, stdin=…, files=…, variables=…, seconds=…)`.

    All commands of one test share its sandbox, so files persist from one to the next.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        interface: CliInterface,
        seconds: float,
        ended: Callable[[Ended], None],
        heard: Heard | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._interface = interface
        self._seconds = seconds
        self._ended = ended
        self._heard = heard
        self._ran = False

    def __call__(
        self,
        *args: str,
        stdin: str | bytes = b"",
        files: Mapping[str, str | bytes] | None = None,
        variables: Mapping[str, str] | None = None,
        seconds: float | None = None,
    ) -> CliResult:
        """Run the command with these arguments; `files` (path → content) are put into the workspace first.

        `seconds` is at most the test's limit, and by default that. A command that runs into it, out of memory or past
        the limit of output fails the test.
        """
        for path, content in (files or {}).items():
            self.write(path, content)
        command = Command(
            argv=(*self._interface.command, *args),
            variables=dict(variables or {}),
            seconds=min(seconds or self._seconds, self._seconds),
        )
        self._ran = True
        ended = self._exec(command, _bytes(stdin))
        self._ended(ended)
        if ended.kind == "sandbox_error":
            raise SandboxFault(ended.detail or "the sandbox broke while a command ran in it")
        if ended.kind != "exit" or ended.status is None:
            last = shown((ended.stdout + b"\n" + ended.stderr).strip()[-_SHOWN:])
            message = f"the command {ending(ended)}\nlast output:\n{last}"
            if ended.kind == "oom":
                raise Crashed(message)
            pytest.fail(message, pytrace=False)
        return CliResult(ended.status, ended.stdout, ended.stderr, ended.seconds, self.read)

    def _exec(self, command: Command, stdin: bytes) -> Ended:
        if self._heard is None:
            return self._sandbox.exec(command, stdin=stdin)
        running = self._sandbox.start(command, channel=True, stdin=stdin)
        ended = running.wait(MOST * command.seconds + _END_SECONDS)
        self._heard.take(running.channel)
        if ended is None:
            self._sandbox.kill()
            return Ended(kind="sandbox_error", seconds=command.seconds, detail="the command's end was never reported")
        return ended

    def read(self, path: str) -> bytes | None:
        """The content of a file of the workspace, or `None` where there is none."""
        with failures_of_files(ran=self._ran):
            return self._sandbox.get(path, MAX_READ)

    def write(self, path: str, content: str | bytes) -> None:
        """Put a file into the workspace."""
        with failures_of_files(ran=self._ran):
            self._sandbox.put(path, _bytes(content))


class CliBoundary:
    """The boundary for commands (see `boundary.BoundarySession`)."""

    def __init__(self, target: Target, look: Look, folder: str | None = None) -> None:
        """`folder` is the worker's; without it nobody listens to warnings.

        Raises `ValueError` for a target without a `cli` interface.
        """
        if target.interface.cli is None:
            raise ValueError("the target has no cli interface")
        self._target = target
        self._look = look
        self._folder = folder
        self._interface = target.interface.cli
        self._test = ""
        self._sandbox: Sandbox | None = None
        self._escapes: list[Escape] = []
        self._fault: str | None = None
        self._heard: Heard | None = None

    def plan(self) -> SandboxPlan:
        """The sandbox that every test gets."""
        plan = plan_for(self._target, self._look)
        return plan if self._folder is None else listening(plan, self._folder)

    def plugin(self) -> object:
        """The fixture `run_cli`."""
        return _CliFixtures(self)

    def prepare(self, sandbox: Sandbox) -> object:
        """Nothing is started before a test asks for it."""
        return None

    def begin(self, test: str, sandbox: Sandbox, ready: object) -> None:
        """A test starts in this sandbox."""
        self._test, self._sandbox = test, sandbox
        self._escapes, self._fault = [], None
        self._heard = None if self._folder is None else Heard()

    def end(self) -> BoundaryNotes:
        """What was seen during the test."""
        self._sandbox = None
        warnings = None if self._heard is None else self._heard.warnings()
        return BoundaryNotes(escapes=tuple(self._escapes), fault=self._fault, warnings=warnings)

    def close(self) -> None:
        """Nothing is left to close."""

    def runner(self) -> RunCli:
        """What the fixture gives to the test that runs now."""
        if self._sandbox is None:
            raise RuntimeError("run_cli was asked for outside a test")
        return RunCli(self._sandbox, self._interface, self._target.limits.test_seconds, self._note, self._heard)

    def _note(self, ended: Ended) -> None:
        if ended.kind == "sandbox_error":
            self._fault = ended.detail or "the sandbox broke while a command ran in it"
        elif _crashed(ended):
            self._escapes.append(Escape(test=self._test, kind="worker_died", detail=f"the command: {ending(ended)}"))


class _CliFixtures:
    def __init__(self, boundary: CliBoundary) -> None:
        self._boundary = boundary

    @pytest.fixture
    def run_cli(self) -> RunCli:
        """Runs the submission's command in the sandbox of this test."""
        return self._boundary.runner()


def command_starts(target: Target, sandboxes: Sandboxes, plan: SandboxPlan) -> StartReport:
    """Whether the command prints help, or else runs without arguments and input and does not break down.

    Breaking down is: a signal, a time or memory limit, an exit status of 126 or more, a traceback or another message of
    the Python interpreter that the program cannot be run.
    Raises `SandboxFault` when the sandbox broke.
    """
    interface = target.interface.cli
    if interface is None:
        return StartReport(ok=False, detail="the challenge has no cli interface")
    first = _once(target, (*interface.command, "--help"), sandboxes, plan)
    if first.kind == "exit" and first.status == 0 and (first.stdout or first.stderr):
        return StartReport(ok=True, detail="the command prints help")
    second = _once(target, interface.command, sandboxes, plan)
    broke = second.kind != "exit" or second.status is None or not 0 <= second.status < _CANNOT_RUN
    if not broke and not _PYTHON_BROKE.search(second.stderr):
        return StartReport(ok=True, detail=f"the command runs without arguments ({ending(second)})")
    last = shown(second.stderr.strip()[-_SHOWN:])
    return StartReport(
        ok=False, detail=f"with --help: {ending(first)}; without arguments: {ending(second)}\n{last}".rstrip()
    )


def _once(target: Target, argv: tuple[str, ...], sandboxes: Sandboxes, plan: SandboxPlan) -> Ended:
    sandbox = sandboxes.create(plan)
    try:
        ended = sandbox.exec(Command(argv=argv, seconds=target.limits.test_seconds))
    finally:
        sandbox.destroy()
    if ended.kind == "sandbox_error":
        raise SandboxFault(ended.detail or "the sandbox broke while a command ran in it")
    return ended


def _crashed(ended: Ended) -> bool:
    if ended.kind == "oom":
        return True
    return ended.kind == "exit" and ended.status is not None and -ended.status in _CRASHES


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
