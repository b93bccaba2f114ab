"""What a submission's objects may decide: no more than the reference's do in the same test."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bouts.challenges.reading import Package
from bouts.errors import BadChallenge
from bouts.model.challenge import Boundary, Suite
from bouts.model.judging import Judgement
from bouts.model.running import SuiteReport, TestReport

WORDS: dict[Judgement, str] = {
    "equality": "==",
    "order": "<",
    "membership": "in",
    "truth": "being true",
    "arithmetic": "calculating with what it was given",
    "predicate": "a method that answers yes or no",
    "iteration": "the end of a generator",
    "suppression": "an error that it swallowed",
    "assertion": "a failed assertion of the test that it kept to itself",
    "change": "what it changed of what the test gave it",
}

Allowed = Mapping[str, tuple[Judgement, ...]]
"""By test id, relative to the suite's folder."""


def allowed(package: Package, suite: Suite) -> Allowed:
    """What objects may decide in the tests of a suite. Raises `BadChallenge` where that was never looked at."""
    spec = package.manifest.suites.static if suite is Suite.STATIC else package.manifest.suites.adversarial
    if package.inventory is None or spec.boundary is not Boundary.CALLS:
        return {}
    if package.inventory.judged is None:
        raise BadChallenge(
            "the list of tests does not say what they leave to objects of the code",
            where=str(package.root),
            hint=f"write it anew with: bouts check {package.root} --freeze",
        )
    start = f"{suite.value}/"
    return {t.removeprefix(start): kinds for t, kinds in package.inventory.judged.items() if t.startswith(start)}


def hold(report: SuiteReport, may: Allowed) -> SuiteReport:
    """The report, with every pass failed that the submission's own objects decided and the reference's do not."""
    if not report.judged:
        return report
    return report.model_copy(update={"tests": tuple(_held(test, report, may) for test in report.tests)})


def _held(test: TestReport, report: SuiteReport, may: Allowed) -> TestReport:
    judged = report.judged.get(test.id)
    if test.outcome != "passed" or judged is None:
        return test
    more = [WORDS[kind] for kind in judged.asked if kind not in may.get(test.id, ()) and kind != "change"]
    if not more:
        return test
    message = (
        f"objects of the submission decide this test themselves ({', '.join(more)}), which those of the reference do "
        "not: give plain data instead"
    )
    return test.model_copy(update={"outcome": "failed", "message": message})


def withheld(
    report: SuiteReport, may: Allowed, again: Callable[[tuple[str, ...]], SuiteReport]
) -> tuple[SuiteReport, SuiteReport | None]:
    """The report, and the run that it took to hold its passes against changes that the reference does not make.

    A test may take what it expects from what it gave: `assert order(xs) == sorted(xs)`. Where the submission changed an
    argument in place, or a file that the test had written, and the reference does not, the test must pass without these
    changes, too. `again` runs tests in that way.
    """
    passed = {test.id for test in report.tests if test.outcome == "passed"}
    changed = tuple(
        test
        for test, judged in report.judged.items()
        if test in passed and "change" in judged.asked and "change" not in may.get(test, ())
    )
    if not changed:
        return report, None
    second = again(changed)
    outcomes = {test.id: test for test in hold(second, may).tests}
    tests = tuple(_kept(test, outcomes.get(test.id)) if test.id in changed else test for test in report.tests)
    return report.model_copy(update={"tests": tests}), second


def _kept(test: TestReport, again: TestReport | None) -> TestReport:
    if again is not None and again.outcome in ("passed", "infrastructure"):
        return test if again.outcome == "passed" else again
    message = (
        "this test passes only because the submission changed what the test had given it, which the reference does not"
    )
    return test.model_copy(update={"outcome": "failed", "message": message})
