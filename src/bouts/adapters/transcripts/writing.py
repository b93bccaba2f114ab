"""Sessions written out: as Bouts' own telemetry, and as ATIF."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from bouts.errors import BadUsage
from bouts.model.session import Session, SessionEvent, Tokens

ATIF_VERSIONS = tuple(f"1.{minor}" for minor in range(9))
EXTRA = "bouts"
"""Key under which an ATIF step carries the events that it was written from."""
Body = dict[str, Any]


def native(session: Session) -> Body:
    """The session as native telemetry.

    Raises `BadUsage` where an event has no time, as native events have one and none is made up, and for a session whose
    later events were left out, which native telemetry cannot say.
    """
    if session.cut:
        raise BadUsage(
            f"{session.cut}, and native telemetry cannot say that others are left out",
            hint="write it as ATIF, which keeps how many there are",
        )
    start = None if session.started is None else datetime.fromisoformat(session.started)
    events: list[Body] = []
    for event in session.events:
        if start is None or event.seconds is None:
            raise BadUsage(
                f"event {event.sequence} has no time, and each event of the native telemetry has one",
                hint="write it as ATIF, whose steps may do without",
            )
        events.append(_native_event(event, start + timedelta(seconds=event.seconds)))
    body: Body = {"events": events}
    return body if session.session_id is None else {"session_id": session.session_id, **body}


def _native_event(event: SessionEvent, time: datetime) -> Body:
    made: Body = {"timestamp": time.isoformat(timespec="microseconds").replace("+00:00", "Z"), "type": event.kind}
    if event.duration_ms is not None:
        made["duration_ms"] = event.duration_ms
    if event.status != "unknown":
        made["status"] = event.status
    if event.kind == "message":
        made["text"] = event.output or ""
        return made
    if event.output is not None:
        made["output"] = event.output
    counted = event.passed is not None and event.total is not None
    if event.kind == "test_run" and not counted:
        # Native test runs have counts; a run without them is a call whose target tells that it is one.
        made["type"] = "tool_call"
    made["tool"] = _tool(event)
    if event.target is not None:
        made["target"] = event.target
    if event.kind == "test_run" and counted:
        made |= {"passed": event.passed, "failed": event.failed, "total": event.total}
        if event.suite is not None:
            made["suite"] = event.suite
        if event.failures is not None:
            made["failures"] = [{"test": f.test, "message": f.message} for f in event.failures]
    if event.lines_changed is not None:
        made["lines_changed"] = event.lines_changed
    if event.ranges is not None:
        made["ranges"] = [[r.start, r.end] for r in event.ranges]
    return made


_TOOLS: dict[str, str] = {
    "read": "read_file",
    "edit": "edit_file",
    "create": "create_file",
    "search": "search",
    "run": "bash",
    "test": "run_tests",
}


def _tool(event: SessionEvent) -> str:
    """A tool's name that native telemetry takes for the event's operation, as it knows events by it."""
    return _TOOLS.get(event.operation, event.tool or "unknown")


def atif(session: Session, version: str = "1.7") -> Body:
    """The session as an ATIF trajectory of a version from 1.0 to 1.8.

    Each call is one step, and what a step cannot say stands in its `extra`, so that the session is read back as it was.
    Before 1.7 a trajectory holds no other, so that subagents' steps stand among those of the main agent.
    Raises `BadUsage` for another version.
    """
    if version not in ATIF_VERSIONS:
        raise BadUsage(f"there is no ATIF {version}", hint=f"versions: {ATIF_VERSIONS[0]} to {ATIF_VERSIONS[-1]}")
    nested = ATIF_VERSIONS.index(version) >= 7
    groups = _groups(session)
    agents = list(dict.fromkeys(g[0].agent for g in groups if g[0].agent is not None)) if nested else []
    mine = [g for g in groups if not nested or g[0].agent is None]
    body: Body = {
        "schema_version": f"ATIF-v{version}",
        "session_id": session.session_id or "unknown",
        "agent": _agent(session),
        "steps": _steps(mine, session, {g[0].agent: _refers(g) for g in groups if nested and g[0].agent is not None}),
        "final_metrics": _final(session, len(mine)),
        "extra": {EXTRA: _facts(session)},
    }
    if agents:
        body["subagent_trajectories"] = [
            {
                "schema_version": f"ATIF-v{version}",
                "session_id": session.session_id or "unknown",
                "trajectory_id": agent,
                "agent": _agent(session),
                "steps": _steps([g for g in groups if g[0].agent == agent], session, {}),
            }
            for agent in agents
        ]
    return body


def _groups(session: Session) -> list[list[SessionEvent]]:
    """Events of one call together, in order."""
    made: list[list[SessionEvent]] = []
    owner: int | None = None
    for event in session.events:
        chief = event.sequence if event.within is None else event.within
        if made and owner == chief:
            made[-1].append(event)
        else:
            made.append([event])
        owner = chief
    return made


def _refers(group: list[SessionEvent]) -> int | None:
    return next((event.parent for event in group if event.parent is not None), None)


def _agent(session: Session) -> Body:
    body: Body = {"name": session.agent or session.format, "version": session.agent_version or "unknown"}
    return {**body, "model_name": session.models[0]} if session.models else body


def _steps(groups: list[list[SessionEvent]], session: Session, spawned: Mapping[str | None, int | None]) -> list[Body]:
    starts: dict[int, list[str]] = {}
    for agent, parent in spawned.items():
        if agent is not None and parent is not None:
            starts.setdefault(parent, []).append(agent)
    return [_step(number, group, session, starts) for number, group in enumerate(groups, 1)]


def _step(number: int, group: list[SessionEvent], session: Session, starts: Mapping[int, list[str]]) -> Body:
    chief = next((event for event in group if event.within is None), group[0])
    said = chief.kind == "message"
    step: Body = {"step_id": number, "source": "user" if said and chief.speaker == "user" else "agent"}
    if session.started is not None and chief.seconds is not None:
        time = datetime.fromisoformat(session.started) + timedelta(seconds=chief.seconds)
        step["timestamp"] = time.isoformat(timespec="microseconds").replace("+00:00", "Z")
    if said and chief.speaker == "system":
        step["source"] = "system"
    step["message"] = (chief.output or "") if said else ""
    if chief.model is not None and step["source"] == "agent":
        step["model_name"] = chief.model
    if not said:
        call = f"call-{chief.sequence}"
        step["tool_calls"] = [
            {"tool_call_id": call, "function_name": chief.tool or chief.operation, "arguments": _arguments(chief)}
        ]
        result: Body = {"source_call_id": call, "content": chief.output}
        references = [agent for event in group for agent in starts.get(event.sequence, [])]
        if references:
            result["subagent_trajectory_ref"] = [{"trajectory_id": agent} for agent in references]
        step["observation"] = {"results": [result]}
    metrics = _metrics(chief)
    if metrics and step["source"] == "agent":
        step["metrics"] = metrics
    dropped = {"sequence", "seconds", "within", "parent", "agent"}
    rows = [event.model_dump(mode="json", exclude_defaults=True, exclude=dropped) for event in group]
    step["extra"] = {EXTRA: {"events": rows, "chief": group.index(chief)}}
    return step


def _arguments(event: SessionEvent) -> Body:
    if event.command is not None or event.operation in ("run", "test"):
        return {"command": event.command or event.target or ""}
    return {"path" if event.operation != "search" else "pattern": event.target} if event.target is not None else {}


def _metrics(event: SessionEvent) -> Body:
    made = _counts(event.tokens, "")
    return {**made, "cost_usd": event.cost_usd} if event.cost_usd is not None else made


def _counts(tokens: Tokens | None, prefix: str) -> Body:
    if tokens is None:
        return {}
    return {
        f"{prefix}prompt_tokens": tokens.input,
        f"{prefix}completion_tokens": tokens.output,
        f"{prefix}cached_tokens": tokens.cached,
    }


def _final(session: Session, steps: int) -> Body:
    made: Body = {**_counts(session.tokens, "total_"), "total_steps": steps}
    return {**made, "total_cost_usd": session.cost_usd} if session.cost_usd is not None else made


def _facts(session: Session) -> Body:
    """What the trajectory has no field for."""
    names = {
        "agent",
        "agent_version",
        "duration_seconds",
        "folder",
        "format",
        "left_out",
        "models",
        "outcome",
        "session_id",
        "tokens",
    }
    return session.model_dump(mode="json", include=names, exclude_defaults=True)


WRITERS: dict[str, Callable[[Session], Body]] = {"native": native, "atif": atif}
"""What a session can be written as."""
