"""A session as a reader tells it, record by record, made into events: one place for redaction, times and sequence.

Only what an event keeps is held: arguments and outputs are looked at once and let go, so that a transcript of any
length takes memory in proportion to its events, and those are bounded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bouts.adapters.transcripts import acts as lines
from bouts.adapters.transcripts import calls, redact, results
from bouts.adapters.transcripts.acts import Act
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.results import Result
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object
from bouts.model.session import SessionEvent, Speaker, Tokens

MOST_EVENTS = 100_000
"""Calls and messages that are kept; later ones are counted as unread."""
MOST_TEXT = 64 << 20
"""Characters of outputs that are kept at their full 2,000; later ones keep 200."""
SHORT = 200
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
class Charge:
    """What one answer of a model cost."""

    draft: Draft | None
    tokens: Tokens | None
    cost_usd: float | None
    model: str | None


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
    charges: dict[str, Charge] = field(default_factory=dict[str, Charge])
    spawned: dict[str, Draft] = field(default_factory=dict[str, Draft])
    """The call that started a subagent, by the subagent's id."""
    models: dict[str, None] = field(default_factory=dict[str, None])
    unread: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    notes: dict[str, None] = field(default_factory=dict[str, None])
    ignored: int = 0
    copies: int = 0
    discrepancies: list[str] = field(default_factory=list[str])
    _text: int = 0
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
        draft = Draft([Act("message", None)], time=time, agent=agent, speaker=speaker, model=model, apart=apart)
        draft.output = self._kept(text)
        self._model(model)
        self.drafts.append(draft)
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
        command: str | None = None,
        apart: bool = False,
    ) -> Draft | None:
        """A tool call. `command` is a shell line, where the reader knows it for one; `edits` replace what is found."""
        if not self.room():
            return None
        line = calls.line(tool, arguments) if command is None else command
        if edits is not None:
            found = [Act(e.change, e.path, e.lines, e.basis, e.ranges) for e in edits]
        elif line is not None:
            shell = agent or ""
            before = calls.folder(arguments) or (self._shells.get(shell, "") if self.persistent else "")
            found, after = lines.of_line(line, before)
            if self.persistent:
                self._shells[shell] = after
        else:
            found = calls.acts(tool, arguments)
        draft = Draft(found or [Act("other", None)], tool=tool, time=time, agent=agent, model=model, apart=apart)
        if line is not None and (len(draft.acts) > 1 or draft.acts[0].operation not in ("run", "test")):
            draft.command = redact.line(line)
        for act in draft.acts:
            # Texts of any length are let go here; what is kept is redacted when the event is made.
            act.target = act.target if act.target is None else act.target[:2000]
        self._model(model)
        self.drafts.append(draft)
        if key:
            self.open[key] = draft
        return draft

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
            draft.acts = [Act(e.change, e.path, e.lines, e.basis, e.ranges) for e in edits]
        if output is not None:
            self._tests(draft, output)
            draft.output = self._kept(output)
        if status != "unknown":
            draft.status = status
        elif exit_code is not None:
            draft.status = "ok" if exit_code == 0 else "error"
        return True

    def _tests(self, draft: Draft, output: str) -> None:
        """Test results in an output: of a test run, or of a script that turns out to be one."""
        test = next((act for act in draft.acts if act.operation == "test"), None)
        if test is not None:
            draft.result = results.read(output, test.runs) or draft.result
            return
        run = next((act for act in draft.acts if act.operation == "run"), None)
        if run is not None and run.target and calls.may_test(run.target):
            found = results.read(output)
            # Only a runner's own line of totals makes a test run of a command that does not look like one.
            if found is not None and found.complete and found.runner in ("pytest", "unittest", "cargo", "nextest"):
                draft.result, run.operation, run.runs = found, "test", 1

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
        known = self.charges.get(key)
        if known is None:
            self.charges[key] = Charge(draft, tokens, cost, model)
            return
        known.draft = known.draft or draft
        known.tokens = _larger(known.tokens, tokens)
        known.cost_usd = cost if cost is not None else known.cost_usd

    def lost(self, reason: str, where: str = "", records: int = 1) -> None:
        """Records that could not be read."""
        if reason not in self.unread and len(self.unread) >= MOST_REASONS:
            reason = "other reasons"
        count, first = self.unread.get(reason, (0, where))
        self.unread[reason] = (count + records, first)

    def room(self) -> bool:
        """Whether one more call or message is kept; what is not is counted."""
        if len(self.drafts) < MOST_EVENTS:
            return True
        self.lost(f"beyond the first {MOST_EVENTS:,} calls and messages")
        return False

    def _model(self, model: str | None) -> None:
        if model and model != "<synthetic>" and len(self.models) < 50:
            self.models.setdefault(redact.line(model))

    def _kept(self, text: str) -> str:
        kept = redact.output(text)
        if self._text > MOST_TEXT and len(kept) > SHORT:
            kept = f"{kept[: SHORT - 1]}…"
            self.notes.setdefault("The transcript is so long that later outputs are kept to 200 characters.")
        self._text += len(kept)
        return kept


def _larger(one: Tokens | None, other: Tokens | None) -> Tokens | None:
    if one is None or other is None:
        return one or other
    return Tokens(**{name: max(getattr(one, name), getattr(other, name)) for name in Tokens.model_fields})
