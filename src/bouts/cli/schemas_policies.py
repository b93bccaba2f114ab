"""The shapes that comparing and rescoring print with `--json`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from bouts.cli.schemas_errors import ErrorBody
from bouts.model.base import Fact
from bouts.model.card import Card, Outcome, PolicyRef, Status
from bouts.scoring.differences import CardDiff


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
