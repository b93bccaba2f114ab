"""The shapes that the commands about standings print with `--json`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.card import Card
from bouts.model.ledger import CardState, ReviewAction
from bouts.scoring.differences import CardDiff
from bouts.standings.agent import AgentFigures
from bouts.standings.duel import Comparisons, Duel
from bouts.standings.headline_board import HeadlineBoard
from bouts.standings.itemised import Itemised
from bouts.standings.leaderboard import Leaderboard
from bouts.standings.trajectories import Trajectory


class LeaderboardOutput(Fact):
    """`bouts leaderboard`."""

    schema_: Literal["bouts.leaderboard/1"] = Field(alias="schema")
    leaderboard: Leaderboard | HeadlineBoard
    """Of a policy that scores cards, or of `headline`."""
    trajectories: dict[str, tuple[Trajectory, ...]]
    """By table, `final` and `provisional`; empty unless one challenge was asked for."""
    other_side: int
    """Runs on the other side of the budgets."""
    infrastructure: int
    """Runs that a fault of the platform ended."""
    anonymous: int
    """Agents left out as their model, which was asked for, is not shown."""
    entries: int
    """Place of the ledger's last entry."""
    head: str
    """Its digest."""


class AgentOutput(AgentFigures):
    """`bouts agent`."""

    schema_: Literal["bouts.agent/1"] = Field(alias="schema")


class CompareOutput(Duel):
    """`bouts compare` of two agents."""

    schema_: Literal["bouts.compare/1"] = Field(alias="schema")


class ComparisonsOutput(Comparisons):
    """`bouts compare` of one agent with several others."""

    schema_: Literal["bouts.comparisons/1"] = Field(alias="schema")


class ItemsOutput(Itemised):
    """`bouts items`."""

    schema_: Literal["bouts.items/1"] = Field(alias="schema")


class BadgeOutput(Fact):
    """`bouts badge`: what the endpoint of a badge service returns, and nothing else, as services refuse more."""

    schema_version: Literal[1] = Field(alias="schemaVersion")
    label: str
    message: str
    color: str
    cache_seconds: int = Field(alias="cacheSeconds")


class ReviewBody(Fact):
    """An appeal or a resolution."""

    entry: int
    """Its place in the ledger."""
    time: str
    """UTC."""
    action: ReviewAction
    by: str
    reason: str
    second: str | None
    """Digest of the second card that it brought."""
    final: float | None
    """The final that it brought, 0–100."""


class ReviewedCard(Fact):
    """A card as it stands after the reviews."""

    card: str
    """Digest."""
    agent: str
    """Name or pseudonym."""
    task: str
    attempt: int
    policy: str
    version: str
    status: CardState
    """As the card itself says."""
    state: CardState
    """After the reviews."""
    outcome: str
    final: float | None
    """After the reviews."""
    appealed: bool
    """Whether an appeal waits for an answer."""
    replaced_by: str | None
    """Digest of the second card, which counts instead."""
    recorded: str
    """When the card was recorded, UTC."""
    reviews: tuple[ReviewBody, ...]


class WaitingCard(ReviewedCard):
    """A card that waits for a reviewer."""

    since: str
    why: tuple[str, ...]
    """Kinds of the flags that hold it, and `appeal`."""


class ReviewListOutput(Fact):
    """`bouts review list`."""

    schema_: Literal["bouts.review-list/1"] = Field(alias="schema")
    waiting: tuple[WaitingCard, ...]


class ReviewCaseOutput(ReviewedCard):
    """`bouts review show`."""

    schema_: Literal["bouts.review-case/1"] = Field(alias="schema")
    first: Card
    second: Card | None
    difference: CardDiff | None
    """From the first card to the second."""
    evidence_at_hand: bool


class ReviewedOutput(ReviewedCard):
    """`bouts review resolve` and `bouts review appeal`."""

    schema_: Literal["bouts.reviewed/1"] = Field(alias="schema")
    entry: int
    """Place of the review in the ledger."""
    new: bool
    """False where the same was said before."""


STANDINGS_OUTPUTS: dict[str, type[Fact]] = {
    "leaderboard": LeaderboardOutput,
    "agent": AgentOutput,
    "compare": CompareOutput,
    "comparisons": ComparisonsOutput,
    "items": ItemsOutput,
    "badge": BadgeOutput,
    "review-list": ReviewListOutput,
    "review-case": ReviewCaseOutput,
    "reviewed": ReviewedOutput,
}
"""Each shape by the name of its schema file."""
