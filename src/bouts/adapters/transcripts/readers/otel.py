"""OpenTelemetry traces of agents: OTLP as JSON, and spans as exporters of several libraries write them.

The names of attributes are those of the GenAI conventions, old and new, of OpenInference, of Vercel's AI SDK and of
OpenLLMetry. Spans are told by their start, as exporters write them by their end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bouts.adapters.transcripts import otel_names as names
from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import Recording, Status
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    arguments,
    count,
    decoded,
    dollars,
    first_text,
    obj,
    objects,
    plain,
    rows,
    shown,
    tally,
    text,
)
from bouts.errors import BadFile
from bouts.model.session import Tokens

NAME = "otel"
TITLE = "OpenTelemetry GenAI (OTLP JSON and span exports)"

MOST_SPANS = 100_000


@dataclass(slots=True)
class _Span:
    name: str
    attributes: Object
    start: Time | None = None
    end: Time | None = None
    failed: bool = False


@dataclass(slots=True)
class _State:
    heard: set[str] = field(default_factory=set[str])
    chats: int = 0
    has_tools: bool = False


def detect(source: Source) -> int:
    """By resource spans, or by attributes of the conventions."""
    for row in source.sample[:5]:
        if "resourceSpans" in row or "resource_spans" in row:
            return CERTAIN
        attributes = obj(row.get("attributes")) or row
        spanlike = "startTimeUnixNano" in row or "start_time" in row or attributes is row or "span_id" in row
        if spanlike and any(k.startswith(("gen_ai.", "openinference.", "ai.toolCall", "llm.")) for k in attributes):
            return LIKELY
    return NO


def read(source: Source, recording: Recording) -> None:
    """Tell the traces. Raises `BadFile` where no span is one of an agent."""
    spans = [span for span, _ in zip(_spans(source, recording), range(MOST_SPANS), strict=False)]
    if len(spans) == MOST_SPANS:
        recording.lost(f"spans beyond the first {MOST_SPANS:,}")
    spans.sort(key=lambda s: s.start.seconds if s.start is not None else float("inf"))
    state = _State(has_tools=any(_is_tool(span) for span in spans))
    for place, span in enumerate(spans, 1):
        if _is_tool(span):
            _tool(span, recording)
        elif _is_chat(span):
            _chat(span, place, recording, state)
        else:
            recording.ignored += 1
    if not recording.drafts and not recording.charges.count:
        raise BadFile(f"none of its {len(spans)} spans is one of an agent", where=str(source.path))


def _spans(source: Source, recording: Recording) -> Iterator[_Span]:
    for _, row in source.records(recording):
        groups = rows(row.get("resourceSpans")) or rows(row.get("resource_spans"))
        if not groups:
            yield _span(row)
        for group in objects(groups):
            resource = _attributes(obj(group.get("resource")).get("attributes"))
            recording.agent = recording.agent or text(resource.get("service.name"))
            recording.agent_version = recording.agent_version or text(resource.get("service.version"))
            named = next((v for k, v in resource.items() if k.endswith(("session.id", "session_id"))), None)
            recording.session_id = recording.session_id or text(named)
            for scope in objects(group.get("scopeSpans") or group.get("scope_spans")):
                for body in objects(scope.get("spans")):
                    yield _span(body)


def _span(body: Object) -> _Span:
    listed = isinstance(body.get("attributes"), list)
    attributes = _attributes(body.get("attributes")) if listed else obj(body.get("attributes")) or body
    # Messages that older conventions hang on a span as its events are found like attributes.
    for event in objects(body.get("events")):
        name = text(event.get("name")) or ""
        if name.startswith("gen_ai."):
            given = _attributes(event.get("attributes"))
            attributes = {**given, **attributes, f"event:{name}": given}
    start = times.epoch(body.get("startTimeUnixNano"), 1e9) or times.any_of(body.get("start_time"))
    end = times.epoch(body.get("endTimeUnixNano"), 1e9) or times.any_of(body.get("end_time"))
    status = obj(body.get("status"))
    code = status.get("code") or status.get("status_code")
    failed = code in (2, "ERROR", "STATUS_CODE_ERROR") or "error.type" in attributes
    return _Span(text(body.get("name")) or "", attributes, start, end, failed)


def _attributes(value: object) -> Object:
    """Attributes given as a list of keys and typed values."""
    given = obj(value)
    if given:
        return given
    return {str(row.get("key")): _value(row.get("value")) for row in objects(value)}


def _value(value: object, depth: int = 0) -> object:
    body = obj(value)
    if not body or depth > 20:
        return value if isinstance(value, (str, int, float, bool)) else None
    if "arrayValue" in body:
        return [_value(row, depth + 1) for row in rows(obj(body["arrayValue"]).get("values"))]
    if "kvlistValue" in body:
        return {
            str(row.get("key")): _value(row.get("value"), depth + 1)
            for row in objects(obj(body["kvlistValue"]).get("values"))
        }
    if "intValue" in body:
        return count(body["intValue"])
    return next(iter(body.values()))


def _kind(span: _Span) -> str:
    found = first_text(span.attributes, "openinference.span.kind", "traceloop.span.kind", "langsmith.span.kind")
    return (found or "").lower()


def _operation(span: _Span) -> str:
    return first_text(span.attributes, "gen_ai.operation.name") or ""


def _is_tool(span: _Span) -> bool:
    a = span.attributes
    return (
        _operation(span) == "execute_tool"
        or _kind(span) == "tool"
        or "ai.toolCall.name" in a
        or span.name.startswith("execute_tool ")
    )


def _is_chat(span: _Span) -> bool:
    if _operation(span) in ("invoke_agent", "invoke_workflow", "create_agent") or _kind(span) in ("agent", "chain"):
        return False
    counted = any(key in span.attributes for key in names.INPUT_TOKENS)
    # Vercel's outer span repeats what its inner ones count.
    outer = span.name in ("ai.generateText", "ai.streamText")
    return (_operation(span) in names.CHAT or _kind(span) in ("llm", "model") or counted) and not outer


def _first(attributes: Object, keys: tuple[str, ...]) -> object:
    return next((attributes[key] for key in keys if attributes.get(key) not in (None, "")), None)


def _tool(span: _Span, recording: Recording) -> None:
    a = span.attributes
    name = first_text(a, *names.TOOL_NAME) or span.name.removeprefix("execute_tool ") or "unknown"
    key = first_text(a, *names.TOOL_ID)
    draft = recording.open.get(key) if key else None
    given = _first(a, names.TOOL_INPUT)
    if draft is None:
        draft = recording.call(name, arguments(given) or ({"input": given} if given else {}), key=key, time=span.start)
    elif span.start is not None:
        draft.time = span.start
    output = _first(a, names.TOOL_OUTPUT)
    status: Status = "error" if span.failed else "ok"
    recording.answer(
        draft, None if output is None else shown(decoded(output)) or str(output), status=status, time=span.end
    )


def _chat(span: _Span, place: int, recording: Recording, state: _State) -> None:
    a = span.attributes
    model = first_text(a, *names.MODEL)
    for message in _messages(_first(a, names.HEARD)):
        _heard(message, span, recording, state)
    said, calls = _answered(span)
    first = recording.message("agent", said, time=span.end or span.start, model=model)
    for call in calls:
        key = first_text(call, "id", "tool_call_id")
        if key is None and state.has_tools:
            continue
        function = obj(call.get("function")) or call
        name, given = first_text(function, "name") or "unknown", arguments(function.get("arguments"))
        draft = recording.open.get(key) if key else None
        draft = draft or recording.call(name, given, key=key, time=span.end, model=model)
        first = first or draft
    usage = Tokens(
        input=tally(_first(a, names.INPUT_TOKENS), texts=True),
        output=tally(_first(a, names.OUTPUT_TOKENS), texts=True),
        cached=tally(_first(a, names.CACHED), texts=True),
    )
    cost = dollars(_first(a, ("gen_ai.usage.cost", "llm.cost.total", "gen_ai.usage.total_cost")))
    counted = usage if usage != Tokens() else None
    if counted is not None or cost is not None or model:
        recording.charge(f"span/{place}", counted, cost=cost, model=model, draft=first)


def _messages(value: object) -> list[Object]:
    found = decoded(value)
    nested = obj(found).get("messages")
    return list(objects(nested if nested is not None else found))


def _parts(message: Object) -> list[Object]:
    parts = message.get("parts")
    return list(objects(parts if parts is not None else message.get("content")))


def _heard(message: Object, span: _Span, recording: Recording, state: _State) -> None:
    """What the model was given: what the user said, and results of calls, each told once."""
    role, parts = message.get("role"), _parts(message)
    for part in parts:
        if part.get("type") in ("tool_call_response", "tool-result", "tool_result"):
            key = first_text(part, "id", "toolCallId", "tool_use_id")
            draft = recording.open.get(key or "")
            if draft is not None and draft.output is None:
                recording.answer(draft, shown(part.get("response") or part.get("result") or part.get("content")))
        if part.get("type") == "tool_call" and role == "assistant" and not state.has_tools:
            key = first_text(part, "id")
            if key and key not in recording.open:
                recording.call(first_text(part, "name") or "unknown", arguments(part.get("arguments")), key=key)
    said = plain(parts or message.get("content"), parts=("text", "content"))
    if role == "user" and said and said not in state.heard and len(state.heard) < 5000:
        state.heard.add(said)
        recording.message("user", said, time=span.start)


def _answered(span: _Span) -> tuple[str, list[Object]]:
    """What the model said, and the calls that it asked for."""
    value = decoded(_first(span.attributes, names.SAID))
    event = obj(span.attributes.get("event:gen_ai.choice"))
    if value is None and event:
        value = decoded(event.get("message")) or event
    calls: list[Object] = []
    pieces: list[str] = []
    if isinstance(value, str):
        return value, calls
    for message in objects(value):
        parts = _parts(message)
        calls += [part for part in parts if part.get("type") in ("tool_call", "tool-call", "tool_use")]
        calls += list(objects(message.get("tool_calls")))
        pieces.append(
            plain([p for p in parts if p.get("type") in ("text", None)] or message, parts=("text", "content"))
        )
    return "\n".join(piece for piece in pieces if piece), calls
