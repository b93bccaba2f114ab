"""Stability: did the run crash, or warn? Derived from how tests ended and from what escaped while they ran."""

from __future__ import annotations

from bouts.model.evidence import Evidence, TestFacts
from bouts.policy.six_component import StabilityTable
from bouts.scoring.exact import exact, show
from bouts.scoring.hidden import Curtain
from bouts.scoring.parts import Part

_KEY, _LABEL = "stability", "Stability"
_CRASHES = {"crashed": "the code under test died", "timeout": "a time limit was exceeded"}
_SHOWN = 2


def stability(share: float, table: StabilityTable, evidence: Evidence, curtain: Curtain) -> Part:
    """Crashed, warned or clean; unscored where nothing crashed and nobody listened for warnings."""
    crashes, records = _crashes(evidence)
    if crashes:
        return _part(share, table.crashed, f"The run crashed: {'; '.join(crashes)}.", records)
    warned = [suite for suite in evidence.suites if suite.warnings]
    if warned:
        # Without the message: under a hidden test it may repeat that test's input.
        places = sorted({_place(text) for suite in warned for text in suite.warnings or ()})
        said = "; ".join(curtain.text(place, 120) for place in places[:_SHOWN])
        more = f", and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        records = [f"suite:{suite.suite.value}" for suite in warned]
        return _part(share, table.warned, f"Nothing crashed, but there were warnings: {said}{more}.", records)
    if not evidence.suites or any(suite.warnings is None for suite in evidence.suites):
        why = "Not judged: nothing crashed, but nobody listened for warnings."
        return Part(_KEY, _LABEL, exact(share), None, f"{why} Its weight is shared between the others.", "not_judged")
    records = [f"suite:{suite.suite.value}" for suite in evidence.suites]
    return _part(share, table.clean, "Nothing crashed, and there were no warnings.", records)


def _place(warning: str) -> str:
    """Path, line and kind of a warning."""
    return ": ".join(warning.split(": ")[:2])


def _part(share: float, score: float, because: str, records: list[str]) -> Part:
    return Part(_KEY, _LABEL, exact(share), exact(score), because, "measured", show(score), records)


def _crashes(evidence: Evidence) -> tuple[list[str], list[str]]:
    """What crashed, with records that show it; hidden tests are only counted."""
    said, records = list[str](), list[str]()
    for outcome, words in _CRASHES.items():
        tests = [test for test in evidence.tests if outcome in (test.outcome, test.second)]
        if tests:
            said.append(f"{words} in {len(tests)} test{'s' if len(tests) > 1 else ''}")
            records += _records(tests)
    for fact in evidence.build:
        if fact.check == "exceptions" and not fact.ok:
            said.append("an exception escaped while the suites ran")
            records.append("build:exceptions")
    return said, list(dict.fromkeys(records))


def _records(tests: list[TestFacts]) -> list[str]:
    visible = sorted(f"test:static/{test.id}" for test in tests if test.suite.value == "static")
    return visible if len(visible) == len(tests) else [*visible, "suite:adversarial"]
