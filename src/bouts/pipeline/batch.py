"""Many submissions at once: canaries first, then each by itself; one that fails stops no other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.submissions import open_submission
from bouts.errors import BoutsError, WorldError
from bouts.model.card import Card
from bouts.pipeline.canaries import run_canaries
from bouts.pipeline.discovery import NAMED
from bouts.pipeline.evaluate import Baseline, Options, Scored, evaluate
from bouts.pipeline.objective import TellStep
from bouts.pipeline.progress import Progress
from bouts.pipeline.recording import Known, Recording
from bouts.pipeline.sessions import read
from bouts.pipeline.steps import Attempt
from bouts.pipeline.turns import Place, Places
from bouts.pipeline.world import World
from bouts.render import numbers

AHEAD = 2
"""Submissions that are got ready while others run: a turn that ends while none is ready is time lost."""


@dataclass(frozen=True)
class Item:
    """One submission of a batch."""

    path: Path
    agent: str | None = None
    transcript: Path | None = None


@dataclass
class Result:
    """What became of it: a score, or the error that kept it from one."""

    item: Item
    name: str
    scored: Scored | None = None
    error: BoutsError | None = None
    path: Path | None = None
    """Where the card was stored."""
    known: Known | None = None
    """The card that an earlier part of the same batch had stored."""

    @property
    def card(self) -> Card | None:
        """The card, now or before."""
        return self.scored.card if self.scored else self.known.card if self.known else None

    @property
    def again(self) -> bool:
        """Whether running again may complete it."""
        return self.scored is not None and self.scored.again


class Step(TellStep):
    """Tells the progress of one item."""

    def __init__(self, progress: Progress, item: str) -> None:
        self._progress, self._item = progress, item

    def __call__(self, what: str, done: int, total: int) -> None:
        """`what` is at `done` of `total`."""
        self._progress.step(self._item, what, done, total)


def evaluate_many(
    package: Package,
    items: tuple[Item, ...],
    options: Options,
    world: World,
    *,
    jobs: int,
    progress: Progress,
    keep: Callable[[Result], None] = lambda _: None,
    record: Recording | None = None,
) -> list[Result]:
    """Score all items, `jobs` at a time; the results are in the order of the items.

    `keep` is called with each result as soon as it is there, so that what is done stays when a later one, or the whole
    process, comes to harm. An error that it raises becomes the result's. What `record` knows to be done already is not
    done again, and it is told what becomes of the rest.

    An item that cannot be taken is told of before anything is run, and where none can be, nothing is run at all.

    Raises what makes every item impossible: a package without inventory, a machine that fails its canaries.
    """
    results = [Result(item, name) for item, name in zip(items, names([i.path for i in items]), strict=True)]
    if record is not None:
        options = replace(options, attempt=record.attempt)
        for result in results:
            result.known = record.known(result.name)
    for result in results:
        if result.known is not None:
            result.path = result.known.path
            progress.finish(result.name, _shortly(result))
    left: list[Result] = []
    for result in (one for one in results if one.known is None):
        result.error = refusal(package, result.item, options, world)
        if result.error is None:
            left.append(result)
            continue
        if record is not None:
            record.started(result.name)
        _over(result, progress, record)
    if left:
        baseline = run_canaries(package, world, options, jobs=jobs, progress=progress)
        places = Places(jobs)

        def one(result: Result) -> None:
            if record is not None:
                record.started(result.name)
            _evaluate(package, result, options, world, baseline, Step(progress, result.name), Place(places))
            if result.scored is not None:
                try:
                    keep(result)
                    if record is not None:
                        record.done(result.name, result.scored, result.path)
                except BoutsError as error:
                    result.error = error
            _over(result, progress, record)

        in_parallel([partial(one, r) for r in left], jobs + ahead(package))
    if record is not None:
        record.finished()
    return results


def refusal(package: Package, item: Item, options: Options, world: World) -> BoutsError | None:
    """Why an item cannot be taken, as far as that shows without running anything."""
    try:
        submission = open_submission(item.path, package)
        if item.transcript is not None or NAMED in submission.files:
            attempt = Attempt(options.fresh, options.attempt)
            with world.scratch.place() as place:
                read(submission, item.transcript, package, world, attempt, place)
    except BoutsError as error:
        return error
    except OSError as error:
        return _failed(item, error)
    return None


def _over(result: Result, progress: Progress, record: Recording | None) -> None:
    if result.error is not None and record is not None:
        record.failed(result.name, result.error)
    progress.finish(result.name, _shortly(result))


def _failed(item: Item, error: OSError) -> BoutsError:
    return WorldError(f"{type(error).__name__}: {error}", where=str(item.path))


def ahead(package: Package) -> int:
    """How many submissions are unpacked and read while others run; none where that could be felt in a measurement of
    speed."""
    return 0 if package.manifest.performance is not None else AHEAD


def _shortly(result: Result) -> str:
    card = result.card
    if result.error is not None or card is None:
        return "not scored"
    done = "done before: " if result.known is not None else ""
    return f"{done}{card.outcome} {numbers.score(card.final)}"


def _evaluate(
    package: Package, result: Result, options: Options, world: World, baseline: Baseline, tell: TellStep, turn: Place
) -> None:
    item = result.item
    try:
        result.scored = evaluate(
            package,
            item.path,
            world,
            options,
            agent=item.agent,
            transcript=item.transcript,
            baseline=baseline,
            tell=tell,
            turn=turn,
        )
    except BoutsError as error:
        result.error = error
    except OSError as error:
        result.error = _failed(item, error)


def in_parallel(tasks: list[Callable[[], None]], jobs: int) -> None:
    """Run all tasks, at most `jobs` at a time: the one place where Bouts works in parallel.

    Raises what a task raises, after the running ones have ended; the waiting ones are dropped. An interrupt is raised
    at once.
    """
    if jobs <= 1 or len(tasks) <= 1:
        for task in tasks:
            task()
        return
    pool = ThreadPoolExecutor(min(jobs, len(tasks)), "bouts")
    futures = [pool.submit(task) for task in tasks]
    try:
        for future in futures:
            future.result()
    except Exception:
        pool.shutdown(cancel_futures=True)
        raise
    except BaseException:
        # Whoever interrupts does not wait: what runs ends with the helper processes, which end with this one.
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def names(paths: list[Path]) -> list[str]:
    """A short name for each submission, unique in the batch and fit for a file name."""
    made: list[str] = []
    for path in paths:
        base = path.resolve().name or "submission"
        if base == "submission":
            base = path.resolve().parent.name
        for ending in (".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".zip", ".tar", ".patch", ".diff"):
            base = base.removesuffix(ending)
        base = "".join(c if c.isalnum() or c in "-_." else "-" for c in base).strip(".")[:80] or "submission"
        name, number = base, 1
        while name in made:
            number += 1
            name = f"{base}-{number}"
        made.append(name)
    return made
