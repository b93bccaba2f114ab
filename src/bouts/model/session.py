"""The agent's session, event by event: what the process judge reads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact

Operation = Literal["read", "edit", "create", "search", "run", "test", "message", "other"]
Kind = Literal["tool_call", "test_run", "message"]
Basis = Literal["exact", "estimated"]
Speaker = Literal["user", "agent", "system"]


class TestFailure(Fact):
    """One failing test of a test run, where the transcript names it."""

    test: str
    message: str = ""


class LineRange(Fact):
    """Lines `start` to `end`, both included, counted from 1, as they stood after the edit."""

    start: Annotated[int, Field(ge=1)]
    end: Annotated[int, Field(ge=1)]


class Tokens(Fact):
    """Tokens as the transcript counts them. `input` holds what was read from and written to a cache, too."""

    input: Annotated[int, Field(ge=0)] = 0
    output: Annotated[int, Field(ge=0)] = 0
    """What the model wrote, reasoning included."""
    cached: Annotated[int, Field(ge=0)] = 0
    """Part of `input` that came from a cache."""
    cache_written: Annotated[int, Field(ge=0)] = 0
    """Part of `input` that was written to a cache."""
    reasoning: Annotated[int, Field(ge=0)] = 0
    """Part of `output`, where the transcript tells it apart."""


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
    """Lines that an edit added plus lines that it removed."""
    lines_basis: Basis | None = None
    """`exact` by a difference that the transcript holds, `estimated` by the text that was written, which is then an
    upper bound. `null` with `lines_changed` set: the transcript's own number."""
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
    skipped: int | None = None
    """Tests of a test run that were skipped; they are no part of `total`."""
    speaker: Speaker | None = None
    """Whose message it is."""
    command: str | None = None
    """The whole shell line, where it did more than this event tells."""
    exit_code: int | None = None
    within: int | None = None
    """Sequence of the event that stands for the same tool call, where one call did several things."""
    agent: str | None = None
    """The subagent that did it; `null` for the main agent."""
    parent: int | None = None
    """Sequence of the event that started the subagent."""
    model: str | None = None
    tokens: Tokens | None = None
    """What the answer of the model cost that this event begins, in tokens."""
    cost_usd: float | None = None
    """The same in dollars, where the transcript says so."""

    @property
    def kind(self) -> Kind:
        """`message`, `test_run` or `tool_call`."""
        if self.operation == "message":
            return "message"
        return "test_run" if self.operation == "test" else "tool_call"


class Unread(Fact):
    """Records that were not read, for one reason."""

    reason: str
    records: Annotated[int, Field(ge=1)]
    first: str = ""
    """Where the first of them stands, such as `line 12`."""


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
    agent: str | None = None
    """Name of the agent, such as `claude-code`."""
    agent_version: str | None = None
    models: tuple[str, ...] = ()
    """Models that answered, by first use."""
    started: str | None = None
    """Time of the first event, in ISO 8601: with `Z` where the zone is known, without where it is not."""
    folder: str | None = None
    """The folder that paths are relative to."""
    outcome: str | None = None
    """How the agent's own record says that the session ended."""
    tokens: Tokens | None = None
    """Of the whole session: the transcript's own total where it has one, else the sum over the answers."""
    cost_usd: float | None = None
    """Of the whole session, as the transcript says; never computed from a price list."""
    unread_reasons: tuple[Unread, ...] = ()
    """Why records counted in `unread` were not read."""
    ignored: int = 0
    """Records that were read and hold no event, such as settings and progress."""
    left_out: int = 0
    """Events behind those in `events`, at least, as no more are kept. What only the whole session can tell is then not
    known."""
    copies: int = 0
    """Records left out because they repeat others, as after a resumed session."""
    notes: tuple[str, ...] = ()
    """What a reader of this session should know, such as a transcript that ends in the middle."""

    @property
    def cut(self) -> str | None:
        """Why the session's end is not known; `None` where all its events are here."""
        if not self.left_out:
            return None
        return f"the session is longer than the {len(self.events):,} events that are kept"

    @property
    def calls(self) -> int:
        """Tool calls, test runs among them; a call that did several things counts once."""
        return sum(event.kind != "message" and event.within is None for event in self.events)
