"""The questions that a ledger answers, each from all that is in it at one moment."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, func, select

from bouts.adapters.stores import counting, reading, tables, verifying
from bouts.adapters.stores.evidence import EvidenceStore, checked, open_evidence
from bouts.adapters.stores.places import Place
from bouts.adapters.stores.troubles import told
from bouts.errors import BadUsage
from bouts.model.card import Card
from bouts.model.ledger import Entry, EntryKind, RunEntry, Verification
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

if TYPE_CHECKING:
    from bouts.standings.figures import CardFigures, RunFigures


class ReadLedger:
    """The half of `ports.ledger.Ledger` that changes nothing."""

    def __init__(self, place: Place, engine: Engine, evidence: str) -> None:
        self.place, self._engine = place, engine
        with self.reading() as connection:
            self.meta = {row.name: str(row.value) for row in connection.execute(select(tables.meta))}
        self.id = self.meta["ledger"]
        self.evidence_place = self.meta["evidence"] or evidence
        """Folder or URL of the evidence; empty where nobody said it."""

    @contextlib.contextmanager
    def reading(self) -> Generator[Connection]:
        """A connection that sees the ledger as it is at one moment."""
        level = {"isolation_level": "REPEATABLE READ"} if self._engine.dialect.name == "postgresql" else {}
        with told(str(self.place)), self._engine.execution_options(**level).begin() as connection:
            yield connection

    @property
    def evidence_store(self) -> EvidenceStore:
        """Where evidence lies. Raises `BadUsage` where nobody said it."""
        if not self.evidence_place:
            hint = "set BOUTS_EVIDENCE to a folder or URL, or make the ledger with `bouts ledger init --evidence URL`"
            raise BadUsage("the ledger does not say where its evidence lies", where=str(self.place), hint=hint)
        return open_evidence(self.evidence_place)

    def entries(self, after: int = 0, kinds: Sequence[EntryKind] = ()) -> Iterator[Entry]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            yield from reading.entries(connection, after, kinds)

    def agents(self) -> tuple[AgentRow, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return reading.agents(connection)

    def seasons(self) -> tuple[SeasonRow, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return reading.seasons(connection)

    def tasks(self) -> tuple[TaskRow, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return reading.tasks(connection)

    def runs(self, where: Where, *, last: int | None = None) -> tuple[RunEntry, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return reading.runs(connection, where, last)

    def cards(self, where: Where) -> tuple[CardRow, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return reading.cards(connection, where)

    def card(self, digest: str) -> tuple[CardRow, Card]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            row, body = reading.card(connection, digest)
        return row, Card.model_validate(body)

    def evidence(self, digest: str) -> bytes:
        """See `ports.ledger.Ledger`."""
        return checked(self.evidence_store, digest)

    def reviews(self, card: str) -> tuple[ReviewRow, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return reading.reviews(connection, [reading.card(connection, card)[0].card])

    def queue(self) -> tuple[Queued, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return reading.queue(connection)

    def totals(self, where: Where) -> tuple[Totals, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return counting.totals(connection, where)

    def tallies(self, where: Where) -> tuple[Tally, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return counting.tallies(connection, where)

    def card_totals(self, where: Where) -> tuple[CardTotals, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return counting.card_totals(connection, where)

    def run_figures(self, where: Where) -> tuple[RunFigures, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return counting.run_totals_figured(connection, where)

    def card_figures(self, where: Where) -> tuple[CardFigures, ...]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            return counting.card_totals_figured(connection, where)

    def head(self) -> tuple[int, str]:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            row = connection.execute(select(tables.head)).one()
            return int(row.seq), str(row.digest)

    def kinds(self) -> dict[str, int]:
        """How many entries there are of each kind."""
        kind = tables.entries.c.kind
        with self.reading() as connection:
            rows = connection.execute(select(kind, func.count().label("number")).group_by(kind).order_by(kind))
            return {str(row["kind"]): int(row["number"]) for row in rows.mappings()}

    def verify(self, *, evidence: bool = True, derived: bool = True) -> Verification:
        """See `ports.ledger.Ledger`."""
        with self.reading() as connection:
            found = verifying.verify(connection, self.id, derived=derived)
        return verifying.with_evidence(found, self.reading, self.evidence_store) if evidence and found.cards else found
