"""Cursor: agent transcripts, one message a line. No times, and results only in some versions."""

from __future__ import annotations

import re

from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.values import Object, first_text, obj, objects, plain, text

NAME = "cursor"
TITLE = "Cursor (agent transcript .jsonl)"

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)


def detect(source: Source) -> int:
    """By lines that have a role and a message, and no type of their own."""
    sample = source.rows
    fits = [
        r for r in sample if "role" in r and "content" in obj(r.get("message")) and "type" not in r and "uuid" not in r
    ]
    return CERTAIN if fits and len(fits) >= len(sample) * 0.5 else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "cursor"
    waiting: list[Draft] = []
    for place, row in source.records(recording):
        if row.get("type") == "turn_ended":
            recording.outcome = first_text(row, "status")
            recording.ignored += 1
            continue
        role, content = row.get("role"), obj(row.get("message")).get("content")
        if role == "user":
            _user(content, waiting, place, recording)
        elif role == "assistant":
            waiting = _answer(content, recording)
        else:
            recording.lost("records without a role", f"line {place}")


def _user(content: object, waiting: list[Draft], place: int, recording: Recording) -> None:
    results = [part for part in objects(content) if part.get("type") == "tool_result"]
    for part in results:
        # Some versions leave out the ids of calls: results then come in the order of the calls.
        draft = recording.open.get(text(part.get("tool_use_id")) or "") or (waiting.pop(0) if waiting else None)
        if draft is None:
            recording.unmatched(f"line {place}")
        else:
            recording.answer(
                draft, plain(part.get("content")), status="error" if part.get("is_error") is True else "unknown"
            )
    if not results:
        said = plain(content)
        match = _QUERY.search(said[:200_000])
        recording.message("user", match[1] if match else said)


def _answer(content: object, recording: Recording) -> list[Draft]:
    waiting: list[Draft] = []
    for part in objects(content):
        if part.get("type") == "text":
            recording.message("agent", plain(part))
        elif part.get("type") == "tool_use":
            draft = recording.call(first_text(part, "name") or "unknown", _given(part), key=text(part.get("id")))
            waiting += [draft] if draft is not None else []
    if isinstance(content, str):
        recording.message("agent", content)
    return waiting


def _given(part: Object) -> Object:
    return obj(part.get("input"))
