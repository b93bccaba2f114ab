"""One submission, from what was handed in to its card."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree, stage
from bouts.challenges.submissions import Submission, open_submission
from bouts.integrity.observed import one_cause
from bouts.model.card import Card, EvidenceRef
from bouts.model.constraints import Constraint, OnlyFiles
from bouts.model.evidence import Evidence, Fault, Notice, Refusal
from bouts.model.records import EvidenceFile, root_digest, to_records
from bouts.model.scanning import ScanJob, ScanReport
from bouts.model.session import Session
from bouts.model.text import clean_line
from bouts.pipeline.integrity import observed, tried
from bouts.pipeline.kept import kept
from bouts.pipeline.objective import Measured, Subject, TellStep, TellTest, measure
from bouts.pipeline.sessions import BESIDE, read
from bouts.pipeline.similarity import Compare, of_staged
from bouts.pipeline.turns import Waiting, leaving
from bouts.pipeline.world import World
from bouts.policy.catalogue import card_policy, second_hidden_run
from bouts.ports import Turn
from bouts.scoring.card import score

AGENT_CHARACTERS = 100
"""Length of an agent's name on a card."""
VISIBLE = "tests/static/"
SUPPORT = "tests/support/"


@dataclass(frozen=True)
class Options:
    """What a caller may choose."""

    policy: str = "four-judge"
    fresh: bool = False
    """Measure anew, whatever was kept."""
    offline: bool = False
    """Use no model and no network."""
    second_look: bool | None = None
    """Whether hidden suites run a second time in another look; the policy decides where this is `None`."""
    load: bool = True
    """Whether to measure performance; only canaries do without."""
    similar: Compare | None = None
    """Adds the submission to a similarity index and says whether it is a copy."""


@dataclass(frozen=True)
class Baseline:
    """What the codebase as given does by itself, which is no submission's doing."""

    network: frozenset[str] = frozenset()
    decoys: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Scored:
    """A card with its evidence."""

    card: Card
    evidence: EvidenceFile
    again: bool = False
    """Whether running again may complete the card: a fault of ours or of the world is on it."""

    def saved_as(self, card: Card) -> Scored:
        """The same with the card as stored."""
        return replace(self, card=card)


def evaluate(
    package: Package,
    path: Path,
    world: World,
    options: Options,
    *,
    agent: str | None = None,
    transcript: Path | None = None,
    baseline: Baseline = Baseline(),
    tell: TellStep | None = None,
    turn: Turn | None = None,
) -> Scored:
    """Score one submission. Its tests run in its `turn`; everything else is done outside it.

    Raises `BadSubmission`, `BadFile` or `NotFound` for what cannot be taken.
    """
    policy = card_policy(options.policy)
    tell = tell or TellStep()
    waiting = world if turn is None else replace(world, runner=Waiting(world.runner, turn))
    submission = open_submission(path, package)
    session, session_path = read(path, transcript, world)
    with world.scratch.place() as place:
        staged = stage(package, submission, place / "work")
        changed = frozenset(staged.changed)
        subject = Subject(package, staged.root, staged.digest, world.environment_of(package), path.name, changed)
        # Reading the code needs nothing of running it.
        with ThreadPoolExecutor(1, "scan") as beside:
            scanning = beside.submit(_scanned, package, submission, staged, world, options)
            with leaving(turn):
                measured = measured_of(subject, waiting, options, TellTest(tell))
            scanned = scanning.result()
        with leaving(turn):
            runs = tried(subject, staged, measured, scanned, waiting, fresh=options.fresh)
        observations, notices = observed(
            subject,
            submission,
            staged,
            measured,
            scanned,
            runs,
            session,
            network=baseline.network,
            decoys=baseline.decoys,
        )
        if options.similar is not None:
            seen, said = options.similar(package, of_staged(package, staged, path, agent))
            observations, notices = one_cause((*observations, *seen)), (*notices, *said)
    evidence = assemble_evidence(package, staged, measured, scanned, world, session=session, agent=agent)
    evidence = evidence.model_copy(
        update={
            "observations": observations,
            "notices": (*evidence.notices, *notices),
            "faults": (*evidence.faults, *runs.faults),
        }
    )
    evidence = evidence.model_copy(update={"notices": (*evidence.notices, *_left_out(options))})
    if session_path is not None and session_path.name == BESIDE:
        evidence = _without(evidence, BESIDE)
    records = to_records(evidence)
    card = score(evidence, policy, EvidenceRef(digest=root_digest(records)))
    return Scored(
        card, EvidenceFile(records=records), again=card.status == "void" or any(f.retry for f in evidence.faults)
    )


