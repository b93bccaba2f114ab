"""Claude Code: session files, with subagents inline or beside them, streamed output, and web exports.

One record a line. An answer of the model is split over several records that repeat its id and its usage; a resumed or
forked session begins with copies of earlier records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bouts.adapters.transcripts import claude_results as results
from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.claude_early import Early, Result
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.seen import Seen, bounded
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    dollars,
    first_text,
    number,
    obj,
    objects,
    plain,
    summed,
    text,
)
from bouts.errors import BadFile

NAME = "claude-code"
TITLE = "Claude Code (session file, stream-json, web export)"

_TALK = (
    "assistant",
    "user",
)
_INJECTED = re.compile(
    r"\s*(?:<(?:command-name|command-message|local-command-\w+|system-reminder|bash-\w+|task-notification)\b"
    r"|Caveat: The messages below)"
)
_ENDED = re.compile(r"<tool-use-id>([\w-]{1,100})</tool-use-id>[^\0]{0,2000}?<status>(completed|failed)</status>")
MOST_SUBAGENTS = 200
MOST_ROOTS = 20_000
MOST_TASKS = 2000
"""Records of inline subagents whose first record is known; calls that may have started one."""


@dataclass(slots=True)
class _State:
    seen: Seen = field(default_factory=Seen)
    """Ids of the records that were read: a copy has the id of its original."""
    roots: dict[str, str] = field(default_factory=dict[str, str])
    """For records of an inline subagent: its first record."""
    tasks: dict[str, Draft] = field(default_factory=dict[str, Draft])
    """Calls that start subagents, by their prompt."""
    early: Early = field(default_factory=Early)


def detect(source: Source) -> int:
    """By records of a conversation with `message` and either ids, or a session."""
    found = 0
    for row in _sample(source):
        message = obj(row.get("message"))
        if row.get("type") in _TALK and "role" in message and "parts" not in message:
            if "uuid" in row or "sessionId" in row or "parentUuid" in row:
                return CERTAIN
            found = LIKELY + 5 if "session_id" in row or "parent_tool_use_id" in row else max(found, LIKELY - 15)
        elif row.get("type") == "system" and row.get("subtype") == "init" and "session_id" in row and "tools" in row:
            return CERTAIN
        elif row.get("type") in ("file-history-snapshot", "queue-operation") or ("leafUuid" in row):
            found = max(found, LIKELY)
    return found


def _sample(source: Source) -> list[Object]:
    if "loglines" in obj(source.value):
        return list(objects(obj(source.value)["loglines"]))[:60]
    return source.sample


def read(source: Source, recording: Recording) -> None:
    """Tell the session, and the subagents whose files lie beside it."""
    recording.agent = "claude-code"
    recording.persistent = True
    state = _State()
    exported = obj(source.value).get("loglines")
    records = enumerate(objects(exported), 1) if exported is not None else source.records(recording)
    for place, row in records:
        _record(row, f"line {place}", recording, state, None)
    for agent, path in _subagents(source.path, recording, state):
        _subagent(agent, path, recording, state)
    for key in state.early.calls():
        recording.unmatched(key)


def _subagents(path: Path, recording: Recording, state: _State) -> Iterator[tuple[str, Path]]:
    """Files of subagents: in a folder named after the session, or beside it. A subagent's own file has none."""
    if path.stem.startswith("agent-"):
        return
    folder = path.with_suffix("") / "subagents"
    found = sorted(folder.glob("agent-*.jsonl"))[:MOST_SUBAGENTS] if folder.is_dir() else []
    names = {file.name for file in found}
    # Beside a session lie the subagents of others, too: only those that it names are its own.
    beside = (
        path.with_name(f"agent-{agent}.jsonl") for agent in sorted(recording.spawned) if re.fullmatch(r"\w+", agent)
    )
    found += [file for file in beside if file.name not in names and file.is_file()]
    for file in found:
        if not file.is_symlink() and file != path:
            yield file.stem.removeprefix("agent-"), file


def _subagent(agent: str, path: Path, recording: Recording, state: _State) -> None:
    try:
        source = Source(path)
        for place, row in source.records(recording):
            _record(row, f"{path.name}: line {place}", recording, state, agent)
    except BadFile as error:
        recording.lost("files of subagents that cannot be read", f"{path.name}: {error.message}")


def _record(row: Object, where: str, recording: Recording, state: _State, agent: str | None) -> None:
    """One record."""
    kind = row.get("type")
    if not isinstance(kind, str):
        recording.lost("records without a type", where)
        return
    _header(row, recording)
    if kind not in _TALK:
        _other(kind, row, recording)
        return
    key = text(row.get("uuid"))
    # Streamed output gives one id to all records of an answer, so only the block tells a copy.
    block = f"{kind}{first_text(obj(row.get('message')), 'id')}{_block(row)}"
    if key is not None and not state.seen.add(f"{key}{block}"):
        recording.copies += 1
        return
    message = obj(row.get("message"))
    if not message:
        recording.lost("records without a message", where)
        return
    time = times.iso(row.get("timestamp"))
    inline = _inline(row, state, recording) if agent is None else None
    owner, apart = (agent, True) if agent is not None else (inline, False)
    if kind == "assistant":
        _assistant(row, message, time, owner, apart, recording, state)
    else:
        _user(row, message, time, owner, recording, state)


