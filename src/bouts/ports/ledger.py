"""The Protocol of a ledger: what standings, reviews and recording ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bouts.model.base import Fact
    from bouts.model.card import Card
    from bouts.model.ledger import (
        Added,
        ChallengeEntry,
        Entry,
        EntryKind,
        Recorded,
        ReviewAction,
        RunEntry,
        Verification,
    )
    from bouts.model.tallied import (
        AgentRow,
        CardRow,
        CardTotals,
        Queued,
        ReviewRow,
        SeasonRow,
        Tally,
        TaskRow,
        Totals,
        Where,
    )
    from bouts.standings.figures import CardFigures, RunFigures


class Ledger(Protocol):
    """The store of runs, cards and reviews. Everything that writes is one transaction: all of it is kept, or nothing.

    Safe for several threads and processes. Raises `StoreFault` where the store cannot be read or written.
    """

    def append(self, body: Fact, *, key: str | None = None) -> Added:
        """Add one entry; `body` is one of `model.ledger.BODIES`. The same key arriving again changes nothing; without a
        key the content is the key. Runs go through `record` or `add_runs`, cards through `record` or `add_card`,
        reviews through `review`."""
        ...

    def agent(
        self,
        name: str,
        *,
        owner: str | None = None,
        model: str | None = None,
        scaffold: str | None = None,
        shown: bool | None = None,
    ) -> AgentRow:
        """Make or change an agent; what is `None` stays as it is. Runs of an unknown agent make it by themselves."""
        ...

    def season(self, name: str, first: str, last: str) -> SeasonRow:
        """Make or change a season; both days (YYYY-MM-DD, UTC) belong to it."""
        ...

    def add_challenges(self, about: Iterable[ChallengeEntry]) -> Sequence[Added]:
        """Keep what challenges' packages say; the digest is the key."""
        ...

    def record(
        self, run: RunEntry, card: Card, evidence: bytes | None = None, challenge: ChallengeEntry | None = None
    ) -> Recorded:
        """Keep evidence, card and run together. The same run again changes nothing but what differs; its attempt
        number is given here."""
        ...

    def add_card(self, run: str, card: Card, evidence: bytes | None = None) -> Added:
        """Another card of a run that is there, such as the same evidence under another policy. Raises `NotFound`."""
        ...

    def add_runs(self, runs: Iterable[RunEntry], *, replace: bool = False) -> Sequence[Added]:
        """Add runs that have no card. Raises `BadUsage` for one that is there with other figures, unless `replace`."""
        ...

    def review(
        self,
        card: str,
        action: ReviewAction,
        *,
        by: str,
        reason: str = "",
        second: Card | None = None,
        evidence: bytes | None = None,
        final: float | None = None,
    ) -> Added:
        """Appeal, or resolve. `card` is a digest or its first characters, if they tell. Raises `NotFound`, and
        `BadUsage` where the action does not fit."""
        ...

    def entries(self, after: int = 0, kinds: Sequence[EntryKind] = ()) -> Iterator[Entry]:
        """Entries behind a place, in order; only some kinds, or all."""
        ...

    def agents(self) -> tuple[AgentRow, ...]:
        """All agents, by name."""
        ...

    def seasons(self) -> tuple[SeasonRow, ...]:
        """All seasons, by their first day."""
        ...

    def tasks(self) -> tuple[TaskRow, ...]:
        """All tasks that there are runs of, by name."""
        ...

    def runs(self, where: Where, *, last: int | None = None) -> tuple[RunEntry, ...]:
        """Runs as they count, in the order in which they ended; with `last` only so many of the latest that were not
        ended by a fault of the platform."""
        ...

    def cards(self, where: Where) -> tuple[CardRow, ...]:
        """Cards in short, in the order in which their runs ended."""
        ...

    def card(self, digest: str) -> tuple[CardRow, Card]:
        """A card by its digest or the digest's first characters, if they tell. Raises `NotFound`."""
        ...

    def evidence(self, digest: str) -> bytes:
        """The evidence file of a card row's `evidence`, checked against it. Raises `NotFound` or `StoreFault`."""
        ...

    def reviews(self, card: str) -> tuple[ReviewRow, ...]:
        """Everything that was said about a card."""
        ...

    def queue(self) -> tuple[Queued, ...]:
        """Cards that wait for a reviewer."""
        ...

    def totals(self, where: Where) -> tuple[Totals, ...]:
        """One row an agent that has runs there, without reading the runs."""
        ...

    def tallies(self, where: Where) -> tuple[Tally, ...]:
        """One row for each agent and task."""
        ...

    def card_totals(self, where: Where) -> tuple[CardTotals, ...]:
        """One row for each agent, policy version and state."""
        ...

    def run_figures(self, where: Where) -> tuple[RunFigures, ...]:
        """What standings say of each agent's runs there, by agent: kept ready with every run that is recorded, and
        equal to `standings.figures.run_figures` of the totals."""
        ...

    def card_figures(self, where: Where) -> tuple[CardFigures, ...]:
        """The same of cards, by agent, policy version and state."""
        ...

    def head(self) -> tuple[int, str]:
        """Place and digest of the last entry: a standing that names it says what it rests on. `(0, …)` when empty."""
        ...

    def verify(self, *, evidence: bool = True, derived: bool = True) -> Verification:
        """Read everything and compare: the chain and, unless switched off, evidence and derived rows."""
        ...

    def rebuild(self) -> int:
        """Make all derived rows anew from the entries; how many entries were read."""
        ...

    def close(self) -> None:
        """Leave the store."""
        ...
