"""OpenCode: an exported session with its messages and their parts, and what `opencode run --format json` prints."""

from __future__ import annotations

from bouts.adapters.transcripts import patches, times
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.values import (
    Object,
    dollars,
    first_text,
    obj,
    objects,
    plain,
    text,
    tokens,
    whole,
)
from bouts.model.session import Tokens

NAME = "opencode"
TITLE = "OpenCode (opencode export, opencode run --format json)"


def detect(source: Source) -> int:
    """By a session's head and messages that have parts, or by parts on lines of their own."""
    body = obj(source.value)
    message = next(objects(body.get("messages")), None)
    exported = message is not None and "parts" in message and "info" in message
    return CERTAIN if exported or any(_printed(row) for row in source.rows[:10]) else NO


def _printed(row: Object) -> bool:
    return "sessionID" in row and "messageID" in obj(row.get("part"))


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "opencode"
    body = obj(source.value)
    if "messages" not in body:
        _lines(source, recording)
        return
    info = obj(body.get("info"))
    recording.session_id = first_text(info, "id")
    recording.agent_version = first_text(info, "version")
    recording.folder = first_text(info, "directory")
    recording.reported_tokens = _usage(obj(info.get("tokens")))
    recording.reported_cost = dollars(info.get("cost"))
    for place, message in enumerate(objects(body.get("messages")), 1):
        _message(message, place, recording)


def _lines(source: Source, recording: Recording) -> None:
    """Parts as they were printed, one a line; what a step cost comes when it has ended."""
    first: Draft | None = None
    for place, row in source.records(recording):
        recording.session_id = recording.session_id or first_text(row, "sessionID")
        part, made = obj(row.get("part")), None
        match row.get("type"):
            case "text":
                began = times.epoch(obj(part.get("time")).get("start"), 1000.0)
                made = recording.message("agent", plain(part), time=began or times.epoch(row.get("timestamp"), 1000.0))
            case "tool_use":
                made = _tool(part, None, recording)
            case "step_start":
                first = None
                recording.ignored += 1
            case "step_finish":
                key = first_text(part, "id") or str(place)
                recording.charge(key, _usage(obj(part.get("tokens"))), cost=dollars(part.get("cost")), draft=first)
                recording.ignored += 1
            case "error":
                recording.outcome = "error"
                recording.ignored += 1
            case None:
                recording.lost("records without a type", f"line {place}")
            case _:
                recording.ignored += 1
        first = first or made


def _message(message: Object, place: int, recording: Recording) -> None:
    info = obj(message.get("info"))
    time = times.epoch(obj(info.get("time")).get("created"), 1000.0)
    user, model = info.get("role") == "user", first_text(info, "modelID")
    first: Draft | None = None
    for part in objects(message.get("parts")):
        made: Draft | None = None
        if part.get("type") == "text":
            said = "" if part.get("synthetic") is True else plain(part)
            began = times.epoch(obj(part.get("time")).get("start"), 1000.0)
            made = recording.message("user" if user else "agent", said, time=began or time, model=model)
        elif part.get("type") == "tool":
            made = _tool(part, model, recording)
        else:
            recording.ignored += 1
        first = first or made
    counted = _usage(obj(info.get("tokens")))
    cost = dollars(info.get("cost"))
    if counted is not None or cost is not None:
        recording.charge(first_text(info, "id") or str(place), counted, cost=cost, model=model, draft=first)


def _usage(counted: Object) -> Tokens | None:
    cache = obj(counted.get("cache"))
    return tokens(
        {**counted, "read": cache.get("read"), "write": cache.get("write")},
        input=("input", "read", "write"),
        output=("output", "reasoning"),
        cached=("read",),
        cache_written=("write",),
        reasoning=("reasoning",),
    )


def _tool(part: Object, model: str | None, recording: Recording) -> Draft | None:
    state = obj(part.get("state"))
    span = obj(state.get("time"))
    began, ended = times.epoch(span.get("start"), 1000.0), times.epoch(span.get("end"), 1000.0)
    draft = recording.call(first_text(part, "tool") or "unknown", obj(state.get("input")), time=began, model=model)
    metadata = obj(state.get("metadata"))
    status: Status = {"completed": "ok", "error": "error"}.get(text(state.get("status")) or "", "unknown")  # pyright: ignore[reportAssignmentType]
    said = first_text(state, "output", "error") or ""
    recording.answer(
        draft,
        said,
        status=status,
        time=ended,
        exit_code=whole(metadata.get("exit")),
        edits=_edits(metadata, draft, status),
    )
    return draft


def _edits(metadata: Object, draft: Draft | None, status: Status) -> list[Edit] | None:
    diff = text(metadata.get("diff"))
    if diff is None or draft is None or status != "ok" or draft.acts[0].operation not in ("edit", "create"):
        return None
    found = patches.unified(diff, draft.acts[0].target)
    for edit in found:
        edit.change = "create" if draft.acts[0].operation == "create" else "edit"
    return found or None
