"""How far a batch is survives everything; what would be done is said before, and what was done is not done again."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stepping import SUBMISSIONS, TALLY, Boundary, head_of, world_of

from bouts.challenges.reading import read_challenge
from bouts.errors import BadFile, BadUsage, NotFound, StoreFault
from bouts.pipeline import cards
from bouts.pipeline.batch import Item, Result, evaluate_many
from bouts.pipeline.batches import Batches
from bouts.pipeline.evaluate import Options
from bouts.pipeline.planning import Planner
from bouts.pipeline.progress import Silent
from bouts.pipeline.recording import Recording
from bouts.pipeline.world import World


class Installation:
    """A home with a fake world."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.package = read_challenge(TALLY)
        self.at = Boundary(home / "log")
        self.world: World = world_of(home, self.at)
        self.store = Batches(home / "batches")

    def score(self, name: str, submissions: tuple[Path, ...] = SUBMISSIONS, **options: Any) -> list[Result]:
        head = head_of(self.package, self.world, submissions, name)
        known = self.store.resume(name) if (self.store.folder / f"{name}.jsonl").exists() else self.store.begin(head)

        def keep(result: Result) -> None:
            assert result.scored is not None
            result.path = self.home / "cards" / f"{result.name}.json"
            result.scored = result.scored.saved_as(cards.save(result.scored.card, result.scored.evidence, result.path))

        with known as batch:
            record = Recording(batch.state, self.package, self.world, batch.tell)
            items = tuple(Item(path) for path in submissions)
            return evaluate_many(
                *(self.package, items, Options(**options), self.world),
                jobs=1,
                progress=Silent(),
                keep=keep,
                record=record,
            )

    def plan(self, submissions: tuple[Path, ...] = SUBMISSIONS, **options: Any) -> list[tuple[str, str]]:
        history = self.store.history(self.package.manifest.id)
        planner = Planner(self.package, Options(**options), self.world, history)
        return [(one.intent, one.why) for one in planner.items(tuple(Item(path) for path in submissions))]

    def planner(self, **options: Any) -> Planner:
        return Planner(self.package, Options(**options), self.world, self.store.history(self.package.manifest.id))

    @property
    def ran(self) -> int:
        return (self.home / "log").read_text().splitlines().count("ran")


@pytest.fixture
def here(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def test_a_batch_tells_what_is_done_failed_and_left(here: Installation, tmp_path: Path) -> None:
    junk = tmp_path / "junk.zip"
    junk.write_bytes(b"junk")
    here.score("a", (SUBMISSIONS[0], junk))
    state = here.store.read("a")
    assert [one.state for one in state.items] == ["done", "failed"]
    assert state.ended
    assert state.summary == "1 done, 1 failed, 0 left of 2"
    assert (state.items[1].error or {})["code"] == "bad_submission"
    verdict = state.items[0].verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.challenge_version, verdict.visible) == ("solved", "1.0.0", (4, 4))
    assert "first_look" in verdict.seconds


