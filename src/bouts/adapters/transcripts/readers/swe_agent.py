"""SWE-agent: `.traj` files of version 0 and 1, and demonstrations that hold a history alone. No times."""

from __future__ import annotations

import re

from bouts.adapters.transcripts import patches
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.shell import commands
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.values import (
    EMPTY,
    Object,
    arguments,
    decoded,
    dollars,
    first_text,
    number,
    obj,
    objects,
    plain,
    text,
    tokens,
)
from bouts.errors import BadFile

NAME = "swe-agent"
TITLE = "SWE-agent (.traj)"

_RANGE = re.compile(r"edit\s+(\d{1,7}):(\d{1,7})[ \t]*\n?(.*)\Z", re.DOTALL)
_FAILED = re.compile(
    r"Your (?:proposed )?edit (?:has introduced|was not|did not)|No replacement was performed|Text not found"
)
_READS = frozenset({"open", "goto", "scroll_up", "scroll_down", "view_image"})
_SEARCHES = frozenset({"find_file", "search_dir", "search_file"})
_EDITOR = "str_replace_editor"


def detect(source: Source) -> int:
    """By a trajectory of actions and observations, or a history that has message types."""
    body = obj(source.value)
    step = next(objects(body.get("trajectory")), EMPTY)
    if {"action", "observation"} <= step.keys():
        return CERTAIN
    entries = list(objects(body.get("history")))[:20]
    return LIKELY if any("message_type" in e and "role" in e for e in entries) else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session. Raises `BadFile` where there is neither a trajectory nor a history."""
    body = obj(source.value)
    recording.agent = "swe-agent"
    recording.persistent = True
    info = obj(body.get("info"))
    stats = obj(info.get("model_stats"))
    recording.agent_version = first_text(info, "swe_agent_version")
    recording.outcome = first_text(info, "exit_status")
    recording.session_id = first_text(body, "environment") if body.get("environment") != "main" else None
    recording.reported_tokens = tokens(stats, input=("tokens_sent",), output=("tokens_received",))
    cost = dollars(stats.get("instance_cost"))
    recording.reported_cost = dollars(stats.get("total_cost")) if cost is None else cost
    history = [entry for entry in objects(body.get("history")) if not _demonstration(entry)]
    steps = list(objects(body.get("trajectory")))
    if not steps and not history:
        raise BadFile("not a SWE-agent trajectory: it has neither 'trajectory' nor 'history'", where=str(source.path))
    if not steps:
        _history(history, recording)
        return
    task = next((entry for entry in history if entry.get("role") == "user"), EMPTY)
    recording.message("user", plain(task.get("content")))
    for step in steps:
        _step(step, recording)


def _demonstration(entry: Object) -> bool:
    """Whether an entry shows the agent how it is done, and is nothing that it did."""
    return entry.get("message_type") == "demonstration" or bool(entry.get("is_demo"))


def _step(step: Object, recording: Recording) -> None:
    state = obj(decoded((text(step.get("state")) or "").strip())) or obj(step.get("state"))
    if recording.folder is None:
        recording.folder = first_text(state, "working_dir")
    opened = first_text(state, "open_file")
    recording.message("agent", text(step.get("thought")) or "")
    action = text(step.get("action")) or ""
    if not action.strip():
        recording.ignored += 1
        return
    draft = _action(action, None if opened == "n/a" else opened, recording)
    seconds = number(step.get("execution_time"))
    _observed(draft, plain(step.get("observation")), recording, None if seconds is None else seconds * 1000)


def _observed(draft: Draft | None, said: str, recording: Recording, milliseconds: float | None = None) -> None:
    failed = draft is not None and draft.acts[0].operation == "edit" and _FAILED.search(said[:2000])
    recording.answer(draft, said, status="error" if failed else "unknown", duration_ms=milliseconds)


def _history(entries: list[Object], recording: Recording) -> None:
    """A history alone: actions, each followed by what it gave."""
    last: Draft | None = None
    for entry in entries:
        said, role = plain(entry.get("content")), entry.get("role")
        if role == "system":
            recording.ignored += 1
        elif role == "assistant":
            recording.message("agent", text(entry.get("thought")) or said)
            action = text(entry.get("action"))
            if action:
                last = _action(action, None, recording)
            else:
                for call in objects(entry.get("tool_calls")):
                    function = obj(call.get("function"))
                    last = recording.call(
                        first_text(function, "name") or "unknown", arguments(function.get("arguments"))
                    )
        elif last is not None:
            _observed(last, said, recording)
            last = None
        else:
            recording.message("user", said)


def _action(action: str, opened: str | None, recording: Recording) -> Draft | None:  # noqa: PLR0911 - one case a line
    """An action: one of the agent's own commands, else a shell line."""
    found = commands(action)
    words = found[0].words if found else []
    verb = words[0] if words else ""
    match = _RANGE.match(action.strip()) if verb == "edit" else None
    if match is not None:
        return recording.call("edit", {}, edits=[_lines(match, opened)], command="")
    if verb in _READS and len(found) == 1:
        return recording.call(verb, {"path": words[1] if verb == "open" and len(words) > 1 else opened or ""})
    if verb in _SEARCHES and len(found) == 1:
        return recording.call(verb, {"pattern": words[1] if len(words) > 1 else ""})
    if verb == "create" and len(words) > 1:
        # It makes an empty file; what is in it comes by edits.
        return recording.call(verb, {}, edits=[Edit(words[1], "create", 0, "exact")])
    if verb in ("edit", "insert", "append") and len(words) > 1:
        return recording.call(verb, {}, edits=[_texts(verb, words, opened)])
    if verb == _EDITOR and len(words) > 2:
        return recording.call(verb, _flags(words))
    if verb in ("submit", "exit_forfeit", "exit_cost"):
        return recording.call(verb, {})
    return recording.call("bash", {"command": action})


def _lines(match: re.Match[str], opened: str | None) -> Edit:
    """A range of lines that was replaced by a text; which of them differ is not told."""
    first, last = int(match[1]), int(match[2])
    new = match[3].rstrip("\n").removesuffix("end_of_edit").splitlines()
    removed = max(0, last - first + 1)
    ranges = [(first, first + len(new) - 1)] if new and first else None
    return Edit(opened, "edit", removed + len(new), "estimated", ranges)


def _texts(verb: str, words: list[str], opened: str | None) -> Edit:
    if verb == "edit" and len(words) > 2:
        lines, basis = patches.replaced(words[1], words[2])
        return Edit(opened, "edit", lines, basis)
    return Edit(opened, "edit", len(words[1].splitlines()), "exact")


def _flags(words: list[str]) -> Object:
    """The words of the editor's command as arguments."""
    given: Object = {"command": words[1], "path": words[2]}
    for at, word in enumerate(words[3:-1], 3):
        if word.startswith("--"):
            given[word[2:]] = words[at + 1]
    return given
