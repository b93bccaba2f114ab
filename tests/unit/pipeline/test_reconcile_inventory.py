from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bouts.model.running import TestReport as Report
from bouts.pipeline.inventory import reconcile

NAMES = st.sampled_from("abcdef")
OUTCOMES = st.sampled_from(["passed", "failed", "timeout", "infrastructure"])
REPORTS = st.lists(st.builds(Report, id=NAMES, outcome=OUTCOMES, seconds=st.just(0.5)), max_size=12)


@given(st.lists(NAMES, unique=True), REPORTS)
def test_every_planned_test_counts_exactly_once(planned: list[str], reports: list[Report]) -> None:
    verdicts, unknown = reconcile(planned, reports)
    times = Counter(report.id for report in reports)
    assert list(verdicts) == planned
    assert set(unknown) == set(times) - set(planned)
    for test, verdict in verdicts.items():
        assert verdict.id == test
        if times[test] == 1:
            assert verdict in reports
        else:
            assert verdict.outcome == ("missing" if times[test] == 0 else "duplicated")


def test_a_pass_reported_twice_is_none() -> None:
    passed = Report(id="a", outcome="passed", seconds=1.0)
    verdicts, unknown = reconcile(["a"], [passed, passed])
    assert verdicts["a"].outcome == "duplicated"
    assert "2 times" in verdicts["a"].message
    assert unknown == ()