def test_what_is_done_is_not_touched_again_unless_card_or_submission_changed(
    here: Installation, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    shutil.copytree(SUBMISSIONS[1], own)
    both = (SUBMISSIONS[0], own)
    here.score("a", both)
    card = here.home / "cards" / "reference.json"
    before = card.stat().st_mtime_ns
    ran = here.ran
    again = here.score("a", both)
    assert [result.scored is None for result in again] == [True, True]
    assert (card.stat().st_mtime_ns, here.ran) == (before, ran)
    (own / "more.py").write_text("x = 1\n")
    assert [result.scored is None for result in here.score("a", both)] == [True, False]
    card.unlink()
    assert [result.scored is None for result in here.score("a", both)] == [False, True]


def test_a_line_that_a_crash_cut_off_is_no_line(here: Installation) -> None:
    here.score("a")
    path = here.store.folder / "a.jsonl"
    whole = path.read_bytes()
    for cut in range(len(whole) - 1, whole.index(b"\n"), -max(1, len(whole) // 40)):
        path.write_bytes(whole[:cut])
        state = here.store.read("a")
        assert len(state.items) == 2
        with here.store.resume("a") as batch:
            batch.tell("finished")
        assert here.store.read("a").ended
    path.write_bytes(b"{")
    with pytest.raises(BadFile):
        here.store.read("a")


def test_one_process_at_a_time_works_on_a_batch(here: Installation) -> None:
    head = head_of(here.package, here.world, SUBMISSIONS, "a")
    with here.store.begin(head):
        assert here.store.busy("a")
        with pytest.raises(BadUsage, match="another process"):
            here.store.resume("a")
        assert here.store.unfinished(head) is None
    assert not here.store.busy("a")
    assert here.store.unfinished(head) == "a"
    for change in ("command", "challenge_digest", "grader"):
        assert here.store.unfinished(head.model_copy(update={change: "sha256:another"})) is None
    with here.store.resume("a") as batch:
        batch.tell("finished")
    assert here.store.unfinished(head) is None


def test_names_are_given_once_and_numbered_where_nobody_gave_them(here: Installation) -> None:
    named = head_of(here.package, here.world, SUBMISSIONS, "a")
    here.store.begin(named).__exit__(None, None, None)
    with pytest.raises(BadUsage, match="there is a batch called 'a'"):
        here.store.begin(named)
    for expected in ("a-2", "a-3"):
        with here.store.begin(named.model_copy(update={"named": False})) as batch:
            assert batch.state.head.name == expected
    assert set(here.store.names()) == {"a", "a-2", "a-3"}
    for bad in ("../a", "", "nothing"):
        with pytest.raises(NotFound):
            here.store.read(bad)


def test_a_state_that_cannot_be_written_is_a_fault_that_is_told(here: Installation) -> None:
    with here.store.begin(head_of(here.package, here.world, SUBMISSIONS, "a")) as batch:
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, batch._handle)
        os.close(full)
        with pytest.raises(StoreFault, match="cannot be written"):
            batch.tell("finished")


# ---------------------------------------------------------------------- plans


def test_the_plan_says_run_then_reuse_and_regrade_and_why(here: Installation, tmp_path: Path) -> None:
    new = tmp_path / "new"
    shutil.copytree(SUBMISSIONS[1], new)
    (new / "tally" / "more.py").parent.mkdir(exist_ok=True)
    (new / "tally" / "more.py").write_text("x = 1\n")
    assert here.plan() == [("run", "not scored here before")] * 2
    assert here.planner().canaries().intent == "run"
    here.score("a")
    assert {intent for intent, _ in here.plan()} == {"reuse"}
    assert here.planner().canaries().intent == "reuse"
    assert here.plan((new, tmp_path / "nowhere"))[0] == ("run", "not scored here before")
    assert here.plan((tmp_path / "nowhere",))[0][0] == "invalid"
    assert here.plan(fresh=True) == [("run", "--fresh: measured anew, whatever is kept")] * 2
    here.world = replace(here.world, machine=here.world.machine.model_copy(update={"kernel": "7"}))
    assert here.plan() == [("regrade", "another environment")] * 2


def test_the_plan_names_a_new_version_of_the_challenge(here: Installation, tmp_path: Path) -> None:
    here.score("a")
    changed = tmp_path / "word-tally"
    shutil.copytree(TALLY, changed)
    text = (changed / "challenge.yaml").read_text().replace("version: 1.0.0", "version: 1.1.0")
    (changed / "challenge.yaml").write_text(text)
    here.package = read_challenge(changed)
    assert here.package.manifest.version == "1.1.0"
    assert here.plan() == [("regrade", "challenge 1.0.0 → 1.1.0")] * 2
    planned = here.planner().items((Item(SUBMISSIONS[0]),))[0]
    assert planned.before is not None and planned.before.outcome == "solved"
    assert planned.seconds is not None, "by what its steps took before"
    assert planned.cost_usd == 0


def test_a_step_that_is_not_kept_is_named(here: Installation) -> None:
    here.score("a", second_look=False)
    assert here.plan(second_look=False)[0][0] == "reuse"
    assert here.plan()[0] == ("run", "not kept: hidden tests where all looks different")
    ran = here.ran
    here.score("b")
    assert here.ran == ran + len(SUBMISSIONS), "the second look alone"


def test_planning_runs_nothing_and_writes_nothing(here: Installation) -> None:
    here.plan()
    here.planner().canaries()
    assert here.ran == 0
    assert not (here.home / "cache").exists()
    assert not (here.home / "batches").exists()


def test_a_plan_is_json(here: Installation) -> None:
    (one, *_) = here.planner().items((Item(SUBMISSIONS[0]),))
    assert json.loads(one.model_dump_json())["intent"] == "run"
