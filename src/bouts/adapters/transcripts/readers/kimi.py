"""Kimi Code: the records of a session or a subagent, one a line."""

from __future__ import annotations

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object, arguments, first_text, obj, plain, shown, text, tokens

NAME = "kimi"
TITLE = "Kimi Code (wire .jsonl)"


def detect(source: Source) -> int:
    """By its version line, or its events of a loop."""
    sample = source.rows
    start = bool(sample) and sample[0].get("type") == "metadata" and "protocol_version" in sample[0]
    return CERTAIN if start or any(row.get("type") == "context.append_loop_event" for row in sample) else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "kimi"
    model: str | None = None
    step: dict[str, Draft] = {}
    for place, row in source.records(recording):
        time = times.epoch(row.get("time"), 1000.0)
        match row.get("type"):
            case "config.update":
                recording.folder = recording.folder or first_text(row, "cwd")
                recording.ignored += 1
            case "llm.request":
                model = text(row.get("model")) or model
                recording.ignored += 1
            case "turn.prompt":
                # What a program says on the user's behalf is no word of the user.
                by_user = obj(row.get("origin")).get("kind") in ("user", None)
                recording.message("user" if by_user else "system", plain(row.get("input")), time=time)
            case "context.append_loop_event":
                _event(obj(row.get("event")), time, f"line {place}", model, recording, step)
            case None:
                recording.lost("records without a type", f"line {place}")
            case _:
                recording.ignored += 1


def _event(
    event: Object, time: Time | None, where: str, model: str | None, recording: Recording, step: dict[str, Draft]
) -> None:
    made: Draft | None = None
    match event.get("type"):
        case "content.part":
            part = obj(event.get("part"))
            if part.get("type") == "text":
                made = recording.message("agent", plain(part), time=time, model=model)
            else:
                recording.ignored += 1
        case "tool.call":
            name = first_text(event, "name") or "unknown"
            key = text(event.get("toolCallId"))
            made = recording.call(name, arguments(event.get("args")), key=key, time=time, model=model)
        case "tool.result":
            result = obj(event.get("result"))
            failed = result.get("isError") is True or result.get("is_error") is True
            status: Status = "error" if failed else "ok"
            if not recording.answer(text(event.get("toolCallId")), shown(result) or "", status=status, time=time):
                recording.unmatched(where)
        case "step.end":
            usage = tokens(
                obj(event.get("usage")),
                input=("inputOther", "inputCacheRead", "inputCacheCreation"),
                output=("output",),
                cached=("inputCacheRead",),
                cache_written=("inputCacheCreation",),
            )
            recording.charge(first_text(event, "uuid") or where, usage, model=model, draft=step.pop("first", None))
            recording.ignored += 1
        case _:
            recording.ignored += 1
    if made is not None:
        step.setdefault("first", made)
