"""Events that were written out with an ATIF step and are read back as they were."""

from __future__ import annotations

from pydantic import ValidationError

from bouts.adapters.transcripts.acts import Act
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.results import Result
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object, first_text, number, obj, objects, rows, text, whole
from bouts.model.session import SessionEvent, Tokens


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
    draft = Draft([_act(event) for event in events], tool=head.tool, time=time, agent=agent)
    draft.chief = chief
    draft.apart = agent is not None and agent in recording.spawned
    draft.command, draft.output, draft.exit_code = head.command, head.output, head.exit_code
    draft.duration_ms, draft.status, draft.speaker, draft.model = (
        head.duration_ms,
        head.status,
        head.speaker,
        head.model,
    )
    test = next((event for event in events if event.operation == "test"), None)
    draft.result = None if test is None else _result(test)
    recording.drafts.append(draft)
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


def _act(event: SessionEvent) -> Act:
    ranges = None if event.ranges is None else [(r.start, r.end) for r in event.ranges]
    runs = 1 if event.operation == "test" else 0
    return Act(event.operation, event.target, event.lines_changed, event.lines_basis, ranges, runs)


def _result(event: SessionEvent) -> Result | None:
    names = tuple(failure.test for failure in event.failures or ())
    if event.passed is None or event.failed is None:
        return None if event.suite is None else Result(event.suite, 0, int(event.status == "error"), 0, names, False)
    return Result(event.suite or "tests", event.passed, event.failed, event.skipped or 0, names)
