"""pi: session files of versions 1 to 3, one record a line."""

from __future__ import annotations

import re

from bouts.adapters.transcripts import patches, times
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.seen import Seen
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object, dollars, first_text, obj, objects, plain, text, tokens

NAME = "pi"
TITLE = "pi (session .jsonl)"

_DIFF = re.compile(r"^([+-]) *(\d{1,7}) ", re.MULTILINE)
_CODE = re.compile(r"(?:Command exited with code|exit code:?) (\d{1,5})\s*\Z")


def detect(source: Source) -> int:
    """By its first record and its kinds of message."""
    sample = source.rows
    start = bool(sample) and sample[0].get("type") == "session" and "cwd" in sample[0]
    talk = any(
        r.get("type") == "message" and obj(r.get("message")).get("role") in ("user", "assistant", "toolResult")
        for r in sample
    )
    return CERTAIN if talk and (start or any(obj(r.get("message")).get("role") == "toolResult" for r in sample)) else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "pi"
    seen = Seen()
    for place, row in source.records(recording):
        key = text(row.get("id"))
        match row.get("type"):
            case "session":
                recording.session_id = recording.session_id or key
                recording.folder = recording.folder or first_text(row, "cwd")
                recording.ignored += 1
            case "message" if key and not seen.add(key):
                recording.copies += 1
            case "message":
                _message(row, place, recording)
            case None:
                recording.lost("records without a type", f"line {place}")
            case _:
                recording.ignored += 1


def _message(row: Object, place: int, recording: Recording) -> None:
    message = obj(row.get("message"))
    # The message's own time is when it began; the line's is when it was written.
    written = times.iso(row.get("timestamp"))
    time = times.epoch(message.get("timestamp"), 1000.0) or written
    match message.get("role"):
        case "user":
            recording.message("user", plain(message.get("content")), time=time)
        case "assistant":
            _answer(message, time, written, place, recording)
        case "toolResult":
            _result(message, written or time, place, recording)
        case "bashExecution":
            # A command that the user ran, and the agent was shown: none of the agent's calls.
            shown = f"$ {text(message.get('command')) or ''}\n{plain(message.get('output'))}"
            recording.message("user", shown, time=time)
        case _:
            recording.ignored += 1


def _answer(message: Object, time: Time | None, written: Time | None, place: int, recording: Recording) -> None:
    model = text(message.get("model"))
    first: Draft | None = None
    for part in objects(message.get("content")):
        made: Draft | None = None
        if part.get("type") == "text":
            made = recording.message("agent", plain(part), time=time, model=model)
        elif part.get("type") == "toolCall":
            name = first_text(part, "name") or "unknown"
            # A call begins when the answer that asks for it is complete.
            made = recording.call(
                name, obj(part.get("arguments")), key=text(part.get("id")), time=written or time, model=model
            )
        first = first or made
    usage = obj(message.get("usage"))
    counted = tokens(
        usage,
        input=("input", "cacheRead", "cacheWrite"),
        output=("output",),
        cached=("cacheRead",),
        cache_written=("cacheWrite",),
    )
    cost = dollars(obj(usage.get("cost")).get("total"))
    if counted is not None or cost:
        recording.charge(str(place), counted, cost=cost, model=model, draft=first)


def _result(message: Object, time: Time | None, place: int, recording: Recording) -> None:
    draft = recording.open.get(text(message.get("toolCallId")) or "")
    if draft is None:
        recording.unmatched(f"line {place}")
        return
    said, failed = plain(message.get("content")), message.get("isError") is True
    match = _CODE.search(said[-200:])
    code = int(match[1]) if match else None
    recording.answer(
        draft,
        said,
        status="error" if failed else "ok",
        time=time,
        exit_code=code,
        edits=None if failed else _edits(obj(message.get("details")), draft),
    )


def _edits(details: Object, draft: Draft) -> list[Edit] | None:
    """What an edit did, by a difference whose lines are numbered."""
    diff = text(details.get("diff"))
    if diff is None or draft.acts[0].operation != "edit":
        return None
    marks = [(match[1], int(match[2])) for match in _DIFF.finditer(diff)]
    if not marks:
        return patches.unified(diff, draft.acts[0].target) or None
    ranges: list[tuple[int, int]] = []
    for line in sorted({line for mark, line in marks if mark == "+" and line > 0}):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
    return [Edit(draft.acts[0].target, "edit", len(marks), "exact", ranges or None)]
