"""OpenHands 1.x: the events of a conversation, one a line."""

from __future__ import annotations

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    dollars,
    first_text,
    obj,
    plain,
    summed,
    text,
    tokens,
    whole,
)
from bouts.model.session import Tokens

NAME = "openhands-v1"
TITLE = "OpenHands 1.x (events.jsonl)"

_KINDS = (
    "ActionEvent",
    "ObservationEvent",
    "MessageEvent",
    "SystemPromptEvent",
    "ConversationStateUpdateEvent",
)


def detect(source: Source) -> int:
    """By the kinds of its events."""
    return CERTAIN if any(row.get("kind") in _KINDS for row in source.sample[:20]) else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    recording.agent = "openhands"
    recording.persistent = True
    for place, event in source.records(recording):
        time = times.iso(event.get("timestamp"))
        match event.get("kind"):
            case "ActionEvent":
                _action(event, time, recording)
            case "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation":
                _observation(event, time, f"line {place}", recording)
            case "MessageEvent":
                message = obj(event.get("llm_message"))
                speaker = "user" if event.get("source") == "user" else "agent"
                recording.message(speaker, plain(message.get("content")), time=time)
            case "ConversationStateUpdateEvent":
                _state(event, recording)
            case None:
                recording.lost("records without a kind", f"line {place}")
            case _:
                recording.ignored += 1


def _action(event: Object, time: Time | None, recording: Recording) -> None:
    tool = first_text(event, "tool_name") or "unknown"
    call = obj(event.get("tool_call"))
    action = obj(event.get("action"))
    given = {k: v for k, v in action.items() if k != "kind"} or arguments(
        call.get("arguments") or obj(call.get("function")).get("arguments")
    )
    recording.message("agent", plain(event.get("thought")), time=time)
    if tool == "finish":
        recording.outcome = "finish"
        recording.message("agent", first_text(given, "message") or "", time=time)
    if tool == "terminal" and given.get("is_input"):
        # Keys for a program that runs are no command.
        draft = recording.call("terminal_input", {"text": first_text(given, "command") or ""}, time=time)
    else:
        draft = recording.call(tool, given, time=time)
    for key in (text(event.get("tool_call_id")), text(event.get("id"))):
        if key and draft is not None:
            recording.opened(key, draft)


def _observation(event: Object, time: Time | None, where: str, recording: Recording) -> None:
    seen = obj(event.get("observation"))
    key = text(event.get("tool_call_id"))
    draft = recording.open.get(key or "") or recording.open.get(text(event.get("action_id")) or "")
    if draft is None:
        recording.unmatched(where)
        return
    code = whole(seen.get("exit_code"))
    code = whole(obj(seen.get("metadata")).get("exit_code")) if code is None else code
    failed = bool(seen.get("is_error")) or event.get("kind") != "ObservationEvent"
    status: Status = "error" if failed else "ok" if code is None and draft.acts[0].operation != "run" else "unknown"
    said = plain(seen.get("content")) or plain(seen.get("output")) or plain(event.get("error"))
    recording.answer(
        draft,
        said,
        status=status,
        time=time,
        exit_code=None if code == -1 else code,
    )


def _state(event: Object, recording: Recording) -> None:
    """The conversation's state; its running totals, of which the last is that of the session."""
    recording.ignored += 1
    if event.get("key") == "execution_status":
        recording.outcome = text(event.get("value")) or recording.outcome
    usages = obj(obj(event.get("value")).get("usage_to_metrics"))
    totals = summed(_total(obj(metrics)) for metrics in usages.values())
    recording.reported_tokens = totals or recording.reported_tokens
    costs = [cost for m in usages.values() if (cost := dollars(obj(m).get("accumulated_cost"))) is not None]
    if costs:
        recording.reported_cost = sum(costs)
    for metrics in usages.values():
        recording.charge(f"model/{len(recording.models)}", None, model=first_text(obj(metrics), "model_name"))


def _total(metrics: Object) -> Tokens | None:
    return tokens(
        obj(metrics.get("accumulated_token_usage")),
        input=("prompt_tokens",),
        output=("completion_tokens",),
        cached=("cache_read_tokens",),
        cache_written=("cache_write_tokens",),
        reasoning=("reasoning_tokens",),
    )
