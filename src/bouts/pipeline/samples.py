"""Samples of a package, filed by the result that they must get."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bouts.challenges.reading import Package, read_expectation
from bouts.errors import BadChallenge, BoutsError
from bouts.model.card import Card
from bouts.model.challenge import Expectation
from bouts.pipeline.batch import Step, in_parallel
from bouts.pipeline.canaries import run_canaries
from bouts.pipeline.evaluate import Options, Scored, evaluate
from bouts.pipeline.progress import Progress
from bouts.pipeline.world import World
from bouts.render import numbers

KINDS = ("reference", "naive", "bad", "alternative", "cheat", "partial")
KNOWN_BAD_GAP = 30.0
"""Points, in per cent of what is attainable, that a known-bad sample must stay below the reference."""


@dataclass(frozen=True)
class Sample:
    """One sample."""

    name: str
    kind: str
    submission: Path
    transcript: Path | None
    expectation: Expectation


@dataclass
class SampleScore:
    """What a sample got, held against what it must get."""

    challenge: str
    sample: Sample
    scored: Scored | None = None
    error: BoutsError | None = None
    value: float | None = None
    """The final on the expectation's scale."""
    problems: list[str] = field(default_factory=list[str])

    @property
    def as_expected(self) -> bool:
        """Whether everything is as it must be."""
        return self.scored is not None and not self.problems

    @property
    def expected(self) -> str:
        """What it must get, for people."""
        e = self.sample.expectation
        parts = (
            [f"{e.band[0]:g}–{e.band[1]:g} % {e.scale}" if e.scale != "final" else f"{e.band[0]:g}–{e.band[1]:g}"]
            if e.band
            else []
        )
        parts += [v.replace("_", " ") for v in e.violations]
        return ", ".join(parts) or "–"

    @property
    def got(self) -> str:
        """What it got, for people."""
        if self.scored is None:
            return "not scored"
        mark = "ok" if self.as_expected else "MISSED"
        return mark if self.value is None else f"{mark} {numbers.score(self.value)}"


def read_samples(package: Package) -> tuple[Sample, ...]:
    """All samples, in the order of their kinds. Raises `BadChallenge` for one that is not laid out as it should be."""
    found = [_sample(package, folder) for folder in package.samples]
    return tuple(sorted(found, key=lambda s: (KINDS.index(s.kind), s.name)))


def score_samples(
    package: Package, world: World, *, jobs: int, fresh: bool, progress: Progress, policy: str = "four-judge"
) -> list[SampleScore]:
    """Score every sample and hold each against its expectation."""
    options = Options(policy=policy, fresh=fresh)
    baseline = run_canaries(package, world, Options(policy=policy), jobs=jobs, progress=progress)
    results = [SampleScore(package.manifest.id, sample) for sample in read_samples(package)]
    untouched: list[Card] = []

    def one(result: SampleScore) -> None:
        sample = result.sample
        try:
            result.scored = evaluate(
                package,
                sample.submission,
                world,
                options,
                agent=sample.expectation.agent or sample.name,
                transcript=sample.transcript,
                baseline=baseline,
                tell=Step(progress, sample.name),
            )
        except BoutsError as error:
            result.error = error
        final = None if result.scored is None else result.scored.card.final
        progress.finish(sample.name, "not scored" if final is None else numbers.score(final))

    def as_given() -> None:
        with tempfile.TemporaryDirectory(dir=world.scratch.folder) as empty:
            plain = Options(policy=policy)
            untouched.append(evaluate(package, Path(empty), world, plain, baseline=baseline).card)

    tasks: list[Callable[[], None]] = [partial(one, r) for r in results]
    if any(r.sample.expectation.scale == "gain" for r in results):
        tasks.append(as_given)
    in_parallel(tasks, jobs)
    reference = next((r for r in results if r.sample.kind == "reference"), None)
    for result in results:
        _compare(result, untouched[0] if untouched else None, reference)
    return results


def on_scale(card: Card, scale: str, untouched: Card | None) -> float | None:
    """A card's final on a scale: as it is, or in per cent of what is attainable, or of what could be gained."""
    if card.final is None or not card.attainable:
        return None
    if scale == "final":
        return card.final
    if scale == "attainable":
        return 100 * card.final / card.attainable
    if untouched is None or untouched.final is None:
        return None
    room = card.attainable - untouched.final
    return 100 * (card.final - untouched.final) / room if room else None


def _compare(result: SampleScore, untouched: Card | None, reference: SampleScore | None) -> None:
    if result.scored is None:
        return
    card, expected = result.scored.card, result.sample.expectation
    result.value = on_scale(card, expected.scale, untouched)
    if expected.band is not None:
        low, high = expected.band
        if result.value is None or not low <= result.value <= high:
            result.problems.append(
                f"got {numbers.score(result.value)} where {low:g} to {high:g} was expected ({expected.scale})"
            )
    found = {v.kind for v in card.violations}
    flags = {f.kind for f in card.flags}
    result.problems += [f"no violation {kind} was found" for kind in expected.violations if kind not in found]
    result.problems += [f"no flag {kind} was raised" for kind in expected.flags if kind not in flags]
    unwanted = sorted(found - set(expected.violations))
    if unwanted:
        result.problems.append(f"violations that were not expected: {', '.join(unwanted)}")
    if result.sample.kind == "bad" and reference is not None and reference.scored is not None:
        mine, best = on_scale(card, "attainable", None), on_scale(reference.scored.card, "attainable", None)
        if mine is not None and best is not None and best - mine < KNOWN_BAD_GAP:
            result.problems.append(f"only {numbers.score(best - mine)} points below the reference")


def _sample(package: Package, folder: Path) -> Sample:
    kind = folder.name.split("-", 1)[0]
    if kind not in KINDS:
        raise BadChallenge(
            f"the sample {folder.name!r} is of no known kind",
            where=str(folder),
            hint="name it <kind>-<name>; kinds are " + ", ".join(KINDS),
        )
    submission = folder / "submission"
    if not submission.is_dir():
        if kind != "reference":
            raise BadChallenge("a sample needs a submission/ folder", where=str(folder))
        submission = package.root / "reference"
    transcript = folder / "transcript.json"
    return Sample(
        name=folder.name,
        kind=kind,
        submission=submission,
        transcript=transcript if transcript.is_file() else None,
        expectation=read_expectation(folder / "expect.yaml"),
    )
