"""The score card: a sum that shows its working. It is publishable: no hidden test's name, code or message is on it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.evidence import EnvironmentFacts, Proof, ViolationKind

LineState = Literal["measured", "neutral", "not_judged", "not_applicable"]
Status = Literal["final", "provisional", "held", "void"]
Outcome = Literal["solved", "failed", "infrastructure", "out_of_budget", "invalid"]
Level = Literal["complete", "partial", "none"]


class Line(Fact):
    """One step of the sum. Scores are 0–100; points are what the line adds to the final."""

    key: str
    """Dotted: `objective.static`."""
    label: str
    state: LineState
    score: float | None
    """0–100, to 6 places; `null` where nothing was judged. For `integrity` it is the modifier itself."""
    weight: float | None
    """Share of the parent after the weights of `null` siblings were shared out."""
    policy_weight: float | None = None
    """Share as the policy states it."""
    points: float | None
    """What the line adds to the final, to 6 places; children's points add up to their parent's."""
    because: str
    """One or two sentences."""
    formula: str = ""
    """The formula filled in with numbers."""
    evidence: tuple[str, ...] = ()
    """Ids of evidence records, at most twenty; never a hidden test's."""
    children: tuple[Line, ...] = ()


class Flag(Fact):
    """Something a reader must know. A flag that holds keeps the card off every leaderboard until a review."""

    kind: str
    why: str
    holds: bool = False


class Violation(Fact):
    """A proven breach of integrity."""

    kind: ViolationKind
    points: float
    """What it costs before clamping; never above 0."""
    because: str
    evidence: tuple[Proof, ...]


class Bonus(Fact):
    """A virtue that earned points."""

    kind: str
    points: float
    because: str
    evidence: tuple[Proof, ...] = ()


class ChallengeRef(Fact):
    """Which challenge."""

    id: str
    version: str
    digest: str
    title: str
    format: str
    family: str
    tier: int


class SubmissionRef(Fact):
    """Which submission."""

    agent: str | None
    digest: str


class PolicyRef(Fact):
    """Which numbers."""

    name: str
    version: str
    digest: str


class EvidenceRef(Fact):
    """Where the facts are."""

    digest: str
    path: str | None = None
    """Relative to the card's folder."""


class HiddenCount(Fact):
    """Hidden tests of one severity or pattern, as counts only."""

    group: str
    passed: int
    total: int


class TestCounts(Fact):
    """Tests as a reader of the card may see them."""

    static_passed: int
    static_total: int
    adversarial_passed: int
    adversarial_total: int
    by_severity: tuple[HiddenCount, ...] = ()
    by_pattern: tuple[HiddenCount, ...] = ()


class Card(Fact):
    """One submission scored by one policy."""

    schema_: Annotated[Literal["bouts.card/1"], Field(alias="schema")] = "bouts.card/1"
    outcome: Outcome
    challenge: ChallengeRef
    submission: SubmissionRef
    policy: PolicyRef
    status: Status
    because: str
    """Why the card has this status."""
    final: float | None
    """0–100 to 6 places; `null` on a void card."""
    headline: int | None
    """The final rounded half up."""
    attainable: float | None
    """The final with every applicable line at 100 and no bonus: what this card could have reached."""
    lines: tuple[Line, ...]
    tests: TestCounts
    flags: tuple[Flag, ...] = ()
    violations: tuple[Violation, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    audit: dict[str, Level]
    environment: EnvironmentFacts
    evidence: EvidenceRef
