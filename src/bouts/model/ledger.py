"""What the ledger keeps: entries that are only ever added, each naming the digest of the one before.

`Entry.body` is one of the facts below, by `Entry.kind`. Everything else that a ledger tells is derived from the
entries (`model/tallied.py`) and can be made anew from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from bouts.model.base import Fact
from bouts.model.card import Card, Outcome
from bouts.model.challenge import Budget
from bouts.model.records import digest
from bouts.model.run import Run

LEDGER_SCHEMA: Literal["bouts.ledger/1"] = "bouts.ledger/1"
EntryKind = Literal["agent", "season", "challenge", "run", "card", "review", "batch"]
ReviewAction = Literal["appeal", "confirm", "adjust", "void"]
CardState = Literal["final", "provisional", "held", "void"]

TIME_PLACES = 6
"""Decimal places of a run's milliseconds, and of its seconds: sums are whole nanoseconds and microseconds."""
COST_PLACES = 9
"""Decimal places of a run's US dollars: sums are whole billionths."""
MOST = 1e12
"""No figure of a run is above this, whatever its unit."""

_PLAIN = r"^[^\x00-\x1f\x7f]+$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=_PLAIN)]
Text = Annotated[str, StringConstraints(max_length=4_000)]
TaskName = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=_PLAIN)]
Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


class AgentEntry(Fact):
    """An agent. A later entry of the same name replaces what an earlier one said, but for the pseudonym."""

    name: Name
    owner: Name | None = None
    """Who may appeal in its name."""
    model: Name | None = None
    scaffold: Name | None = None
    shown: bool = True
    """Whether standings show the name; else the pseudonym stands in its place, and owner, model and scaffold are not
    shown."""
    pseudonym: Name
    """The same for ever; made with a secret of the ledger, so that it cannot be guessed from the name."""


class SeasonEntry(Fact):
    """A named range of dates, both included, in UTC. A later entry of the same name replaces an earlier one."""

    name: Name
    first: Day
    last: Day


class ChallengeEntry(Fact):
    """A challenge as its package says, or as much of it as whoever registers runs knows."""

    id: TaskName
    version: str
    digest: Digest
    """Of the package; budgets are part of it."""
    title: str
    format: str | None = None
    family: str | None = None
    language: str | None = None
    tier: int | None = None
    budget: Budget | None = None


class RunEntry(Run):
    """A run of an agent. A later entry of the same `run` is a correction and replaces an earlier one.

    `task` is `task_name(…)` where the challenge is known. Times are seconds since 1970 (UTC).
    """

    run: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=_PLAIN)]
    """What tells this run from every other: the same run recorded again is the same run."""
    agent: Name
    challenge: Digest | None = None
    """Digest of the challenge, where one is known."""
    attempt: Annotated[int, Field(ge=1)] = 1
    """Which of the agent's runs at the task it is, counted as they were recorded."""
    outcome: Outcome | None = None
    """The card's, where the run has one."""
    tokens: Annotated[int, Field(ge=0)] | None = None
    """Tokens in and out together."""
    turns: Annotated[int, Field(ge=0)] | None = None
    """Turns of the model."""
    iterations: Annotated[int, Field(ge=0)] | None = None
    """How often the work was handed in."""
    seconds: Annotated[float, Field(ge=0)] | None = None
    """Time to the final submission, in seconds."""
    inside: bool = True
    """Whether the run kept to the challenge's budgets; one outside them is another contest and is never mixed."""
    outside: tuple[str, ...] = ()
    """What it spent more of than allowed, one sentence each."""
    card: Digest | None = None
    """Digest of the card that decided `outcome` and `success`."""
    source: Annotated[str, StringConstraints(max_length=200)] = ""
    """Where the run came from, such as `bouts score` or a file's name."""

    @field_validator("latency_ms", "seconds", mode="after")
    @classmethod
    def _time(cls, value: float | None) -> float | None:
        return None if value is None else round(value, TIME_PLACES)

    @field_validator("cost_usd", mode="after")
    @classmethod
    def _cost(cls, value: float | None) -> float | None:
        return None if value is None else round(value, COST_PLACES)

    @model_validator(mode="after")
    def _possible(self) -> RunEntry:
        if self.success and self.status != "completed":
            raise ValueError(f"a run of status {self.status} cannot have succeeded")
        if max(self.latency_ms or 0, self.cost_usd or 0, self.seconds or 0, self.tokens or 0, abs(self.ended)) > MOST:
            raise ValueError("a figure is above 1e12")
        return self


