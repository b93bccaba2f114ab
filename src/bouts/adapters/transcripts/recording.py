"""A session as a reader tells it, record by record, made into events: one place for redaction, times and sequence.

Only what an event keeps is held: arguments and outputs are looked at once and let go. The events, and all that they
keep, are bounded, so that a transcript of any length takes no more memory than one of some ten thousand calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from sys import getsizeof
from typing import Literal

from bouts.adapters.transcripts import acts as lines
from bouts.adapters.transcripts import calls, redact, results
from bouts.adapters.transcripts.acts import Act
from bouts.adapters.transcripts.charges import Charge, Charges
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.results import Result
from bouts.adapters.transcripts.seen import bounded
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object
from bouts.model.session import SessionEvent, Speaker, Tokens

MOST_EVENTS = 40_000
"""Events that are kept; later calls and messages are counted as unread."""
MOST_KEPT = 16 << 20
"""Bytes of texts, names of failing tests and ranges of lines that are kept in full."""
SHORT = 200
"""Characters of an output or command that are kept once that is used up."""
MOST_OPEN = 5000
"""Calls that may still be answered; of twice as many the older half is taken as over."""
RANGE_BYTES = 400
"""What a range of lines takes."""
MOST_REASONS = 40

Status = Literal["ok", "error", "unknown"]


@dataclass(slots=True, eq=False)
class Draft:
    """One call or message while the transcript is being read."""

    acts: list[Act]
    tool: str | None = None
    command: str | None = None
    time: Time | None = None
    end: Time | None = None
    duration_ms: float | None = None
    status: Status = "unknown"
    exit_code: int | None = None
    output: str | None = None
    result: Result | None = None
    speaker: Speaker | None = None
    agent: str | None = None
    model: str | None = None
    tokens: Tokens | None = None
    cost_usd: float | None = None
    written: tuple[SessionEvent, ...] | None = None
    """Its events, where the file holds them as they were."""
    chief: int | None = None
    """Which act stands for the call; the weightiest where it is not said."""
    apart: bool = False
    """Whether it was read from a subagent's own file, so that its place is behind the call that started it."""


