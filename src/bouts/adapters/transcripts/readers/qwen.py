"""Qwen Code: session files, one record a line, whose records form a tree."""

from __future__ import annotations

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.seen import Seen
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object, first_text, obj, objects, plain, shown, text, tokens

NAME = "qwen-code"
TITLE = "Qwen Code (session .jsonl)"


def detect(source: Source) -> int:
    """By records in an envelope with ids whose message has parts."""
    fits = any("uuid" in row and "parts" in obj(row.get("message")) for row in source.rows)
    return CERTAIN + 5 if fits else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session. What was undone by going back is told, too, as it was done."""
    recording.agent = "qwen-code"
    seen = Seen()
    for place, row in source.records(recording):
        recording.session_id = recording.session_id or first_text(row, "sessionId")
        recording.agent_version = recording.agent_version or first_text(row, "version")
        recording.folder = recording.folder or first_text(row, "cwd")
        message, time = obj(row.get("message")), times.iso(row.get("timestamp"))
        if row.get("subtype") == "rewind":
            recording.notes.setdefault(
                "The session was taken back to an earlier message; what was undone is told, too."
            )
        match row.get("type"):
            case "user" if message:
                _user(row, message, time, recording)
            case "assistant" if message:
                _answer(row, message, time, place, recording, seen)
            case "tool_result" if message:
                _results(row, message, time, f"line {place}", recording)
            case None:
                recording.lost("records without a type", f"line {place}")
            case _:
                recording.ignored += 1


def _user(row: Object, message: Object, time: Time | None, recording: Recording) -> None:
    parts = list(objects(message.get("parts")))
    if any("functionResponse" in part for part in parts):
        _results(row, message, time, "", recording)
        return
    said = plain(parts) or first_text(obj(row.get("systemPayload")), "displayText") or ""
    recording.message("user", said, time=time)


def _answer(row: Object, message: Object, time: Time | None, place: int, recording: Recording, seen: Seen) -> None:
    model = text(row.get("model"))
    first: Draft | None = None
    for part in objects(message.get("parts")):
        made: Draft | None = None
        call = obj(part.get("functionCall"))
        if call:
            key = text(call.get("id"))
            if key and not seen.add(key):
                recording.copies += 1
                continue
            made = recording.call(
                first_text(call, "name") or "unknown", obj(call.get("args")), key=key, time=time, model=model
            )
        elif part.get("thought") is not True:
            made = recording.message("agent", plain(part), time=time, model=model)
        else:
            recording.ignored += 1
        first = first or made
    usage = tokens(
        obj(row.get("usageMetadata")),
        input=("promptTokenCount",),
        output=("candidatesTokenCount", "thoughtsTokenCount"),
        cached=("cachedContentTokenCount",),
        reasoning=("thoughtsTokenCount",),
    )
    if usage is not None:
        recording.charge(first_text(row, "uuid") or str(place), usage, model=model, draft=first)


def _results(row: Object, message: Object, time: Time | None, where: str, recording: Recording) -> None:
    display = obj(row.get("toolCallResult"))
    for part in objects(message.get("parts")):
        response = obj(part.get("functionResponse"))
        if not response:
            continue
        body = obj(response.get("response"))
        failed = "error" in body or display.get("status") == "error"
        status: Status = "error" if failed else "ok"
        said = first_text(body, "output", "error") or shown(body or None)
        if not recording.answer(text(response.get("id")), said, status=status, time=time):
            recording.unmatched(where)
