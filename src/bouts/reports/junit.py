"""JUnit XML. No document type is accepted, so no entity can be declared, expanded or fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from bouts.model.reports import ReportedOutcome
from bouts.reports.collecting import DEPTH, MESSAGE, ORDER, Collector, Unreadable, whole

ELEMENTS = 1_000_000
_ROOTS = frozenset({"testsuites", "testsuite"})
_SAID: dict[str, ReportedOutcome] = {"skipped": "skipped", "failure": "failed", "error": "error"}


def looks(data: bytes) -> bool:
    """Whether this is XML with suites of tests near its beginning."""
    head = data[:64_000].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return head.startswith(b"<") and (b"<testsuite" in head or b"<testcase" in head)


def read(data: bytes, into: Collector) -> None:
    """Gather the test cases. Raises `Unreadable`."""
    parser = expat.ParserCreate()
    state = _Reading(into)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    parser.SkippedEntityHandler = _refuse
    parser.StartElementHandler = state.begin
    parser.EndElementHandler = state.end
    parser.CharacterDataHandler = state.text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Unreadable(f"no XML at line {error.lineno}, column {error.offset}") from error
    except (ValueError, LookupError, OverflowError) as error:
        # An encoding that the declaration names and that is none, or none of one byte a character.
        raise Unreadable("no XML in an encoding that is read") from error


def _refuse(*_: object) -> NoReturn:
    raise Unreadable("it has a document type or entities, which no test report needs")


@dataclass(slots=True)
class _Suite:
    name: str
    declared: int | None
    direct: int = 0
    within: int = 0


@dataclass(slots=True)
class _Case:
    name: str
    time: str | None
    depth: int
    outcome: ReportedOutcome = "passed"
    message: str = ""
    text: list[str] = field(default_factory=list[str])
    room: int = MESSAGE


class _Reading:
    def __init__(self, into: Collector) -> None:
        self._into = into
        self._depth = 0
        self._elements = 0
        self._suites: list[_Suite] = []
        self._case: _Case | None = None
        self._listens = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > DEPTH:
            raise Unreadable(f"nested deeper than {DEPTH} elements")
        if self._elements > ELEMENTS:
            raise Unreadable(f"more than {ELEMENTS:,} elements")
        kind = name.rpartition(":")[2]
        if self._depth == 1 and kind not in _ROOTS:
            raise Unreadable("its root is no suite of tests")
        if self._case is not None:
            self._inside(self._case, kind, attributes)
        elif kind in _ROOTS:
            self._suites.append(_Suite(attributes.get("name", ""), whole(attributes.get("tests"))))
        elif kind == "testcase":
            self._begin_case(attributes)

    def _begin_case(self, attributes: dict[str, str]) -> None:
        own = attributes.get("name")
        owner = attributes.get("classname") or attributes.get("class") or attributes.get("file") or ""
        if own is None:
            self._into.differs("some test cases have no name")
        self._case = _Case(f"{owner}::{own or ''}" if owner else own or "", attributes.get("time"), self._depth)

    def _inside(self, case: _Case, kind: str, attributes: dict[str, str]) -> None:
        if kind == "testcase":
            raise Unreadable("a test case within a test case")
        outcome = _SAID.get(kind) if self._depth == case.depth + 1 else None
        self._listens = outcome is not None and ORDER[outcome] >= ORDER[case.outcome]
        if outcome is not None and self._listens:
            case.outcome = outcome
            case.message = attributes.get("message", "")[: MESSAGE + 1]
            case.text.clear()
            case.room = MESSAGE + 1

    def text(self, data: str) -> None:
        case = self._case
        if case is not None and self._listens and case.room > 0:
            case.text.append(data[: case.room])
            case.room -= len(data)

    def end(self, name: str) -> None:
        kind = name.rpartition(":")[2]
        case = self._case
        if case is not None:
            self._listens = False
            if self._depth == case.depth:
                self._end_case(case)
        elif kind in _ROOTS and self._suites:
            self._end_suite(self._suites.pop())
        self._depth -= 1

    def _end_case(self, case: _Case) -> None:
        self._case = None
        said = "".join(case.text)
        both = case.message if case.message and case.message in said else f"{case.message}\n{said}"
        self._into.test(case.name, case.outcome, case.time, said if both == case.message else both)
        if self._suites:
            self._suites[-1].direct += 1
            self._suites[-1].within += 1

    def _end_suite(self, suite: _Suite) -> None:
        if self._suites:
            self._suites[-1].within += suite.within
        if suite.declared is not None and suite.declared not in (suite.direct, suite.within):
            named = f"suite {suite.name!r}" if suite.name else "a suite"
            self._into.differs(f"{named} says that it has {suite.declared} tests, and tells of {suite.within}")