@dataclass(slots=True)
class Recording:
    """What a reader has told so far."""

    format: str
    session_id: str | None = None
    agent: str | None = None
    agent_version: str | None = None
    folder: str | None = None
    """The folder that paths are relative to."""
    outcome: str | None = None
    reported_tokens: Tokens | None = None
    reported_cost: float | None = None
    reported_seconds: float | None = None
    persistent: bool = False
    """Whether a `cd` holds for the commands that follow."""
    drafts: list[Draft] = field(default_factory=list[Draft])
    open: dict[str, Draft] = field(default_factory=dict[str, Draft])
    """Calls by id."""
    charges: Charges = field(default_factory=Charges)
    spawned: dict[str, Draft] = field(default_factory=dict[str, Draft])
    """The call that started a subagent, by the subagent's id."""
    models: dict[str, None] = field(default_factory=dict[str, None])
    unread: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    notes: dict[str, None] = field(default_factory=dict[str, None])
    left_out: int = 0
    """Events that were not kept, as there are too many; one for each call whose acts were not looked at."""
    ignored: int = 0
    copies: int = 0
    discrepancies: list[str] = field(default_factory=list[str])
    _events: int = 0
    _kept: int = 0
    _names: dict[str, str] = field(default_factory=dict[str, str])
    """Names of tools, agents and models, which recur, each held once."""
    _shells: dict[str, str] = field(default_factory=dict[str, str])

    def message(
        self,
        speaker: Speaker,
        text: str,
        *,
        time: Time | None = None,
        agent: str | None = None,
        model: str | None = None,
        apart: bool = False,
    ) -> Draft | None:
        """Something that was said. Nothing is kept of an empty message."""
        if not text.strip() or not self.room():
            return None
        draft = Draft([Act("message", None)], time=time, agent=self._name(agent), speaker=speaker, apart=apart)
        draft.output, draft.model = self._output(text), self._name(model)
        self._model(model)
        self.keep(draft)
        return draft

    def call(
        self,
        tool: str,
        arguments: Object,
        *,
        key: str | None = None,
        time: Time | None = None,
        agent: str | None = None,
        model: str | None = None,
        edits: list[Edit] | None = None,
        acts: list[Act] | None = None,
        command: str | None = None,
        apart: bool = False,
    ) -> Draft | None:
        """A tool call. `command` is a shell line, where the reader knows it for one; `edits` replace what is found, and
        so do `acts`, with which no line is kept."""
        if not self.room():
            return None
        line = command if command is not None or acts is not None else calls.line(tool, arguments)
        found = acts if edits is None else _edited(edits)
        if found is None and line is not None:
            shell = agent or ""
            before = calls.folder(arguments) or (self._shells.get(shell, "") if self.persistent else "")
            found, after = lines.of_line(line, before)
            if self.persistent:
                self._shells[shell] = after
        elif found is None:
            found = calls.acts(tool, arguments)
        draft = Draft(self._room_for(found or [Act("other", None)]), tool=self._name(tool), time=time, apart=apart)
        draft.agent, draft.model = self._name(agent), self._name(model)
        if line is not None and (len(draft.acts) > 1 or draft.acts[0].operation not in ("run", "test")):
            draft.command = self._short(redact.line(line))
        for act in draft.acts:
            # Texts of any length are let go here; what is kept is redacted when the event is made.
            act.target = act.target if act.target is None else self._short(act.target[:2000])
        self._model(model)
        self.keep(draft)
        if key:
            self.opened(key, draft)
        return draft

    def keep(self, draft: Draft) -> None:
        """One more call or message, for which there is room."""
        self.drafts.append(draft)
        self._events += max(1, len(draft.acts))

    def opened(self, key: str, draft: Draft) -> None:
        """A call that may be answered by this id."""
        self.open[key] = draft
        bounded(self.open, MOST_OPEN)

    def answer(
        self,
        call: Draft | str | None,
        output: str | None,
        *,
        status: Status = "unknown",
        time: Time | None = None,
        exit_code: int | None = None,
        duration_ms: float | None = None,
        edits: list[Edit] | None = None,
    ) -> bool:
        """What a call gave. Returns whether the call is known."""
        draft = self.open.get(call) if isinstance(call, str) else call
        if draft is None:
            return False
        draft.end = time or draft.end
        draft.exit_code = exit_code if exit_code is not None else draft.exit_code
        draft.duration_ms = duration_ms if duration_ms is not None else draft.duration_ms
        if edits:
            self._events -= len(draft.acts)
            draft.acts = self._room_for(_edited(edits))
            self._events += len(draft.acts)
        if output is not None:
            self._tests(draft, output)
            draft.output = self._output(output)
        if status != "unknown":
            draft.status = status
        elif exit_code is not None:
            draft.status = "ok" if exit_code == 0 else "error"
        return True

    def _tests(self, draft: Draft, output: str) -> None:
        """Test results in an output: of a test run, or of a script that turns out to be one."""
        test = next((act for act in draft.acts if act.operation == "test"), None)
        if test is not None:
            draft.result = self._named(results.read(output, test.runs)) or draft.result
            return
        run = next((act for act in draft.acts if act.operation == "run"), None)
        if run is not None and run.target and calls.may_test(run.target):
            found = results.read(output)
            # Only a runner's own line of totals makes a test run of a command that does not look like one.
            if found is not None and found.complete and found.runner in ("pytest", "unittest", "cargo", "nextest"):
                draft.result, run.operation, run.runs = self._named(found), "test", 1

    def charge(
        self,
        key: str,
        tokens: Tokens | None,
        *,
        cost: float | None = None,
        model: str | None = None,
        draft: Draft | None = None,
    ) -> None:
        """What an answer of a model cost. Told twice under one key it counts once, with the larger numbers."""
        self._model(model)
        self.charges.add(key, Charge(draft, tokens, cost, self._name(model)))

    def lost(self, reason: str, where: str = "", records: int = 1) -> None:
        """Records that could not be read."""
        if reason not in self.unread and len(self.unread) >= MOST_REASONS:
            reason = "other reasons"
        count, first = self.unread.get(reason, (0, where))
        self.unread[reason] = (count + records, first)

    def unmatched(self, where: str) -> None:
        """A result whose call is not known; it is told with the calls that were not kept, where there are any."""
        self.lost(self._full if self._full in self.unread else "results without a call", where)

    @property
    def _full(self) -> str:
        return f"beyond the first {MOST_EVENTS:,} events"

    def room(self) -> bool:
        """Whether one more call or message is kept; what is not is counted."""
        if self._events < MOST_EVENTS:
            return True
        self.lost(self._full)
        self.left_out += 1
        self.notes.setdefault(
            f"Only the first {MOST_EVENTS:,} events are told; tokens, cost and outcome are of the whole transcript."
        )
        return False

    def _room_for(self, acts: list[Act]) -> list[Act]:
        """So many of a call's acts as there is room for, at least one; less what would take too much of it."""
        room = max(1, MOST_EVENTS - self._events)
        if len(acts) > room:
            self.lost(self._full, records=len(acts) - room)
            self.left_out += len(acts) - room
        for act in acts[:room]:
            if act.ranges is not None and not self._spend(RANGE_BYTES * len(act.ranges)):
                act.ranges = None
        return acts[:room]

    def _model(self, model: str | None) -> None:
        if model and model != "<synthetic>" and len(self.models) < 50:
            self.models.setdefault(redact.line(model))

    def _name(self, name: str | None) -> str | None:
        if name is None or len(self._names) > MOST_OPEN:
            return name
        return self._names.setdefault(name, name)

    def _spend(self, size: int) -> bool:
        """Whether so many bytes more are kept."""
        if self._kept + size <= MOST_KEPT:
            self._kept += size
            return True
        self.notes.setdefault(
            f"The transcript is so long that later outputs and commands are kept to {SHORT} characters, and names of"
            " failing tests and ranges of lines not at all."
        )
        return False

    def _short(self, text: str) -> str:
        return text if len(text) <= SHORT or self._spend(getsizeof(text)) else f"{text[: SHORT - 1]}…"

    def _output(self, text: str) -> str:
        return self._short(redact.output(text))

    def _named(self, result: Result | None) -> Result | None:
        if result is None or not result.names or self._spend(sum(RANGE_BYTES + getsizeof(n) for n in result.names)):
            return result
        return replace(result, names=())


def _edited(edits: Iterable[Edit]) -> list[Act]:
    return [Act(e.change, e.path, e.lines, e.basis, e.ranges) for e in edits]
