"""The ledger: what `ports.ledger.Ledger` promises, over SQLite or PostgreSQL."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, Engine, select, update

from bouts.adapters.stores import reading, tables
from bouts.adapters.stores.answering import ReadLedger
from bouts.adapters.stores.opening import open_engine
from bouts.adapters.stores.places import Place, read_place
from bouts.adapters.stores.rebuilding import rebuild
from bouts.adapters.stores.resolving import known, may
from bouts.adapters.stores.troubles import told
from bouts.adapters.stores.writing import Writing
from bouts.errors import BadUsage, NotFound
from bouts.model.base import Fact
from bouts.model.card import Card
from bouts.model.ledger import (
    Added,
    CardEntry,
    ChallengeEntry,
    Recorded,
    ReviewAction,
    ReviewEntry,
    RunEntry,
    SeasonEntry,
    card_digest,
)
from bouts.model.tallied import AgentRow, SeasonRow

_LOG = logging.getLogger(__name__)
_LONG = 50_000
"""Entries from which on it is told how far making the derived rows anew has come."""
_AGAIN = frozenset({"ended", "source"})
"""Figures of a run that may differ when it is registered again."""
_MEASURED_AGAIN = frozenset({"ended", "source", "card"})
"""The same where it comes with a card: what decided it may have been measured again."""


def open_ledger(
    place: str,
    *,
    create: bool = False,
    evidence: str | None = None,
    elsewhere: Path | None = None,
    clock: Callable[[], float] = time.time,
) -> StoredLedger:
    """The ledger at a file or URL. With `create` it is made where there is none.

    Its evidence lies at `evidence`, a folder or URL, where the ledger itself does not say it; else beside its file, or
    `elsewhere` where it is no file. Raises `NotFound`, `BadUsage` or `BadFile` for what is no ledger of ours, and
    `StoreFault`.
    """
    at = read_place(place)
    # Only a URL means the same on every machine.
    said = evidence if evidence and "://" in evidence else ""
    engine = open_engine(at, create=create, evidence=said, clock=clock)
    try:
        return StoredLedger(at, engine, clock, evidence or str(at.evidence or elsewhere or ""))
    except BaseException:
        engine.dispose()
        raise


class StoredLedger(ReadLedger):
    """See `ports.ledger.Ledger`."""

    def __init__(self, place: Place, engine: Engine, clock: Callable[[], float], evidence: str) -> None:
        super().__init__(place, engine, evidence)
        self._clock = clock
        self._turn = threading.Lock()
        if self.meta["derived"] != tables.DERIVED:
            self._renew()

    @contextlib.contextmanager
    def transaction(self) -> Generator[Connection]:
        """A connection that alone may write: all of what happens inside is kept, or nothing."""
        with self._turn, told(str(self.place)), self._engine.execution_options(writes=True).begin() as connection:
            connection.execute(select(tables.head).with_for_update())
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Generator[Writing]:
        """A transaction that adds entries."""
        with self.transaction() as connection:
            work = Writing(connection, self._clock)
            yield work
            work.write()

    def append(self, body: Fact, *, key: str | None = None) -> Added:
        """See `ports.ledger.Ledger`."""
        if isinstance(body, RunEntry | CardEntry):
            raise BadUsage(f"a {type(body).__name__} is recorded by `record`, `add_runs` or `add_card`")
        with self.writing() as work:
            return work.add(body, key)

    def agent(
        self,
        name: str,
        *,
        owner: str | None = None,
        model: str | None = None,
        scaffold: str | None = None,
        shown: bool | None = None,
    ) -> AgentRow:
        """See `ports.ledger.Ledger`."""
        with self.writing() as work:
            row = work.agent(name, owner=owner, model=model, scaffold=scaffold, shown=shown)
        return reading.agent_row({"name": name, **row})

    def season(self, name: str, first: str, last: str) -> SeasonRow:
        """See `ports.ledger.Ledger`."""
        with self.writing() as work:
            there = work.deriver.seasons.get((name,))
            if there is None or (there["first"], there["last"]) != (first, last):
                work.replacing(SeasonEntry(name=name, first=first, last=last), there)
        return SeasonRow(name, first, last)

    def add_challenges(self, about: Iterable[ChallengeEntry]) -> Sequence[Added]:
        """See `ports.ledger.Ledger`."""
        rows = list(about)
        if not rows:
            return ()
        with self.writing() as work:
            return [work.challenge(row) for row in rows]

    def record(
        self, run: RunEntry, card: Card, evidence: bytes | None = None, challenge: ChallengeEntry | None = None
    ) -> Recorded:
        """See `ports.ledger.Ledger`."""
        kept = self._keep(evidence)
        with self.writing() as work:
            if challenge is not None:
                work.challenge(challenge)
            said = run.model_copy(update={"card": card_digest(card)})
            added, run = work.run(said, replace=True, again=_MEASURED_AGAIN)
            assert added is not None
            carded = self._card(work, run, card, kept)
        return Recorded(run=added, card=carded, attempt=run.attempt, inside=run.inside)

    def add_card(self, run: str, card: Card, evidence: bytes | None = None) -> Added:
        """See `ports.ledger.Ledger`."""
        kept = self._keep(evidence)
        with self.writing() as work:
            there = work.known_run(run)
            if there is None:
                raise NotFound(f"there is no run {run!r}", where=str(self.place))
            return self._card(work, there, card, kept)

    def _keep(self, evidence: bytes | None) -> str | None:
        return None if evidence is None else self.evidence_store.put(evidence)

    @staticmethod
    def _card(work: Writing, run: RunEntry, card: Card, evidence: str | None) -> Added:
        name = card_digest(card)
        placed = card.model_copy(update={"evidence": card.evidence.model_copy(update={"path": None})})
        body = CardEntry(card=name, run=run.run, agent=run.agent, task=run.task, body=placed, evidence=evidence)
        return work.add(body, work.key("card", [name, run.run]))

    def add_runs(self, runs: Iterable[RunEntry], *, replace: bool = False) -> Sequence[Added]:
        """See `ports.ledger.Ledger`."""
        rows = list(runs)
        found: list[Added] = []
        with self.writing() as work:
            work.deriver.prepare(rows)
            for row in rows:
                added, _ = work.run(row, replace=replace, again=frozenset({"source"}) if replace else _AGAIN)
                if added is None:
                    raise BadUsage(
                        f"the run {row.run!r} is there with other figures; nothing was recorded",
                        where=str(self.place),
                        hint="--replace corrects it; the earlier figures stay in the ledger",
                    )
                found.append(added)
        return found

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
        """See `ports.ledger.Ledger`."""
        kept = self._keep(evidence)
        with self.writing() as work:
            row, _ = reading.card(work.connection, card)
            beside = None if second is None else card_digest(second)
            body = ReviewEntry(card=row.card, action=action, by=by, reason=reason, second=beside, final=final)
            earlier = reading.reviews(work.connection, [row.card])
            there = known(body, earlier)
            if there is not None:
                return work.again(there)
            may(row, action, reason, second, final)
            if second is not None:
                run = work.known_run(row.run)
                assert run is not None
                self._card(work, run, second, kept or row.evidence)
            last = earlier[-1].seq if earlier else 0
            return work.add(body, work.key("review", [last, body.model_dump(mode="json")]))

    def rebuild(self) -> int:
        """See `ports.ledger.Ledger`."""
        with self.transaction() as connection:
            count = self._rebuild(connection)
        self.meta["derived"] = tables.DERIVED
        return count

    def _renew(self) -> None:
        """Make the derived rows of a ledger that another Bouts wrote anew, unless somebody did so meanwhile."""
        derived = tables.meta.c.name == "derived"
        with self.transaction() as connection:
            if connection.execute(select(tables.meta.c.value).where(derived)).scalar_one() != tables.DERIVED:
                self._rebuild(connection)
        self.meta["derived"] = tables.DERIVED

    def _rebuild(self, connection: Connection) -> int:
        entries = int(connection.execute(select(tables.head.c.seq)).scalar_one())
        count = rebuild(connection, told=partial(self._tell, entries))
        done = update(tables.meta).where(tables.meta.c.name == "derived").values(value=tables.DERIVED)
        connection.execute(done)
        return count

    def _tell(self, entries: int, count: int) -> None:
        if entries >= _LONG and (count == entries or count % _LONG == 0):
            _LOG.warning("%s: derived rows are made anew, %d of %d entries", self.place, count, entries)

    def close(self) -> None:
        """See `ports.ledger.Ledger`."""
        self._engine.dispose()
