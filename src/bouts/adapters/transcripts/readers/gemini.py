"""Gemini CLI: session files, one document (before 0.40) or one record a line.

Records of the second kind may be written again under the same id with more in them; a record that takes the session
back to an earlier message is told as a note, as what was done until then was done.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bouts.adapters.transcripts import patches, times
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import MOST_OPEN, Draft, Recording, Status
from bouts.adapters.transcripts.seen import bounded
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import EMPTY, Object, first_text, obj, objects, plain, rows, text, tokens
from bouts.model.session import Tokens

NAME = "gemini-cli"
TITLE = "Gemini CLI (session file, .json and .jsonl)"

_TALK = (
    "user",
    "gemini",
)
_EXIT = re.compile(r"^Exit Code: (-?\d{1,6})\s*$", re.MULTILINE)
_STATUS: dict[str, Status] = {"success": "ok", "error": "error"}


@dataclass(slots=True)
class _State:
    said: dict[str, Draft] = field(default_factory=dict[str, Draft])
    """Messages by id."""
    calls: dict[str, Draft] = field(default_factory=dict[str, Draft])


def detect(source: Source) -> int:
    """By the fields of a session and its kinds of message."""
    head = source.sample[0] if source.sample else EMPTY
    if "sessionId" not in head:
        return NO
    messages = list(objects(head.get("messages")))[:10] or source.sample[1:20]
    talk = any(m.get("type") in _TALK and ("content" in m or "toolCalls" in m) and "uuid" not in m for m in messages)
    named = "projectHash" in head or ("startTime" in head and "messages" in head)
    return CERTAIN if named and (talk or not messages) else LIKELY if talk and named else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "gemini-cli"
    state = _State()
    for place, row in source.records(recording):
        if "sessionId" in row and row.get("type") not in _TALK:
            recording.session_id = recording.session_id or first_text(row, "sessionId")
            for message in objects(row.get("messages")):
                _message(message, recording, state)
            if "messages" not in row:
                recording.ignored += 1
        elif "$set" in row:
            # A compression: the messages that it puts in place of earlier ones were never said.
            recording.ignored += 1 + len(rows(obj(row["$set"]).get("messages")))
        elif "$rewindTo" in row:
            recording.ignored += 1
            recording.notes.setdefault(
                "The session was taken back to an earlier message; what was undone is told, too."
            )
        elif "type" in row:
            _message(row, recording, state)
        else:
            recording.lost("records of no known kind", f"line {place}")


def _message(message: Object, recording: Recording, state: _State) -> None:
    time, key = times.iso(message.get("timestamp")), first_text(message, "id") or f"#{len(recording.drafts)}"
    kind, model = message.get("type"), text(message.get("model"))
    if kind not in _TALK:
        recording.ignored += 1
        return
    said = plain(message.get("displayContent")) or plain(message.get("content"))
    first = state.said.get(key)
    if first is None:
        made = recording.message("user" if kind == "user" else "agent", said, time=time, model=model)
        if made is not None:
            state.said[key] = first = made
            bounded(state.said, MOST_OPEN)
    for position, call in enumerate(objects(message.get("toolCalls"))):
        draft = _call(call, f"{key}/{position}", time, model, recording, state)
        first = first or draft
    usage = _usage(obj(message.get("tokens")))
    if usage is not None:
        recording.charge(key, usage, model=model, draft=first)


def _usage(counted: Object) -> Tokens | None:
    return tokens(
        counted, input=("input", "tool"), output=("output", "thoughts"), cached=("cached",), reasoning=("thoughts",)
    )


def _call(
    call: Object, key: str, time: Time | None, model: str | None, recording: Recording, state: _State
) -> Draft | None:
    key = first_text(call, "id") or key
    draft = state.calls.get(key)
    if draft is None:
        # The time of a call is that of its end; it began no earlier than the message that asked for it.
        draft = recording.call(first_text(call, "name") or "unknown", obj(call.get("args")), time=time, model=model)
        if draft is None:
            return None
        state.calls[key] = draft
        bounded(state.calls, MOST_OPEN)
    display = call.get("resultDisplay")
    responses = [obj(obj(r.get("functionResponse")).get("response")) for r in objects(call.get("result"))]
    said = "\n".join(first_text(r, "output", "error") or plain(r) for r in responses)
    said = said or (display if isinstance(display, str) else "")
    match = _EXIT.search(said) if draft.acts[0].operation in ("run", "test") or draft.command else None
    status = _STATUS.get(text(call.get("status")) or "", "unknown")
    code = int(match[1]) if match else None
    if code is not None and status == "ok":
        status = "ok" if code == 0 else "error"
    recording.answer(draft, said or None, status=status, exit_code=code, edits=_edits(obj(display), status))
    return draft


def _edits(display: Object, status: Status) -> list[Edit] | None:
    """What an edit did, by the difference that was shown."""
    diff, path = text(display.get("fileDiff")), first_text(display, "filePath", "fileName")
    if diff is None or status != "ok":
        return None
    found = patches.unified(diff, path)
    new = display.get("isNewFile") is True
    for edit in found:
        edit.change = "create" if new else "edit"
    if not found:
        content = text(display.get("newContent"))
        return [Edit(path, "create", len(content.splitlines()), "exact")] if new and content is not None else None
    return found
