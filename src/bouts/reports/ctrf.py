"""CTRF, the Common Test Report Format."""

from __future__ import annotations

from collections import Counter

from bouts.model.reports import ReportedOutcome
from bouts.reports.collecting import Collector, Unreadable, milliseconds, whole
from bouts.reports.documents import Object, an_object, document, objects, starts_like, text

_OUTCOMES: dict[str, ReportedOutcome] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "pending": "skipped",
    "other": "other",
}


def looks(data: bytes) -> bool:
    """Whether this may be such a document."""
    head = data[:64_000]
    return starts_like(data) and b'"results"' in head and (b'"tool"' in head or b'"tests"' in head)


def read(data: bytes, into: Collector) -> None:
    """Gather the tests. Raises `Unreadable`."""
    results = an_object(an_object(document(data)).get("results"))
    if not isinstance(results.get("tests"), list):
        raise Unreadable("there is no list results.tests")
    seen: Counter[str] = Counter()
    for row in objects(results["tests"]):
        status = text(row.get("status"))
        outcome = _OUTCOMES.get(status)
        if outcome is None:
            into.differs("some tests have no status that the format knows")
            outcome = "other"
        seen[status] += 1
        message = "\n".join(part for part in (text(row.get("message")), text(row.get("trace"))) if part)
        into.test(_name(row), outcome, milliseconds(row.get("duration")), message)
    _summed(an_object(results.get("summary")), seen, into)


def _name(row: Object) -> str:
    parts = (text(row.get("filePath")) or text(row.get("filepath")), text(row.get("suite")), text(row.get("name")))
    return "::".join(part for part in parts if part)


def _summed(summary: Object, seen: Counter[str], into: Collector) -> None:
    for key in ("tests", "passed", "failed", "skipped", "pending", "other"):
        told = whole(summary.get(key))
        found = seen.total() if key == "tests" else seen[key]
        if told is not None and told != found:
            into.differs(f"the summary counts {told} {key}, and the list {found}")
