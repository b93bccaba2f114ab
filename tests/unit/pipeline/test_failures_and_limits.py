"""Every row of the tables of failures and of time limits, with a backend that fails as it is told."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import facts
import pytest
from stepping import TALLY, Boundary, LoggedRunner, world_of

from bouts.challenges.reading import Package, read_challenge
from bouts.model.challenge import Limits
from bouts.model.evidence import Fault
from bouts.model.running import SuiteJob, SuiteReport
from bouts.model.running import TestReport as Report
from bouts.model.scanning import ScanReport
from bouts.pipeline.asking import Answered, Reply, trouble
from bouts.pipeline.evaluate import Options, evaluate
from bouts.pipeline.limits import LIMITS, OutOfTime, Within
from bouts.pipeline.objective import OBJECTIVE_SECONDS, Subject, TellStep, TellTest, measure
from bouts.pipeline.sessions import measured_part
from bouts.pipeline.world import World
from bouts.policy.catalogue import POLICIES, for_cards
from bouts.policy.four_judge_1 import FOUR_JUDGE_1

REPLY = Reply(text="x")


@pytest.fixture
def package() -> Package:
    return read_challenge(TALLY)


@pytest.fixture
def here(tmp_path: Path) -> World:
    return world_of(tmp_path, Boundary(tmp_path / "log"))


def line(card: Any, key: str) -> Any:
    return next(one for one in card.lines if one.key == key)


def flags(card: Any, kind: str) -> list[str]:
    return [flag.why for flag in card.flags if flag.kind == kind]


# ---------------------------------------------------------------------- time limits


def test_the_limits_are_those_of_the_table() -> None:
    assert (Limits().test_seconds, Limits().suite_seconds, OBJECTIVE_SECONDS) == (10, 300, 900)
    assert (LIMITS.test_seconds, LIMITS.suite_seconds, LIMITS.objective_seconds) == (10, 300, 900)
    assert (LIMITS.process_metrics_seconds, LIMITS.process_model_seconds) == (120, 180)
    assert (LIMITS.strategy_model_seconds, LIMITS.strategy_seconds) == (300, 900)
    assert (LIMITS.integrity_automated_seconds, LIMITS.integrity_model_seconds) == (180, 180)


class Slow(LoggedRunner):
    """Each run takes its suite's whole time, of which a clock of ours knows; only the first test completes."""

    def __init__(self, at: Boundary) -> None:
        super().__init__(at)
        self.now, self.given = 0.0, list[float]()

    def clock(self) -> float:
        return self.now

    def run(self, job: SuiteJob, on_test: Any) -> SuiteReport:
        seconds = job.target.limits.suite_seconds
        self.given.append(seconds)
        self.now += seconds
        return SuiteReport(tests=(Report(id=job.tests[0], outcome="passed", seconds=1.0),))


def test_the_objective_judge_is_scored_on_what_completed_and_takes_no_longer_than_it_may(
    package: Package, tmp_path: Path
) -> None:
    limits = package.manifest.limits.model_copy(update={"suite_seconds": 800.0})
    slow = replace(package, manifest=package.manifest.model_copy(update={"limits": limits}))
    runner = Slow(Boundary(tmp_path / "log"))
    subject = Subject(slow, tmp_path, "sha256:s", None, "s")
    measured = measure(
        runner, subject, second_look=True, load=True, decoys=None, tell=TellTest(TellStep()), clock=runner.clock
    )  # type: ignore[arg-type]
    assert sum(runner.given[:2]) <= OBJECTIVE_SECONDS
    assert runner.given[2:] == [1.0], "the second look has no time left and is cut at once"
    outcomes = [test.outcome for test in measured.tests]
    assert outcomes.count("passed") == 2
    assert set(outcomes) == {"passed", "missing"}
    assert measured.faults == ()


def test_waiting_for_a_turn_is_no_time_of_the_judge() -> None:
    from bouts.pipeline.turns import Place, Places, Waiting

    places = Places(1)
    waiting = Waiting(None, Place(places))  # type: ignore[arg-type]
    before = waiting.clock()
    waiting._turn.waited += 1000.0
    assert waiting.clock() < before - 900


