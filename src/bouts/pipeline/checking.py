"""`bouts check`: what can be read, then what must be run."""

from __future__ import annotations

import json
from collections.abc import Callable

from bouts.challenges.checks import Check, error, ok
from bouts.challenges.components import component_checks
from bouts.challenges.reading import Package, read_challenge
from bouts.challenges.staging import stage
from bouts.challenges.submissions import open_submission
from bouts.errors import BoutsError
from bouts.model.challenge import Boundary, Suite
from bouts.model.inventory import Inventory
from bouts.model.running import SuiteJob, SuiteReport
from bouts.pipeline.canaries import run_canaries
from bouts.pipeline.evaluate import Baseline, Options, Scored, evaluate
from bouts.pipeline.files import write_whole
from bouts.pipeline.hardcoding import not_varied
from bouts.pipeline.looks import FIRST
from bouts.pipeline.objective import Subject, target_of
from bouts.pipeline.progress import Progress
from bouts.pipeline.samples import on_scale, read_samples, score_samples
from bouts.pipeline.world import World
from bouts.render import numbers

REFERENCE_AT_LEAST = 85.0
"""Per cent of what is attainable that the reference must reach."""
NAMES_SHOWN = 3


def check(
    package: Package,
    world: World,
    *,
    freeze: bool,
    samples: bool,
    static: bool,
    fresh: bool,
    jobs: int,
    progress: Progress,
) -> list[Check]:
    """All checks of a package. With `freeze` the inventory is written first."""
    done: list[Check] = []
    if freeze:
        done.append(_freeze(package, world))
        package = read_challenge(package.root)
    done += [*component_checks(package), *_judged(package)]
    if static or any(c.level == "error" and c.name in ("inventory", "reference", "rubric") for c in done):
        return done
    try:
        options = Options(fresh=fresh)
        baseline = run_canaries(package, world, options, jobs=jobs, progress=progress)
        naive = any(s.name.startswith("naive-") for s in package.samples)
        losers = "the codebase as given and the naive solution fail" if naive else "the codebase as given fails"
        done.append(ok("canaries", f"the reference passes; {losers}"))
        done += _varied(package, world)
        done += _reference(package, lambda: _score_reference(package, world, options, baseline))
        if samples:
            done += _samples(package, world, fresh=fresh, jobs=jobs, progress=progress)
    except BoutsError as problem:
        done.append(error("canaries", str(problem.message), problem.hint or "mend the reference or the tests"))
    return done


def listed(package: Package, world: World, suite: Suite) -> SuiteReport:
    """The suite's test ids, as collected with the reference in place, and what those tests leave to its objects."""
    spec = package.manifest.suites.static if suite is Suite.STATIC else package.manifest.suites.adversarial
    with world.scratch.place() as place:
        staged = stage(package, open_submission(package.root / "reference", package), place / "work")
        subject = Subject(package, staged.root, staged.digest, world.environment_of(package), "reference")
        job = SuiteJob(
            target=target_of(subject),
            tests_folder=str(package.tests),
            suite=suite,
            boundary=spec.boundary,
            tests=(),
            collect=True,
            look=FIRST,
        )
        report = world.runner.run(job, lambda _: None)
        if spec.boundary is not Boundary.CALLS or report.faults:
            return report
        run = job.model_copy(update={"collect": False, "tests": report.collected})
        ran = world.runner.run(run, lambda _: None)
        return report.model_copy(update={"judged": ran.judged, "faults": ran.faults})


def _freeze(package: Package, world: World) -> Check:
    if not (package.root / "reference").is_dir():
        return error("freeze", "there is no reference/ to run", "write the reference solution")
    reports = {suite: listed(package, world, suite) for suite in Suite}
    for suite, report in reports.items():
        if report.faults or not report.collected:
            why = "; ".join(report.faults) or "no tests were found"
            return error("freeze", f"the {suite.value} tests cannot be listed: {why}", "mend the test files")
    judged = {f"{s.value}/{test}": found for s, report in reports.items() for test, found in report.judged.items()}
    inventory = Inventory(
        tests_digest=package.tests_digest,
        static=tuple(sorted(reports[Suite.STATIC].collected)),
        adversarial=tuple(sorted(reports[Suite.ADVERSARIAL].collected)),
        judged={test: found.put for test, found in sorted(judged.items())},
        rest_on_code=tuple(sorted(test for test, found in judged.items() if found.alone)),
    )
    before = package.inventory
    text = json.dumps(inventory.model_dump(mode="json", by_alias=True), indent=1) + "\n"
    write_whole(package.root / "inventory.json", text.encode())
    counted = f"{len(inventory.static)} visible and {len(inventory.adversarial)} hidden tests"
    return ok("freeze", f"{counted} written to inventory.json" + ("" if before != inventory else ", unchanged"))


