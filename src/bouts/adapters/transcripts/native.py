"""The native telemetry: `session_id`, `events` and an optional `summary`.

The events are the truth; the summary is only held against them. Beside the fields of the published example an event may
have `failures`, `output`, `ranges` and `status`. Anything else is refused with the number of the event.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Literal, cast

from bouts.adapters.transcripts import fields, redact, strict_json, tools
from bouts.adapters.transcripts import summary as summaries
from bouts.adapters.transcripts.fields import Object, Wrong
from bouts.adapters.transcripts.times import Time, written
from bouts.errors import BadFile
from bouts.model.session import LineRange, Operation, Session, SessionEvent, TestFailure

MAX_BYTES = 50 << 20
"""Size of a transcript in bytes."""
MAX_DURATION_MS = 7 * 24 * 3600 * 1000
"""Longest duration of one event: a week, in milliseconds."""
_WHAT = "native telemetry file"
_TOP = ("session_id", "events", "summary")
_COMMON = ("timestamp", "type", "duration_ms", "status", "output")
_FIELDS: dict[str, tuple[str, ...]] = {
    "tool_call": (*_COMMON, "tool", "target", "lines_changed", "ranges"),
    "test_run": (*_COMMON, "tool", "target", "suite", "passed", "failed", "total", "failures"),
    "message": (*_COMMON, "text"),
}


def read_native(path: Path) -> Session:
    """Read a transcript. Raises `NotFound`, or `BadFile` that names the first place that is wrong."""
    whole = strict_json.read(path, MAX_BYTES, _WHAT)
    try:
        top = fields.mapping(whole, "the file")
        fields.only(top, _TOP)
        rows = fields.needed_rows(top, "events")
        session_id = fields.text(top, "session_id")
        summary = None if top.get("summary") is None else fields.mapping(top["summary"], "'summary'")
    except Wrong as error:
        raise BadFile(f"not a {_WHAT}: {error}", where=str(path)) from error
    bodies, times = _bodies(rows, path)
    events = _events(bodies, times, path)
    duration, differ = _length(events), _disorder(times)
    if summary is not None:
        try:
            said = summaries.read(summary)
        except Wrong as error:
            raise BadFile(f"not a {_WHAT}: {error}", where=f"{path}: summary") from error
        differ += summaries.discrepancies(said, [kind for kind, _ in bodies], events, duration)
        duration = said.duration_seconds if duration is None else duration
    return Session(
        format="native",
        session_id=None if session_id is None else redact.line(session_id),
        events=events,
        duration_seconds=duration,
        discrepancies=tuple(differ),
        started=written(Time(min(times).timestamp())) if times else None,
    )


def _bodies(rows: list[object], path: Path) -> tuple[list[tuple[str, Object]], list[datetime]]:
    """Every event's type, fields and time."""
    bodies: list[tuple[str, Object]] = []
    times: list[datetime] = []
    for number, row in enumerate(rows, 1):
        try:
            body = fields.mapping(row, "an event")
            kind = _kind(body)
            fields.only(body, _FIELDS[kind])
            times.append(_time(body))
            bodies.append((kind, body))
        except Wrong as error:
            raise _at(path, number, error) from error
    return bodies, times


def _kind(body: Object) -> str:
    kind = body.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise Wrong(f"'type' must be one of {', '.join(_FIELDS)}, not {fields.shown(kind)}")
    return kind


def _events(bodies: list[tuple[str, Object]], times: list[datetime], path: Path) -> tuple[SessionEvent, ...]:
    start = min(times, default=None)
    events: list[SessionEvent] = []
    for number, ((kind, body), time) in enumerate(zip(bodies, times, strict=True), 1):
        seconds = 0.0 if start is None else round((time - start).total_seconds(), 6)
        try:
            events.append(_event(number, kind, body, seconds))
        except Wrong as error:
            raise _at(path, number, error) from error
    return tuple(events)


def _length(events: tuple[SessionEvent, ...]) -> float | None:
    """Seconds from the first event to the end of the last; one event alone tells nothing."""
    ends = [(event.seconds or 0.0) + (event.duration_ms or 0.0) / 1000 for event in events]
    return round(max(ends), 6) if len(events) > 1 else None


