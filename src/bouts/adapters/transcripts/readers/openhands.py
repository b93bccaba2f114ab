"""OpenHands before version 1: event logs, and evaluation outputs with one instance a line."""

from __future__ import annotations

from collections.abc import Iterator

from bouts.adapters.transcripts import patches, skills, times
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.source import Source, chosen
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    dollars,
    first_text,
    obj,
    objects,
    plain,
    rows,
    text,
    tokens,
    whole,
)
from bouts.model.session import Tokens

NAME = "openhands"
TITLE = "OpenHands 0.x (event log, output.jsonl)"

_SILENT = frozenset(
    {
        "null",
        "recall",
        "agent_state_changed",
        "change_agent_state",
        "system",
        "condensation",
        "think",
        "send_pr",
        "push",
    }
)
_TOOLS = {
    "run": "bash",
    "run_ipython": "run_ipython",
    "read": "read",
    "write": "write",
    "edit": "edit",
    "browse": "browse",
    "browse_interactive": "browse_interactive",
    "call_tool_mcp": "mcp",
    "delegate": "delegate",
    "finish": "finish",
}


def detect(source: Source) -> int:
    """By events that are actions or observations."""
    for row in source.sample[:20]:
        if _is_event(row) and "id" in row and "source" in row:
            return CERTAIN
        history = rows(row.get("history"))
        flat = list(objects(history)) or [e for pair in history for e in objects(pair)]
        if ("git_patch" in row or "test_result" in row or "instance_id" in row) and any(_is_event(e) for e in flat[:6]):
            return CERTAIN
        if _is_event(row) and ("args" in row or "content" in row):
            return LIKELY
    return NO


def _is_event(row: Object) -> bool:
    return isinstance(row.get("action"), str) or isinstance(row.get("observation"), str)


def read(source: Source, recording: Recording) -> None:
    """Tell the session. Raises `BadFile` for a file of several instances of which none was named."""
    recording.agent = "openhands"
    recording.persistent = True
    if any("history" in row for row in source.sample[:3]):
        _, instance = chosen(source, _instances(source, recording))
        recording.session_id = first_text(instance, "instance_id")
        metrics = obj(instance.get("metrics"))
        recording.reported_cost = dollars(metrics.get("accumulated_cost"))
        recording.reported_tokens = _total(metrics)
        recording.outcome = first_text(instance, "error")
        model = first_text(obj(obj(instance.get("metadata")).get("llm_config")), "model")
        _events(_flat(instance.get("history")), recording, model)
        return
    _events((row for _, row in source.records(recording)), recording, None)


def _instances(source: Source, recording: Recording) -> Iterator[tuple[str, Object]]:
    for place, row in source.records(recording):
        issue = obj(row.get("issue"))
        named = first_text(row, "instance_id") or (f"issue-{issue['number']}" if "number" in issue else None)
        yield named or str(place), row


def _flat(history: object) -> Iterator[Object]:
    """Events in a row, or as pairs of an action and its observation."""
    for row in rows(history):
        yield from objects(row)


def _total(metrics: Object) -> Tokens | None:
    usage = obj(metrics.get("accumulated_token_usage"))
    return tokens(usage, input=("prompt_tokens",), output=("completion_tokens",), cached=("cache_read_tokens",))


def _events(events: Iterator[Object], recording: Recording, model: str | None) -> None:
    last: Draft | None = None
    for event in events:
        if isinstance(event.get("action"), str):
            last = _action(event, recording, model)
        elif isinstance(event.get("observation"), str):
            _observation(event, last, recording)
        else:
            recording.lost("records that are neither an action nor an observation", f"event {event.get('id', '')}")


