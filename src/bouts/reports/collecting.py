"""Tests of a report as they are gathered: bounded in number and size, escaped, each id once."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from bouts.model.reports import Reported, ReportedOutcome, ReportedTest, ReportFormat
from bouts.model.text import clean, clean_line

BYTES = 16 << 20
"""Largest report that is read."""
TESTS = 100_000
"""Tests of one report."""
POINTS = 4 * TESTS
"""Tests with those that only hold others."""
LINES = 2_000_000
LINE = 10_000
"""Characters of a line; the rest of a longer one is left out."""
DEPTH = 64
"""Levels of nesting."""
ID = 500
"""Characters of a test's id; a longer one is cut and told apart by a digest."""
NAME = 4_000
"""Characters of a name that are looked at for an id."""
MESSAGE = 2_000
MESSAGES = 2_000_000
"""Characters of all messages of a report; later ones are left out, and that is said."""
DISCREPANCIES = 20
SECONDS = 10.0**9
"""No test takes longer; larger numbers are none."""
ORDER: Mapping[ReportedOutcome, int] = {"passed": 0, "skipped": 1, "other": 2, "failed": 3, "error": 4}
"""Of several outcomes that one test is told to have, the largest counts."""
_NUMBER = re.compile(r"\d{1,12}(?:,\d{3}){0,3}(?:\.\d{0,20})?(?:[eE][-+]?\d{1,2})?", re.ASCII)


class Unreadable(Exception):
    """A report that cannot be read: what is wrong with it, in words."""


@dataclass(slots=True)
class _Told:
    outcome: ReportedOutcome
    times: int
    seconds: float | None
    message: str


class Collector:
    """Takes what a reader finds, in any order and of any size."""

    def __init__(self, form: ReportFormat) -> None:
        self.form: ReportFormat = form
        self._tests: dict[str, _Told] = {}
        self._notes: dict[str, None] = {}
        self._room = MESSAGES

    def __len__(self) -> int:
        return len(self._tests)

    def test(self, name: str, outcome: ReportedOutcome, seconds: object = None, message: str = "") -> None:
        """One test. Raises `Unreadable` where there are too many."""
        key = _id(name)
        known = self._tests.get(key)
        if known is None:
            if len(self._tests) >= TESTS:
                raise Unreadable(f"it tells of more than {TESTS:,} tests")
            self._tests[key] = _Told(outcome, 1, self._seconds(seconds), self._message(outcome, message))
            return
        known.times += 1
        if ORDER[outcome] > ORDER[known.outcome]:
            known.outcome = outcome
            known.message = known.message or self._message(outcome, message)

    def differs(self, what: str) -> None:
        """Something that the report contradicts itself in, or lacks."""
        if len(self._notes) < DISCREPANCIES and what not in self._notes:
            self._notes[what] = None

    def reported(self) -> Reported:
        """Everything that was told. Raises `Unreadable` where that is no test."""
        if not self._tests:
            raise Unreadable("it tells of no test")
        twice = [name for name, told in self._tests.items() if told.times > 1]
        if twice:
            more = f" and {len(twice) - 3} more" if len(twice) > 3 else ""
            self.differs(f"{len(twice)} tests are told more than once: {', '.join(twice[:3])}{more}")
        notes = tuple(clean_line(note[:1_000], 300) for note in self._notes)
        tests = (
            ReportedTest(id=name, outcome=t.outcome, times=t.times, seconds=t.seconds, message=t.message)
            for name, t in self._tests.items()
        )
        return Reported(format=self.form, tests=tuple(tests), discrepancies=notes)

    def _message(self, outcome: ReportedOutcome, text: str) -> str:
        if outcome == "passed" or not text:
            return ""
        shown = clean(text[: 2 * MESSAGE].strip(), MESSAGE) if self._room else ""
        if len(shown) >= self._room:
            self.differs("messages beyond two million characters are left out")
            self._room = 0
            return ""
        self._room -= len(shown)
        return shown

    def _seconds(self, value: object) -> float | None:
        if value is None:
            return None
        number = _number(value)
        if number is None or not 0 <= number <= SECONDS:
            self.differs("some durations are no numbers of seconds")
            return None
        return number


def _id(name: str) -> str:
    head = name[:NAME]
    shown = head if head.isascii() and head.isprintable() else clean_line(head, 10 * NAME)
    if len(shown) <= ID and len(name) <= NAME:
        return shown or "(no name)"
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{shown[: ID - 14]}…~{digest}"


def _number(value: object) -> float | None:
    """A finite number, or `None`. Booleans are none; texts may group thousands by commas."""
    if isinstance(value, str):
        text = value.strip()
        return float(text.replace(",", "")) if len(text) < 64 and _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int) and abs(value) > 10**15:
        return None
    return float(value) if math.isfinite(value) else None


def whole(value: object) -> int | None:
    """A count, or `None`."""
    number = _number(value)
    return int(number) if number is not None and number >= 0 and number == int(number) else None


def milliseconds(value: object) -> object:
    """Seconds of a number of milliseconds; what is none stays as it is."""
    number = _number(value)
    return value if number is None else number / 1000


def text_of(data: bytes) -> str:
    """The bytes as text; what is no UTF-8 is replaced. UTF-16 is known by its mark."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def lines_of(data: bytes, longest: int = LINE) -> Iterator[str]:
    """The lines of a text, one at a time, cut to `longest` characters. Raises `Unreadable` where there are too many."""
    if data.count(b"\n") > LINES:
        raise Unreadable(f"more than {LINES:,} lines")
    text, at = text_of(data), 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at : min(end, at + longest)].rstrip("\r")
        at = end + 1
