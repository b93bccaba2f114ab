"""One submission, from what was handed in to its card."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.staging import StagedTree, stage
from bouts.challenges.submissions import open_submission
from bouts.integrity.observed import one_cause
from bouts.model.card import Card, EvidenceRef
from bouts.model.evidence import EnvironmentFacts, Evidence, Fault, Notice, Observation, SubmissionFacts
from bouts.model.records import EvidenceFile, root_digest, to_records
from bouts.model.scanning import ScanReport
from bouts.model.session import Session
from bouts.model.text import clean_line
from bouts.pipeline.integrity import observed, tried
from bouts.pipeline.keys import code, read_code
from bouts.pipeline.objective import Measured, Subject, TellStep, TellTest, measure
from bouts.pipeline.scanning import scan_job
from bouts.pipeline.sessions import read
from bouts.pipeline.similarity import Compare, of_staged
from bouts.pipeline.steps import Attempt, Done, keeper
from bouts.pipeline.turns import Place, Places, Waiting, leaving
from bouts.pipeline.world import World
from bouts.policy.catalogue import CardPolicy, card_policy, second_hidden_run
from bouts.ports import Turn
from bouts.scoring.card import score

AGENT_CHARACTERS = 100
"""Length of an agent's name on a card."""


@dataclass(frozen=True)
class Options:
    """What a caller may choose."""

    policy: str | CardPolicy = "four-judge"
    """A name, or a table such as that of a variant."""
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
    attempt: str = ""
    """Name of the attempt: one that was interrupted goes on where it was, even where all is measured anew."""


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
    steps: tuple[Done, ...] = ()
    """What was done for it, and what had been done before."""

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
    runner = Waiting(world.runner, turn or Place(Places(1)))
    waiting, clock = replace(world, runner=runner), runner.clock
    submission = open_submission(path, package)
    attempt = Attempt(options.fresh, options.attempt)
    with world.scratch.place() as place:
        told = read(submission, transcript, package, world, attempt, place)
        staged = stage(package, submission, place / "work")
        changed = frozenset(staged.changed)
        subject = Subject(package, staged.root, staged.digest, world.environment_of(package), path.name, changed)
        # Reading the code needs nothing of running it.
        with ThreadPoolExecutor(1, "scan") as beside:
            reading = keeper(world, attempt, read_code(world, package, submission, staged))
            scanning = beside.submit(
                reading, "scan", ScanReport, lambda: world.scanner.scan(scan_job(package, submission, staged, world))
            )
            with leaving(turn):
                measured = measured_of(subject, waiting, options, TellTest(tell), attempt, clock)
            scanned = scanning.result()
        with leaving(turn):
            running = keeper(world, attempt, code(world, package, staged.digest), clock)
            runs = tried(subject, staged, measured, scanned, waiting, running, clock)
        observations, notices = observed(
            subject,
            submission,
            staged,
            measured,
            scanned,
            runs,
            told.session,
            network=baseline.network,
            decoys=baseline.decoys,
        )
        if options.similar is not None:
            seen, said = options.similar(package, of_staged(package, staged, path, agent))
            observations, notices = one_cause((*observations, *seen)), (*notices, *said)
    evidence = _evidence(
        package,
        measured,
        scanned,
        submission=_facts(staged, agent, frozenset(told.inside)),
        session=told.session,
        observations=observations,
        notices=(
            *(*staged.notices, *measured.notices, *scanned.notices),
            *(*told.notices, *notices, *_left_out(options)),
        ),
        faults=runs.faults,
        environment=world.facts(package),
    )
    records = to_records(evidence)
    card = score(evidence, policy, EvidenceRef(digest=root_digest(records)))
    return Scored(
        card,
        EvidenceFile(records=records),
        again=card.status == "void" or any(f.retry for f in evidence.faults),
        steps=tuple(attempt.done),
    )


def measured_of(
    subject: Subject,
    world: World,
    options: Options,
    tell: TellTest,
    attempt: Attempt | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Measured:
    """What running the code yields: each step kept from an earlier run of the same code and environment, or new."""
    attempt = attempt or Attempt(options.fresh, options.attempt)
    return measure(
        world.runner,
        subject,
        second_look=second_look_of(options),
        load=options.load,
        decoys=world.decoys,
        tell=tell,
        keep=keeper(world, attempt, code(world, subject.package, subject.digest), clock),
        clock=clock,
    )


def second_look_of(options: Options) -> bool:
    """Whether hidden suites run a second time."""
    wanted = second_hidden_run(card_policy(options.policy))
    return wanted if options.second_look is None else options.second_look


def _left_out(options: Options) -> tuple[Notice, ...]:
    """What the policy asks for and the caller switched off: a reader of the card must know."""
    if second_hidden_run(card_policy(options.policy)) and not second_look_of(options):
        why = "The hidden tests did not run again in an environment that looks different, as the policy asks."
        return (Notice(kind="second_look_off", why=why),)
    return ()


def _evidence(
    package: Package,
    measured: Measured,
    scanned: ScanReport,
    *,
    submission: SubmissionFacts,
    session: Session | None,
    observations: tuple[Observation, ...],
    notices: tuple[Notice, ...],
    faults: tuple[Fault, ...],
    environment: EnvironmentFacts,
) -> Evidence:
    """All facts in one place; `faults` are those of the integrity checks."""
    build = {b.check: b for b in (*scanned.build, *measured.build)}
    return Evidence(
        challenge=package.facts(),
        submission=submission,
        suites=measured.suites,
        tests=measured.tests,
        build=tuple(build.values()),
        metrics=measured.metrics,
        findings=scanned.findings,
        observations=observations,
        notices=notices,
        audit=measured.audit,
        session=session,
        session_state="given" if session is not None else "absent",
        faults=(*measured.faults, *(Fault.model_validate(f.model_dump()) for f in scanned.faults), *faults),
        environment=environment,
    )


def _facts(staged: StagedTree, agent: str | None, read: frozenset[str]) -> SubmissionFacts:
    """What was handed in, without the refusal of the transcript itself: it was read, so it was no stray file."""
    facts = staged.facts
    return facts.model_copy(
        update={
            "agent": facts.agent if agent is None else clean_line(agent, AGENT_CHARACTERS),
            "refusals": tuple(r for r in facts.refusals if r.path not in read),
            "changes": tuple(c for c in facts.changes if c.path not in read or c.in_scope),
        }
    )
