"""The summary of the native telemetry, held against the events."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bouts.adapters.transcripts import fields
from bouts.adapters.transcripts.fields import Object, Wrong
from bouts.model.session import SessionEvent

_COUNTS = ("total_tool_calls", "total_test_runs", "total_edits", "total_reads", "total_searches")
_KEYS = (*_COUNTS, "session_duration_ms", "test_trajectory")
_TOLERANCE = 1.0
"""Seconds by which the session's length may differ: clocks are read twice."""
_YEAR_MS = 365 * 24 * 3600 * 1000


@dataclass(slots=True, frozen=True)
class Summary:
    """What the summary says; `None` where it says nothing."""

    counts: dict[str, int]
    duration_seconds: float | None
    trajectory: list[tuple[int, int]] | None
    """Passed and total of each test run."""


def read(body: Object) -> Summary:
    """The summary's fields. Raises `Wrong`."""
    fields.only(body, _KEYS)
    counts = {key: count for key in _COUNTS if (count := fields.whole(body, key)) is not None}
    milliseconds = fields.number(body, "session_duration_ms", _YEAR_MS)
    rows = fields.rows(body, "test_trajectory")
    return Summary(
        counts,
        None if milliseconds is None else milliseconds / 1000,
        None if rows is None else [_run(row) for row in rows],
    )


def _run(row: object) -> tuple[int, int]:
    entry = fields.mapping(row, "an entry of 'test_trajectory'")
    fields.only(entry, ("run", "passed", "failed", "total"))
    passed, total = fields.whole(entry, "passed"), fields.whole(entry, "total")
    if passed is None or total is None:
        raise Wrong("an entry of 'test_trajectory' lacks 'passed' or 'total'")
    return passed, total


def discrepancies(
    summary: Summary, types: list[str], events: tuple[SessionEvent, ...], duration: float | None
) -> list[str]:
    """Where the summary says something else than the events."""
    kinds, operations = Counter(types), Counter(event.operation for event in events)
    counted = {
        "total_tool_calls": kinds["tool_call"],
        "total_test_runs": kinds["test_run"],
        "total_edits": operations["edit"] + operations["create"],
        "total_reads": operations["read"],
        "total_searches": operations["search"],
    }
    found = [
        f"{key} is {said} in the summary and {counted[key]} by the events"
        for key, said in summary.counts.items()
        if said != counted[key]
    ]
    said = summary.duration_seconds
    if said is not None and duration is not None and abs(said - duration) > _TOLERANCE:
        found.append(f"the session lasted {said:g} s by the summary and {duration:g} s by the events")
    runs = [(e.passed or 0, e.total or 0) for e, kind in zip(events, types, strict=True) if kind == "test_run"]
    if summary.trajectory is not None and summary.trajectory != runs:
        found.append("test_trajectory differs from the test runs of the events")
    return found
