"""TAP, versions 13 and 14, with subtests. Diagnostics are kept as text; their YAML is not interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bouts.model.reports import ReportedOutcome
from bouts.reports.collecting import (
    DEPTH,
    MESSAGE,
    NAME,
    POINTS,
    Collector,
    Unreadable,
    lines_of,
    milliseconds,
    text_of,
)

LEVEL = 4
"""Spaces by which a subtest is indented."""
_POINT = re.compile(r"(not )?ok\b(?:[ \t]+(\d{1,12})\b)?[ \t]*(?:-[ \t]*)?(.*)", re.ASCII)
_PLAN = re.compile(r"1\.\.(\d{1,12})[ \t]*(#.*)?", re.ASCII)
_DIRECTIVE = re.compile(r"(?<!\\)#[ \t]*(skip|todo)\w*\b(.*)", re.ASCII | re.IGNORECASE)
_DURATION = re.compile(r"[ \t]*duration_ms:[ \t]*['\"]?([\d.]{1,30})['\"]?[ \t]*")
_HEAD = 64_000


def looks(data: bytes) -> bool:
    """Whether lines near the beginning are a version of TAP, or a plan and a test point."""
    lines = text_of(data[:_HEAD]).splitlines()
    if any(line.startswith("TAP version ") for line in lines[:50]):
        return True
    points = any(_POINT.fullmatch(line) for line in lines)
    return points and (len(data) > _HEAD or any(_PLAN.fullmatch(line) for line in lines))


@dataclass(slots=True)
class _Point:
    name: str
    outcome: ReportedOutcome
    message: list[str] = field(default_factory=list[str])
    room: int = MESSAGE
    duration: str | None = None
    children: list[_Point] = field(default_factory=list["_Point"])

    @property
    def failed_within(self) -> bool:
        """Whether a subtest failed."""
        return any(child.outcome == "failed" or child.failed_within for child in self.children)


@dataclass(slots=True)
class _Level:
    points: list[_Point] = field(default_factory=list[_Point])
    planned: int | None = None
    numbers: set[int] = field(default_factory=set[int])


def read(data: bytes, into: Collector) -> None:
    """Gather the test points: of those with subtests only the innermost, or the outer one where it alone failed.
    Raises `Unreadable`."""
    _Reading(into).read(lines_of(data))


class _Reading:
    def __init__(self, into: Collector) -> None:
        self._into = into
        self._levels = [_Level()]
        self._last: _Point | None = None
        self._points = 0
        self._block: int | None = None
        """Indentation of the diagnostics that are being read."""

    def read(self, lines: Iterator[str]) -> None:
        for line in lines:
            if self._block is not None and self._diagnostics(line):
                continue
            if not self._line(line):
                self._into.differs(f"it ends early: {line.strip()[:200]}")
                break
        while len(self._levels) > 1:
            self._orphans()
        self._close(self._levels[0], "")

    def _line(self, line: str) -> bool:
        """Take one line; whether more may follow."""
        plain = line.lstrip(" ")
        indent = len(line) - len(plain)
        if plain.startswith("Bail out!"):
            return False
        depth, odd = divmod(indent, LEVEL)
        if plain == "---" and self._last is not None:
            self._block = indent
        elif odd == 0 and depth < DEPTH and (plain.startswith(("ok", "not ok", "1.."))):
            self._structure(plain, depth)
        elif odd == 0 and depth >= DEPTH and plain.startswith(("ok", "not ok")):
            self._into.differs(f"subtests deeper than {DEPTH} levels are left out")
        return True

    def _diagnostics(self, line: str) -> bool:
        """Take a line of diagnostics; whether it is one."""
        assert self._block is not None and self._last is not None
        plain = line.lstrip(" ")
        if plain and len(line) - len(plain) < self._block:
            self._block = None
            return False
        if plain == "...":
            self._block = None
            return True
        found = _DURATION.fullmatch(line) if len(line) < 200 else None
        if found:
            self._last.duration = found[1]
        elif self._last.outcome == "failed" and self._last.room > 0:
            cut = line[self._block : self._block + self._last.room]
            self._last.message.append(cut)
            self._last.room -= len(cut) + 1
        return True

    def _structure(self, plain: str, depth: int) -> None:
        plan, point = _PLAN.fullmatch(plain), _POINT.fullmatch(plain)
        if plan is None and point is None:
            return
        while len(self._levels) <= depth:
            self._levels.append(_Level())
        if plan is not None:
            while len(self._levels) > depth + 1:
                self._orphans()
            self._plan(self._levels[depth], int(plan[1]))
        elif point is not None:
            while len(self._levels) > depth + 2:
                self._orphans()
            self._point(point, depth)

    def _plan(self, level: _Level, count: int) -> None:
        if level.planned is not None:
            self._into.differs("a plan is told twice")
        level.planned = count

    def _point(self, found: re.Match[str], depth: int) -> None:
        self._points += 1
        if self._points > POINTS:
            raise Unreadable(f"it tells of more than {POINTS:,} tests")
        level = self._levels[depth]
        told = _DIRECTIVE.search(found[3])
        name = (found[3][: told.start()] if told else found[3]).strip().replace("\\#", "#")
        number = int(found[2]) if found[2] else len(level.numbers) + 1
        if number in level.numbers:
            self._into.differs(f"test number {number} is told twice")
        level.numbers.add(number)
        outcome: ReportedOutcome = "skipped" if told else "failed" if found[1] else "passed"
        point = _Point(name or f"#{number}", outcome)
        if told:
            point.message.append(told[2].strip()[:MESSAGE])
        if len(self._levels) == depth + 2:
            inner = self._levels.pop()
            self._check(inner, point.name)
            point.children = inner.points
        level.points.append(point)
        self._last = point

    def _orphans(self) -> None:
        """Subtests that no test point of the level above follows count as they are."""
        inner = self._levels.pop()
        self._into.differs("subtests with no test that they belong to")
        self._check(inner, "")
        self._levels[-1].points += inner.points
        self._last = None

    def _check(self, level: _Level, name: str) -> None:
        where = f" in {name!r}" if name else ""
        if level.planned is None:
            self._into.differs(f"there is no plan{where}")
        elif level.planned != len(level.numbers):
            self._into.differs(f"{level.planned} tests were planned{where}, and {len(level.numbers)} are told")

    def _close(self, level: _Level, prefix: str) -> None:
        self._check(level, "")
        for name, point in _innermost(level.points, prefix):
            seconds = None if point.duration is None else milliseconds(point.duration)
            self._into.test(name, point.outcome, seconds, "\n".join(point.message))


def _innermost(points: list[_Point], prefix: str) -> Iterator[tuple[str, _Point]]:
    for point in points:
        name = f"{prefix}{point.name}"[:NAME]
        if not point.children:
            yield name, point
            continue
        yield from _innermost(point.children, f"{name} > ")
        if point.outcome == "failed" and not point.failed_within:
            yield name, point
