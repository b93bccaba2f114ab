"""Codex CLI: what `codex exec --json` prints. No times."""

from __future__ import annotations

from bouts.adapters.transcripts import patches
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    first_text,
    obj,
    objects,
    plain,
    rows,
    text,
    tokens,
    whole,
)

NAME = "codex-exec"
TITLE = "Codex CLI (codex exec --json)"


def detect(source: Source) -> int:
    """By its first records."""
    kinds = [row.get("type") for row in source.rows[:10]]
    return CERTAIN if any(kind in kinds for kind in ("thread.started", "item.completed", "turn.started")) else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "codex"
    turns = 0
    for _, row in source.records(recording):
        kind, item = row.get("type"), obj(row.get("item"))
        if kind == "thread.started":
            recording.session_id = first_text(row, "thread_id")
        if kind in ("item.started", "item.updated", "item.completed"):
            _item(item, kind == "item.completed", recording)
            continue
        if kind == "turn.completed":
            turns += 1
            usage = tokens(
                obj(row.get("usage")),
                input=("input_tokens",),
                output=("output_tokens",),
                cached=("cached_input_tokens",),
                reasoning=("reasoning_output_tokens",),
            )
            recording.charge(f"turn/{turns}", usage)
        if kind in ("turn.completed", "turn.failed", "error"):
            recording.outcome = str(kind)
        recording.ignored += 1


def _item(item: Object, done: bool, recording: Recording) -> None:
    """Something that is told when it begins and when it is done, or only then."""
    key, kind = first_text(item, "id") or "", first_text(item, "type", "item_type")
    if kind in ("agent_message", "assistant_message"):
        if done:
            recording.message("agent", plain(item))
        return
    known = recording.open.get(key)
    draft = known if known is not None and known.end is None and key else _call(kind, item, key, recording)
    if draft is None:
        recording.ignored += 1
    elif done:
        failed = item.get("status") == "failed" or item.get("error") is not None
        status: Status = "error" if failed else "ok" if item.get("status") == "completed" else "unknown"
        code = whole(item.get("exit_code"))
        output = first_text(item, "aggregated_output", "output") or plain(item.get("result")) or ""
        recording.answer(draft, output, status="unknown" if code is not None else status, exit_code=code)


def _call(kind: str | None, item: Object, key: str, recording: Recording) -> Draft | None:
    if kind == "command_execution":
        return recording.call("shell", item, key=key, command=_line(item))
    if kind == "file_change":
        edits = [_edit(change) for change in objects(item.get("changes"))]
        return recording.call("apply_patch", {}, key=key, edits=edits or [Edit(None)])
    if kind == "mcp_tool_call":
        name = f"mcp__{text(item.get('server')) or ''}__{text(item.get('tool')) or 'unknown'}"
        return recording.call(name, arguments(item.get("arguments")), key=key)
    if kind == "web_search":
        return recording.call("web_search", {"query": first_text(item, "query")}, key=key)
    return None


def _line(item: Object) -> str:
    """The command; the script itself where it is handed to a shell, which the shared table sees through."""
    words = [word for word in rows(item.get("command")) if isinstance(word, str)]
    return " ".join(words) if words else text(item.get("command")) or ""


def _edit(change: Object) -> Edit:
    path, diff = first_text(change, "path"), text(change.get("diff"))
    found = patches.unified(diff, path) if diff else []
    if found:
        return found[0]
    return Edit(path, "create" if first_text(change, "kind", "type") == "add" else "edit")
