"""The picture of a session: phases, files over time or over its events, and test runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from bouts.model.session import Session, SessionEvent
from bouts.render.session import duration, says, short_path
from bouts.scoring.process.phases import stretches


@dataclass(frozen=True, slots=True)
class Mark:
    """One event in the picture of a session. Positions and sizes are pixels."""

    x: float
    y: float
    kind: str
    size: float
    title: str
    sub: bool = False
    """Whether a subagent did it."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A stretch of one phase. Positions are pixels."""

    x: float
    width: float
    phase: str
    title: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Files over time: one row a file, one column an event or a moment."""

    width: int
    height: int
    left: int
    rows: list[tuple[float, str, str]]
    """Height, name as it fits, and whole name of a file."""
    marks: list[Mark]
    tests: list[Mark]
    strips: list[Strip]
    ticks: list[tuple[float, str]]
    axis: str
    """`time`, or `event` where there are no times, or most of the time nothing happened."""
    left_out: int
    """Files without a row."""

    @property
    def empty(self) -> bool:
        """Whether no event is about a file, and no tests ran."""
        return not (self.marks or self.tests)


MOST_ROWS = 40
_LEFT, _WIDTH, _STEP, _TOP = 260, 1100, 22, 34
_SPAN = _WIDTH - _LEFT - 20
_NAME = 40


def picture(session: Session) -> Picture:
    """The session as a picture: reads, edits and test runs by file and time, or by event."""
    files = [e for e in session.events if e.operation in ("read", "edit", "create") and _is_file(e)]
    weight = Counter(e.target or "" for e in files for _ in range(3 if e.operation != "read" else 1))
    order = {name for name, _ in weight.most_common(MOST_ROWS)}
    names = [name for name in dict.fromkeys(e.target or "" for e in files) if name in order]
    places = {name: round(_TOP + _STEP * (i + 0.5), 1) for i, name in enumerate(names)}
    at, span = _scale(session)
    marks = [
        Mark(
            at(e.sequence),
            places[e.target or ""],
            e.operation,
            _size(e),
            f"event {e.sequence}: {e.operation} {says(e)}",
            e.agent is not None,
        )
        for e in files
        if e.target in places
    ]
    tests = [
        Mark(at(e.sequence), 0, _colour(e), 0, f"event {e.sequence}: {says(e)}")
        for e in session.events
        if e.operation == "test"
    ]
    steps = 5 if span is not None else max(1, min(5, len(session.events)))
    shares = [(round(_LEFT + _SPAN * i / steps, 1), i / steps) for i in range(steps + 1)]
    return Picture(
        _WIDTH,
        _TOP + _STEP * max(1, len(names)) + 40,
        _LEFT,
        [(places[name], short_path(name, _NAME), name) for name in names],
        marks,
        tests,
        _strips(session, at),
        [
            (x, str(round(len(session.events) * share)) if span is None else duration(span * share))
            for x, share in shares
        ],
        "event" if span is None else "time",
        len(weight) - len(names),
    )


def _is_file(event: SessionEvent) -> bool:
    """Whether an event names a file, and not a variable or what a version control was asked."""
    return bool(event.target) and not (event.target or "").startswith(("git ", "hg ", "svn ", "$"))


def _scale(session: Session) -> tuple[Callable[[int], float], float | None]:
    """Where an event stands by its number, and the seconds of the whole picture; `None` where it goes by events."""
    events = session.events
    known = [e for e in events if e.seconds is not None]
    span = float(session.duration_seconds or 0.0)
    if known and span and all(e.seconds is not None for e in events if e.kind != "message"):
        moments = sorted({0.0, span, *(e.seconds or 0.0 for e in known)})
        # A night between two sittings would leave nothing else to see.
        if max((b - a for a, b in pairwise(moments)), default=0.0) <= span / 2:
            times = {e.sequence: e.seconds for e in known}
            return (lambda n: round(_LEFT + _SPAN * min(1.0, (times.get(n) or 0.0) / span), 1)), span
    many = max(1, len(events))
    return (lambda n: round(_LEFT + _SPAN * min(1.0, (n - 0.5) / many), 1)), None


def _strips(session: Session, at: Callable[[int], float]) -> list[Strip]:
    """The phases from end to end, each up to where the next begins."""
    rows = stretches(session.events) if session.cut is None else []
    starts = [at(row.first) for row in rows]
    ends = [*starts[1:], at(rows[-1].last) + 4.0] if rows else []
    return [
        Strip(start, max(1.0, round(end - start, 1)), row.phase, f"{row.phase}: events {row.first} to {row.last}")
        for row, start, end in zip(rows, starts, ends, strict=True)
    ]


def _size(event: SessionEvent) -> float:
    """Radius of an edit by its lines; a read is a small dot."""
    if event.operation == "read":
        return 3.0
    return round(min(10.0, 4.0 + (event.lines_changed or 0) ** 0.5 / 2), 1)


def _colour(event: SessionEvent) -> str:
    if event.failed is not None:
        return "fail" if event.failed else "pass"
    return {"ok": "pass", "error": "fail", "unknown": "open"}[event.status]
