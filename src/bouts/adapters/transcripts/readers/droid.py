"""Factory Droid: what `--output-format stream-json` prints, and its session files."""

from __future__ import annotations

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    first_text,
    number,
    obj,
    objects,
    plain,
    shown,
    text,
    whole,
)

NAME = "droid"
TITLE = "Factory Droid (stream-json, session .jsonl)"


def detect(source: Source) -> int:
    """By calls with its names for things, or the start of a session file."""
    for row in source.rows:
        if row.get("type") in ("tool_call", "tool_result") and "toolCallId" in row and "session_id" in row:
            return CERTAIN
        if row.get("type") == "session_start" and "id" in row:
            return CERTAIN
        if row.get("type") == "completion" and "finalText" in row:
            return CERTAIN
    return NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "droid"
    for place, row in source.records(recording):
        time = times.any_of(row.get("timestamp"))
        recording.session_id = recording.session_id or first_text(row, "session_id")
        match row.get("type"):
            case "system" | "session_start":
                recording.folder = recording.folder or first_text(row, "cwd")
                recording.session_id = recording.session_id or first_text(row, "id")
                recording.charge(f"model/{place}", None, model=text(row.get("model")))
                recording.ignored += 1
            case "message" if "message" in row:
                _stored(obj(row["message"]), time, f"line {place}", recording)
            case "message":
                said = plain(row.get("text")) or plain(row.get("content"))
                recording.message("user" if row.get("role") == "user" else "agent", said, time=time)
            case "tool_call":
                name = first_text(row, "toolName") or "unknown"
                recording.call(name, arguments(row.get("parameters")), key=text(row.get("toolCallId")), time=time)
            case "tool_result":
                _result(row, time, f"line {place}", recording)
            case "completion":
                recording.outcome = "completion"
                length = number(row.get("durationMs"))
                recording.reported_seconds = None if length is None else length / 1000
                recording.message("agent", plain(row.get("finalText")), time=time)
            case None:
                recording.lost("records without a type", f"line {place}")
            case _:
                recording.ignored += 1


def _result(row: Object, time: Time | None, where: str, recording: Recording) -> None:
    value = row.get("value") if "value" in row else row.get("result")
    body = obj(value)
    streams = [said for key in ("stdout", "stderr") if (said := text(body.get(key)))]
    status: Status = "error" if row.get("isError") is True else "unknown"
    code = whole(body.get("exitCode"))
    said = "\n".join(streams) or shown(value)
    if not recording.answer(text(row.get("toolCallId")), said, status=status, time=time, exit_code=code):
        recording.unmatched(where)


def _stored(message: Object, time: Time | None, where: str, recording: Recording) -> None:
    """A message of a session file, in parts."""
    user = message.get("role") == "user"
    for part in objects(message.get("content")):
        match part.get("type"):
            case "text":
                recording.message("user" if user else "agent", plain(part), time=time)
            case "tool_use":
                recording.call(
                    first_text(part, "name") or "unknown", obj(part.get("input")), key=text(part.get("id")), time=time
                )
            case "tool_result":
                status: Status = "error" if part.get("is_error") is True else "ok"
                if not recording.answer(
                    text(part.get("tool_use_id")), plain(part.get("content")), status=status, time=time
                ):
                    recording.unmatched(where)
            case _:
                recording.ignored += 1
