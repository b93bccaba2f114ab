"""GitHub Copilot CLI: `events.jsonl`, and what it prints as JSON."""

from __future__ import annotations

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object, arguments, first_text, number, obj, objects, plain, tally, text
from bouts.model.session import Tokens

NAME = "copilot-cli"
TITLE = "GitHub Copilot CLI (events.jsonl)"


def detect(source: Source) -> int:
    """By its kinds of event, which are words with a dot and have data."""
    kinds = {text(row.get("type")) for row in source.rows if "data" in row}
    return (
        CERTAIN
        if any(k and k.startswith(("assistant.", "tool.execution_", "session.", "user.message")) for k in kinds)
        else NO
    )


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "copilot-cli"
    recording.persistent = True
    for place, row in source.records(recording):
        time, data = times.iso(row.get("timestamp")), obj(row.get("data"))
        match row.get("type"):
            case "session.start":
                recording.session_id = first_text(data, "sessionId")
                recording.agent_version = first_text(data, "copilotVersion")
                recording.folder = first_text(obj(data.get("context")), "cwd")
                recording.ignored += 1
            case "user.message":
                recording.message("user", plain(data.get("content")), time=time)
            case "assistant.message":
                _answer(data, time, place, recording)
            case "tool.execution_start":
                _start(data, time, recording)
            case "tool.execution_complete":
                _complete(data, time, f"line {place}", recording)
            case "session.shutdown":
                _shutdown(data, recording)
            case None:
                recording.lost("records without a type", f"line {place}")
            case _:
                recording.ignored += 1


def _answer(data: Object, time: Time | None, place: int, recording: Recording) -> None:
    model = text(data.get("model"))
    first: Draft | None = recording.message("agent", plain(data.get("content")), time=time, model=model)
    for request in objects(data.get("toolRequests")):
        name = first_text(request, "name") or "unknown"
        key = text(request.get("toolCallId"))
        made = recording.call(name, arguments(request.get("arguments")), key=key, time=time, model=model)
        first = first or made
    received = tally(data.get("outputTokens"))
    if received:
        key = first_text(data, "messageId") or str(place)
        recording.charge(key, Tokens(output=received), model=model, draft=first)


def _start(data: Object, time: Time | None, recording: Recording) -> None:
    """A call begins to run; it was asked for in a message, as a rule."""
    key = text(data.get("toolCallId"))
    known = recording.open.get(key or "")
    if known is not None:
        known.time = time or known.time
        recording.ignored += 1
        return
    recording.call(first_text(data, "toolName") or "unknown", arguments(data.get("arguments")), key=key, time=time)


def _complete(data: Object, time: Time | None, where: str, recording: Recording) -> None:
    draft = recording.open.get(text(data.get("toolCallId")) or "")
    if draft is None:
        recording.unmatched(where)
        return
    result, good = obj(data.get("result")), data.get("success")
    said = plain(result.get("content")) or first_text(obj(data.get("error")), "message") or ""
    length = number(obj(obj(data.get("toolTelemetry")).get("metrics")).get("durationMs"))
    status = "ok" if good is True else "error" if good is False else "unknown"
    recording.answer(draft, said, status=status, time=time, duration_ms=length)


def _shutdown(data: Object, recording: Recording) -> None:
    """The totals at the end."""
    recording.outcome = first_text(data, "shutdownType")
    details = obj(data.get("tokenDetails"))

    def counted(name: str) -> int:
        return tally(obj(details.get(name)).get("tokenCount"))

    total = Tokens(
        input=counted("input") + counted("cache_read") + counted("cache_write"),
        output=counted("output"),
        cached=counted("cache_read"),
        cache_written=counted("cache_write"),
    )
    recording.reported_tokens = total if total != Tokens() else None
    recording.ignored += 1
