"""Codex CLI: rollout files, those before version 0.50 too, whose lines have no envelope.

A line is `{timestamp, type, payload}`. What was said stands twice, as an event and as a response item: the items are
taken, and the events only where a file has no items. What a command gave may stand twice, too: the event with its exit
code and duration is the better one.
"""

from __future__ import annotations

import re

from bouts.adapters.transcripts import codex_outcomes as outcomes
from bouts.adapters.transcripts import codex_scripts, times
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    decoded,
    first_text,
    number,
    obj,
    plain,
    rows,
    text,
    whole,
)

NAME = "codex"
TITLE = "Codex CLI (rollout file)"

_ENVELOPES = (
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
)
_BARE = (
    *("message", "reasoning", "function_call", "function_call_output", "local_shell_call", "web_search_call"),
    *("custom_tool_call", "custom_tool_call_output", "local_shell_call_output"),
)
_INJECTED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted)|# AGENTS\.md)"
)
_FOLDER = re.compile(r"<cwd>([^<\n]{1,1000})</cwd>")
_EXIT = re.compile(r"(?:Process exited with code|Exit code:) (-?\d{1,5})")
_WALL = re.compile(r"Wall time:? ([\d.]{1,12}) seconds")
_RUNNING = re.compile(r"Process running with session ID")
_HEADER = re.compile(
    r"\A(?:Chunk ID|Wall time|Exit code|Process exited|Original token count|Total output lines)[^\n]*\n"
)


def detect(source: Source) -> int:
    """By the envelope, or by the bare items of old files behind their first line."""
    found = [row for row in source.rows if row.get("type") in _ENVELOPES and "payload" in row]
    if found:
        return CERTAIN
    rows = source.rows
    if rows and {"id", "timestamp"} <= rows[0].keys() and "type" not in rows[0]:
        bare = sum(row.get("type") in _BARE or row.get("record_type") == "state" for row in rows[1:])
        return LIKELY if bare else NO
    return NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "codex"
    state = outcomes.State()
    for place, row in source.records(recording):
        where = f"line {place}"
        payload = obj(row.get("payload"))
        time = times.iso(row.get("timestamp"))
        match row.get("type"):
            case "session_meta":
                _meta(payload, recording)
            case "turn_context":
                recording.folder = recording.folder or first_text(payload, "cwd")
                recording.charge(f"turn/{place}", None, model=text(payload.get("model")))
                recording.ignored += 1
            case "response_item":
                _item(payload, time or times.iso(payload.get("timestamp")), where, recording, state)
            case "event_msg":
                _event(payload, time, recording, state)
            case str(kind) if kind in _BARE:
                _item(row, None, where, recording, state)
            case None if "record_type" in row or "instructions" in row or "git" in row:
                _meta(row, recording)
            case None:
                recording.lost("records without a type", where)
            case _:
                recording.ignored += 1
    recording.reported_tokens = state.total


def _meta(body: Object, recording: Recording) -> None:
    recording.session_id = recording.session_id or first_text(body, "id", "session_id")
    recording.agent_version = recording.agent_version or first_text(body, "cli_version")
    recording.folder = recording.folder or first_text(body, "cwd")
    recording.ignored += 1


def _item(item: Object, time: Time | None, where: str, recording: Recording, state: outcomes.State) -> None:
    """A response item: something said, a call, or what it gave."""
    match item.get("type"):
        case "message":
            _message(text(item.get("role")) or "", plain(item.get("content")), time, recording, state)
        case "function_call" | "custom_tool_call":
            _call(item, time, recording, state)
        case "local_shell_call":
            action = obj(item.get("action"))
            outcomes.shell(
                [w for w in rows(action.get("command")) if isinstance(w, str)], action, item, time, recording
            )
        case "function_call_output" | "custom_tool_call_output" | "local_shell_call_output":
            _output(item, time, where, recording, state)
        case "web_search_call":
            query = first_text(obj(item.get("action")), "query", "url", "pattern")
            made = recording.call("web_search", {"query": query}, key=first_text(item, "id"), time=time)
            if item.get("status") == "completed":
                recording.answer(made, None, status="ok")
        case "tool_search_call":
            recording.call("tool_search", arguments(item.get("arguments")), key=text(item.get("call_id")), time=time)
        case "tool_call" | "tool_result" | "tool_search_output":
            _plain_tool(item, time, where, recording)
        case "token_count":
            outcomes.counted(obj(item.get("info")) or item, recording, state)
        case _:
            recording.ignored += 1


def _plain_tool(item: Object, time: Time | None, where: str, recording: Recording) -> None:
    """Calls and results as some versions and exports write them, with ids or one after another."""
    key = first_text(item, "call_id", "id", "tool_call_id")
    if item.get("type") == "tool_call":
        name = first_text(item, "name", "tool") or "unknown"
        given = arguments(item.get("arguments")) or arguments(item.get("input"))
        recording.call(name, given, key=key or "@last", time=time)
    elif not recording.answer(key or "@last", plain(item) or None, time=time):
        recording.unmatched(where)