def _judged(package: Package) -> list[Check]:
    """Hidden tests that nothing but objects of the code decides."""
    inventory = package.inventory
    if inventory is None or not package.inventory_fits:
        return []
    suites = package.manifest.suites
    if inventory.judged is None and Boundary.CALLS in (suites.static.boundary, suites.adversarial.boundary):
        remedy = f"write it anew with: bouts check {package.root} --freeze"
        return [error("inventory", "it does not say what the tests leave to objects of the code", remedy)]
    weak = [t for t in inventory.rest_on_code if t.startswith(f"{Suite.ADVERSARIAL.value}/")]
    if not weak:
        return []
    named = ", ".join(weak[:NAMES_SHOWN]) + (" …" if len(weak) > NAMES_SHOWN else "")
    said = f"nothing but what objects of the code say decides {len(weak)} of them: {named}"
    return [_warn("hidden tests", said, "one that says yes to all passes them; compare plain data, too")]


def _varied(package: Package, world: World) -> list[Check]:
    """Visible tests that can be run with no other values, so that nobody can be convicted of their literals."""
    fixed = not_varied(package, world)
    if not fixed:
        return []
    named = ", ".join(fixed[:NAMES_SHOWN]) + (" …" if len(fixed) > NAMES_SHOWN else "")
    said = f"{len(fixed)} of the visible tests cannot be run with other values that the reference answers: {named}"
    remedy = "answers that are hardcoded for them cannot be proven; where that matters, give and expect literal values"
    return [_warn("visible tests", said, remedy)]


def _score_reference(package: Package, world: World, options: Options, baseline: Baseline) -> Scored:
    sample = next((s for s in read_samples(package) if s.kind == "reference"), None)
    path = sample.submission if sample else package.root / "reference"
    transcript = sample.transcript if sample else None
    return evaluate(package, path, world, options, agent="reference", transcript=transcript, baseline=baseline)


def _reference(package: Package, run: Callable[[], Scored]) -> list[Check]:
    card = run().card
    value = on_scale(card, "attainable", None)
    share = f"{numbers.score(value)} % of what is attainable"
    done: list[Check] = []
    if value is not None and value >= REFERENCE_AT_LEAST:
        done.append(ok("reference", f"it reaches {share}"))
    else:
        remedy = f"it must reach {REFERENCE_AT_LEAST:g}; see: bouts score {package.root} {package.root}/reference"
        done.append(error("reference", f"it reaches {share}", remedy))
    if card.violations:
        kinds = ", ".join(v.kind for v in card.violations)
        done.append(
            error("reference", f"it trips integrity checks: {kinds}", "mend the reference, or report the check")
        )
    if card.outcome != "solved":
        t = card.tests
        passed = (
            f"{t.static_passed} of {t.static_total} visible, {t.adversarial_passed} of {t.adversarial_total} hidden"
        )
        level = error if t.static_passed < t.static_total else _warn
        done.append(level("reference", f"it passes {passed} tests", "every test should pass on the reference"))
    return done


def _warn(name: str, message: str, remedy: str) -> Check:
    return Check(name=name, level="warning", message=message, remedy=remedy)


def _samples(package: Package, world: World, *, fresh: bool, jobs: int, progress: Progress) -> list[Check]:
    done: list[Check] = []
    for result in score_samples(package, world, jobs=jobs, fresh=fresh, progress=progress):
        name = f"sample {result.sample.name}"
        if result.error is not None:
            done.append(error(name, str(result.error), "mend the sample"))
        elif result.problems:
            done.append(error(name, "; ".join(result.problems[:NAMES_SHOWN]), "more or sharper tests, or another band"))
        else:
            done.append(ok(name, f"{result.got} of {result.expected}"))
    return done