def _action(event: Object, recording: Recording, model: str | None) -> Draft | None:
    """An action. Old logs have its arguments beside its name."""
    action, given, time = str(event["action"]), obj(event.get("args")) or event, times.iso(event.get("timestamp"))
    answer = obj(obj(event.get("tool_call_metadata")).get("model_response"))
    model = text(answer.get("model")) or model
    thought = text(given.get("thought")) or ""
    first: Draft | None = None
    made: Draft | None = None
    if action == "message":
        speaker = (
            "user"
            if event.get("source") == "user" or (event is given and "wait_for_response" not in given)
            else "agent"
        )
        if event is given and not recording.drafts:
            speaker = "user"
        first = recording.message(speaker, text(given.get("content")) or "", time=time, model=model)
    elif action in _SILENT:
        recording.ignored += 1
    else:
        if action == "finish":
            recording.outcome = recording.outcome or "finish"
            thought = text(event.get("message")) or text(given.get("final_thought")) or thought
        first = recording.message("agent", thought, time=time, model=model)
        made = _call(action, given, event, time, recording, model)
    _charge(answer, recording, first or made, model)
    return made


def _call(
    action: str, given: Object, event: Object, time: Time | None, recording: Recording, model: str | None
) -> Draft | None:
    key = f"#{event['id']}" if isinstance(event.get("id"), int) else None
    tool = _TOOLS.get(action, action)
    arguments = {k: v for k, v in given.items() if k not in ("thought", "action")}
    if action == "edit" and given.get("command") in ("view", "create", "str_replace", "insert", "undo_edit"):
        tool = "str_replace_editor"
    elif action == "edit":
        # The observation says what was edited; the action only where.
        arguments.pop("content", None)
    done = skills.acts(text(given.get("code")) or "") if action == "run_ipython" else None
    return recording.call(tool, arguments, key=key, time=time, model=model, acts=done)


def _charge(answer: Object, recording: Recording, draft: Draft | None, model: str | None) -> None:
    """What the answer cost; the same answer stands in every event that came of it."""
    key, usage = first_text(answer, "id"), obj(answer.get("usage"))
    if key is None:
        return
    details = obj(usage.get("prompt_tokens_details"))
    counted = tokens(
        {**usage, "cached_tokens": details.get("cached_tokens")},
        input=("prompt_tokens",),
        output=("completion_tokens",),
        cached=("cached_tokens",),
        cache_written=("cache_creation_input_tokens",),
    )
    recording.charge(key, counted, model=model, draft=draft)


def _observation(event: Object, last: Draft | None, recording: Recording) -> None:
    kind = str(event["observation"])
    if kind in _SILENT:
        recording.ignored += 1
        return
    cause = event.get("cause")
    draft = recording.open.get(f"#{cause}") if isinstance(cause, int) else last
    if draft is None:
        if kind in ("user_rejected", "error"):
            recording.ignored += 1
        else:
            recording.unmatched(f"event {event.get('id', '')}")
        return
    extras, said = obj(event.get("extras")) or event, plain(event.get("content"))
    code = whole(obj(extras.get("metadata")).get("exit_code"))
    code = whole(extras.get("exit_code")) if code is None else code
    # Minus one stands for a command that still ran when the wait for it ended.
    code = None if code == -1 else code
    status: Status = (
        "error" if kind in ("error", "user_rejected") else "ok" if kind in ("read", "edit", "write") else "unknown"
    )
    edits = _edited(extras) if kind == "edit" else None
    recording.answer(draft, said, status=status, time=times.iso(event.get("timestamp")), exit_code=code, edits=edits)


def _edited(extras: Object) -> list[Edit] | None:
    """What an edit did, by the texts before and after."""
    path = first_text(extras, "path")
    old, new = text(extras.get("old_content")), text(extras.get("new_content"))
    if path is None:
        return None
    if new is not None and extras.get("prev_exist") is False:
        return [Edit(path, "create", len(new.splitlines()), "exact")]
    if old is not None and new is not None:
        lines, basis = patches.replaced(old, new)
        return [Edit(path, "edit", lines, basis)]
    diff = text(extras.get("diff"))
    return (patches.unified(diff, path) or None) if diff else None
