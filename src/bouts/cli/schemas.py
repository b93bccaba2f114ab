"""The shapes that `--json` prints. Commands print plain dicts; tests hold each against its shape here.

The JSON Schemas in `docs/reference/` are generated from these.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.card import Card, Outcome, PolicyRef, Status
from bouts.model.evidence import TestOutcome
from bouts.model.sandbox import ProbeItem
from bouts.scoring.differences import CardDiff
from bouts.scoring.explain import Derivation
from bouts.scoring.explore import WhatIf
from bouts.scoring.reach import Reach


class ErrorBody(Fact):
    """What is wrong, where, and what to do."""

    code: str
    message: str
    where: str | None
    hint: str | None


class ErrorOutput(Fact):
    """Any command that failed."""

    schema_: Literal["bouts.error/1"] = Field(alias="schema")
    error: ErrorBody


class ScoreItem(Fact):
    """One submission of several: a card, or the error that kept it from one."""

    submission: str
    path: str | None
    card: Card | None
    error: ErrorBody | None


class ScoresOutput(Fact):
    """`bouts score` with several submissions; with one it prints the card itself."""

    schema_: Literal["bouts.scores/1"] = Field(alias="schema")
    items: tuple[ScoreItem, ...]


class DemoItem(Fact):
    """One sample of the demonstration."""

    challenge: str
    sample: str
    as_expected: bool
    expected: str
    got: str
    problems: tuple[str, ...]
    card: Card | None


class DemoOutput(Fact):
    """`bouts demo`."""

    schema_: Literal["bouts.demo/1"] = Field(alias="schema")
    folder: str
    samples: tuple[DemoItem, ...]


class ProblemBody(Fact):
    """One place where a card and its evidence differ."""

    where: str
    what: str


class VerificationOutput(Fact):
    """`bouts verify`."""

    schema_: Literal["bouts.verification/1"] = Field(alias="schema")
    agrees: bool
    problems: tuple[ProblemBody, ...]
    authenticity: str


class DerivationOutput(Fact):
    """`bouts explain`."""

    schema_: Literal["bouts.derivation/1"] = Field(alias="schema")
    lines: tuple[Derivation, ...]
    evidence_at_hand: bool


class WhatIfOutput(WhatIf):
    """`bouts explain --what-if`."""

    schema_: Literal["bouts.what-if/1"] = Field(alias="schema")


class ToReachOutput(Reach):
    """`bouts explain --to-reach`."""

    schema_: Literal["bouts.to-reach/1"] = Field(alias="schema")


class DiffOutput(CardDiff):
    """`bouts diff`."""

    schema_: Literal["bouts.diff/1"] = Field(alias="schema")


class RescoredItem(Fact):
    """One card of several: the card under the other policy, or the error that kept it from one."""

    source: str
    """The card whose evidence was scored."""
    path: str | None
    """Where the new card lies; `null` where none was stored."""
    before: float | None
    """Final of the source card, 0–100."""
    card: Card | None
    error: ErrorBody | None


class RescoredOutput(Fact):
    """`bouts rescore` with several cards; with one it prints the card itself."""

    schema_: Literal["bouts.rescored/1"] = Field(alias="schema")
    policy: str
    version: str
    items: tuple[RescoredItem, ...]


class PolicyItem(Fact):
    """One released table."""

    name: str
    version: str
    title: str
    source: str
    """The document that the policy restates."""
    digest: str


class PoliciesOutput(Fact):
    """`bouts policy list`."""

    schema_: Literal["bouts.policies/1"] = Field(alias="schema")
    default: str
    """The policy of a card where none is named."""
    policies: tuple[PolicyItem, ...]


class PolicyOutput(Fact):
    """`bouts policy show`; the table's fields are those of the policy."""

    schema_: Literal["bouts.policy/1"] = Field(alias="schema")
    digest: str
    policy: dict[str, Any]


