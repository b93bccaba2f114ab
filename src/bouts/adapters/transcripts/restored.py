"""Events that were written out with an ATIF step and are read back as they were."""

from __future__ import annotations

from pydantic import ValidationError

from bouts.adapters.transcripts import redact
from bouts.adapters.transcripts.acts import Act
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object, first_text, number, obj, objects, rows, text, whole
from bouts.model.session import SessionEvent, TestFailure, Tokens


def header(facts: Object, recording: Recording) -> None:
    """What the session's own fields were."""
    if not facts:
        return
    recording.session_id = text(facts.get("session_id"))
    recording.agent = text(facts.get("agent"))
    recording.agent_version = text(facts.get("agent_version"))
    recording.folder = text(facts.get("folder"))
    recording.outcome = text(facts.get("outcome"))
    recording.reported_seconds = number(facts.get("duration_seconds"))
    recording.left_out += max(0, whole(facts.get("left_out")) or 0)
    for model in rows(facts.get("models")):
        recording.charge("models", None, model=text(model))


def tokens(value: object) -> Tokens | None:
    """Tokens as they were written, `None` where they are none."""
    try:
        return Tokens.model_validate(value) if isinstance(value, dict) else None
    except ValidationError:
        return None


def add(ours: Object, step: Object, agent: str | None, time: Time | None, recording: Recording) -> bool:
    """The events of one step. False, with nothing added, where they are not ones that Bouts wrote."""
    events: list[SessionEvent] = []
    try:
        for row in objects(ours.get("events")):
            events.append(SessionEvent.model_validate({**row, "sequence": len(events) + 1}))
    except ValidationError:
        return False
    chief = whole(ours.get("chief")) or 0
    if not 0 <= chief < len(events) or not recording.room():
        return bool(events) and 0 <= chief < len(events)
    head = events[chief]
    draft = Draft([Act(event.operation, event.target) for event in events], tool=head.tool, time=time, agent=agent)
    draft.chief = chief
    draft.apart = agent is not None and agent in recording.spawned
    draft.duration_ms = head.duration_ms
    draft.written = tuple(_clean(event) for event in events)
    recording.keep(draft)
    if head.tokens is not None or head.cost_usd is not None:
        recording.charge(
            f"step/{len(recording.drafts)}", head.tokens, cost=head.cost_usd, model=head.model, draft=draft
        )
    for result in objects(obj(step.get("observation")).get("results")):
        for reference in objects(result.get("subagent_trajectory_ref")):
            spawned = first_text(reference, "trajectory_id", "session_id")
            if spawned is not None:
                recording.spawned.setdefault(spawned, draft)
    return True


def _clean(event: SessionEvent) -> SessionEvent:
    """The event with nothing in its texts that must not be stored: the file may have been written by anyone."""
    lines = {
        name: redact.line(value)
        for name in ("tool", "target", "command", "suite", "model")
        if (value := getattr(event, name)) is not None
    }
    output = None if event.output is None else redact.output(event.output)
    failures = None
    if event.failures is not None:
        failures = tuple(
            TestFailure(test=redact.line(f.test), message=redact.output(f.message)) for f in event.failures
        )
    return event.model_copy(update={**lines, "output": output, "failures": failures})
