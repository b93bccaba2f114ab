"""`go test -json`: one event a line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

from bouts.model.reports import ReportedOutcome
from bouts.reports.collecting import MESSAGE, POINTS, Collector, Unreadable, lines_of
from bouts.reports.documents import Object, an_object, starts_like, text, value

_OUTCOMES: dict[str, ReportedOutcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_OUTPUT = 8_000_000
"""Characters of output that are held while it is not known whether their test fails."""

LINE = 1 << 20
"""Characters of one event."""
UNREAD = 100_000
"""Lines that are no events before the whole is none."""


def looks(data: bytes) -> bool:
    """Whether the first line is such an event."""
    first = data[:64_000].partition(b"\n")[0]
    return starts_like(data) and b'"Action"' in first


def read(data: bytes, into: Collector) -> None:
    """Gather the tests: of those with subtests only the innermost, or the outer one where it alone failed.
    Raises `Unreadable`."""
    state = _Reading(into)
    for line in lines_of(data, LINE):
        if line.strip():
            state.line(line)
    state.close()


class _Reading:
    def __init__(self, into: Collector) -> None:
        self._into = into
        self._output: dict[str, list[str]] = {}
        self._room: dict[str, int] = {}
        self._held = self._unread = 0
        self._open: dict[str, None] = {}
        self._ended: list[tuple[str, ReportedOutcome, object]] = []

    def line(self, line: str) -> None:
        try:
            event = an_object(value(line))
        except Unreadable:
            self._into.differs("some lines are no events")
            self._unread += 1
            if self._unread > UNREAD:
                raise Unreadable(f"more than {UNREAD:,} lines are no events") from None
            return
        package, test, action = text(event.get("Package")), text(event.get("Test")), text(event.get("Action"))
        if not test:
            return
        name = f"{package}::{test}" if package else test
        if action == "output":
            self._heard(name, event)
        elif action == "run":
            self._open[name] = None
        elif action in _OUTCOMES:
            if len(self._ended) >= POINTS:
                raise Unreadable(f"it tells of more than {POINTS:,} tests")
            self._open.pop(name, None)
            self._ended.append((name, _OUTCOMES[action], event.get("Elapsed")))

    def _heard(self, name: str, event: Object) -> None:
        said, room = text(event.get("Output")), self._room.get(name, MESSAGE)
        if room > 0 and self._held < _OUTPUT:
            self._output.setdefault(name, []).append(said[:room])
            self._room[name] = room - len(said)
            self._held += min(len(said), room) + 100

    def close(self) -> None:
        nested = _Nested((name, outcome == "failed") for name, outcome, _ in self._ended)
        for name, outcome, seconds in self._ended:
            inner, failed = nested.below(name)
            if not inner or (outcome == "failed" and not failed):
                self._into.test(name, outcome, seconds, "".join(self._output.get(name, ())))
        for name in self._open:
            if not nested.below(name)[0]:
                self._into.differs(f"a test began and did not end: {name[:100]}")
                self._into.test(name, "error", None, "it began and did not end")


class _Nested:
    """Tests in an order in which subtests follow at once upon the test that they are part of."""

    def __init__(self, tests: Iterable[tuple[str, bool]]) -> None:
        rows = sorted((name.replace("/", "\0"), failed) for name, failed in tests)
        self._names = [name for name, _ in rows]
        self._failures = [0, *accumulate(int(failed) for _, failed in rows)]

    def below(self, name: str) -> tuple[int, int]:
        """How many subtests a test has, on all levels, and how many of them failed."""
        start = name.replace("/", "\0")
        first, end = bisect_left(self._names, f"{start}\0"), bisect_left(self._names, f"{start}\1")
        return end - first, self._failures[end] - self._failures[first]