def test_a_session_of_which_events_are_left_out_is_not_judged_by_its_process_and_the_card_says_so() -> None:
    session = facts.Tape().add("read", "a").add("edit", "a").add("read", "b").session()
    assert measured_part(session, 3) == (session, ())
    part, (notice,) = measured_part(session, 2)
    assert len(part.events) == 2
    assert part.left_out == 1
    assert "longer than the 2 events that are kept: 1 or more" in notice.why
    card = facts.card(facts.evidence(session=part, notices=(notice,)))
    assert flags(card, "process_partial")
    (process,) = [line for line in card.lines if line.key == "process"]
    assert process.score is None
    assert "the session is longer than the 2 events that are kept" in process.because


def test_checks_that_take_too_long_do_not_run_and_what_finished_counts() -> None:
    class Runner:
        def __init__(self) -> None:
            self.now, self.given = 0.0, list[float]()

        def run(self, job: Any, on_test: Any) -> Any:
            self.given.append(job.target.limits.suite_seconds)
            self.now += 100
            return SuiteReport(tests=())

    job = SuiteJob.model_construct(target=facts_target())
    runner = Runner()
    within = Within(runner, 180.0, lambda: runner.now)  # type: ignore[arg-type]
    within.run(job, lambda _: None)
    with pytest.raises(OutOfTime):
        within.run(job, lambda _: None)  # it was cut off, so it is no outcome
    with pytest.raises(OutOfTime):
        within.run(job, lambda _: None)
    assert runner.given == [180.0, 80.0]


def facts_target() -> Any:
    from bouts.model.challenge import CallsInterface, Interface
    from bouts.model.running import Target

    return Target(workspace="/none", interface=Interface(calls=CallsInterface(modules=("a",))))


