"""Scoring with everything faked but the steps: each run and each step that is kept is written to a log, and the process
can be made to kill itself at any boundary.

python tests/unit/pipeline/stepping.py [ROUNDS]     the whole matrix, ROUNDS times (once): every boundary, several jobs,
                                                    measured anew or not
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from bouts.adapters.transcripts.native import read_native
from bouts.challenges.reading import Package, read_challenge
from bouts.model.batch import BatchHead, BatchItem, BatchOptions
from bouts.model.evidence import BuildFacts, EnvironmentFacts
from bouts.model.running import StartReport, SuiteJob, SuiteReport, Target
from bouts.model.running import TestReport as Report
from bouts.model.scanning import ScanReport
from bouts.pipeline import cards
from bouts.pipeline.batch import Item, Result, evaluate_many, names
from bouts.pipeline.batches import Batches
from bouts.pipeline.cache import Cache
from bouts.pipeline.evaluate import Options
from bouts.pipeline.progress import Silent
from bouts.pipeline.recording import Recording
from bouts.pipeline.scratch import Scratch, reap
from bouts.pipeline.world import World
from bouts.settings import Settings

TALLY = Path(__file__).parents[2] / "fixtures" / "word-tally"
SUBMISSIONS = (TALLY / "reference", TALLY / "samples" / "bad-empty" / "submission")
MACHINE = EnvironmentFacts(
    kernel="6", machine="x86_64", cpu="any", python="3.11", sandbox="none", tools={}, rubric_digest=""
)
BATCH = "matrix"


class Boundary:
    """Counts boundaries, and kills the process at one of them, as a power cut would: nothing is tidied up."""

    def __init__(self, log: Path, die_at: int = 0) -> None:
        self._log = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._die_at = die_at
        self._lock = threading.Lock()
        self.number = 0

    def __call__(self, what: str = "") -> None:
        with self._lock:
            self.number += 1
            if what:
                os.write(self._log, f"{what}\n".encode())
            if self.number == self._die_at:
                os.kill(os.getpid(), signal.SIGKILL)


class LoggedCache(Cache):
    def __init__(self, folder: Path, at: Boundary) -> None:
        super().__init__(folder)
        self._at = at

    def put(self, key: str, value: dict[str, Any], **more: Any) -> None:
        self._at()
        super().put(key, value, **more)
        self._at(f"kept {key}")


class LoggedRunner:
    def __init__(self, at: Boundary) -> None:
        self._at = at

    def run_all(self, jobs: Any, on_test: Any, turn: Any = None) -> Any:
        if turn is not None:
            turn.begin()
        return tuple(self.run(job, on_test) for job in jobs)

    def run(self, job: SuiteJob, on_test: Callable[[Report], None]) -> SuiteReport:
        self._at("ran")
        core = (Path(job.target.workspace) / "tally" / "core.py").read_text(encoding="utf-8")
        good = "n is below zero" in core
        tests = tuple(
            Report(id=t, outcome="passed" if good or t.startswith("unit") else "failed", seconds=0.0) for t in job.tests
        )
        self._at()
        return SuiteReport(tests=tests)

    def starts(self, target: Target) -> StartReport:
        self._at("ran")
        return StartReport(ok=True, detail="it starts")


class LoggedScanner:
    def __init__(self, at: Boundary) -> None:
        self._at = at

    def scan(self, job: Any) -> ScanReport:
        self._at("ran")
        return ScanReport(build=(BuildFacts(check="compiles", ok=True, detail="ok"),))


def world_of(home: Path, at: Boundary, **changes: Any) -> World:
    scratch = home / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    reap(scratch)
    made: dict[str, Any] = {
        "settings": Settings(home=home, scratch=scratch, challenges=()),
        "sandboxes": cast("Any", None),
        "runner": LoggedRunner(at),
        "scanner": LoggedScanner(at),
        "read_transcript": read_native,
        "machine": MACHINE,
        "cache": LoggedCache(home / "cache", at),
        "scratch": Scratch(scratch),
        "decoys": None,
    }
    return World(**{**made, **changes})


def head_of(package: Package, world: World, submissions: tuple[Path, ...], name: str = BATCH) -> BatchHead:
    items = zip(names(list(submissions)), submissions, strict=True)
    return BatchHead(
        name=name,
        named=True,
        command="sha256:" + "0" * 64,
        challenge=str(package.root),
        challenge_id=package.manifest.id,
        challenge_version=package.manifest.version,
        challenge_digest=package.digest,
        grader=world.grader,
        options=BatchOptions(),
        items=tuple(BatchItem(name=n, path=str(p)) for n, p in items),
    )


def score(home: Path, *, die_at: int = 0, jobs: int = 1, fresh: bool = False, name: str = BATCH) -> tuple[Any, int]:
    """Begin the batch, or go on with it; what came out, and how many boundaries there were."""
    at = Boundary(home / "log", die_at)
    package = read_challenge(TALLY)
    world = world_of(home, at)
    store = Batches(home / "batches")
    known = (home / "batches" / f"{name}.jsonl").is_file()
    batch = store.resume(name) if known else store.begin(head_of(package, world, SUBMISSIONS, name))

    def tell(event: str, item: str | None = None, **data: Any) -> None:
        at()
        batch.tell(event, item, **data)
        at()

    def keep(result: Result) -> None:
        assert result.scored is not None
        at()
        result.path = home / "cards" / f"{result.name}.json"
        result.scored = result.scored.saved_as(cards.save(result.scored.card, result.scored.evidence, result.path))
        at("card")

    with batch:
        results = evaluate_many(
            package,
            tuple(Item(path) for path in SUBMISSIONS),
            Options(fresh=fresh),
            world,
            jobs=jobs,
            progress=Silent(),
            keep=keep,
            record=Recording(batch.state, package, world, tell),
        )
    world.scratch.close()
    told = [(r.name, r.card.outcome, r.card.final, r.card.tests.model_dump()) for r in results if r.card is not None]
    return json.loads(json.dumps(told)), at.number


def in_child(work: Callable[[], object]) -> int:
    """Do something in a fork of this process; the signal that killed it, or 0."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the child failed"
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def killed_and_begun_again(home: Path, die_at: int, expected: Any, **more: Any) -> bool:
    """Kill a batch at a boundary and begin it again; whether it came so far. Raises where anything is lost, done twice
    or different."""
    home.mkdir()
    if in_child(lambda: score(home, die_at=die_at, **more)) == 0:
        return False
    first = (home / "log").read_text().splitlines()
    done, _ = score(home, **more)
    assert done == expected, (die_at, done, expected)
    rows = (home / "log").read_text().splitlines()
    twice = {row: count for row, count in Counter(row for row in rows if row.startswith("kept")).items() if count > 1}
    # Another thread may have been between keeping a result and saying so.
    assert not twice, (die_at, twice)
    state = Batches(home / "batches").read(BATCH)
    assert state.ended and state.count("done") == len(SUBMISSIONS), state.summary
    again, _ = score(home, **more)
    after = (home / "log").read_text().splitlines()
    assert again == expected
    assert after == rows, "a batch that is over does nothing any more"
    assert first == rows[: len(first)]
    return True


def matrix(folder: Path, *, step: int = 1, start: int = 1, **more: Any) -> int:
    """Every `step`th boundary; how many rounds that were."""
    clean = folder / "clean"
    clean.mkdir(parents=True)
    expected, _ = score(clean, **more)
    rounds = 0
    for number in range(start, 10_000, step):
        home = folder / str(number)
        if not killed_and_begun_again(home, number, expected, **more):
            return rounds
        rounds += 1
        shutil.rmtree(home)
    raise AssertionError("it never comes to its end")


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    total = 0
    for _ in range(wanted):
        for jobs in (1, 2):
            for fresh in (False, True):
                folder = Path(tempfile.mkdtemp(prefix="stepping-"))
                total += matrix(folder, jobs=jobs, fresh=fresh)
                shutil.rmtree(folder)
                sys.stdout.write(f"{total} rounds, nothing lost, nothing done twice\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
