"""Cline and Roo Code: `ui_messages.json`. There are no ids of calls and no exit codes; what belongs together follows
one another."""

from __future__ import annotations

from dataclasses import dataclass, field

from bouts.adapters.transcripts import calls, patches, times
from bouts.adapters.transcripts.acts import Act
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    dollars,
    first_text,
    objects,
    rows,
    text,
    tokens,
)

NAME = "cline"
TITLE = "Cline, Roo Code (ui_messages.json, output of cline --json)"

_READS = frozenset({"readFile", "listCodeDefinitionNames"})
_SEARCHES = frozenset({"listFilesTopLevel", "listFilesRecursive", "searchFiles", "codebaseSearch", "webSearch"})
_EDITS = frozenset(
    {"editedExistingFile", "newFileCreated", "appliedDiff", "insertContent", "searchAndReplace", "fileDeleted"}
)
_SAID = frozenset({"text", "completion_result", "plan_mode_respond", "followup"})
_MOST_OUTPUT = 2_000_000


@dataclass(slots=True)
class _State:
    command: Draft | None = None
    output: list[str] = field(default_factory=list[str])
    length: int = 0
    asked: tuple[str, Draft] | None = None
    """A tool that waits for approval, and its text: it may be told again once it is approved."""
    unfinished: tuple[Object, Time | None] | None = None
    """A message that was being written, and its time; what follows tells whether it was completed."""
    answers: int = 0
    first: bool = True
    request: str | None = None
    last: Draft | None = None


def detect(source: Source) -> int:
    """By rows that say or ask."""
    found = source.sample[:20]
    found = [row for row in found if row.get("type") != "task_started"]
    fits = sum(r.get("type") in ("say", "ask") and ("say" in r or "ask" in r) for r in found)
    return CERTAIN if found and fits >= len(found) * 0.8 else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the task."""
    recording.agent = "cline"
    state = _State()
    for place, row in source.records(recording):
        time = times.epoch(row.get("ts"), 1000.0)
        kind = text(row.get("say")) or text(row.get("ask"))
        _complete(row, recording, state)
        if row.get("type") in ("task_started", "error"):
            recording.ignored += 1
        elif kind is None:
            recording.lost("records that neither say nor ask", f"record {place}")
        elif row.get("partial") is True:
            if kind in _SAID:
                state.unfinished = (row, time)
            else:
                # A row that was being written; the complete one follows.
                recording.copies += 1
        else:
            _row(kind, row, time, recording, state)
    _complete({}, recording, state)
    _ended(recording, state)


def _complete(following: Object, recording: Recording, state: _State) -> None:
    """Tell a message that was left unfinished, unless the next row is the same one with more in it."""
    if state.unfinished is None:
        return
    (row, time), state.unfinished = state.unfinished, None
    kind, said = text(row.get("say")) or text(row.get("ask")) or "", text(row.get("text")) or ""
    same = kind in (following.get("say"), following.get("ask"))
    if same and (text(following.get("text")) or "").startswith(said):
        recording.copies += 1
    else:
        _row(kind, row, time, recording, state)


def _row(kind: str, row: Object, time: Time | None, recording: Recording, state: _State) -> None:
    said = text(row.get("text")) or ""
    if kind == "command_output":
        if state.command is not None and state.length < _MOST_OUTPUT:
            state.output.append(said)
            state.length += len(said)
            state.command.end = time
        return
    if kind == "command":
        _ended(recording, state)
        state.command = recording.call("execute_command", {"command": said}, time=time)
        return
    if kind not in ("api_req_started", "api_req_finished", "checkpoint_created", "checkpoint_saved", "reasoning"):
        _ended(recording, state)
    if kind in ("tool", "use_mcp_server"):
        _tool(kind, said, time, row.get("ask") is not None, recording, state)
    elif kind in ("api_req_started", "api_req_finished", "deleted_api_reqs"):
        _charged(arguments(said), time, recording, state)
    elif kind in ("user_feedback", "task") or (kind == "text" and state.first):
        state.first = False
        recording.message("user", said, time=time)
    elif kind in _SAID:
        message = said if not said.startswith("{") else first_text(arguments(said), "response", "question") or said
        state.last = recording.message("agent", message, time=time)
        recording.outcome = "completion_result" if kind == "completion_result" else recording.outcome
    elif kind in ("error", "diff_error") and state.asked is not None:
        recording.answer(state.asked[1], said, status="error", time=time)
    else:
        recording.ignored += 1


def _ended(recording: Recording, state: _State) -> None:
    if state.command is not None and state.output:
        recording.answer(state.command, "\n".join(state.output))
    state.command, state.output, state.length = None, [], 0


def _charged(body: Object, time: Time | None, recording: Recording, state: _State) -> None:
    state.answers += 1
    usage = tokens(
        body,
        input=("tokensIn", "cacheReads", "cacheWrites"),
        output=("tokensOut",),
        cached=("cacheReads",),
        cache_written=("cacheWrites",),
    )
    cost = dollars(body.get("cost"))
    if usage is not None or cost is not None:
        recording.charge(str(state.answers), usage, cost=cost)
    recording.ignored += 1


def _tool(kind: str, said: str, time: Time | None, asks: bool, recording: Recording, state: _State) -> None:
    body = arguments(said)
    if not body:
        recording.lost("tools that are no JSON")
        return
    if state.asked is not None and not asks and state.asked[0] == said:
        recording.copies += 1
        state.asked = None
        return
    name = first_text(body, "tool", "toolName") or kind
    draft = _call(name, kind, body, time, recording)
    state.asked = (said, draft) if draft is not None and asks else None


def _call(name: str, kind: str, body: Object, time: Time | None, recording: Recording) -> Draft | None:
    path = first_text(body, "path")
    if kind == "use_mcp_server":
        server = first_text(body, "serverName") or ""
        return recording.call(f"mcp__{server}__{name}", arguments(body.get("arguments")), time=time)
    if name in _EDITS:
        return recording.call(name, {}, time=time, edits=_edits(name, path, body))
    if name in _READS:
        several = [first_text(f, "path") for f in objects(body.get("batchFiles"))]
        acts = [Act("read", p) for p in several if p] or [Act("read", path)]
    elif name in _SEARCHES:
        acts = [Act("search", first_text(body, "regex", "query", "path"))]
    else:
        acts = [Act(calls.operation(name), path or first_text(body, "content"))]
    draft = recording.call(name, {}, time=time, acts=acts)
    # The row holds what was found, too.
    if name in _SEARCHES and (found := text(body.get("content"))):
        recording.answer(draft, found, status="ok")
    return draft


def _edits(name: str, path: str | None, body: Object) -> list[Edit]:
    several = list(objects(body.get("batchDiffs"))) if rows(body.get("batchDiffs")) else [body]
    made: list[Edit] = []
    for one in several:
        named = first_text(one, "path") or path
        diff, content = first_text(one, "diff", "content"), text(one.get("content"))
        if name == "newFileCreated" and content is not None:
            made.append(Edit(named, "create", len(content.splitlines()), "exact"))
            continue
        found = calls.acts("apply_diff", {"diff": diff, "path": named}) if diff else []
        if found and found[0].lines is not None:
            made += [Edit(named, "edit", a.lines, a.basis, a.ranges) for a in found]
        else:
            # The whole new text, without the old one.
            lines, basis = patches.written(content) if content else (None, None)
            made.append(Edit(named, "create" if name == "newFileCreated" else "edit", lines, basis))
    return made