def test_integrity_checks_out_of_time_are_said_and_not_a_fault(
    package: Package, here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bouts.pipeline import integrity
    from bouts.pipeline.hardcoding import Confirmed

    monkeypatch.setattr(integrity, "confirm", lambda *_: Confirmed(late=True))
    candidate = scanned_with_candidate()
    world = replace(here, scanner=candidate)
    card = evaluate(package, TALLY / "reference", world, Options()).card
    assert card.outcome == "solved"
    assert "3 minutes" in flags(card, "integrity_incomplete")[0]


def scanned_with_candidate() -> Any:
    from bouts.model.evidence import BuildFacts
    from bouts.model.scanning import HardcodedCandidate

    class Scanner:
        def scan(self, job: Any) -> ScanReport:
            one = HardcodedCandidate(
                path="tally/core.py", line=1, excerpt="x", weight=1, test="a::b", test_line=1, test_excerpt="y"
            )
            build = (BuildFacts(check="compiles", ok=True, detail="ok"),)
            return ScanReport(build=build, candidates=(one,))

    return Scanner()


# ---------------------------------------------------------------------- faults of automated integrity checks


@pytest.mark.parametrize("policy", [p for p in POLICIES.values() if hasattr(p, "faults")], ids=lambda p: p.name)
@pytest.mark.parametrize("part", ["integrity.values", "integrity.constraints"])
def test_a_fault_of_ours_in_the_integrity_checks_leaves_the_card_standing(policy: Any, part: str) -> None:
    whole = facts.card(facts.evidence(), for_cards(policy))
    card = facts.card(facts.evidence(faults=(Fault(part=part, message="the sandbox broke"),)), for_cards(policy))
    assert card.status == "provisional"
    assert card.final == whole.final
    assert card.outcome == whole.outcome == "solved"
    assert "the sandbox broke" in flags(card, "fault")[0]


def test_a_fault_of_ours_in_the_integrity_checks_can_be_run_again(
    package: Package, here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bouts.errors import SandboxFault
    from bouts.pipeline import integrity

    def broken(*_: Any) -> Any:
        raise SandboxFault("the sandbox broke")

    monkeypatch.setattr(integrity, "confirm", broken)
    world = replace(here, scanner=scanned_with_candidate())
    scored = evaluate(package, TALLY / "reference", world, Options())
    assert (scored.card.status, scored.again) == ("provisional", True)
    monkeypatch.undo()
    monkeypatch.setattr(integrity, "confirm", lambda *_: integrity.Confirmed())
    again = evaluate(package, TALLY / "reference", world, Options())
    assert not again.again
    assert [step.name for step in again.steps if not step.kept] == ["tries"], "nothing else is run again"


# ---------------------------------------------------------------------- failures


@pytest.mark.parametrize("part", ["objective.static", "objective.adversarial", "objective.build", "scanner", "ruff"])
def test_a_sandbox_of_ours_that_crashed_twice_in_the_objective_judge_makes_the_card_void(part: str) -> None:
    card = facts.card(facts.evidence(faults=(Fault(part=part, message="died twice"),)))
    assert (card.status, card.outcome, card.final) == ("void", "infrastructure", None)


def test_a_crash_that_the_submission_caused_fails_its_tests_and_the_other_judges_still_run() -> None:
    session = facts.Tape().add("read", "app/a.py").add("edit", "app/a.py").test(10).session()
    crashed = [facts.static("test_one", "crashed"), facts.hidden("test_two", "crashed")]
    card = facts.card(facts.evidence(crashed, session=session))
    assert card.outcome == "failed"
    assert line(card, "process").score is not None


@pytest.mark.parametrize(
    ("answered", "score", "flagged"),
    [
        (Answered({}, {"one": "one cannot be reached"}), 50, "neutral"),
        (Answered({"one": REPLY}, {}), None, ""),
    ],
)
def test_a_process_model_that_is_down_or_late_gives_the_neutral_mark(
    answered: Answered, score: float | None, flagged: str
) -> None:
    session = facts.Tape().add("read", "app/a.py").add("edit", "app/a.py").test(10).session()
    faults, notices = trouble("process", answered)
    card = facts.card(facts.evidence(session=session, faults=faults, notices=notices))
    if score is not None:
        assert line(card, "process").score == score
        assert line(card, "process").state == "neutral"
        assert card.status == "provisional"
        assert flags(card, "neutral")
    else:
        assert line(card, "process").state == "measured"


@pytest.mark.parametrize("left_out", [("one",), ("one", "two"), ("one", "two", "three")])
def test_a_panel_goes_on_without_one_model_and_is_neutral_without_two(left_out: tuple[str, ...]) -> None:
    said = {name: REPLY for name in ("one", "two", "three") if name not in left_out}
    faults, notices = trouble("strategy", Answered(said, {name: f"{name} was late" for name in left_out}))
    weights = FOUR_JUDGE_1.strategy.weights.model_dump()
    given = facts.panel("strategy", weights, *(80.0 if name in said else None for name in ("one", "two", "three")))
    card = facts.card(facts.evidence(marks=given, faults=faults, notices=notices))
    part = line(card, "strategy")
    if len(left_out) == 1:
        assert (part.score, part.state) == (80, "measured")
        assert "one was late" in flags(card, "rater_left_out")[0]
    else:
        assert (part.score, part.state, card.status) == (50, "neutral", "provisional")
        assert flags(card, "neutral") and flags(card, "fault")


def test_without_the_integrity_model_there_are_no_bonuses_and_penalties_stand() -> None:
    faults, _ = trouble("integrity_model", Answered({}, {"one": "one was late twice"}))
    card = facts.card(facts.evidence(observations=(facts.seen("stubbed"),), faults=faults))
    assert [v.points for v in card.violations] == [-15]
    assert card.bonuses == ()
    assert card.status == "held"
    assert "provisional" in card.because


def test_a_transcript_that_the_platform_lost_is_neutral_and_one_that_was_never_given_is_not_judged() -> None:
    lost = facts.card(facts.evidence(session_state="lost"))
    assert (line(lost, "process").score, line(lost, "process").state) == (50, "neutral")
    assert flags(lost, "neutral")
    assert line(facts.card(facts.evidence()), "process").score is None


@pytest.mark.parametrize(
    ("kind", "held"), [("stubbed", True), ("hidden_test_access", True), ("read_only_modified", False)]
)
def test_penalties_of_fifteen_or_worse_are_held(kind: str, held: bool) -> None:
    card = facts.card(facts.evidence(observations=(facts.seen(kind),)))
    assert (card.status == "held") is held
    assert math.isfinite(card.final or 0)
