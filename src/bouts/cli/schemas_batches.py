"""The shapes that commands about batches print with `--json`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bouts.cli.schemas_errors import ErrorBody
from bouts.model.base import Fact
from bouts.model.batch import ItemState, Planned, Verdict
from bouts.model.card import Card, Outcome, Status


class PlanOutput(Fact):
    """`bouts score --plan`."""

    schema_: Literal["bouts.plan/1"] = Field(alias="schema")
    challenge: str
    version: str
    batch: str | None
    """The batch that would go on, where there is one."""
    canaries: Planned
    items: tuple[Planned, ...]
    seconds: float | None
    """Of work, all together; `null` where a part is not known."""
    cost_usd: float


class RegradedItem(Fact):
    """One submission that was scored anew."""

    name: str
    submission: str
    path: str | None
    before: Verdict | None
    after: Verdict | None
    moved: tuple[str, ...]
    error: ErrorBody | None


class RegradedOutput(Fact):
    """`bouts score --regrade`."""

    schema_: Literal["bouts.regraded/1"] = Field(alias="schema")
    batch: str
    regrades: str
    items: tuple[RegradedItem, ...]


class BatchCounts(Fact):
    """Items of a batch by how far they are."""

    done: int
    failed: int
    left: int
    started: int


class BatchRow(Fact):
    """One batch."""

    name: str
    challenge: str
    version: str
    regrades: str | None
    state: Literal["running", "over", "interrupted"]
    counts: BatchCounts
    items: tuple[ItemState, ...]
    """Empty where batches are listed."""


class BatchesOutput(Fact):
    """`bouts batches`."""

    schema_: Literal["bouts.batches/1"] = Field(alias="schema")
    batches: tuple[BatchRow, ...]


class RejudgedStep(Fact):
    """What becomes of one step."""

    step: str
    fate: Literal["kept", "again", "not configured", "not given"]
    why: str


class CardBefore(Fact):
    """The card as it was."""

    outcome: Outcome
    status: Status
    final: float | None


class RejudgedOutput(Fact):
    """`bouts rejudge`."""

    schema_: Literal["bouts.rejudged/1"] = Field(alias="schema")
    path: str
    steps: tuple[RejudgedStep, ...]
    before: CardBefore
    card: Card | None
    """The new card; `null` where nothing was run again."""


BATCH_OUTPUTS: dict[str, type[Fact]] = {
    "plan": PlanOutput,
    "regraded": RegradedOutput,
    "batches": BatchesOutput,
    "rejudged": RejudgedOutput,
}
