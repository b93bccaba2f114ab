"""Canaries of a batch: the reference must pass here, the codebase as given and the naive solution must fail.

A grader that passes everything, or nothing, is found out before it scores anybody. What the codebase as given does by
itself (addresses it tries, decoys it opens) is the baseline that no submission is blamed for.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.staging import stage
from bouts.challenges.submissions import open_submission
from bouts.errors import WorldError
from bouts.model.challenge import Suite
from bouts.model.evidence import TestFacts
from bouts.pipeline.evaluate import Baseline, Options, measured_of
from bouts.pipeline.objective import Measured, Subject, TellStep, TellTest
from bouts.pipeline.progress import Progress
from bouts.pipeline.turns import Place, Places, Waiting, leaving
from bouts.pipeline.world import World

HIDDEN_SHARE = 0.8
"""Share of hidden tests that the reference must pass; more than this by the rules for packages."""


def run_canaries(package: Package, world: World, options: Options, *, jobs: int, progress: Progress) -> Baseline:
    """Run, or remember, the canaries. Raises `WorldError` where this grading could not be trusted."""
    from bouts.pipeline.batch import Step, ahead, in_parallel

    quick = Options(policy=options.policy, fresh=options.fresh, second_look=False, load=False, attempt=options.attempt)
    seen: dict[str, Measured] = {}
    places = Places(jobs)

    def one(name: str, path: Path | None) -> None:
        turn = Place(places)
        waiting = replace(world, runner=Waiting(world.runner, turn))
        with leaving(turn):
            seen[name] = _measure(package, path, waiting, quick, Step(progress, f"canary: {name}"))
        progress.leave(f"canary: {name}")

    in_parallel([partial(one, n, p) for n, p in canaries_of(package).items()], jobs + ahead(package))
    _judge(package, seen)
    given = seen["as given"].watched
    return Baseline(
        network=frozenset(n.address for n in given.network if not n.allowed), decoys=frozenset(given.decoy_reads)
    )


def canaries_of(package: Package) -> dict[str, Path | None]:
    """What is run as a canary, by name; the codebase as given has no path."""
    paths: dict[str, Path | None] = {"as given": None, "reference": package.root / "reference"}
    naive = next((s / "submission" for s in package.samples if s.name.startswith("naive-")), None)
    if naive is not None and naive.is_dir():
        paths["naive"] = naive
    return paths


def _measure(package: Package, path: Path | None, world: World, options: Options, tell: TellStep) -> Measured:
    with tempfile.TemporaryDirectory(dir=world.scratch.folder) as empty, world.scratch.place() as place:
        staged = stage(package, open_submission(path or Path(empty), package), place / "work")
        subject = Subject(package, staged.root, staged.digest, world.environment_of(package), "canary")
        return measured_of(subject, world, options, TellTest(tell))


def _judge(package: Package, seen: dict[str, Measured]) -> None:
    for name, measured in seen.items():
        if measured.faults:
            raise WorldError(
                f"the {name} canary could not be run: {measured.faults[0].message}", hint="see what `bouts doctor` says"
            )
    reference = seen["reference"].tests
    failed = [t for t in reference if t.suite is Suite.STATIC and t.outcome != "passed"]
    hidden = [t for t in reference if t.suite is Suite.ADVERSARIAL]
    passed = [t for t in hidden if t.outcome == "passed"]
    where = str(package.root)
    hint = f"see what `bouts check {package.root}` and `bouts doctor` say"
    if failed:
        raise WorldError(
            f"the reference fails {len(failed)} visible tests here, so no score could be trusted; first: "
            f"{failed[0].id} ({failed[0].outcome}): {_first_line(failed[0])}",
            where=where,
            hint=f"try it: bouts test {package.root} {package.root / 'reference'}; see also `bouts doctor`",
        )
    if hidden and len(passed) < HIDDEN_SHARE * len(hidden):
        raise WorldError(
            f"the reference passes only {len(passed)} of {len(hidden)} hidden tests here, so no score could be trusted",
            where=where,
            hint=hint,
        )
    for name in ("as given", "naive"):
        if name in seen and all(t.outcome == "passed" for t in seen[name].tests):
            what = "codebase as given" if name == "as given" else "naive solution"
            raise WorldError(f"the {what} passes every test, so no score could be trusted", where=where, hint=hint)


def _first_line(test: TestFacts) -> str:
    return (test.message.splitlines() or [""])[0][:200]
