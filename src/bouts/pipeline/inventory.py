"""Verdicts by enumeration: every test of the inventory counts exactly once, whatever was reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bouts.model.running import TestReport


def reconcile(planned: Iterable[str], reports: Iterable[TestReport]) -> tuple[dict[str, TestReport], tuple[str, ...]]:
    """Hold what was reported against the inventory.

    Returns one report for each planned test, and the ids that nobody planned. A test that was not reported is
    `missing`, one that was reported more than once is `duplicated`; neither is ever a pass.
    """
    wanted = list(planned)
    reported = list(reports)
    times = Counter(report.id for report in reported)
    by_id = {report.id: report for report in reported}
    verdicts: dict[str, TestReport] = {}
    for test in wanted:
        match times[test]:
            case 0:
                verdicts[test] = TestReport(
                    id=test, outcome="missing", seconds=0.0, message="the test was not reported"
                )
            case 1:
                verdicts[test] = by_id[test]
            case count:
                verdicts[test] = TestReport(
                    id=test, outcome="duplicated", seconds=0.0, message=f"the test was reported {count} times"
                )
    unknown = tuple(sorted(set(times) - set(wanted)))
    return verdicts, unknown
