"""What a boundary gives to the host that runs the author's tests.

Life of a boundary, all in the trusted suite child:

    boundary = HttpBoundary(job.target, job.look)      once a suite; cheap, starts nothing
    plan = boundary.plan()                             the sandbox that every test of the suite gets
    pytest gets boundary.plugin()                      its fixtures
    for each test:
        sandbox = sandboxes.create(plan)               by the host, perhaps on a helper thread, one test ahead
        ready = boundary.prepare(sandbox)              on that same thread: start the worker or service, do not wait
        boundary.begin(test_id, sandbox, ready)        on the main thread
        pytest sets the test up, runs it, tears it down
        notes = boundary.end()                         never raises
        sandbox.destroy()                              by the host
    boundary.close()

The host alone keeps the limit of a test: it kills the sandbox from another thread, and whatever the boundary is
blocked in must then end by itself (a socket that closes). Boundaries never create or destroy sandboxes.

Three kinds of trouble are kept apart: what the submission did is raised in the test as an ordinary exception (or
`Crashed`); a fault of the sandbox is raised as `bouts.errors.SandboxFault`, from anywhere, and the host runs the test
once more in a fresh sandbox; everything else that a test raises is the test's own verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bouts.model.judging import Judged
from bouts.model.running import Escape, Warned
from bouts.model.sandbox import SandboxPlan
from bouts.ports import Sandbox


class Crashed(BaseException):
    """The process with submitted code ended while a test needed it.

    No `Exception`, so that `pytest.raises(Exception)` in a test does not take it for an error raised on purpose.
    """


@dataclass(frozen=True, slots=True)
class BoundaryNotes:
    """What a boundary saw during one test."""

    escapes: tuple[Escape, ...] = ()
    """Exceptions that no test received."""
    protocol_errors: tuple[str, ...] = ()
    """Answers that cannot be accidents: proof of tampering. One sentence each."""
    crashed: str | None = None
    """How the process with submitted code died, where that makes the test `crashed` whatever else it did. A command or
    service that ended by itself without a test minding is none."""
    fault: str | None = None
    """What went wrong on our side (`Ended.kind == "sandbox_error"`), where it was not raised as `SandboxFault`."""
    judged: Judged | None = None
    """What the test left to objects of the submission, if anything."""
    warnings: tuple[Warned, ...] | None = None
    """Warnings that the submission's code gave; `None` where nobody listened."""


class BoundarySession(Protocol):
    """One boundary during one run of a suite."""

    def plan(self) -> SandboxPlan:
        """The sandbox that every test of the suite gets."""
        ...

    def plugin(self) -> object | None:
        """A pytest plugin: an object with fixtures (`@pytest.fixture` methods) and, if need be, hooks."""
        ...

    def prepare(self, sandbox: Sandbox) -> object:
        """Start what each test needs in its fresh sandbox, and do not wait for it.

        May be called on another thread and for a sandbox that no test will use. What the submission does wrong is kept
        for `begin` or for the test itself. Raises `SandboxFault` alone.
        """
        ...

    def begin(self, test: str, sandbox: Sandbox, ready: object) -> None:
        """A test starts; `ready` is what `prepare` gave for this sandbox. Raises `SandboxFault` alone."""
        ...

    def end(self) -> BoundaryNotes:
        """The test is over, torn down and all. Never raises."""
        ...

    def close(self) -> None:
        """The suite is over."""
        ...
