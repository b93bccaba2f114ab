"""Codex CLI: rollout files, those before version 0.50 too, whose lines have no envelope.

A line is `{timestamp, type, payload}`. What was said stands twice, as an event and as a response item: the items are
taken, and the events only where a file has no items. What a command gave may stand twice, too: the event with its exit
code and duration is the better one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bouts.adapters.transcripts import calls, patches, times
from bouts.adapters.transcripts.acts import Act, of_line
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
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
    tokens,
    whole,
)
from bouts.model.session import Tokens

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


@dataclass(slots=True)
class _State:
    told: set[str] = field(default_factory=set[str])
    """Calls whose outcome an event has told, so that the item adds nothing."""
    said: dict[str, str] = field(default_factory=dict[str, str])
    """The last message of a speaker: the next one may be the same in its other form."""
    total: Tokens | None = None
    last: Tokens | None = None
    """The running total as it was last written; `before` is what earlier counts had come to."""
    before: Tokens | None = None
    answers: int = 0
    running: dict[str, Draft] = field(default_factory=dict[str, Draft])


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
    state = _State()
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


def _item(item: Object, time: Time | None, where: str, recording: Recording, state: _State) -> None:
    """A response item: something said, a call, or what it gave."""
    match item.get("type"):
        case "message":
            _message(text(item.get("role")) or "", plain(item.get("content")), time, recording, state)
        case "function_call" | "custom_tool_call":
            _call(item, time, recording, state)
        case "local_shell_call":
            action = obj(item.get("action"))
            _shell([w for w in rows(action.get("command")) if isinstance(w, str)], action, item, time, recording)
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
            _counted(obj(item.get("info")) or item, recording, state)
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
        recording.lost("results without a call", where)


def _message(role: str, said: str, time: Time | None, recording: Recording, state: _State) -> None:
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


def _call(item: Object, time: Time | None, recording: Recording, state: _State) -> None:
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
        acts = _nested(source)
        draft = recording.call(name, given, key=key, time=time, command=source if not acts else "")
        if draft is not None and acts:
            draft.acts = acts
            draft.command = None
        return
    words = [word for word in rows(given.get("command")) if isinstance(word, str)]
    if words:
        _shell(words, given, item, time, recording)
        return
    recording.call(name, given, key=key, time=time)


def _continued(given: Object, key: str | None, time: Time | None, recording: Recording, state: _State) -> None:
    """Input to a command that still runs. Waiting for it is no call of its own; its output is the command's."""
    draft = state.running.get(str(given.get("session_id")))
    typed = text(given.get("chars")) or ""
    if draft is not None and not typed.strip():
        if key:
            recording.open[key] = draft
        recording.ignored += 1
        return
    recording.call("write_stdin", {"command": typed}, key=key, time=time, command=None)


def _shell(words: list[str], given: Object, item: Object, time: Time | None, recording: Recording) -> None:
    line = (
        f"apply_patch <<'EOF'\n{words[1]}\nEOF" if words[0] == "apply_patch" and len(words) > 1 else calls.joined(words)
    )
    key = text(item.get("call_id")) or text(item.get("id"))
    recording.call(text(item.get("name")) or "shell", given, key=key, time=time, command=line)


_TOOL = re.compile(r"tools\.(\w+)\(")
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`")
_COMMAND = re.compile(r"\b(?:cmd|command)\s*:\s*(\[[^\]]{0,20000}\]|[\"'`])")
_NESTED_MOST = 50


def _nested(source: str) -> list[Act]:
    """The calls in a script that calls tools itself."""
    found: list[Act] = []
    starts = [match for _, match in zip(range(_NESTED_MOST), _TOOL.finditer(source), strict=False)]
    for at, match in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(source)
        body = source[match.end() : end]
        if match[1] == "apply_patch":
            said = _STRING.search(body)
            patch = _unescaped(next((g for g in said.groups() if g is not None), "")) if said else ""
            found += [Act(e.change, e.path, e.lines, e.basis) for e in patches.apply_patch(patch)] or [
                Act("edit", None)
            ]
            continue
        command = _COMMAND.search(body)
        if match[1] in ("exec_command", "shell", "shell_command") and command is not None:
            strings = [next(g for g in m.groups() if g is not None) for m in _STRING.finditer(body, command.start(1))]
            words = strings if command[1].startswith("[") else strings[:1]
            if command[1].startswith("["):
                inside = command[1]
                words = [next(g for g in m.groups() if g is not None) for m in _STRING.finditer(inside)]
            line = calls.joined([_unescaped(w) for w in words]) if len(words) > 1 else _unescaped("".join(words))
            found += of_line(line)[0]
            continue
        found += calls.acts(match[1], {})
    return found


def _unescaped(said: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), said, flags=re.DOTALL)


def _output(item: Object, time: Time | None, where: str, recording: Recording, state: _State) -> None:
    key = text(item.get("call_id")) or ""
    draft = recording.open.get(key)
    if draft is None:
        recording.lost("results without a call", where)
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


