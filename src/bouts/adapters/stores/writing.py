"""One transaction of a ledger: entries are chained, and what is derived from them is brought up to date."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Connection, insert, select, update

from bouts.adapters.stores import tables
from bouts.adapters.stores.chain import Row, chained, content_key, stamp, text, text_key
from bouts.adapters.stores.deriving import Deriver, RowDict
from bouts.model.base import Fact, made
from bouts.model.ledger import BODIES, Added, AgentEntry, ChallengeEntry, EntryKind, ReviewEntry, RunEntry

_PSEUDONYM_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_PSEUDONYM_LENGTH = 8
_KINDS: dict[type[Fact], EntryKind] = {body: kind for kind, body in BODIES.items()}
_AT_ONCE = 900
MADE_BY_LEDGER = frozenset({"attempt"})
"""What a ledger numbers itself is no part of what tells runs apart."""


class Writing:
    """A transaction that is under way; `write` before it is committed."""

    def __init__(self, connection: Connection, clock: Callable[[], float]) -> None:
        self.connection = connection
        self._clock = clock
        place = connection.execute(select(tables.head.c.seq, tables.head.c.digest)).one()
        self.seq, self.digest = int(place.seq), str(place.digest)
        self.deriver = Deriver(connection)
        self._rows: list[Row] = []
        self._known: dict[str, int | None] = {}
        self._secret: str | None = None

    def look_up(self, keys: Iterable[str]) -> None:
        """See at once which of these keys are there."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self._known]
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            self._known.update(dict.fromkeys(part))
            found = select(tables.entries.c.key, tables.entries.c.seq).where(tables.entries.c.key.in_(part))
            self._known.update({row.key: row.seq for row in self.connection.execute(found)})

    def add(
        self, body: Fact, key: str | None = None, moment: str | None = None, *, new: bool = False, before: str = ""
    ) -> Added:
        """Add an entry, unless its key is there; `new` says that it cannot be. Without a key the content is it, with
        the key of the entry `before` that it replaces."""
        kind = _KINDS[type(body)]
        said = body.model_dump(mode="json", exclude_defaults=True)
        words = text(said)
        if key is None:
            mine = MADE_BY_LEDGER & said.keys()
            key = text_key(kind, text({k: v for k, v in said.items() if k not in mine}) if mine else words, before)
        if key not in self._known:
            if new:
                self._known[key] = None
            else:
                self.look_up((key,))
        there = self._known[key]
        if there is not None:
            return made(Added, seq=there, key=key, new=False)
        row = chained(self.seq + 1, moment or stamp(self._clock()), kind, key, words, self.digest)
        self._rows.append(row)
        self.seq, self.digest = row.seq, row.digest
        self._known[key] = row.seq
        if isinstance(body, ReviewEntry):
            self._insert()
        self.deriver.take(row.seq, row.time, key, body)
        return made(Added, seq=row.seq, key=key, new=True)

    def agent(self, name: str, **said: Any) -> RowDict:
        """Make an agent, or change what is said of it."""
        there = self.deriver.agents.get((name,))
        old = there or {"owner": None, "model": None, "scaffold": None, "shown": True}
        new = {**old, **{k: v for k, v in said.items() if v is not None}}
        if there != new or there is None:
            pseudonym = there["pseudonym"] if there else self._pseudonym(name)
            about = {k: new[k] for k in ("owner", "model", "scaffold", "shown")}
            body = AgentEntry(name=name, pseudonym=pseudonym, **about)
            self.replacing(body, there)
        return self.deriver.agents.get((name,)) or {}

    def run(self, body: RunEntry, *, replace: bool, again: frozenset[str]) -> tuple[Added | None, RunEntry]:
        """Add a run with the number of its attempt, or a correction of one. `again` names the figures that may differ
        when the same run arrives once more. `None` where other figures are there and may not be replaced."""
        there = self.deriver.runs.get((body.run,))
        if there is None:
            self._know(body.agent)
            number = self.deriver.attempts(body.agent, body.task) + 1
            if number != body.attempt:
                body = body.model_copy(update={"attempt": number})
            # An entry of a run makes the run known, so a run that is not known has none.
            return self.add(body, new=True), body
        old = stored_run({**there, "run": body.run})
        body = body.model_copy(update={"attempt": old.attempt})
        differ = {name for name in RunEntry.model_fields if getattr(old, name) != getattr(body, name)}
        if not differ - again:
            return made(Added, seq=there["seq"], key=there["key"], new=False), old
        if not replace:
            return None, old
        self._know(body.agent)
        return self.add(body, before=there["key"]), body

    def _know(self, agent: str) -> None:
        if self.deriver.agents.get((agent,)) is None:
            self.agent(agent)

    def replacing(self, body: Fact, there: RowDict | None) -> Added:
        """Add an entry that replaces what was said before under the same name."""
        key = content_key(_KINDS[type(body)], body.model_dump(mode="json"), there["key"] if there else "")
        return self.add(body, key)

    def challenge(self, body: ChallengeEntry) -> Added:
        """Add a challenge; its digest is its key."""
        return self.add(body, self.key("challenge", body.digest))

    def known_run(self, name: str) -> RunEntry | None:
        """A run that is there."""
        row = self.deriver.runs.get((name,))
        return None if row is None else stored_run({**row, "run": name})

    @staticmethod
    def key(kind: str, what: object) -> str:
        """A key made from what tells an entry apart."""
        return content_key(kind, {"of": what})

    def again(self, seq: int) -> Added:
        """An entry that is there already."""
        stored = select(tables.entries.c.key).where(tables.entries.c.seq == seq)
        return made(Added, seq=seq, key=str(self.connection.execute(stored).scalar_one()), new=False)

    def write(self) -> None:
        """Write everything down that was added."""
        self._insert()
        self.deriver.flush()
        self.connection.execute(update(tables.head).values(seq=self.seq, digest=self.digest))

    def _insert(self) -> None:
        if self._rows:
            self.connection.execute(insert(tables.entries), [row._asdict() for row in self._rows])
            self._rows.clear()

    def _pseudonym(self, name: str) -> str:
        if self._secret is None:
            stored = select(tables.meta.c.value).where(tables.meta.c.name == "secret")
            self._secret = str(self.connection.execute(stored).scalar_one())
        mac = hmac.new(bytes.fromhex(self._secret), name.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        letters = "".join(_PSEUDONYM_LETTERS[byte % len(_PSEUDONYM_LETTERS)] for byte in mac[:_PSEUDONYM_LENGTH])
        return f"Agent {letters}"


def stored_run(row: RowDict) -> RunEntry:
    """A run as its derived row holds it."""
    values = {name: row[name] for name in RunEntry.model_fields}
    return made(RunEntry, **{**values, "outside": tuple(json.loads(row["outside"]))})
