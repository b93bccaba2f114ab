"""What objects of the reference decide is written into the inventory; those of a submission may decide no more."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.challenges.reading import read_challenge
from bouts.errors import BadChallenge
from bouts.model.challenge import Boundary, CallsInterface, Interface, Suite
from bouts.model.judging import Judged, Judgement
from bouts.model.running import SuiteJob, SuiteReport, Target
from bouts.model.running import TestReport as Report
from bouts.pipeline.checking import check
from bouts.pipeline.judging import WORDS, allowed, hold, withheld
from bouts.pipeline.looks import FIRST, SECOND
from bouts.pipeline.progress import Progress
from bouts.pipeline.scratch import Scratch
from bouts.pipeline.suites import SuiteRequest, run_suites

TALLY = Path(__file__).parents[2] / "fixtures" / "word-tally"
HIDDEN = "input/test_ranks.py::test_hidden_ties_by_alphabet"
kinds = st.sets(st.sampled_from(sorted(set(WORDS) - {"change"}))).map(lambda found: tuple(sorted(found)))


def report(asked: tuple[Judgement, ...], outcome: Any = "passed") -> SuiteReport:
    judged = {"a": Judged(asked=asked, put=asked)} if asked else {}
    return SuiteReport(tests=(Report(id="a", outcome=outcome, seconds=0.1, message="m"),), judged=judged)


@given(kinds, kinds)
def test_a_pass_stands_when_the_reference_leaves_as_much_to_objects(asked, may) -> None:
    test = hold(report(asked), {"a": may}).tests[0]
    assert test.outcome == ("passed" if set(asked) <= set(may) else "failed")
    for kind in set(asked) - set(may):
        assert WORDS[kind] in test.message


@given(kinds, st.sampled_from(["failed", "timeout", "crashed", "infrastructure", "skipped"]))
def test_what_did_not_pass_stays_as_it_is(asked, outcome) -> None:
    before = report(asked, outcome)
    assert hold(before, {}).tests == before.tests


def test_both_looks_are_held_to_it() -> None:
    asked: dict[str, tuple[Judgement, ...]] = {FIRST.user: (), SECOND.user: ("equality",)}

    class Runner:
        def run(self, job: SuiteJob, on_test: Any) -> SuiteReport:
            return report(asked[job.look.user])

        def run_all(self, jobs: Any, on_test: Any, turn: Any = None) -> Any:
            return tuple(self.run(job, on_test) for job in jobs)

    target = Target(workspace="/none", interface=Interface(calls=CallsInterface(modules=("a",))))
    request = SuiteRequest(
        target=target,
        tests_folder=Path("/none"),
        suite=Suite.ADVERSARIAL,
        boundary=Boundary.CALLS,
        planned=("a",),
        seed=0,
        second_look=True,
        racing=frozenset({"a"}),
        deadline=time.monotonic() + 60,
    )
    (result,) = run_suites(cast("Any", Runner()), (request,), lambda _: None)
    assert (result.verdicts["a"].outcome, result.second["a"]) == ("passed", "failed")


@pytest.mark.parametrize(
    ("again", "outcome"),
    [("passed", "passed"), ("failed", "failed"), ("timeout", "failed"), ("infrastructure", "infrastructure")],
)
def test_what_passes_by_a_change_must_pass_without_it(again, outcome) -> None:
    first = hold(report(("change",)), {})
    assert first.tests[0].outcome == "passed"
    seen: list[tuple[str, ...]] = []

    def run(tests: tuple[str, ...]) -> SuiteReport:
        seen.append(tests)
        return report((), again)

    held, second = withheld(first, {}, run)
    assert (held.tests[0].outcome, seen) == (outcome, [("a",)])
    assert second is not None


@pytest.mark.parametrize(
    ("asked", "may", "ran"), [(("change",), ("change",), "passed"), ((), (), "passed"), (("change",), (), "failed")]
)
def test_nothing_is_run_again_where_the_reference_changes_as_much_or_nothing_passed(asked, may, ran) -> None:
    before = report(asked, ran)
    assert withheld(before, {"a": may}, lambda tests: pytest.fail("it was run again")) == (before, None)


class FakeRunner:
    """Lists what the inventory lists, and says that one hidden test rests on objects alone."""

    def __init__(self, static: tuple[str, ...], hidden: tuple[str, ...]) -> None:
        self._tests = {Suite.STATIC: static, Suite.ADVERSARIAL: hidden}

    def run(self, job: SuiteJob, on_test: Any) -> SuiteReport:
        if job.collect:
            return SuiteReport(tests=(), collected=self._tests[job.suite])
        tests = tuple(Report(id=test, outcome="passed", seconds=0.1) for test in job.tests)
        judged = {HIDDEN: Judged(asked=(), put=("equality",), alone=True)} if HIDDEN in job.tests else {}
        return SuiteReport(tests=tests, judged=judged)


class Silent(Progress):
    def step(self, item: str, what: str, done: int, total: int) -> None: ...
    def finish(self, item: str, result: str = "") -> None: ...


@pytest.fixture
def tally(tmp_path: Path) -> Path:
    shutil.copytree(TALLY, tmp_path / "word-tally")
    return tmp_path / "word-tally"


def checked(folder: Path, *, freeze: bool = False) -> list[tuple[str, str, str]]:
    package = read_challenge(folder)
    assert package.inventory is not None
    scratch = folder.parent / "scratch"
    scratch.mkdir(exist_ok=True)

    class World:
        runner = FakeRunner(package.inventory.static, package.inventory.adversarial)
        scratch = Scratch(folder.parent / "scratch")

        def environment_of(self, package: Any) -> None:
            return None

    world = cast("Any", World())
    options: dict[str, Any] = {"samples": False, "static": True, "fresh": False, "jobs": 1, "progress": Silent()}
    return [(c.level, c.name, c.message) for c in check(package, world, freeze=freeze, **options)]


def test_a_hidden_test_that_rests_on_objects_alone_is_warned_of(tally: Path) -> None:
    assert not [c for c in checked(tally) if c[1] == "hidden tests"]
    told = checked(tally, freeze=True)
    assert [c for c in told if c[1] == "hidden tests"] == [
        ("warning", "hidden tests", f"nothing but what objects of the code say decides 1 of them: adversarial/{HIDDEN}")
    ]
    package = read_challenge(tally)
    assert allowed(package, Suite.ADVERSARIAL) == {HIDDEN: ("equality",)}
    assert allowed(package, Suite.STATIC) == {}


def test_an_inventory_that_was_made_before_must_be_made_anew(tally: Path) -> None:
    path = tally / "inventory.json"
    told = json.loads(path.read_text())
    del told["judged"], told["rest_on_code"]
    path.write_text(json.dumps(told))
    assert any(c[:2] == ("error", "inventory") and "leave to objects" in c[2] for c in checked(tally))
    with pytest.raises(BadChallenge, match="leave to objects"):
        allowed(read_challenge(tally), Suite.STATIC)


def test_at_other_boundaries_nothing_is_asked_for() -> None:
    package = read_challenge(TALLY.parent / "line-sum")
    spec = package.manifest.suites.adversarial
    assert spec.boundary is not Boundary.CALLS
    assert allowed(package, Suite.ADVERSARIAL) == {}
