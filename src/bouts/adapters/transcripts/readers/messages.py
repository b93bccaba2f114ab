"""Plain conversations: messages with a role, with calls in the shapes of OpenAI, Anthropic, or tags in the text.

Training data is written like this, and so are requests to models. No times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bouts.adapters.transcripts.reader import NO, POSSIBLE
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.source import Source, chosen
from bouts.adapters.transcripts.values import Object, arguments, first_text, obj, objects, plain, text

NAME = "messages"
TITLE = "Messages with roles (OpenAI, Anthropic, SWE-smith)"

_ROLES = (
    "user",
    "assistant",
    "system",
    "tool",
    "developer",
)
_FUNCTION = re.compile(r"<function=([\w.-]{1,100})>")
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,100})>")
_MARK = re.compile(r"\A\s*(?:OBSERVATION:|EXECUTION RESULT of \[\w+\]:)\n?")


def detect(source: Source) -> int:
    """By messages with roles, at least one of which calls a tool."""
    for row in source.sample[:3]:
        messages = list(objects(row.get("messages")))
        if messages and all(m.get("role") in _ROLES for m in messages[:10]):
            return POSSIBLE + 10 if any(_calls(m) for m in messages) else POSSIBLE
    rows = source.sample
    if len(rows) > 1 and all(m.get("role") in _ROLES and "content" in m for m in rows):
        return POSSIBLE if any(_calls(m) for m in rows) else NO
    return NO


def read(source: Source, recording: Recording) -> None:
    """Tell the conversation. Raises `BadFile` for a file of several of which none was named."""
    if any("messages" in row for row in source.sample[:3]):
        parts = (
            (first_text(row, "instance_id", "id", "traj_id") or str(place), row)
            for place, row in source.records(recording)
            if "messages" in row
        )
        recording.session_id, chosen_row = chosen(source, parts)
        _messages(objects(chosen_row["messages"]), recording)
        return
    _messages((row for _, row in source.records(recording)), recording)


def _calls(message: Object) -> bool:
    parts = objects(message.get("content"))
    return bool(
        message.get("tool_calls")
        or message.get("function_call")
        or any(p.get("type") == "tool_use" for p in parts)
        or (isinstance(message.get("content"), str) and _FUNCTION.search(str(message["content"])[:50_000]))
    )


def _messages(messages: Iterable[Object], recording: Recording) -> None:
    waiting: list[Draft] = []
    for message in messages:
        role, content = message.get("role"), message.get("content")
        results = [part for part in objects(content) if part.get("type") == "tool_result"]
        if role == "assistant":
            waiting = _answer(message, recording)
        elif results:
            for part in results:
                failed = part.get("is_error") is True
                recording.answer(
                    text(part.get("tool_use_id")), plain(part.get("content")), status="error" if failed else "ok"
                )
        elif role == "tool" or (role == "user" and waiting):
            key = text(message.get("tool_call_id"))
            draft = recording.open.get(key or "") or (waiting.pop(0) if waiting else None)
            recording.answer(draft, _MARK.sub("", plain(content)))
            waiting = [w for w in waiting if w is not draft]
        elif role == "user":
            recording.message("user", plain(content))
        else:
            recording.ignored += 1


def _answer(message: Object, recording: Recording) -> list[Draft]:
    content = message.get("content")
    said = "\n".join(plain(p) for p in objects(content) if p.get("type") == "text") or plain(content)
    tagged = list(_tagged(said))
    recording.message("agent", said.partition("<function=")[0] if tagged else said)
    drafts: list[Draft | None] = []
    for call in objects(message.get("tool_calls")):
        function = obj(call.get("function"))
        given = arguments(function.get("arguments"))
        drafts.append(recording.call(first_text(function, "name") or "unknown", given, key=text(call.get("id"))))
    for part in objects(content):
        if part.get("type") == "tool_use":
            name = first_text(part, "name") or "unknown"
            drafts.append(recording.call(name, obj(part.get("input")), key=text(part.get("id"))))
    if not drafts:
        drafts = [recording.call(name, given) for name, given in tagged]
    return [draft for draft in drafts if draft is not None]


def _tagged(said: str) -> list[tuple[str, Object]]:
    """Calls written as tags: `<function=NAME><parameter=KEY>VALUE</parameter></function>`."""
    starts = list(_FUNCTION.finditer(said))[:50]
    found: list[tuple[str, Object]] = []
    for at, match in enumerate(starts):
        body = said[match.end() : starts[at + 1].start() if at + 1 < len(starts) else len(said)].partition(
            "</function>"
        )[0]
        keys = list(_PARAMETER.finditer(body))[:50]
        given: dict[str, object] = {}
        for i, key in enumerate(keys):
            value = body[key.end() : keys[i + 1].start() if i + 1 < len(keys) else len(body)]
            given[key[1]] = value.rpartition("</parameter>")[0].removeprefix("\n") if "</parameter>" in value else value
        found.append((match[1], given))
    return found
