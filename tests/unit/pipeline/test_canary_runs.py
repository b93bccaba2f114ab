"""A grader that passes everything, or nothing, is found out before it scores anybody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from bouts.adapters.transcripts.native import read_native
from bouts.challenges.reading import Package, read_challenge
from bouts.errors import BadChallenge, BadSubmission, NotFound, StoreFault, WorldError
from bouts.model.evidence import BuildFacts, EnvironmentFacts, TestOutcome
from bouts.model.running import StartReport, SuiteJob, SuiteReport, Target
from bouts.model.running import TestReport as Report
from bouts.model.sandbox import NetworkAttempt
from bouts.model.scanning import ScanReport
from bouts.pipeline.batch import Item, Result, evaluate_many, in_parallel, names
from bouts.pipeline.cache import Cache
from bouts.pipeline.canaries import run_canaries
from bouts.pipeline.evaluate import Options, evaluate
from bouts.pipeline.progress import Progress
from bouts.pipeline.scratch import Scratch
from bouts.pipeline.world import World
from bouts.settings import Settings

TALLY = Path(__file__).parents[2] / "fixtures" / "word-tally"
MACHINE = EnvironmentFacts(
    kernel="6", machine="x86_64", cpu="any", python="3.11", sandbox="none", tools={}, rubric_digest=""
)
Verdict = Callable[[str, str], TestOutcome]
"""Outcome by what the code is (its `core.py`) and the test."""


class FakeRunner:
    """Runs nothing: says of each test what it is told to."""

    def __init__(self, verdict: Verdict, network: tuple[NetworkAttempt, ...] = ()) -> None:
        self.verdict, self.network = verdict, network
        self.jobs: list[SuiteJob] = []

    def run_all(self, jobs, on_test, turn=None):
        return tuple(self.run(job, on_test) for job in jobs)

    def run(self, job: SuiteJob, on_test: Callable[[Report], None]) -> SuiteReport:
        self.jobs.append(job)
        core = (Path(job.target.workspace) / "tally" / "core.py").read_text(encoding="utf-8")
        tests = tuple(Report(id=test, outcome=self.verdict(core, test), seconds=0.01) for test in job.tests)
        for test in tests:
            on_test(test)
        return SuiteReport(tests=tests, network=self.network, network_level="complete")

    def starts(self, target: Target) -> StartReport:
        return StartReport(ok=True, detail="it starts")


class FakeScanner:
    def scan(self, job: Any) -> ScanReport:
        return ScanReport(build=(BuildFacts(check="compiles", ok=True, detail="ok"),))


class Silent(Progress):
    def step(self, item: str, what: str, done: int, total: int) -> None: ...
    def finish(self, item: str, result: str = "") -> None: ...


@pytest.fixture
def package() -> Package:
    return read_challenge(TALLY)


@pytest.fixture
def world(tmp_path: Path) -> Callable[[Verdict], World]:
    def make(verdict: Verdict, **more: Any) -> World:
        scratch = tmp_path / "scratch"
        scratch.mkdir(exist_ok=True)
        return World(
            settings=Settings(home=tmp_path, scratch=scratch, challenges=()),
            sandboxes=cast("Any", None),
            runner=cast("Any", FakeRunner(verdict, **more)),
            scanner=cast("Any", FakeScanner()),
            read_transcript=read_native,
            machine=MACHINE,
            cache=Cache(tmp_path / "cache"),
            scratch=Scratch(scratch),
            decoys=None,
        )

    return make


def honest(core: str, test: str) -> TestOutcome:
    """The reference passes all, everything else fails in the hidden half."""
    return "passed" if "n is below zero" in core or test.startswith("unit") else "failed"


def canaries(package: Package, world: World) -> Any:
    return run_canaries(package, world, Options(), jobs=1, progress=Silent())


def test_an_honest_grader_is_trusted(package: Package, world: Any) -> None:
    away = NetworkAttempt(family="inet", address="192.0.2.1:80", allowed=False)
    baseline = canaries(package, world(honest, network=(away,)))
    assert baseline.network == {"192.0.2.1:80"}


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (lambda core, test: "passed", "passes every test"),
        (lambda core, test: "failed", "the reference fails"),
        (lambda core, test: "passed" if test.startswith(("unit", "integration")) else "failed", "only 0 of 8 hidden"),
        (lambda core, test: "passed" if "SEEN = {}" in core else honest(core, test), "naive solution passes every"),
        (lambda core, test: "infrastructure", "could not be run"),
        (lambda core, test: "missing", "the reference fails"),
    ],
    ids=["everything", "nothing", "no-hidden", "naive", "never-runs", "loses-tests"],
)
def test_a_grader_that_cannot_be_trusted_scores_nobody(
    package: Package, world: Any, verdict: Verdict, said: str
) -> None:
    here = world(verdict)
    with pytest.raises(WorldError, match=said):
        canaries(package, here)
    with pytest.raises(WorldError, match=said):
        evaluate_many(package, (Item(TALLY / "reference"),), Options(), here, jobs=2, progress=Silent())


def test_canaries_are_remembered_unless_fresh(package: Package, world: Any) -> None:
    here = world(honest)
    canaries(package, here)
    ran = len(here.runner.jobs)
    canaries(package, here)
    assert len(here.runner.jobs) == ran
    run_canaries(package, here, Options(fresh=True), jobs=1, progress=Silent())
    assert len(here.runner.jobs) == 2 * ran


def test_a_fault_of_ours_is_not_remembered(package: Package, world: Any) -> None:
    here = world(lambda core, test: "infrastructure")
    scored = evaluate(package, TALLY / "reference", here, Options())
    assert scored.card.status == "void"
    assert scored.card.outcome == "infrastructure"
    assert scored.again
    ran = len(here.runner.jobs)
    evaluate(package, TALLY / "reference", here, Options())
    assert len(here.runner.jobs) == 2 * ran


def test_the_second_look_follows_the_policy_and_the_caller(package: Package, world: Any) -> None:
    for wanted, looks, noticed in ((None, 2, False), (True, 2, False), (False, 1, True)):
        here = world(honest)
        card = evaluate(package, TALLY / "reference", here, Options(second_look=wanted, fresh=True)).card
        hidden = [job.look for job in here.runner.jobs if job.suite.value == "adversarial"]
        assert len(hidden) == looks
        assert len(set(map(repr, hidden))) == looks
        assert ("second_look_off" in {flag.kind for flag in card.flags}) is noticed


def test_the_order_of_tests_comes_from_what_is_run(package: Package, world: Any) -> None:
    seeds: list[list[int]] = []
    for name in ("reference", "reference", "samples/bad-empty/submission"):
        here = world(honest)
        evaluate(package, TALLY / name, here, Options(fresh=True))
        seeds.append([job.seed for job in here.runner.jobs])
    assert seeds[0] == seeds[1]
    assert seeds[0] != seeds[2]


def test_without_an_inventory_nothing_is_scored(package: Package, world: Any) -> None:
    from dataclasses import replace

    with pytest.raises(BadChallenge, match="no inventory"):
        canaries(replace(package, inventory=None), world(honest))


# ---------------------------------------------------------------------- batches


def test_each_result_is_kept_when_it_is_there(package: Package, world: Any, tmp_path: Path) -> None:
    kept: list[str] = []

    def keep(result: Result) -> None:
        assert result.scored is not None
        kept.append(result.name)
        if result.name == "reference-2":
            raise StoreFault("no room")

    items = (Item(TALLY / "reference"), Item(tmp_path / "junk.zip"), Item(TALLY / "reference"))
    (tmp_path / "junk.zip").write_bytes(b"junk")
    results = evaluate_many(package, items, Options(), world(honest), jobs=1, progress=Silent(), keep=keep)
    assert sorted(kept) == ["reference", "reference-2"]
    assert [r.name for r in results] == ["reference", "junk", "reference-2"]
    assert [type(r.error) for r in results] == [type(None), BadSubmission, StoreFault]


def test_what_cannot_be_taken_is_told_before_anything_is_run(package: Package, world: Any, tmp_path: Path) -> None:
    (tmp_path / "junk.zip").write_bytes(b"junk")
    (tmp_path / "no.json").write_bytes(b"[1, 2]")
    odd = tmp_path / "odd"
    odd.mkdir()
    (odd / "transcript.json").write_bytes(b"no transcript")
    good = TALLY / "reference"
    wrong = (
        Item(tmp_path / "nowhere"),
        Item(tmp_path / "junk.zip"),
        Item(odd),
        Item(good, transcript=tmp_path / "gone.json"),
        Item(good, transcript=tmp_path / "no.json"),
    )
    here = world(honest)
    results = evaluate_many(package, wrong, Options(), here, jobs=2, progress=Silent())
    assert [r.error.exit_status if r.error else 0 for r in results] == [2] * len(wrong)
    assert here.runner.jobs == [], "nothing that can be taken, so no canary is run for it"

    heard: list[str] = []

    class Hearing(Silent):
        def finish(self, item: str, said: str) -> None:
            heard.append(f"{item}: {said} after {len(here.runner.jobs)} runs")

    results = evaluate_many(package, (Item(good), wrong[0]), Options(), here, jobs=1, progress=Hearing())
    assert [type(r.error) for r in results] == [type(None), NotFound]
    assert heard[0] == "nowhere: not scored after 0 runs"


def test_names_are_unique_short_and_fit_for_files(tmp_path: Path) -> None:
    made = names(
        [
            tmp_path / "a" / "submission",
            tmp_path / "a.zip",
            tmp_path / "a.tar.gz",
            tmp_path / ("x" * 200),
            tmp_path / "..ü /..\u202e.patch",
        ]
    )
    assert made[:3] == ["a", "a-2", "a-3"]
    assert len(set(made)) == 5
    for name in made:
        assert 0 < len(name) <= 84
        assert not name.startswith(".")
        assert all(c.isalnum() or c in "-_." for c in name)


def test_parallel_work_tells_what_failed_and_drops_the_rest() -> None:
    done: list[int] = []

    def fails() -> None:
        raise StoreFault("no room")

    for jobs in (1, 3):
        done.clear()
        with pytest.raises(StoreFault):
            in_parallel([fails, *(lambda n=n: done.append(n) for n in range(3))], jobs)
    in_parallel([lambda n=n: done.append(n) for n in range(10, 20)], 3)
    assert set(range(10, 20)) <= set(done)
