"""Which reader reads a report, and what all of them share: bounds, escaping, one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

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
    chosen = form or _detected(data)
    if chosen is None:
        raise Unreadable("it is of no known format")
    into = Collector(chosen)
    _reader(chosen)(data, into)
    return into.reported()


def _detected(data: bytes) -> ReportFormat | None:
    from bouts.reports import ctrf, gotest, jest, junit, logs, tap

    looks: dict[ReportFormat, Callable[[bytes], bool]] = {
        "junit": junit.looks,
        "ctrf": ctrf.looks,
        "jest": jest.looks,
        "go": gotest.looks,
        "tap": tap.looks,
        "log": logs.looks,
    }
    return next((form for form, alike in looks.items() if alike(data)), None)


def _reader(form: ReportFormat) -> Callable[[bytes, Collector], None]:
    from bouts.reports import ctrf, gotest, jest, junit, logs, tap

    readers: dict[ReportFormat, Callable[[bytes, Collector], None]] = {
        "junit": junit.read,
        "tap": tap.read,
        "ctrf": ctrf.read,
        "jest": jest.read,
        "go": gotest.read,
        "log": logs.read,
    }
    return readers[form]