def _event(event: Object, time: Time | None, recording: Recording, state: _State) -> None:
    match event.get("type"):
        case "user_message":
            _message("user", text(event.get("message")) or "", time, recording, state)
        case "agent_message":
            _message("assistant", text(event.get("message")) or "", time, recording, state)
        case "exec_command_end":
            _executed(event, time, recording, state)
        case "patch_apply_end":
            _patched(event, time, recording, state)
        case "mcp_tool_call_end":
            _served(event, time, recording)
        case "web_search_end":
            _searched(event, time, recording)
        case "token_count":
            _counted(obj(event.get("info")), recording, state)
        case "turn.completed":
            usage = _usage(obj(event.get("usage")))
            if usage is not None:
                state.answers += 1
                recording.charge(f"answer/{state.answers}", usage)
            recording.ignored += 1
        case "task_complete" | "turn_aborted":
            recording.outcome = str(event.get("type"))
            recording.ignored += 1
        case _:
            recording.ignored += 1


def _executed(event: Object, time: Time | None, recording: Recording, state: _State) -> None:
    key = text(event.get("call_id")) or ""
    if key not in recording.open:
        words = [word for word in rows(event.get("command")) if isinstance(word, str)]
        if not words:
            recording.ignored += 1
            return
        _shell(words, event, {"call_id": key, "name": "exec_command"}, time, recording)
    length = obj(event.get("duration"))
    seconds, nanos = number(length.get("secs")), number(length.get("nanos"))
    recording.answer(
        key,
        first_text(event, "aggregated_output", "stdout") or "",
        time=time,
        exit_code=whole(event.get("exit_code")),
        duration_ms=None if seconds is None else seconds * 1000 + (nanos or 0) / 1e6,
    )
    state.told.add(key)


def _patched(event: Object, time: Time | None, recording: Recording, state: _State) -> None:
    key = text(event.get("call_id")) or ""
    edits: list[Edit] = []
    for path, change in obj(event.get("changes")).items():
        body = obj(change)
        content, diff = text(body.get("content")), text(body.get("unified_diff"))
        named = first_text(body, "move_path") or path
        if body.get("type") == "add":
            edits.append(Edit(named, "create", None if content is None else len(content.splitlines()), "exact"))
        elif diff is not None and (found := patches.unified(diff, named)):
            edits += found
        else:
            edits.append(Edit(named, "edit", None if content is None else len(content.splitlines()), "exact"))
    status: Status = "ok" if event.get("success") is True else "error" if event.get("success") is False else "unknown"
    if key not in recording.open and edits:
        recording.call("apply_patch", {}, key=key, time=time, edits=edits)
    known = recording.answer(key, first_text(event, "stdout", "stderr"), status=status, time=time, edits=edits or None)
    if known:
        state.told.add(key)
    else:
        recording.ignored += 1


def _served(event: Object, time: Time | None, recording: Recording) -> None:
    """A call of an external server's tool; some versions write it only when it has ended."""
    key, call = text(event.get("call_id")) or "", obj(event.get("invocation"))
    if key not in recording.open:
        name = f"mcp__{text(call.get('server')) or ''}__{text(call.get('tool')) or 'unknown'}"
        recording.call(name, arguments(call.get("arguments")), key=key, time=time)
    result, length = obj(event.get("result")), obj(event.get("duration"))
    good = obj(result.get("Ok"))
    failed = "Err" in result or good.get("isError") is True
    seconds = number(length.get("secs"))
    recording.answer(
        key,
        plain(good) or plain(result.get("Err")),
        status="error" if failed else "ok" if good else "unknown",
        duration_ms=None if seconds is None else seconds * 1000 + (number(length.get("nanos")) or 0) / 1e6,
    )


def _searched(event: Object, time: Time | None, recording: Recording) -> None:
    """A search of the web; the item of the same search has no id that could join the two."""
    query = text(event.get("query"))
    same = next((d for d in reversed(recording.drafts[-12:]) if d.tool == "web_search"), None)
    if same is not None and same.acts[0].target == query:
        recording.answer(same, None, status="ok", time=time)
        recording.ignored += 1
        return
    recording.answer(recording.call("web_search", {"query": query}, time=time), None, status="ok")


def _usage(usage: Object) -> Tokens | None:
    return tokens(
        usage,
        input=("input_tokens", "prompt"),
        output=("output_tokens", "completion"),
        cached=("cached_input_tokens",),
        cache_written=("cache_write_input_tokens",),
        reasoning=("reasoning_output_tokens",),
    )


def _counted(info: Object, recording: Recording, state: _State) -> None:
    """The running total; the last one is that of the session."""
    total = _usage(obj(info.get("total_token_usage"))) or _usage(info)
    last = _usage(obj(info.get("last_token_usage")))
    recording.ignored += 1
    if total is None or total == state.last:
        # Written again with nothing new, as when only the rate limits changed.
        return
    if state.last is not None and total.input < state.last.input:
        # A resumed session counts from zero again.
        state.before = state.total
    state.last, state.total = total, _added(state.before, total)
    state.answers += 1
    draft = next((d for d in reversed(recording.drafts) if d.speaker != "user"), None)
    recording.charge(f"answer/{state.answers}", last, draft=draft)


def _added(one: Tokens | None, other: Tokens) -> Tokens:
    if one is None:
        return other
    return Tokens(**{name: getattr(one, name) + getattr(other, name) for name in Tokens.model_fields})
