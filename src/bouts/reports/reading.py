"""Which reader reads a report, and what all of them share: bounds, escaping, one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from bouts.errors import BadFile, BadUsage
from bouts.model.reports import Reported, ReportFormat
from bouts.reports.collecting import BYTES, Collector, Unreadable

TITLES: Mapping[ReportFormat, str] = {
    "junit": "JUnit XML, as pytest, Maven, Gradle, go-junit-report, jest-junit and cargo-nextest write it",
    "tap": "TAP 13 and 14, as node:test, prove and tape write it",
    "ctrf": "Common Test Report Format (JSON)",
    "jest": "JSON of Jest and of Vitest's json reporter",
    "go": "go test -json",
    "log": "console output of pytest -v or -rA, unittest -v, go test -v and cargo test",
}
"""The formats that are read."""


def read_report(data: bytes, form: str | None = None, *, where: str) -> Reported:
    """The report in `data`, at most 16 MiB. The format is told by the content where none is named.

    Raises `BadFile`, with `where` as the place, for what is no such report or goes beyond a bound, and `BadUsage` for
    the name of an unknown format. Nothing else is ever raised, whatever the bytes are.
    """
    if form is not None and form not in TITLES:
        raise BadUsage(f"no report format is called {form!r}", hint=f"there are: {', '.join(TITLES)}")
    try:
        return _read(data, cast("ReportFormat | None", form))
    except Unreadable as error:
        known = ", ".join(TITLES)
        raise BadFile(f"not a test report: {error}", where=where, hint=f"formats that are read: {known}") from error


def _read(data: bytes, form: ReportFormat | None) -> Reported:
    if len(data) > BYTES:
        raise Unreadable(f"larger than {BYTES >> 20} MB")
    readers = _readers()
    chosen = form or _detected(data, readers)
    if chosen is None:
        raise Unreadable("it is of no known format")
    into = Collector(chosen)
    readers[chosen].read(data, into)
    return into.reported()


class _Reader(NamedTuple):
    looks: Callable[[bytes], bool]
    read: Callable[[bytes, Collector], None]


def _detected(data: bytes, readers: Mapping[ReportFormat, _Reader]) -> ReportFormat | None:
    return next((name for name, reader in readers.items() if reader.looks(data)), None)


def _readers() -> dict[ReportFormat, _Reader]:
    """In the order in which they are asked whether a report is theirs."""
    from bouts.reports import ctrf, gotest, jest, junit, logs, tap

    return {
        "junit": _Reader(junit.looks, junit.read),
        "ctrf": _Reader(ctrf.looks, ctrf.read),
        "jest": _Reader(jest.looks, jest.read),
        "go": _Reader(gotest.looks, gotest.read),
        "tap": _Reader(tap.looks, tap.read),
        "log": _Reader(logs.looks, logs.read),
    }
