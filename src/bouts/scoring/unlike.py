"""What two cards count differently, and which records of their evidence differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from bouts.model.base import Fact
from bouts.model.card import HiddenCount, TestCounts
from bouts.model.records import EvidenceFile, Record, canonical

_TIMES = frozenset({"seconds", "duration_seconds"})
"""No two runs take equally long, and no score of a test rests on it."""
_POSITIONAL = frozenset({"finding", "observation", "notice", "fault", "virtue"})
"""Kinds of record whose ids are mere numbers in a row: compared by what they say."""
_TEXT = 160


class CountChange(Fact):
    """Tests of one group, as cards count them."""

    group: str
    """`visible`, `hidden`, or `hidden, ` with a severity or pattern."""
    passed_before: int
    total_before: int
    passed_after: int
    total_after: int


class RecordChange(Fact):
    """One record of the evidence that only one side has, or that says something else there."""

    id: str
    change: Literal["added", "removed", "changed"]
    what: str
    """For a test its outcomes; else what it says, or the names of the fields that differ."""


def counts(before: TestCounts, after: TestCounts) -> tuple[CountChange, ...]:
    """The groups whose counts differ."""
    old, new = dict(_groups(before)), dict(_groups(after))
    made: list[CountChange] = []
    for name in dict.fromkeys((*old, *new)):
        (passed, total), (now, of) = old.get(name, (0, 0)), new.get(name, (0, 0))
        if (passed, total) != (now, of):
            made.append(
                CountChange(group=name, passed_before=passed, total_before=total, passed_after=now, total_after=of)
            )
    return tuple(made)


def _groups(tests: TestCounts) -> Iterator[tuple[str, tuple[int, int]]]:
    yield "visible", (tests.static_passed, tests.static_total)
    yield "hidden", (tests.adversarial_passed, tests.adversarial_total)
    rows: Iterable[HiddenCount] = (*tests.by_severity, *tests.by_pattern)
    for row in rows:
        yield f"hidden, {row.group}", (row.passed, row.total)


def records(before: EvidenceFile, after: EvidenceFile) -> tuple[RecordChange, ...]:
    """Every record that differs in more than time; the events of a session are told as one."""
    old, new = _named(before), _named(after)
    made: list[RecordChange] = []
    for name in dict.fromkeys((*old, *new)):
        left, right = old.get(name), new.get(name)
        if left is None or right is None:
            body = left if right is None else right
            change = "removed" if right is None else "added"
            made.append(RecordChange(id=name, change=change, what=_says(name, body or {})))
        elif (what := _differ(name, left, right)) is not None:
            made.append(RecordChange(id=name, change="changed", what=what))
    return (*made, *_loose(before, after), *_events(before, after))


def _kind(record: Record) -> str:
    return record.id.partition(":")[0]


def _named(file: EvidenceFile) -> dict[str, Mapping[str, Any]]:
    return {r.id: r.body for r in file.records if _kind(r) not in _POSITIONAL and _kind(r) != "event"}


def _differ(name: str, left: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    odd = [key for key in dict.fromkeys((*left, *right)) if left.get(key) != right.get(key) and key not in _TIMES]
    if name.startswith("test:"):
        odd = [key for key in odd if key != "message"]
        if "outcome" in odd or "second" in odd:
            return f"{_outcome(left)} → {_outcome(right)}"
    if not odd:
        return None
    return ", ".join(
        f"{key} {_short(left.get(key))} → {_short(right.get(key))}" if _small(left, right, key) else key for key in odd
    )


def _outcome(body: Mapping[str, Any]) -> str:
    second = body.get("second")
    first = str(body.get("outcome"))
    return first if second in (None, first) else f"{first}, in the second look {second}"


def _small(left: Mapping[str, Any], right: Mapping[str, Any], key: str) -> bool:
    return all(isinstance(side.get(key), (str, int, float, bool, type(None))) for side in (left, right))


def _short(value: object) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _says(name: str, body: Mapping[str, Any]) -> str:
    if name.startswith("test:"):
        return _outcome(body)
    found = next((body[key] for key in ("because", "why", "message", "detail") if body.get(key)), "")
    kind = next((f"{body[key]}" for key in ("kind", "cwe", "rule", "part") if body.get(key)), "")
    place = f"{body['path']}:{body.get('line', '')}".rstrip(":") if isinstance(body.get("path"), str) else ""
    text = ": ".join(part for part in (" ".join(p for p in (kind, place) if p), str(found)) if part)
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"


def _loose(before: EvidenceFile, after: EvidenceFile) -> Iterator[RecordChange]:
    """Findings, observations, notices, faults: their place in the list is no part of them."""
    old, new = (Counter(_bodies(file)) for file in (before, after))
    for change, rows, file in (("removed", old - new, before), ("added", new - old, after)):
        left = Counter(rows)
        for record in file.records:
            key = _body(record)
            if _kind(record) in _POSITIONAL and left[key]:
                left[key] -= 1
                yield RecordChange.model_construct(id=record.id, change=change, what=_says(record.id, record.body))


def _bodies(file: EvidenceFile) -> Iterator[bytes]:
    return (_body(record) for record in file.records if _kind(record) in _POSITIONAL)


def _body(record: Record) -> bytes:
    return canonical([_kind(record), record.body])


def _events(before: EvidenceFile, after: EvidenceFile) -> Iterator[RecordChange]:
    old, new = ([r.digest for r in file.records if _kind(r) == "event"] for file in (before, after))
    if old != new:
        same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        what = f"{len(old)} events → {len(new)}; the first {same} are the same"
        yield RecordChange(id="event:*", change="changed", what=what)
