"""Agent Trajectory Interchange Format 1.0 to 1.8, which Harbor writes."""

from __future__ import annotations

from bouts.adapters.transcripts import restored, times
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    decoded,
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
from bouts.adapters.transcripts.writing import EXTRA
from bouts.errors import BadFile
from bouts.model.session import Tokens

NAME = "atif"
TITLE = "ATIF 1.0–1.8 (Harbor trajectory.json)"
DEEPEST = 8
"""How deep subagents may start subagents."""


def detect(source: Source) -> int:
    """By the version of the schema, else by numbered steps."""
    body = _main(source)
    if str(body.get("schema_version", "")).upper().startswith("ATIF"):
        return CERTAIN + 5
    steps = rows(body.get("steps"))
    return LIKELY if steps and {"step_id", "source"} <= obj(steps[0]).keys() else NO


def _main(source: Source) -> Object:
    """The trajectory; some exports wrap it together with those of its subagents."""
    body = obj(source.value)
    return obj(body.get("parent")) if "parent" in body and "steps" not in body else body


def read(source: Source, recording: Recording) -> None:
    """Tell the session. Raises `BadFile` where there are no steps."""
    whole_file, body = obj(source.value), _main(source)
    if not isinstance(body.get("steps"), list):
        raise BadFile("not an ATIF trajectory: 'steps' is missing", where=str(source.path))
    agent = obj(body.get("agent"))
    recording.session_id = first_text(body, "session_id", "trajectory_id")
    recording.agent = first_text(agent, "name")
    recording.agent_version = first_text(agent, "version")
    recording.persistent = True
    facts = obj(obj(body.get("extra")).get(EXTRA))
    restored.header(facts, recording)
    _steps(body, None, recording, 0)
    for key, child in whole_file.items():
        if body is not whole_file and key in ("child", "children"):
            for sub in objects(child):
                _steps(sub, first_text(sub, "session_id", "trajectory_id") or key, recording, 1)
    _totals(obj(body.get("final_metrics")), recording)
    if (exact := restored.tokens(facts.get("tokens"))) is not None:
        recording.reported_tokens = exact


def _totals(final: Object, recording: Recording) -> None:
    recording.reported_tokens = _tokens(final, "total_")
    recording.reported_cost = dollars(final.get("total_cost_usd"))
    steps = whole(final.get("total_steps"))
    counted = recording.ignored + len(recording.drafts)
    if steps is not None and steps > counted:
        recording.discrepancies.append(f"total_steps is {steps} and the file holds fewer")


def _tokens(metrics: Object, prefix: str = "") -> Tokens | None:
    return tokens(
        metrics,
        input=(f"{prefix}prompt_tokens",),
        output=(f"{prefix}completion_tokens",),
        cached=(f"{prefix}cached_tokens",),
    )


def _steps(body: Object, agent: str | None, recording: Recording, depth: int) -> None:
    """The steps of one trajectory and, behind them, those of subagents that it holds."""
    model = first_text(obj(body.get("agent")), "model_name")
    for place, value in enumerate(rows(body.get("steps")), 1):
        step = obj(value)
        if not step:
            recording.lost("steps that are no objects", f"step {place}")
        elif step.get("is_copied_context") is True:
            recording.copies += 1
        else:
            _step(step, agent, first_text(step, "model_name") or model, place, recording)
    if depth >= DEEPEST:
        return
    for number_, sub in enumerate(objects(body.get("subagent_trajectories")), 1):
        name = first_text(sub, "trajectory_id", "session_id") or f"{agent or 'subagent'}-{number_}"
        _steps(sub, name, recording, depth + 1)


def _step(step: Object, agent: str | None, model: str | None, place: int, recording: Recording) -> None:
    time = times.iso(step.get("timestamp"))
    ours = obj(obj(step.get("extra")).get(EXTRA))
    if ours and restored.add(ours, step, agent, time, recording):
        return
    source, said = step.get("source"), plain(step.get("message"))
    calls = list(objects(step.get("tool_calls")))
    apart = agent is not None and agent in recording.spawned
    first: Draft | None = None
    if source == "user":
        first = recording.message("user", said, time=time, agent=agent, apart=apart)
    elif source == "agent" or calls or (source not in ("system", "user") and said):
        if not calls and (raw := _raw(said)):
            calls = raw
        else:
            first = recording.message("agent", said, time=time, agent=agent, model=model, apart=apart)
    else:
        recording.ignored += 1
    drafts = [_call(call, time, agent, apart, model, recording) for call in calls]
    first = first or next((d for d in drafts if d is not None), None)
    metrics = obj(step.get("metrics"))
    usage, cost = _tokens(metrics), dollars(metrics.get("cost_usd"))
    if usage is not None or cost is not None:
        recording.charge(f"{agent or ''}/{place}", usage, cost=cost, model=model, draft=first)
    _observed(step, calls, drafts, recording, place)


def _raw(said: str) -> list[Object]:
    """Calls that an agent wrote as JSON in its message, as terminus does."""
    found = obj(decoded(said.strip())).get("commands")
    return [
        {"function_name": "bash_command", "arguments": row}
        for row in objects(found)
        if isinstance(row.get("keystrokes"), str)
    ]


def _call(
    call: Object, time: Time | None, agent: str | None, apart: bool, model: str | None, recording: Recording
) -> Draft | None:
    name, given = first_text(call, "function_name", "name") or "unknown", arguments(call.get("arguments"))
    keys = text(given.get("keystrokes"))
    key = text(call.get("tool_call_id"))
    if keys is not None and keys.strip() in ("", "C-c", "C-d", "q"):
        # A wait or a key, and no command.
        return recording.call("keys", {"text": keys.strip() or "wait"}, key=key, time=time, agent=agent, apart=apart)
    return recording.call(name, given, key=key, time=time, agent=agent, model=model, apart=apart)


def _observed(step: Object, calls: list[Object], drafts: list[Draft | None], recording: Recording, place: int) -> None:
    """What the calls of a step gave: by id, else by order where there is one result a call."""
    results = list(objects(obj(step.get("observation")).get("results")))
    known = [d for d in drafts if d is not None]
    by_id = {
        text(call.get("tool_call_id")): draft for call, draft in zip(calls, drafts, strict=True) if draft is not None
    }
    for position, result in enumerate(results):
        named = text(result.get("source_call_id"))
        draft = by_id.get(named) if named is not None else None
        if draft is None and named is None:
            draft = (
                known[position] if len(results) == len(known) else known[-1] if len(results) == 1 and known else None
            )
        for reference in objects(result.get("subagent_trajectory_ref")):
            spawned = first_text(reference, "trajectory_id", "session_id")
            if spawned is not None and draft is not None:
                recording.spawned.setdefault(spawned, draft)
        if draft is None:
            if calls:
                recording.unmatched(f"step {place}")
            else:
                recording.ignored += 1
            continue
        content, extra = result.get("content"), obj(result.get("extra"))
        recording.answer(
            draft, plain(content) if content is not None else None, exit_code=whole(extra.get("exit_code"))
        )
