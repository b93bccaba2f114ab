"""What Codex tells of its calls in events of their own: outcomes, edits that were applied, tokens."""

from __future__ import annotations

from dataclasses import dataclass, field

from bouts.adapters.transcripts import calls, patches
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.seen import Seen
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
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


@dataclass(slots=True)
class State:
    """What a reading of a rollout remembers."""

    told: Seen = field(default_factory=Seen)
    """Calls whose outcome an event has told, so that the item adds nothing."""
    said: dict[str, str] = field(default_factory=dict[str, str])
    """The last message of a speaker: the next one may be the same in its other form."""
    total: Tokens | None = None
    last: Tokens | None = None
    """The running total as it was last written; `before` is what earlier counts had come to."""
    before: Tokens | None = None
    answers: int = 0
    running: dict[str, Draft] = field(default_factory=dict[str, Draft])


def shell(words: list[str], given: Object, item: Object, time: Time | None, recording: Recording) -> None:
    """A call of a shell, given as words."""
    line = (
        f"apply_patch <<'EOF'\n{words[1]}\nEOF" if words[0] == "apply_patch" and len(words) > 1 else calls.joined(words)
    )
    key = text(item.get("call_id")) or text(item.get("id"))
    recording.call(text(item.get("name")) or "shell", given, key=key, time=time, command=line)


def executed(event: Object, time: Time | None, recording: Recording, state: State) -> None:
    """A command has ended; some versions tell of it only then."""
    key = text(event.get("call_id")) or ""
    if key not in recording.open:
        words = [word for word in rows(event.get("command")) if isinstance(word, str)]
        if not words:
            recording.ignored += 1
            return
        shell(words, event, {"call_id": key, "name": "exec_command"}, time, recording)
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


def patched(event: Object, time: Time | None, recording: Recording, state: State) -> None:
    """A patch was applied, or not."""
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


def served(event: Object, time: Time | None, recording: Recording) -> None:
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


def searched(event: Object, time: Time | None, recording: Recording) -> None:
    """A search of the web; the item of the same search has no id that could join the two."""
    query = text(event.get("query"))
    same = next((d for d in reversed(recording.drafts[-12:]) if d.tool == "web_search"), None)
    if same is not None and same.acts[0].target == query:
        recording.answer(same, None, status="ok", time=time)
        recording.ignored += 1
        return
    recording.answer(recording.call("web_search", {"query": query}, time=time), None, status="ok")


def usage(counted: Object) -> Tokens | None:
    """Tokens by the names of new and old versions."""
    return tokens(
        counted,
        input=("input_tokens", "prompt"),
        output=("output_tokens", "completion"),
        cached=("cached_input_tokens",),
        cache_written=("cache_write_input_tokens",),
        reasoning=("reasoning_output_tokens",),
    )


def counted(info: Object, recording: Recording, state: State) -> None:
    """The running total; the last one is that of the session."""
    total = usage(obj(info.get("total_token_usage"))) or usage(info)
    last = usage(obj(info.get("last_token_usage")))
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
