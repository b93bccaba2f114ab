"""The recorded session as events: sequence, time since the first event, redacted texts, outcomes of tests."""

from __future__ import annotations

import posixpath

from bouts.adapters.transcripts import acts, redact, times
from bouts.adapters.transcripts.acts import Act
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.times import Time
from bouts.model.base import made
from bouts.model.session import LineRange, Session, SessionEvent, TestFailure, Tokens, Unread

LONGEST_MS = 7 * 24 * 3600 * 1000.0
"""Longest duration of one event that is believed: a week, in milliseconds."""
MOST_RANGES = 200
_FILES = frozenset({"read", "edit", "create"})


def session(recording: Recording) -> Session:
    """The session that was recorded."""
    told, cost = recording.charges.settle()
    recording.open.clear()
    drafts = _ordered(recording)
    recording.drafts = []
    start = min((d.time for d in drafts if d.time is not None), key=lambda t: t.seconds, default=None)
    notes = list(recording.notes)
    if start is not None and any(d.time.zoned != start.zoned for d in drafts if d.time is not None):
        notes.append("Some times have a zone and some have none; those without are taken as UTC.")
    length = _length(drafts, start, recording)
    events = _events(drafts, recording, start)
    differ = [*recording.discrepancies, *_totals(recording, told, cost)]
    reasons = [Unread(reason=r, records=n, first=redact.line(w)) for r, (n, w) in recording.unread.items()]
    return Session(
        format=recording.format,
        session_id=_line(recording.session_id),
        events=tuple(events),
        duration_seconds=length,
        unread=sum(reason.records for reason in reasons),
        discrepancies=tuple(redact.line(text) for text in differ),
        agent=_line(recording.agent),
        agent_version=_line(recording.agent_version),
        models=tuple(recording.models),
        started=None if start is None else times.written(start),
        folder=_line(recording.folder),
        outcome=_line(recording.outcome),
        tokens=recording.reported_tokens or told,
        cost_usd=_cost(recording, cost),
        unread_reasons=tuple(reasons),
        ignored=recording.ignored,
        left_out=recording.left_out,
        copies=recording.copies,
        notes=tuple(notes),
    )


def _line(text: str | None) -> str | None:
    return None if text is None else redact.line(text)


def _ordered(recording: Recording) -> list[Draft]:
    """Drafts in order, those of a subagent's own file behind the call that started it."""
    apart: dict[str, list[Draft]] = {}
    for draft in recording.drafts:
        if draft.apart and draft.agent is not None and draft.agent in recording.spawned:
            apart.setdefault(draft.agent, []).append(draft)
    if not apart:
        return recording.drafts
    behind: dict[Draft, list[str]] = {}
    for agent in apart:
        behind.setdefault(recording.spawned[agent], []).append(agent)
    placed: list[Draft] = []
    done: set[str] = set()
    # A stack, as subagents start subagents, and no record can make two start each other twice.
    stack = [iter([d for d in recording.drafts if d.agent not in apart or not d.apart])]
    while stack:
        draft = next(stack[-1], None)
        if draft is None:
            stack.pop()
            continue
        placed.append(draft)
        waiting = [agent for agent in behind.get(draft, ()) if agent not in done]
        done.update(waiting)
        stack.extend(iter(apart[agent]) for agent in reversed(waiting))
    placed += [d for agent, rows in apart.items() if agent not in done for d in rows]
    return placed


def _events(drafts: list[Draft], recording: Recording, start: Time | None) -> list[SessionEvent]:
    """The events of all calls and messages, which are let go one by one."""
    events: list[SessionEvent] = []
    numbers = dict.fromkeys(recording.spawned.values(), 0)
    drafts.reverse()
    while drafts:
        _add(events, numbers, drafts.pop(), recording, start)
    return events


def _add(
    events: list[SessionEvent], numbers: dict[Draft, int], draft: Draft, recording: Recording, start: Time | None
) -> None:
    """The events of one call or message."""
    first = len(events) + 1
    chief = acts.weightiest(draft.acts) if draft.chief is None else draft.chief
    if draft in numbers:
        numbers[draft] = first + chief
    spawner = recording.spawned.get(draft.agent) if draft.agent else None
    if draft.written is not None:
        events += [
            _placed(e, i, first, chief, draft, _number(numbers, spawner), start) for i, e in enumerate(draft.written)
        ]
        return
    for position, act in enumerate(draft.acts):
        leads = position == chief
        fields: dict[str, object] = {
            "sequence": first + position,
            "operation": act.operation,
            "tool": _line(draft.tool),
            "target": _target(act, recording.folder),
            "status": _status(draft, act, leads),
        }
        if draft.time is not None and start is not None:
            fields["seconds"] = round(max(0.0, draft.time.seconds - start.seconds), 6)
        if act.operation in ("edit", "create"):
            fields |= {"lines_changed": act.lines, "lines_basis": act.basis, "ranges": _ranges(act)}
        if act.operation == "test":
            fields |= _tests(draft)
        if leads:
            fields |= {
                "duration_ms": _duration(draft),
                "output": draft.output,
                "speaker": draft.speaker,
                "exit_code": draft.exit_code,
                "model": _line(draft.model),
                "tokens": draft.tokens,
                "cost_usd": draft.cost_usd,
                "command": draft.command,
            }
        else:
            fields["within"] = first + chief
            # The outcome of the tests is told by the tests, wherever they stand in the line.
            fields["output"] = draft.output if act.operation == "read" else None
        if draft.agent is not None:
            fields["agent"] = _line(draft.agent)
            fields["parent"] = _number(numbers, spawner)
        event = SessionEvent.model_validate({k: v for k, v in fields.items() if v is not None})
        # A third of the memory that a model takes which knows what it was made from.
        events.append(made(SessionEvent, **event.__dict__))