def measured_of(subject: Subject, world: World, options: Options, tell: TellTest) -> Measured:
    """What running the code yields: kept from an earlier run of the same code and environment, or new.

    What our own faults spoiled is not kept.
    """
    second_look, load = _second_look(options), options.load
    made_from = {
        "what": "measured",
        "challenge": subject.package.digest,
        "submission": subject.digest,
        "environment": world.facts(subject.package).model_dump(mode="json"),
        "second_look": second_look,
        "load": load,
    }

    def make() -> Measured:
        return measure(world.runner, subject, second_look=second_look, load=load, decoys=world.decoys, tell=tell)

    return kept(world, made_from, Measured, make, fresh=options.fresh)


def _second_look(options: Options) -> bool:
    wanted = second_hidden_run(card_policy(options.policy))
    return wanted if options.second_look is None else options.second_look


def _left_out(options: Options) -> tuple[Notice, ...]:
    """What the policy asks for and the caller switched off: a reader of the card must know."""
    if second_hidden_run(card_policy(options.policy)) and not _second_look(options):
        why = "The hidden tests did not run again in an environment that looks different, as the policy asks."
        return (Notice(kind="second_look_off", why=why),)
    return ()


def assemble_evidence(
    package: Package,
    staged: StagedTree,
    measured: Measured,
    scanned: ScanReport,
    world: World,
    *,
    session: Session | None,
    agent: str | None,
) -> Evidence:
    """All facts in one place, but for what the integrity checks make of them."""
    name = None if agent is None else clean_line(agent, AGENT_CHARACTERS)
    facts = staged.facts if name is None else staged.facts.model_copy(update={"agent": name})
    build = {b.check: b for b in (*scanned.build, *measured.build)}
    return Evidence(
        challenge=package.facts(),
        submission=facts,
        suites=measured.suites,
        tests=measured.tests,
        build=tuple(build.values()),
        metrics=measured.metrics,
        findings=scanned.findings,
        notices=(*staged.notices, *measured.notices, *scanned.notices),
        audit=measured.audit,
        session=session,
        session_state="given" if session is not None else "absent",
        faults=(*measured.faults, *(Fault.model_validate(f.model_dump()) for f in scanned.faults)),
        environment=world.facts(package),
    )


def _scanned(
    package: Package, submission: Submission, staged: StagedTree, world: World, options: Options
) -> ScanReport:
    made_from = {
        "what": "scanned",
        "challenge": package.digest,
        "staged": staged.digest,
        "handed_in": staged.handed_in_digest,
        "deletions": _deletes(submission),
        "tools": world.machine.tools,
    }

    def make() -> ScanReport:
        return world.scanner.scan(_scan_job(package, submission, staged, world))

    return kept(world, made_from, ScanReport, make, fresh=options.fresh)


def _deletes(submission: Submission) -> bool:
    """Whether what was not handed in is deleted."""
    return submission.source == "patch" or submission.manifest.complete


def _scan_job(package: Package, submission: Submission, staged: StagedTree, world: World) -> ScanJob:
    tests = {
        path: package.read(source) for path, source in package.given.items() if path.startswith((VISIBLE, SUPPORT))
    }
    handed_in = {path: data for path, data in staged.handed_in.items() if path.startswith((VISIBLE, SUPPORT))}
    reference = package.root / "reference"
    return ScanJob(
        given=str(package.codebase),
        staged=str(staged.root),
        changed=(*staged.changed, *staged.deleted),
        package_tests=tests,
        handed_in_tests={**{p: d for p, d in tests.items() if p not in submission.deleted}, **handed_in},
        deletions_count=_deletes(submission),
        reference=str(reference) if reference.is_dir() else "",
        constraints=_constraints(package),
        added_dependencies=tuple(
            name for name in staged.facts.added_dependencies or () if name not in package.manifest.dependencies
        ),
        allowed_packages=_allowed(package, world),
    )


def _constraints(package: Package) -> tuple[Constraint, ...]:
    """The declared constraints; a deliverable may be written whatever files are to be left alone."""
    written = tuple(part.path for part in package.manifest.deliverables)
    return tuple(
        one.model_copy(update={"files": (*one.files, *written)}) if isinstance(one, OnlyFiles) else one
        for one in package.manifest.constraints
    )


def _allowed(package: Package, world: World) -> tuple[str, ...]:
    """Packages that may be used, and modules that the challenge's environment holds."""
    if not any(one.kind == "no_new_dependency" for one in package.manifest.constraints):
        return ()
    folder = world.environment_of(package)
    modules = sorted(path.name.removesuffix(".py") for path in folder.iterdir()) if folder else []
    return (*package.manifest.dependencies, *modules)


def _without(evidence: Evidence, name: str) -> Evidence:
    """The evidence without the refusal of the transcript itself: it was read, so it was no stray file."""
    refusals: tuple[Refusal, ...] = tuple(r for r in evidence.submission.refusals if r.path != name)
    changes = tuple(c for c in evidence.submission.changes if c.path != name or c.in_scope)
    return evidence.model_copy(
        update={"submission": evidence.submission.model_copy(update={"refusals": refusals, "changes": changes})}
    )