class PolicyFieldBody(Fact):
    """One field that two policies state differently."""

    path: str
    """Dotted, such as `objective.weights.static`."""
    before: Any
    """`null` where the first policy has no such field."""
    after: Any
    """`null` where the second policy has no such field."""
    change: Literal["added", "removed", "changed"]
    meaning: str


class PolicyDiffOutput(Fact):
    """`bouts policy diff`."""

    schema_: Literal["bouts.policy-diff/1"] = Field(alias="schema")
    before: PolicyRef
    after: PolicyRef
    fields: tuple[PolicyFieldBody, ...]


class Term(Fact):
    """What one line of the sum contributes to a movement."""

    key: str
    points: float


class MovementBody(Fact):
    """One card's evidence under two policies."""

    path: str
    agent: str | None
    challenge: str
    before: float
    """Final under the first policy, 0–100."""
    after: float
    """Final under the second policy, 0–100."""
    difference: float
    status_before: Status
    status_after: Status
    outcome: Outcome
    terms: tuple[Term, ...]
    """Points by line of the sum; they add up to `difference`."""


class LeftOutBody(Fact):
    """A card that could not be scored anew."""

    path: str
    why: str


class PolicyMovementsOutput(Fact):
    """`bouts policy diff --over`; the largest movement first."""

    schema_: Literal["bouts.policy-movements/1"] = Field(alias="schema")
    before: PolicyRef
    after: PolicyRef
    cards: tuple[MovementBody, ...]
    left_out: tuple[LeftOutBody, ...]


class DoctorOutput(Fact):
    """`bouts doctor`."""

    schema_: Literal["bouts.doctor/1"] = Field(alias="schema")
    backend: str
    usable: bool
    items: tuple[ProbeItem, ...]


class CleanPlace(Fact):
    """One place where Bouts keeps things."""

    name: str
    path: str
    bytes: int
    removed: bool


class CleanOutput(Fact):
    """`bouts clean`."""

    schema_: Literal["bouts.clean/1"] = Field(alias="schema")
    places: tuple[CleanPlace, ...]


class ChallengeItem(Fact):
    """One challenge."""

    id: str
    version: str
    format: str
    tier: int
    summary: str
    path: str


class ChallengesOutput(Fact):
    """`bouts challenges`."""

    schema_: Literal["bouts.challenges/1"] = Field(alias="schema")
    challenges: tuple[ChallengeItem, ...]


class WorkspaceOutput(Fact):
    """`bouts workspace`."""

    schema_: Literal["bouts.workspace/1"] = Field(alias="schema")
    challenge: str
    path: str


class CheckItem(Fact):
    """One check of a package."""

    name: str
    level: Literal["ok", "warning", "error"]
    message: str
    remedy: str


class CheckOutput(Fact):
    """`bouts check`."""

    schema_: Literal["bouts.check/1"] = Field(alias="schema")
    passed: bool
    checks: tuple[CheckItem, ...]


class TestItem(Fact):
    """One visible test."""

    id: str
    outcome: TestOutcome
    seconds: float
    message: str = ""


class TestOutput(Fact):
    """`bouts test`."""

    schema_: Literal["bouts.test/1"] = Field(alias="schema")
    challenge: str
    tests: tuple[TestItem, ...]


OUTPUTS: dict[str, type[Fact]] = {
    "card": Card,
    "error": ErrorOutput,
    "scores": ScoresOutput,
    "demo": DemoOutput,
    "verification": VerificationOutput,
    "derivation": DerivationOutput,
    "what-if": WhatIfOutput,
    "to-reach": ToReachOutput,
    "diff": DiffOutput,
    "rescored": RescoredOutput,
    "policies": PoliciesOutput,
    "policy": PolicyOutput,
    "policy-diff": PolicyDiffOutput,
    "policy-movements": PolicyMovementsOutput,
    "doctor": DoctorOutput,
    "clean": CleanOutput,
    "challenges": ChallengesOutput,
    "workspace": WorkspaceOutput,
    "check": CheckOutput,
    "test": TestOutput,
}
"""Each shape by the name of its schema file."""