def _disorder(times: list[datetime]) -> list[str]:
    for number, (last, now) in enumerate(pairwise(times), 2):
        if now < last:
            return [f"event {number} is earlier than the event before it"]
    return []


def _at(path: Path, number: int, error: Wrong) -> BadFile:
    return BadFile(f"not a {_WHAT}: {error}", where=f"{path}: event {number}")


def _event(number: int, kind: str, body: Object, seconds: float) -> SessionEvent:
    tool, target = fields.text(body, "tool"), fields.text(body, "target")
    counts = _counts(body) if kind == "test_run" else (None, None, None)
    output = fields.text(body, "output") if kind != "message" else fields.text(body, "text")
    suite = fields.text(body, "suite")
    return SessionEvent(
        sequence=number,
        seconds=seconds,
        operation=_operation(kind, tool, target),
        tool=None if tool is None else redact.line(tool),
        target=None if target is None else redact.line(target),
        duration_ms=fields.number(body, "duration_ms", MAX_DURATION_MS),
        lines_changed=fields.whole(body, "lines_changed"),
        ranges=_ranges(body),
        status=_status(body),
        output=None if output is None else redact.output(output),
        suite=None if suite is None else redact.line(suite),
        passed=counts[0],
        failed=counts[1],
        total=counts[2],
        failures=_failures(body),
    )


def _operation(kind: str, tool: str | None, target: str | None) -> Operation:
    if kind == "test_run":
        return "test"
    if kind == "message":
        return "message"
    if tool is None:
        raise Wrong("'tool' is missing")
    return tools.operation(tool, target)


def _counts(body: Object) -> tuple[int, int, int]:
    """Passed, failed and total; one of the last two may be missing and follows from the rest."""
    passed, failed, total = (fields.whole(body, name) for name in ("passed", "failed", "total"))
    if passed is None:
        raise Wrong("'passed' is missing")
    if total is None:
        if failed is None:
            raise Wrong("'total' is missing, and 'failed' too")
        total = passed + failed
    failed = total - passed if failed is None else failed
    if passed + failed > total:
        raise Wrong(f"passed {passed} and failed {failed} are more than total {total}")
    return passed, failed, total


def _failures(body: Object) -> tuple[TestFailure, ...] | None:
    rows = fields.rows(body, "failures")
    if rows is None:
        return None
    made: list[TestFailure] = []
    for row in rows:
        if isinstance(row, str):
            made.append(TestFailure(test=redact.line(row)))
            continue
        entry = fields.mapping(row, "an entry of 'failures'")
        fields.only(entry, ("test", "message"))
        test = fields.text(entry, "test")
        if test is None:
            raise Wrong("an entry of 'failures' has no 'test'")
        made.append(TestFailure(test=redact.line(test), message=redact.output(fields.text(entry, "message") or "")))
    return tuple(made)


def _ranges(body: Object) -> tuple[LineRange, ...] | None:
    rows = fields.rows(body, "ranges")
    if rows is None:
        return None
    made: list[LineRange] = []
    for row in rows:
        pair = _pair(row)
        match pair:
            case (int() as start, int() as end) if 1 <= start <= end and not {type(start), type(end)} & {bool}:
                made.append(LineRange(start=start, end=end))
            case _:
                raise Wrong(f"an entry of 'ranges' must be a first and a last line from 1, not {fields.shown(row)}")
    return tuple(made)


def _pair(row: object) -> tuple[object, ...]:
    if isinstance(row, list):
        return tuple(cast("list[object]", row))
    entry = fields.mapping(row, "an entry of 'ranges'")
    fields.only(entry, ("start", "end"))
    return entry.get("start"), entry.get("end")


def _status(body: Object) -> Literal["ok", "error", "unknown"]:
    value = fields.text(body, "status")
    if value in ("ok", "error"):
        return value
    if value in (None, "unknown"):
        return "unknown"
    raise Wrong(f"'status' must be ok, error or unknown, not {fields.shown(value)}")


def _time(body: Object) -> datetime:
    value = body.get("timestamp")
    if not isinstance(value, str):
        raise Wrong("'timestamp' must be a text such as 2024-01-15T10:00:00Z")
    try:
        time = datetime.fromisoformat(value)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Wrong(f"'timestamp' {fields.shown(value)} is no time such as 2024-01-15T10:00:00Z") from error
