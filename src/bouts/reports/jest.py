"""The JSON that Jest writes, and Vitest's json reporter after it."""

from __future__ import annotations

from bouts.model.reports import ReportedOutcome
from bouts.reports.collecting import Collector, Unreadable, milliseconds, whole
from bouts.reports.documents import Object, an_object, document, objects, starts_like, text

_OUTCOMES: dict[str, ReportedOutcome] = {
    "passed": "passed",
    "failed": "failed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
    "focused": "other",
}


def looks(data: bytes) -> bool:
    """Whether this may be such a document."""
    return starts_like(data) and (b'"testResults"' in data[:256_000] or b'"numTotalTests"' in data[:64_000])


def read(data: bytes, into: Collector) -> None:
    """Gather the assertion results. Raises `Unreadable`."""
    body = an_object(document(data))
    if not isinstance(body.get("testResults"), list):
        raise Unreadable("there is no list testResults")
    counted = passed = 0
    for file in objects(body["testResults"]):
        path = text(file.get("name"))
        rows = list(objects(file.get("assertionResults")))
        if not rows and text(file.get("status")) == "failed":
            into.test(path or "(a file)", "error", None, text(file.get("message")))
        for row in rows:
            outcome = _outcome(row, into)
            counted, passed = counted + 1, passed + (outcome == "passed")
            into.test(_name(path, row), outcome, milliseconds(row.get("duration")), text(row.get("failureMessages")))
    for key, found in (("numTotalTests", counted), ("numPassedTests", passed)):
        told = whole(body.get(key))
        if told is not None and told != found:
            into.differs(f"{key} is {told}, and the list has {found}")


def _outcome(row: Object, into: Collector) -> ReportedOutcome:
    outcome = _OUTCOMES.get(text(row.get("status")))
    if outcome is None:
        into.differs("some tests have no status that the format knows")
    return outcome or "other"


def _name(path: str, row: Object) -> str:
    above = text(row.get("ancestorTitles"))
    title = text(row.get("title")) or text(row.get("fullName"))
    inner = f"{above} > {title}" if above else title
    return f"{path}::{inner}" if path else inner
