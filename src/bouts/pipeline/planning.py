"""What scoring would do, before anything is run or spent: what is kept is found by the same keys as when scoring."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree, stage
from bouts.challenges.submissions import Submission, open_submission
from bouts.errors import BoutsError
from bouts.model.batch import Planned, Verdict
from bouts.model.scanning import ScanReport
from bouts.pipeline import keys, sessions
from bouts.pipeline.batch import Item, names
from bouts.pipeline.canaries import canaries_of
from bouts.pipeline.evaluate import Options, second_look_of
from bouts.pipeline.integrity import scripted
from bouts.pipeline.recording import Recording
from bouts.pipeline.steps import STEPS, MadeFrom, Name, key_of
from bouts.pipeline.suites import FirstLook
from bouts.pipeline.world import World


@dataclass(frozen=True)
class Planner:
    """Looks up what is kept. Runs nothing, writes nothing but into the scratch folder."""

    package: Package
    options: Options
    world: World
    history: Sequence[Verdict]
    """What was scored at this challenge, the latest first."""

    def items(self, items: Iterable[Item], record: Recording | None = None) -> tuple[Planned, ...]:
        """What scoring these would do."""
        rows = tuple(items)
        return tuple(self._item(i, n, record) for i, n in zip(rows, names([i.path for i in rows]), strict=True))

    def canaries(self) -> Planned:
        """What the canaries of this batch would cost."""
        missing = [name for name, path in canaries_of(self.package).items() if not self._canary_kept(path)]
        if not missing:
            return Planned(name="canaries", submission="", intent="reuse", why="they passed here", seconds=0.0)
        each = self._usual("first_look")
        return Planned(
            name="canaries",
            submission="",
            intent="run",
            why=f"not run here before: {', '.join(missing)}",
            steps=("first_look",),
            seconds=None if each is None else each * len(missing),
        )

    def _canary_kept(self, path: Path | None) -> bool:
        if self.options.fresh:
            return False
        with self.world.scratch.place() as place:
            (place / "empty").mkdir()
            staged = stage(self.package, open_submission(path or place / "empty", self.package), place / "work")
            return self._kept("first_look", keys.code(self.world, self.package, staged.digest))

    def _item(self, item: Item, name: str, record: Recording | None) -> Planned:
        known = None if record is None else record.known(name)
        if known is not None:
            why = "done in this batch, and the submission is the same"
            return Planned(name=name, submission=str(item.path), intent="reuse", why=why, seconds=0.0)
        try:
            with self.world.scratch.place() as place:
                submission = open_submission(item.path, self.package)
                staged = stage(self.package, submission, place / "work")
                missing = self._missing(item, submission, staged, place)
                return self._planned(item, name, staged.digest, missing)
        except BoutsError as error:
            return Planned(name=name, submission=str(item.path), intent="invalid", why=error.message, seconds=0.0)

    def _planned(self, item: Item, name: str, submission: str, missing: tuple[Name, ...]) -> Planned:
        before = next((v for v in self.history if v.submission == submission), None)
        running: tuple[Name, ...] = tuple(step for step in missing if step != "transcript")
        if not running:
            why = "all that was measured is kept; nothing is run"
            made = Planned(name=name, submission=str(item.path), intent="reuse", why=why, before=before)
        else:
            moved = self._moved(before)
            why = moved or self._unfinished(before, running)
            made = Planned(
                name=name, submission=str(item.path), intent="regrade" if moved else "run", why=why, before=before
            )
        return made.model_copy(update={"steps": missing, "seconds": self._seconds(before, missing)})

    def _moved(self, before: Verdict | None) -> str:
        """What is another than when the submission was scored last; empty where nothing is."""
        if before is None:
            return ""
        if before.challenge_digest != self.package.digest:
            old, new = before.challenge_version, self.package.manifest.version
            return f"challenge {old} → {new}" if old != new else f"challenge {old} was changed"
        if before.grader != self.world.grader:
            return "another version of Bouts"
        if before.environment != keys.environment(self.world, self.package):
            return "another environment"
        return ""

    def _unfinished(self, before: Verdict | None, running: tuple[Name, ...]) -> str:
        if self.options.fresh:
            return "--fresh: measured anew, whatever is kept"
        if before is None and len(running) > 1:
            return "not scored here before"
        what = ", ".join(STEPS[step].title for step in running)
        if before is not None and before.again:
            return f"a fault of ours spoiled it: {what}"
        return f"not kept: {what}"

    def _missing(self, item: Item, submission: Submission, staged: StagedTree, place: Path) -> tuple[Name, ...]:
        """The steps that would be done, in their order. Whether the code starts is seen while its tests run, as a
        rule."""
        world, package = self.world, self.package
        code = keys.code(world, package, staged.digest)
        wanted: dict[Name, MadeFrom] = {"first_look": code}
        if second_look_of(self.options) and package.inventory is not None:
            wanted["second_look"] = code
        if package.manifest.performance is not None:
            wanted["load"] = code
        wanted["scan"] = reading = keys.read_code(world, package, submission, staged)
        if self._tries(code, reading):
            wanted["tries"] = code
        transcript = sessions.find(submission, item.transcript, package, world, place).chosen
        session = None if transcript is None else sessions.made_from(transcript.file, world)
        if session is not None:
            wanted["transcript"] = session
        if self.options.fresh:
            return tuple(wanted)
        return tuple(name for name, made_from in wanted.items() if not self._kept(name, made_from))

    def _kept(self, name: Name, made_from: MadeFrom) -> bool:
        return self.world.cache.entry(key_of(self.world, name, made_from)) is not None

    def _tries(self, code: MadeFrom, reading: MadeFrom) -> bool:
        """Whether tests run with other values, as far as that is known."""
        if scripted(self.package):
            return True
        scanned = self.world.cache.entry(key_of(self.world, "scan", reading))
        first = self.world.cache.entry(key_of(self.world, "first_look", code))
        if scanned is None or first is None or not ScanReport.model_validate(scanned.value).candidates:
            return False
        static, *_ = FirstLook.model_validate(first.value).suites
        return any(test.outcome == "passed" for test in static.tests)

    def _seconds(self, before: Verdict | None, steps: tuple[Name, ...]) -> float | None:
        own: Mapping[str, float] = {} if before is None else before.seconds
        each = [own.get(step, self._usual(step)) for step in steps]
        known = [seconds for seconds in each if seconds is not None]
        return None if len(known) < len(each) else sum(known)

    def _usual(self, step: Name) -> float | None:
        """What a step took at this challenge: the median."""
        times = [verdict.seconds[step] for verdict in self.history if step in verdict.seconds]
        return statistics.median(times) if times else None
