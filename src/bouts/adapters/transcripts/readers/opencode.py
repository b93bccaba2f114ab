"""OpenCode: an exported session with its messages and their parts."""

from __future__ import annotations

from bouts.adapters.transcripts import patches, times
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.values import Object, first_text, number, obj, objects, plain, text, tokens, whole

NAME = "opencode"
TITLE = "OpenCode (opencode export)"


def detect(source: Source) -> int:
    """By a session's head and messages that have parts."""
    body = obj(source.value)
    message = next(objects(body.get("messages")), None)
    return CERTAIN if message is not None and "parts" in message and "info" in message else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    body = obj(source.value)
    info = obj(body.get("info"))
    recording.agent = "opencode"
    recording.session_id = first_text(info, "id")
    recording.agent_version = first_text(info, "version")
    recording.folder = first_text(info, "directory")
    for place, message in enumerate(objects(body.get("messages")), 1):
        _message(message, place, recording)


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
    usage = obj(info.get("tokens"))
    cache = obj(usage.get("cache"))
    counted = tokens(
        {**usage, "read": cache.get("read"), "write": cache.get("write")},
        input=("input", "read", "write"),
        output=("output", "reasoning"),
        cached=("read",),
        cache_written=("write",),
        reasoning=("reasoning",),
    )
    cost = number(info.get("cost"))
    if counted is not None or cost is not None:
        recording.charge(first_text(info, "id") or str(place), counted, cost=cost, model=model, draft=first)


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
