"""Gemini CLI: what `--output-format stream-json` prints."""

from __future__ import annotations

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Recording
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object, arguments, first_text, number, obj, plain, summed, text, tokens

NAME = "gemini-stream"
TITLE = "Gemini CLI (stream-json)"
MOST_TEXT = 100_000
"""Characters of a message that comes in pieces."""


def detect(source: Source) -> int:
    """By its kinds of record."""
    rows = source.rows[:40]
    calls = any(r.get("type") == "tool_use" and "tool_id" in r and "tool_name" in r for r in rows)
    start = any(r.get("type") == "init" and "session_id" in r and "model" in r for r in rows)
    return CERTAIN if calls or start else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session. Pieces of one message are put together."""
    recording.agent = "gemini-cli"
    pieces: list[str] = []
    since: Time | None = None
    runs = totals = long = 0
    for place, row in source.records(recording):
        time = times.iso(row.get("timestamp"))
        if row.get("type") == "message" and row.get("role") != "user":
            since = since or time
            if long < MOST_TEXT:
                pieces.append(plain(row.get("content"))[:MOST_TEXT])
                long += len(pieces[-1])
            if row.get("delta"):
                continue
        recording.message("agent", "".join(pieces), time=since)
        pieces, since, long = [], None, 0
        runs += row.get("type") == "init"
        totals += row.get("type") == "result"
        _record(row, time, f"line {place}", recording)
    recording.message("agent", "".join(pieces), time=since)
    if 0 < totals < runs:
        recording.notes.setdefault(f"Its tokens are those of {totals} of {runs} runs; the others have no totals.")


def _record(row: Object, time: Time | None, where: str, recording: Recording) -> None:
    match row.get("type"):
        case "message":
            if row.get("role") == "user":
                recording.message("user", plain(row.get("content")), time=time)
        case "tool_use":
            name = first_text(row, "tool_name") or "unknown"
            recording.call(name, arguments(row.get("parameters")), key=text(row.get("tool_id")), time=time)
        case "tool_result":
            status = {"success": "ok", "error": "error"}.get(text(row.get("status")) or "", "unknown")
            said = plain(row.get("output")) or first_text(obj(row.get("error")), "message") or ""
            if not recording.answer(text(row.get("tool_id")), said, status=status, time=time):  # pyright: ignore[reportArgumentType]
                recording.unmatched(where)
        case "init":
            began = first_text(row, "session_id")
            if recording.session_id and began != recording.session_id:
                recording.notes.setdefault("The file holds records of more than one session.")
            recording.session_id = recording.session_id or began
            recording.charge("init", None, model=text(row.get("model")))
            recording.ignored += 1
        case "result":
            _result(row, recording)
        case None:
            recording.lost("records without a type", where)
        case _:
            recording.ignored += 1


def _result(row: Object, recording: Recording) -> None:
    """The totals of a run. Those of a second run in the file are added."""
    stats = obj(row.get("stats"))
    recording.outcome = first_text(row, "status")
    counted = tokens(stats, input=("input_tokens",), output=("output_tokens",), cached=("cached",))
    recording.reported_tokens = summed([recording.reported_tokens, counted])
    length = number(stats.get("duration_ms"))
    if length:
        recording.reported_seconds = (recording.reported_seconds or 0.0) + length / 1000
    recording.ignored += 1