def _message(role: str, said: str, time: Time | None, recording: Recording, state: outcomes.State) -> None:
    if role not in ("user", "assistant") or (role == "user" and _INJECTED.match(said)):
        recording.ignored += 1
        # Files without a head say where they were made only here.
        match = _FOLDER.search(said[:4000])
        recording.folder = recording.folder or (match[1].strip() if match else None)
        return
    speaker = "user" if role == "user" else "agent"
    if state.said.pop(speaker, None) == said.strip():
        recording.ignored += 1
        return
    if recording.message(speaker, said, time=time) is not None:
        state.said[speaker] = said.strip()


def _call(item: Object, time: Time | None, recording: Recording, state: outcomes.State) -> None:
    name = text(item.get("name")) or "unknown"
    raw = item.get("arguments") if item.get("type") == "function_call" else item.get("input")
    given = arguments(raw)
    if not given and isinstance(raw, str):
        given = {"input": raw}
    key = text(item.get("call_id")) or text(item.get("id"))
    if name == "write_stdin":
        _continued(given, key, time, recording, state)
        return
    if name in ("exec", "functions.exec") or (name.endswith(".exec") and "source" in given):
        source = first_text(given, "source", "input", "code") or ""
        acts = codex_scripts.acts_of(source) or None
        recording.call(name, given, key=key, time=time, acts=acts, command=source if acts is None else None)
        return
    words = [word for word in rows(given.get("command")) if isinstance(word, str)]
    if words:
        outcomes.shell(words, given, item, time, recording)
        return
    recording.call(name, given, key=key, time=time)


def _continued(given: Object, key: str | None, time: Time | None, recording: Recording, state: outcomes.State) -> None:
    """Input to a command that still runs. Waiting for it is no call of its own; its output is the command's."""
    draft = state.running.get(str(given.get("session_id")))
    typed = text(given.get("chars")) or ""
    if draft is not None and not typed.strip():
        if key:
            recording.opened(key, draft)
        recording.ignored += 1
        return
    recording.call("write_stdin", {"command": typed}, key=key, time=time, command=None)


def _output(item: Object, time: Time | None, where: str, recording: Recording, state: outcomes.State) -> None:
    key = text(item.get("call_id")) or ""
    draft = recording.open.get(key)
    if draft is None:
        recording.unmatched(where)
        return
    body = decoded(item.get("output"))
    structured = obj(body)
    metadata = obj(structured.get("metadata"))
    said = plain(structured.get("output")) if "output" in structured else plain(item.get("output"))
    code, seconds = whole(metadata.get("exit_code")), number(metadata.get("duration_seconds"))
    if code is None and (match := _EXIT.search(said[:400])) is not None:
        code = int(match[1])
    if seconds is None and (match := _WALL.search(said[:400])) is not None:
        seconds = float(match[1]) if match[1].count(".") <= 1 and match[1] != "." else None
    if _RUNNING.search(said[:400]):
        session = re.search(r"session ID:? (\d+)", said[:400])
        if session:
            state.running[session[1]] = draft
        code, seconds = None, None
    if key in state.told:
        recording.ignored += 1
        return
    status: Status = "unknown"
    if code is None and not _RUNNING.search(said[:400]) and item.get("success") is False:
        status = "error"
    recording.answer(
        draft,
        _body(said),
        status=status,
        time=time,
        exit_code=code,
        duration_ms=None if seconds is None else seconds * 1000,
    )


def _body(said: str) -> str:
    """An output without the lines about it."""
    rest = said
    for _ in range(8):
        match = _HEADER.match(rest)
        if match is None:
            break
        rest = rest[match.end() :]
    return rest.removeprefix("Output:\n") if rest is not said else said


def _event(event: Object, time: Time | None, recording: Recording, state: outcomes.State) -> None:
    match event.get("type"):
        case "user_message":
            _message("user", text(event.get("message")) or "", time, recording, state)
        case "agent_message":
            _message("assistant", text(event.get("message")) or "", time, recording, state)
        case "exec_command_end":
            outcomes.executed(event, time, recording, state)
        case "patch_apply_end":
            outcomes.patched(event, time, recording, state)
        case "mcp_tool_call_end":
            outcomes.served(event, time, recording)
        case "web_search_end":
            outcomes.searched(event, time, recording)
        case "token_count":
            outcomes.counted(obj(event.get("info")), recording, state)
        case "turn.completed":
            usage = outcomes.usage(obj(event.get("usage")))
            if usage is not None:
                state.answers += 1
                recording.charge(f"answer/{state.answers}", usage)
            recording.ignored += 1
        case "task_complete" | "turn_aborted":
            recording.outcome = str(event.get("type"))
            recording.ignored += 1
        case _:
            recording.ignored += 1
