"""The agent's session, event by event: what the process judge reads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact

Operation = Literal["read", "edit", "create", "search", "run", "test", "message", "other"]


class TestFailure(Fact):
    """One failing test of a test run, where the transcript names it."""

    test: str
    message: str = ""


class LineRange(Fact):
    """Lines `start` to `end`, both included, counted from 1, as they stood after the edit."""

    start: Annotated[int, Field(ge=1)]
    end: Annotated[int, Field(ge=1)]


class SessionEvent(Fact):
    """One thing that the agent did. Absent values are `null`, never guessed."""

    sequence: Annotated[int, Field(ge=1)]
    """Position in the transcript, from 1; what cards cite as the event number."""
    seconds: float | None = None
    """Time since the session's first event, in seconds."""
    operation: Operation
    tool: str | None = None
    target: str | None = None
    """The file, pattern or command."""
    duration_ms: float | None = None
    lines_changed: int | None = None
    ranges: tuple[LineRange, ...] | None = None
    """Which lines an edit replaced."""
    status: Literal["ok", "error", "unknown"] = "unknown"
    output: str | None = None
    """What the tool answered, cut to 2,000 characters."""
    suite: str | None = None
    passed: int | None = None
    failed: int | None = None
    total: int | None = None
    failures: tuple[TestFailure, ...] | None = None
    """Failing tests of a test run; `null` where the transcript does not name them."""


class Session(Fact):
    """A transcript read into one shape."""

    format: str
    """Which reader made it, such as `native`."""
    session_id: str | None = None
    events: tuple[SessionEvent, ...]
    duration_seconds: float | None = None
    """Length of the session by its events, else by its summary."""
    unread: int = 0
    """Records that the reader could not read."""
    discrepancies: tuple[str, ...] = ()
    """Where the transcript's own summary and its events disagree; the events are the truth."""