class CardEntry(Fact):
    """A score card of a run. The run's latest card of a policy's version is the one that counts."""

    card: Digest
    """SHA-256 of the card's canonical JSON without the path of its evidence."""
    run: str
    agent: Name
    task: TaskName
    body: Card
    evidence: Digest | None = None
    """SHA-256 of the evidence file's bytes, under which the evidence folder keeps it; `null` where it was not kept."""


class ReviewEntry(Fact):
    """An appeal against a card, or what a reviewer resolved."""

    card: Digest
    action: ReviewAction
    by: Name
    """Owner who appeals, or reviewer."""
    reason: Text = ""
    second: Digest | None = None
    """The card that stands beside the first from now on, such as the same evidence without a withdrawn penalty."""
    final: Annotated[float, Field(ge=0, le=100)] | None = None
    """The final that counts from now on, where a reviewer adjusted it without a second card."""


class BatchEntry(Fact):
    """Something that happened to a batch."""

    batch: Name
    event: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    """Such as `planned`, `item`, `finished`."""
    item: Annotated[str, StringConstraints(max_length=1_000)] | None = None
    """The item that it happened to."""
    data: dict[str, Any] = {}


BODIES: dict[EntryKind, type[Fact]] = {
    "agent": AgentEntry,
    "season": SeasonEntry,
    "challenge": ChallengeEntry,
    "run": RunEntry,
    "card": CardEntry,
    "review": ReviewEntry,
    "batch": BatchEntry,
}


class Entry(Fact):
    """One entry as stored and exported."""

    seq: Annotated[int, Field(ge=1)]
    """Place in the ledger: 1, 2, 3 … without a gap."""
    time: str
    """When it was written, by the clock of whoever wrote: ISO 8601, UTC, microseconds. Nothing rests on its order."""
    kind: EntryKind
    key: str
    """What tells this entry from every other: the same thing arriving twice has the same key and is kept once."""
    body: dict[str, Any]
    """One of `BODIES`, without defaults."""
    previous: str
    """Digest of the entry before; for the first one the ledger's own."""
    digest: str
    """Over everything above."""


class Added(Fact):
    """What became of something that was handed to the ledger."""

    seq: int
    """The entry that holds it."""
    key: str
    new: bool
    """False where the ledger had it already."""


class Recorded(Fact):
    """What became of a run that was handed to the ledger, with its card."""

    run: Added
    card: Added | None = None
    attempt: int
    inside: bool


class Verification(Fact):
    """What reading the whole ledger showed."""

    ledger: str
    """The ledger's id."""
    entries: int
    """Entries that are as they were written, from the first on."""
    head: str
    """Digest of the last of them."""
    problem: str | None = None
    """The first edit or gap, `null` where there is none."""
    where: str | None = None
    """Its place, such as `entry 17`."""
    cards: int = 0
    """Cards whose evidence was looked for."""
    evidence_missing: tuple[str, ...] = ()
    """Digests of evidence that is not there, the first hundred."""
    evidence_damaged: tuple[str, ...] = ()
    """Digests of evidence with other bytes than those that were stored, the first hundred."""
    derived: str | None = None
    """The first derived row that differs from what the entries give, `null` where all agree."""
    clock_went_back: int = 0
    """Entries that bear an earlier time than the one before; no fault, as nothing rests on the order of times."""

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.problem or self.evidence_missing or self.evidence_damaged or self.derived)


def task_name(challenge: str, version: str, digest: str, instance: str = "") -> str:
    """The task of a run at a challenge. Packages that differ in anything, budgets say, are different tasks."""
    return f"{challenge}@{version}+{digest.removeprefix('sha256:')[:8]}" + (f"#{instance}" if instance else "")


def card_digest(card: Card) -> str:
    """What a ledger calls a card by: the digest of all that it says, but for where its evidence lies."""
    body = card.model_dump(mode="json", exclude_defaults=True)
    return digest({**body, "evidence": {"digest": card.evidence.digest}})