def _number(numbers: dict[Draft, int], spawner: Draft | None) -> int | None:
    """The event of the call that started a subagent, where that stands before it."""
    return (numbers.get(spawner) or None) if spawner is not None else None


def _placed(
    event: SessionEvent, position: int, first: int, chief: int, draft: Draft, parent: int | None, start: Time | None
) -> SessionEvent:
    """An event as it was, at its place in this session."""
    known = draft.time is not None and start is not None
    place = {
        "sequence": first + position,
        "seconds": round(max(0.0, draft.time.seconds - start.seconds), 6) if known else None,  # pyright: ignore[reportOptionalMemberAccess]
        "within": None if position == chief else first + chief,
        "agent": _line(draft.agent),
        "parent": parent,
    }
    return event.model_copy(update=place)


def _target(act: Act, folder: str | None) -> str | None:
    if act.target is None:
        return None
    target = act.target.strip()
    if act.operation in _FILES and folder:
        target = relative(target, folder)
    return redact.line(target)


def relative(path: str, folder: str) -> str:
    """A path below a folder without that folder; any other path as it is."""
    plain, root = path.replace("\\", "/"), folder.replace("\\", "/").rstrip("/")
    if root and plain.startswith(f"{root}/"):
        return posixpath.normpath(plain[len(root) + 1 :])
    return path


def _status(draft: Draft, act: Act, leads: bool) -> str:
    result = draft.result
    if act.operation == "test" and result is not None:
        return "error" if result.failed else "ok"
    if act.operation == "test" and act.hidden_exit and draft.exit_code == 0:
        # The status of a pipe is that of its last command, which says nothing about the tests.
        return "unknown"
    return draft.status if leads or draft.status == "ok" else "unknown"


def _tests(draft: Draft) -> dict[str, object]:
    result = draft.result
    if result is None:
        return {}
    failures = tuple(TestFailure(test=redact.line(name)) for name in result.names)
    named = bool(failures) or not result.failed
    if not result.complete:
        return {"suite": result.runner, "failures": failures if failures else None}
    return {
        "suite": result.runner,
        "passed": result.passed,
        "failed": result.failed,
        "total": result.total,
        "skipped": result.skipped,
        "failures": failures if named else None,
    }


def _ranges(act: Act) -> tuple[LineRange, ...] | None:
    if not act.ranges or len(act.ranges) > MOST_RANGES:
        return None
    return tuple(LineRange(start=start, end=end) for start, end in act.ranges)


def _duration(draft: Draft) -> float | None:
    """Milliseconds: as the transcript says, else from the call to its answer."""
    if draft.duration_ms is not None:
        return round(draft.duration_ms, 3) if 0 <= draft.duration_ms <= LONGEST_MS else None
    if draft.time is None or draft.end is None:
        return None
    passed = (draft.end.seconds - draft.time.seconds) * 1000
    return round(passed, 3) if 0 <= passed <= LONGEST_MS else None


def _length(drafts: list[Draft], start: Time | None, recording: Recording) -> float | None:
    """Seconds from the first time to the last; one time alone tells nothing."""
    if start is None or recording.left_out:
        # Nor do the times of the first events tell when the last ones were.
        return recording.reported_seconds
    ends = [time.seconds for draft in drafts for time in (draft.time, draft.end) if time is not None]
    ends += [
        draft.time.seconds + draft.duration_ms / 1000
        for draft in drafts
        if draft.time is not None and draft.duration_ms is not None and 0 <= draft.duration_ms <= LONGEST_MS
    ]
    return round(max(ends) - start.seconds, 6) if len(ends) > 1 else recording.reported_seconds


def _totals(recording: Recording, told: Tokens | None, cost: float | None) -> list[str]:
    """Where the transcript's own totals are not the sums over its answers."""
    found: list[str] = []
    said = recording.reported_tokens
    pairs = [] if said is None or told is None else [(said.input, told.input), (said.output, told.output)]
    # Some formats count only one of the two with each answer.
    if said is not None and told is not None and any(one != other and other for one, other in pairs):
        found.append(
            f"the transcript's own total is {said.input} tokens in and {said.output} out; its answers add up to"
            f" {told.input} and {told.output}"
        )
    if recording.reported_cost is not None and cost is not None and abs(cost - recording.reported_cost) > 1e-6:
        found.append(f"the transcript's own cost is {recording.reported_cost:g}; its answers add up to {cost:g}")
    return found


def _cost(recording: Recording, told: float | None) -> float | None:
    if recording.reported_cost is not None:
        return recording.reported_cost
    return None if told is None else round(told, 9)
