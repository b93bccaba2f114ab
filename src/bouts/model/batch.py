"""A batch of submissions: what is to be scored, and how far that is."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bouts.model.base import Fact
from bouts.model.card import Card, Outcome, Status

BATCH_SCHEMA: Literal["bouts.batch/1"] = "bouts.batch/1"
BatchName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
ItemProgress = Literal["left", "started", "done", "failed"]
"""`left`: not begun; `started`: begun and not ended, as where the process was killed; `failed`: no card."""
Intent = Literal["reuse", "regrade", "run", "invalid"]
"""`reuse`: all that was measured is kept, and nothing runs; `regrade`: scored before under another challenge, grader or
environment; `run`: something has to run; `invalid`: cannot be taken."""


class BatchItem(Fact):
    """One submission of a batch."""

    name: str
    """Unique in the batch."""
    path: str
    agent: str | None = None
    transcript: str | None = None


class BatchOptions(Fact):
    """How the items are scored, and where the cards go."""

    policy: str = "four-judge"
    fresh: bool = False
    second_look: bool = True
    offline: bool = False
    similarity: str | None = None
    out: str | None = None
    html: str | None = None
    record: bool = True
    """Whether the ledger is told of runs whose agent is known."""
    ledger: str | None = None
    """The ledger, where one was named."""
    run: str | None = None
    """What tells attempts apart that are alike in submission and session."""


class BatchHead(Fact):
    """What a batch set out to do."""

    schema_: Annotated[Literal["bouts.batch/1"], Field(alias="schema")] = BATCH_SCHEMA
    name: BatchName
    named: bool = False
    """Whether a user gave the name; such a batch is never cleared away."""
    attempt: str = ""
    """Tells this batch from every other: what it measured anew counts as new until it is over."""
    command: str
    """Digest over challenge, items and options: the same command again has the same."""
    challenge: str
    """Folder of the challenge."""
    challenge_id: str
    challenge_version: str
    challenge_digest: str
    grader: str
    """Digest of Bouts' own code."""
    options: BatchOptions
    items: tuple[BatchItem, ...]
    regrades: str | None = None
    """The batch whose items are scored anew."""


class Verdict(Fact):
    """A scoring in short: what a later one of the same submission is held against."""

    submission: str
    """Digest of the files that were staged."""
    challenge_version: str
    challenge_digest: str
    grader: str
    environment: str
    """Digest of what is known of the machine."""
    policy: str
    """Name and version."""
    outcome: Outcome
    status: Status
    final: float | None
    points: dict[str, float | None]
    """Points of the terms of the sum, by key."""
    visible: tuple[int, int]
    """Visible tests passed, and all."""
    hidden: tuple[int, int]
    violations: tuple[str, ...] = ()
    evidence: str
    """Digest of the card's evidence."""
    card: str | None = None
    """Where the card was stored."""
    again: bool = False
    """Whether running again may complete the card."""
    seconds: dict[str, float] = {}
    """What each step took when it was done, by its name."""


class ItemState(Fact):
    """How far one item is."""

    item: BatchItem
    state: ItemProgress = "left"
    mark: str = ""
    """Tells whether the submission was changed since."""
    verdict: Verdict | None = None
    error: dict[str, str | None] | None = None


class BatchState(Fact):
    """How far a batch is."""

    head: BatchHead
    items: tuple[ItemState, ...]
    ended: bool = False

    def count(self, state: ItemProgress) -> int:
        """How many items are in a state."""
        return sum(one.state == state for one in self.items)

    @property
    def summary(self) -> str:
        """Such as `12 done, 1 failed, 37 left of 50`."""
        open_ = self.count("left") + self.count("started")
        return f"{self.count('done')} done, {self.count('failed')} failed, {open_} left of {len(self.items)}"


class Planned(Fact):
    """What scoring one item would do."""

    name: str
    submission: str
    intent: Intent
    why: str
    steps: tuple[str, ...] = ()
    """Steps that would run."""
    seconds: float | None = None
    """How long they took when they were done last, for this submission or else at this challenge; `null` where that is
    not known. Of several jobs each takes its share."""
    cost_usd: float = 0.0
    """0 where no model is asked."""
    before: Verdict | None = None
    """What came of this submission last."""


def verdict_of(
    card: Card, *, grader: str, environment: str, path: str | None, again: bool, seconds: dict[str, float]
) -> Verdict:
    """A card in short."""
    tests = card.tests
    return Verdict(
        submission=card.submission.digest,
        challenge_version=card.challenge.version,
        challenge_digest=card.challenge.digest,
        grader=grader,
        environment=environment,
        policy=f"{card.policy.name} {card.policy.version}",
        outcome=card.outcome,
        status=card.status,
        final=card.final,
        points={line.key: line.points for line in card.lines},
        visible=(tests.static_passed, tests.static_total),
        hidden=(tests.adversarial_passed, tests.adversarial_total),
        violations=tuple(v.kind for v in card.violations),
        evidence=card.evidence.digest,
        card=path,
        again=again,
        seconds=seconds,
    )
