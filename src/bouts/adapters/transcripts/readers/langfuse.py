"""Langfuse: an exported trace with its observations."""

from __future__ import annotations

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    decoded,
    dollars,
    first_text,
    obj,
    objects,
    plain,
    shown,
    tally,
    text,
)
from bouts.model.session import Tokens

NAME = "langfuse"
TITLE = "Langfuse (exported trace)"


def detect(source: Source) -> int:
    """By a trace with observations."""
    body = obj(source.value)
    found = next(iter(_observations(body)), None)
    return CERTAIN if found is not None and "startTime" in found and "type" in found else NO


def _observations(body: Object) -> list[Object]:
    return list(objects(body.get("observations") or obj(body.get("trace")).get("observations")))


def read(source: Source, recording: Recording) -> None:
    """Tell the trace. Observations are told by their start."""
    body = obj(source.value)
    trace = obj(body.get("trace")) or body
    recording.session_id = first_text(trace, "sessionId", "id")
    recording.agent = first_text(trace, "name")
    recording.message("user", _asked(trace.get("input")), time=times.iso(trace.get("timestamp")))
    rows = _observations(body)
    rows.sort(key=lambda row: (text(row.get("startTime")) or "~", text(row.get("endTime")) or "~"))
    for place, row in enumerate(rows, 1):
        kind, name = row.get("type"), first_text(row, "name") or "unknown"
        attributes = obj(obj(decoded(row.get("metadata"))).get("attributes"))
        tool = first_text(attributes, "gen_ai.tool.name")
        if kind == "TOOL" or tool or name.startswith(("running tool: ", "execute_tool ")):
            _tool(row, tool or name.removeprefix("running tool: ").removeprefix("execute_tool "), attributes, recording)
        elif kind == "GENERATION":
            _generation(row, place, recording)
        else:
            recording.ignored += 1


def _asked(value: object) -> str:
    found = decoded(decoded(value))
    return first_text(obj(found), "prompt", "query", "question") or plain(found)


def _tool(row: Object, name: str, attributes: Object, recording: Recording) -> None:
    given = arguments(decoded(row.get("input"))) or arguments(attributes.get("tool_arguments"))
    draft = recording.call(name, given, time=times.iso(row.get("startTime")))
    failed = row.get("level") == "ERROR"
    status: Status = "error" if failed else "ok"
    output = row.get("output") if row.get("output") is not None else attributes.get("tool_response")
    said = None if output is None else shown(decoded(output)) or str(output)
    recording.answer(draft, said, status=status, time=times.iso(row.get("endTime")))


def _generation(row: Object, place: int, recording: Recording) -> None:
    model = text(row.get("model"))
    said = recording.message("agent", _said(row.get("output")), time=times.iso(row.get("endTime")), model=model)
    usage = obj(row.get("usageDetails")) or obj(row.get("usage"))
    cached = _number(usage, "prompt_details.cache_read", "input_cached_tokens", "cache_read_input_tokens")
    written = _number(usage, "cache_creation_input_tokens")
    beside = "cache_read_input_tokens" in usage
    counted = Tokens(
        input=_number(usage, "input") + (cached + written if beside else 0),
        output=_number(usage, "output"),
        cached=cached,
        cache_written=written,
        reasoning=_number(usage, "completion_details.reasoning", "output_reasoning_tokens"),
    )
    cost = dollars(obj(row.get("costDetails")).get("total"))
    cost = dollars(row.get("totalCost")) or dollars(row.get("calculatedTotalCost")) if cost is None else cost
    known = counted if counted != Tokens() else None
    recording.charge(first_text(row, "id") or str(place), known, cost=cost, model=model, draft=said)


def _number(usage: Object, *keys: str) -> int:
    return next((tally(value) for key in keys if (value := usage.get(key)) is not None), 0)


def _said(value: object) -> str:
    found = decoded(decoded(value))
    parts = [p for p in objects(found) if p.get("type", "text") in ("text", "output_text", "message")]
    return plain(parts or found)