def _block(row: Object) -> str:
    return ",".join(
        f"{part.get('type')}:{part.get('id') or part.get('tool_use_id') or ''}"
        for part in objects(obj(row.get("message")).get("content"))
    )


def _header(row: Object, recording: Recording) -> None:
    session = first_text(row, "sessionId", "session_id")
    if session and recording.session_id and session != recording.session_id and row.get("type") in _TALK:
        recording.notes.setdefault("The file holds records of more than one session.")
    recording.session_id = recording.session_id or session
    recording.folder = recording.folder or first_text(row, "cwd")
    recording.agent_version = recording.agent_version or first_text(row, "version", "claude_code_version")


def _other(kind: str, row: Object, recording: Recording) -> None:
    """Records that are no talk; the last one of a stream has the totals."""
    if kind != "result":
        recording.ignored += 1
        match = _ENDED.search(text(row.get("content")) or "")
        if match is not None:
            recording.answer(match[1], None, status="ok" if match[2] == "completed" else "error")
        return
    recording.outcome = first_text(row, "subtype") or recording.outcome
    recording.reported_cost = (
        dollars(row.get("total_cost_usd")) or dollars(row.get("cost_usd")) or recording.reported_cost
    )
    length = number(row.get("duration_ms"))
    recording.reported_seconds = length / 1000 if length is not None else recording.reported_seconds
    by_model = summed(results.model_usage(obj(usage)) for usage in obj(row.get("modelUsage")).values())
    if by_model is not None:
        recording.reported_tokens = by_model
    elif (usage := results.usage(obj(row.get("usage")))) is not None:
        recording.reported_tokens = usage
    recording.ignored += 1


def _inline(row: Object, state: _State, recording: Recording) -> str | None:
    """The subagent that a record of the session's own file belongs to."""
    named = first_text(row, "parent_tool_use_id", "agentId")
    if named is not None:
        spawner = recording.open.get(named)
        if spawner is not None:
            recording.spawned.setdefault(named, spawner)
        return named
    key, parent = text(row.get("uuid")), text(row.get("parentUuid"))
    if not row.get("isSidechain") or key is None:
        return None
    root = state.roots.get(parent or "", key)
    state.roots[key] = root
    bounded(state.roots, MOST_ROOTS)
    if root == key:
        prompt = plain(obj(row.get("message")).get("content"))
        spawner = state.tasks.get(prompt[:500])
        if spawner is not None:
            recording.spawned[root] = spawner
    return root


def _assistant(
    row: Object, message: Object, time: Time | None, agent: str | None, apart: bool, recording: Recording, state: _State
) -> None:
    model = text(message.get("model"))
    first: Draft | None = None
    content = message.get("content")
    if isinstance(content, str):
        first = recording.message("agent", content, time=time, agent=agent, model=model, apart=apart)
    for part in objects(content):
        made: Draft | None = None
        kind = part.get("type")
        if kind == "text":
            made = recording.message("agent", plain(part), time=time, agent=agent, model=model, apart=apart)
        elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            made = _use(part, text(row.get("uuid")), time, agent, apart, model, recording, state)
        first = first or made
    usage = results.usage(obj(message.get("usage")))
    key = first_text(message, "id")
    if usage is not None:
        request = first_text(row, "requestId") or ""
        key = f"{key}/{request}" if key else f"record/{first_text(row, 'uuid') or recording.charges.count}"
        recording.charge(key, usage, model=model, draft=first, cost=dollars(row.get("costUSD")))


def _use(
    part: Object,
    uuid: str | None,
    time: Time | None,
    agent: str | None,
    apart: bool,
    model: str | None,
    recording: Recording,
    state: _State,
) -> Draft | None:
    name, arguments = text(part.get("name")) or "unknown", obj(part.get("input"))
    key = text(part.get("id")) or (f"@{uuid}" if uuid else None)
    draft = recording.call(name, arguments, key=key, time=time, agent=agent, model=model, apart=apart)
    early = state.early.pop(key) if key else None
    if early is not None:
        results.answer(early.part, None, early.structured, early.time, recording)
    if draft is not None and name in ("Task", "Agent"):
        prompt = text(arguments.get("prompt"))
        if prompt and len(state.tasks) < MOST_TASKS:
            state.tasks[prompt[:500]] = draft
    return draft


def _user(
    row: Object, message: Object, time: Time | None, agent: str | None, recording: Recording, state: _State
) -> None:
    content = message.get("content")
    answers = [part for part in objects(content) if str(part.get("type", "")).endswith("tool_result")]
    for part in answers:
        source = first_text(row, "sourceToolAssistantUUID", "parentUuid")
        structured = row.get("toolUseResult") if len(answers) == 1 else None
        key = text(part.get("tool_use_id"))
        waits = bool(key) and key not in recording.open and state.early.add(key, Result(part, structured, time))
        if not waits:
            results.answer(part, source, structured, time, recording)
    if answers:
        return
    said = plain(content)
    injected = row.get("isMeta") or row.get("isCompactSummary") or _INJECTED.match(said)
    if injected or agent is not None or not said.strip():
        recording.ignored += 1
        return
    recording.message("user", said, time=time)
