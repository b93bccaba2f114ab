"""Tests counted: the two suites, what passed, and what a card may say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter

from bouts.model.base import made
from bouts.model.card import HiddenCount, TestCounts
from bouts.model.challenge import Pattern, Severity, Suite
from bouts.model.evidence import TestFacts
from bouts.policy.parts import HiddenMeaning, SeverityWeights
from bouts.scoring.exact import ZERO, exact, less, ratio_of, rational, show, sum_of
from bouts.scoring.hidden import safe
from bouts.scoring.parts import EVIDENCE_SHOWN, Part

_SHOWN = 4
_DECIDES = attrgetter("decides")
_FINE = frozenset({None, "passed"})


@dataclass(slots=True)
class Group:
    """Hidden tests of one severity or pattern."""

    group: str
    total: int
    failed: int

    def fact(self) -> HiddenCount:
        """The group as the card keeps it."""
        return made(HiddenCount, group=self.group, passed=self.total - self.failed, total=self.total)


@dataclass(slots=True)
class Tally:
    """The tests of an evidence, sorted into those that passed and those that did not."""

    static: list[TestFacts] = field(default_factory=list[TestFacts])
    static_failed: list[TestFacts] = field(default_factory=list[TestFacts])
    adversarial: list[TestFacts] = field(default_factory=list[TestFacts])
    adversarial_failed: list[TestFacts] = field(default_factory=list[TestFacts])
    differing: list[TestFacts] = field(default_factory=list[TestFacts])
    """Tests that passed in one look and not in the other."""
    unmeasured: list[TestFacts] = field(default_factory=list[TestFacts])
    """Tests that a fault of ours kept from being run."""
    decided: int = 0
    """Tests that take part in `solved`."""
    undecided: int = 0
    """Those of them that did not pass."""
    severities: list[Group] = field(default_factory=list[Group])
    """Hidden tests by severity, the worst first."""
    patterns: list[Group] = field(default_factory=list[Group])
    """Hidden tests by pattern."""


def passed(test: TestFacts) -> bool:
    """Whether a test passed in every look there was."""
    return test.outcome == "passed" and test.second in _FINE


def tally(tests: Sequence[TestFacts]) -> Tally:
    """Count the tests."""
    visible, middle = Suite.STATIC, Severity.MEDIUM
    lost = [test for test in tests if not passed(test)]
    hidden = [test for test in tests if test.suite is not visible]
    failed = [test for test in lost if test.suite is not visible]
    return Tally(
        static=[test for test in tests if test.suite is visible],
        static_failed=[test for test in lost if test.suite is visible],
        adversarial=hidden,
        adversarial_failed=failed,
        differing=[test for test in lost if _differs(test.outcome, test.second)],
        unmeasured=[test for test in lost if "infrastructure" in (test.outcome, test.second)],
        decided=sum(map(_DECIDES, tests)),
        undecided=sum(map(_DECIDES, lost)),
        # A rubric names a severity for every hidden test; evidence made without one counts as the middle.
        severities=_groups(
            Severity, [test.severity or middle for test in hidden], [test.severity or middle for test in failed]
        ),
        patterns=_groups(Pattern, [test.pattern for test in hidden], [test.pattern for test in failed]),
    )


def _differs(first: str, second: str | None) -> bool:
    looks = (first, second)
    return second is not None and "passed" in looks and "infrastructure" not in looks


def _groups(kinds: Iterable[StrEnum], tests: Iterable[StrEnum | None], failed: Iterable[StrEnum | None]) -> list[Group]:
    # Members of an enumeration are one of a kind; counting them by themselves would hash each in Python.
    total, lost = Counter(map(id, tests)), Counter(map(id, failed))
    return [Group(kind.value, total[id(kind)], lost[id(kind)]) for kind in kinds if id(kind) in total]


def static(key: str, share: float, counted: Tally) -> Part:
    """Points of the visible tests that passed, over the points of all. All or nothing for each test."""
    tests, failed = counted.static, counted.static_failed
    if not tests:
        return _none(key, "Static tests", share, "The challenge has no visible tests.")
    total = _points(tests)
    got = total - _points(failed)
    score = _percent(got, total)
    worst = sorted(failed, key=lambda test: (-test.points, test.id))
    because = f"{len(tests) - len(failed)} of {len(tests)} visible tests passed"
    if total != len(tests):
        because += f", worth {show(got)} of {show(total)} points"
    return Part(
        key,
        "Static tests",
        exact(share),
        score,
        f"{because}.{_failures(worst)}",
        formula=f"100·{show(got)}/{show(total)} = {show(score)}",
        evidence=[f"test:static/{test.id}" for test in worst[:EVIDENCE_SHOWN]] or ["suite:static"],
    )


def _failures(failed: list[TestFacts]) -> str:
    if not failed:
        return ""
    names = ", ".join(f"{safe(test.id.rpartition('::')[2], 80)}{_how(test)}" for test in failed[:_SHOWN])
    more = f", and {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
    return f" Failed: {names}{more}."


def _how(test: TestFacts) -> str:
    if test.outcome == "passed":
        return " (in the second look)"
    return "" if test.outcome == "failed" else f" ({test.outcome})"


def adversarial(key: str, share: float, weights: SeverityWeights, meaning: HiddenMeaning, counted: Tally) -> Part:
    """Severity weight of the hidden tests that passed, over the weight of all. Only counts leave this function."""
    tests, failed = counted.adversarial, counted.adversarial_failed
    if not tests:
        return _none(key, "Hidden adversarial tests", share, "The challenge has no hidden tests.")
    groups = counted.severities
    by = [(exact(getattr(weights, group.group)), group) for group in groups]
    got = sum_of(*((weight, group.total - group.failed) for weight, group in by))
    total = sum_of(*((weight, group.total) for weight, group in by))
    score = _percent(got, total)
    because = (
        f"{show(got)} of {show(total)} weighted points: {len(tests) - len(failed)} of {len(tests)} hidden tests passed."
    )
    if failed:
        named = ", ".join(f"{g.failed} of {g.total} {g.group}" for g in groups if g.failed)
        ways = ", ".join(f"{g.group} {g.failed} of {g.total}" for g in counted.patterns if g.failed)
        because += f" Failed: {named}" + (f"; by pattern: {ways}." if ways else ".")
    if not less(exact(meaning.fails_at), score):
        because += " Code like this would fail in production within days."
    elif not less(score, exact(meaning.defensive_from)):
        because += " This is defensive programming."
    return Part(
        key,
        "Hidden adversarial tests",
        exact(share),
        score,
        because,
        formula=f"100·{show(got)}/{show(total)} = {show(score)}",
        evidence=["suite:adversarial"],
    )


def counts(counted: Tally) -> TestCounts:
    """The tests as a reader of a card may see them."""
    return made(
        TestCounts,
        static_passed=len(counted.static) - len(counted.static_failed),
        static_total=len(counted.static),
        adversarial_passed=len(counted.adversarial) - len(counted.adversarial_failed),
        adversarial_total=len(counted.adversarial),
        by_severity=tuple(g.fact() for g in counted.severities),
        by_pattern=tuple(g.fact() for g in counted.patterns),
    )


def _points(tests: list[TestFacts]) -> Fraction:
    return sum_of(*Counter([test.points for test in tests]).items())


def _percent(part: Fraction, whole: Fraction) -> Fraction:
    (a, b), (c, d) = ratio_of(part), ratio_of(whole)
    return rational(100 * a * d, b * c) if c else ZERO


def _none(key: str, label: str, share: float, because: str) -> Part:
    return Part(key, label, exact(share), None, because, "not_applicable")
