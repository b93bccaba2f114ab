"""Derived rows, brought up to date entry by entry. The same code serves one new run and a ledger of a million."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import Connection, select

from bouts.adapters.stores import tables
from bouts.adapters.stores.cached import Cached, Key, dicts, vectors
from bouts.adapters.stores.merging import into_card_totals, into_totals
from bouts.adapters.stores.reviewing import review
from bouts.adapters.stores.scopes import of_season
from bouts.adapters.stores.sums import NO_CARDS, NO_RUNS, Vector, card_sums, millionths, plus, run_sums
from bouts.model.base import Fact
from bouts.model.ledger import AgentEntry, CardEntry, ChallengeEntry, ReviewEntry, RunEntry, SeasonEntry

RowDict = dict[str, Any]
EVER = ""
"""The season that every run belongs to."""
_CHUNK = 5_000


class Deriver:
    """Takes entries in, in their order, and changes what is derived from them. `flush` writes it all down; without
    `figures`, `merging.figure` must then say what standings say of the totals."""

    def __init__(self, connection: Connection, *, figures: bool = True) -> None:
        self._connection = connection
        self._figures = figures
        self.agents = dicts(connection, tables.agents, ("name",))
        self.seasons = dicts(connection, tables.seasons, ("name",))
        self.challenges = dicts(connection, tables.challenges, ("digest",))
        self.tasks = dicts(connection, tables.tasks, ("task",))
        self.runs = dicts(connection, tables.runs, ("run",))
        self.cards = dicts(connection, tables.cards, ("card", "run"))
        self.tallies = vectors(connection, tables.tallies, ("season", "agent", "task", "inside"))
        self.card_tallies = vectors(
            connection, tables.card_tallies, ("season", "agent", "task", "inside", "policy", "version", "state")
        )
        self._before: dict[Key, Vector] = {}
        self._cards_before: dict[Key, Vector] = {}
        self._cards_of: dict[tuple[str, str], set[Key]] = {}
        self._ranges = [(row.name, *moments(row.first, row.last)) for row in connection.execute(select(tables.seasons))]

    def prepare(self, bodies: Iterable[Fact]) -> None:
        """Read at once what taking these entries in will need."""
        runs = [body for body in bodies if isinstance(body, RunEntry)]
        self.runs.load((run.run,) for run in runs)
        self.agents.load((run.agent,) for run in runs)
        self.tasks.load((run.task,) for run in runs)
        self.challenges.load((run.challenge,) for run in runs if run.challenge)
        self.tallies.load(
            (season, run.agent, run.task, inside)
            for run in runs
            for season in self._seasons_of(run.ended)
            for inside in (True, False)
        )

    def take(self, seq: int, moment: str, key: str, body: Fact) -> None:
        """Take one entry in."""
        if isinstance(body, RunEntry):
            self._run(seq, key, body)
        elif isinstance(body, CardEntry):
            self._card(seq, moment, body)
        elif isinstance(body, AgentEntry):
            self._agent(key, body)
        elif isinstance(body, ReviewEntry):
            review(self, self._connection, seq, moment, body)
        elif isinstance(body, ChallengeEntry):
            self._challenge(body)
        elif isinstance(body, SeasonEntry):
            self._season(key, body)

    def flush(self) -> None:
        """Write down what changed."""
        self._merge()
        for kept in (self.agents, self.seasons, self.challenges, self.tasks, self.runs, self.cards):
            kept.flush()
        self._cards_of.clear()

    def attempts(self, agent: str, task: str) -> int:
        """How many runs of an agent at a task there are."""
        both = (self.tallies.get((EVER, agent, task, inside)) or NO_RUNS for inside in (True, False))
        return sum(sums[0] + sums[1] for sums in both)

    def cards_of(self, column: str, value: str) -> list[tuple[Key, RowDict]]:
        """The cards of a run, or all places of a card, as they were recorded."""
        keys = self._cards_of.get((column, value))
        if keys is None:
            found = self._connection.execute(
                select(tables.cards.c.card, tables.cards.c.run).where(tables.cards.c[column] == value)
            )
            keys = self._cards_of.setdefault((column, value), {(row.card, row.run) for row in found})
            keys |= {key for key in self.cards.changed() if key[column == "run"] == value}
        rows = [(key, row) for key in keys if (row := self.cards.get(key)) is not None]
        return sorted(rows, key=lambda item: item[1]["seq"])

    def _agent(self, key: str, body: AgentEntry) -> None:
        there = self.agents.get((body.name,))
        row = {k: v for k, v in body.model_dump().items() if k != "name"}
        # A ledger that was merged into this one may call it otherwise; who knows the first name must find it again.
        self.agents.set((body.name,), {**row, "pseudonym": there["pseudonym"] if there else body.pseudonym, "key": key})

    def _challenge(self, body: ChallengeEntry) -> None:
        if self.challenges.get((body.digest,)) is not None:
            return
        self.challenges.set((body.digest,), {"body": json.dumps(body.model_dump(mode="json"))})
        self._merge()
        self.tasks.flush()
        wanted = select(tables.tasks.c.task).where(tables.tasks.c.digest == body.digest)
        for task in [row.task for row in self._connection.execute(wanted)]:
            self._describe(task, body)

    def _describe(self, task: str, body: ChallengeEntry) -> None:
        """Say of a task that there are runs of what its challenge's package says."""
        there = self.tasks.get((task,)) or {}
        row = _task_row(body)
        if row == there:
            return
        for table, names, merge in (
            (tables.tallies, tables.RUN_SUMS, into_totals),
            (tables.card_tallies, tables.CARD_SUMS, into_card_totals),
        ):
            keys = [column for column in table.c if column.name not in names]
            found = self._connection.execute(select(*keys, *(table.c[n] for n in names)).where(table.c.task == task))
            tallies = {tuple(row[: len(keys)]): tuple(map(int, row[len(keys) :])) for row in map(tuple, found)}
            gone = {key: (sums, None) for key, sums in tallies.items()}
            merge(self._connection, gone, {task: there}, figures=self._figures)
            come = {key: (None, sums) for key, sums in tallies.items()}
            merge(self._connection, come, {task: row}, figures=self._figures)
        self.tasks.set((task,), row)

    def _season(self, key: str, body: SeasonEntry) -> None:
        self.flush()
        self.seasons.get((body.name,))
        self.seasons.set((body.name,), {"first": body.first, "last": body.last, "key": key})
        start, stop = moments(body.first, body.last)
        self._ranges = [r for r in self._ranges if r[0] != body.name] + [(body.name, start, stop)]
        for table in (tables.tallies, tables.card_tallies):
            self._connection.execute(table.delete().where(table.c.season == body.name))
        for table in (tables.totals, tables.card_totals):
            self._connection.execute(table.delete().where(of_season(table, body.name)))
        self._recount(body.name, start, stop)
        self._merge()

    def _recount(self, season: str, start: float, stop: float) -> None:
        """Count what ended in a season that is new, or has other days now."""
        run, card = tables.runs.c, tables.cards.c
        within = (run.ended >= start, run.ended < stop)
        for chunk in self._connection.execute(select(tables.runs).where(*within)).mappings().partitions(_CHUNK):
            self.tallies.load((season, row["agent"], row["task"], bool(row["inside"])) for row in chunk)
            for row in chunk:
                self._count_run(dict(row), 1, (season,))
        beside = (run.agent, run.task, run.inside, run.iterations, run.seconds, run.ended)
        of_card = (card.policy, card.version, card.state, card.final, card.latest, card.replaced_by)
        cards = select(*of_card, *beside).join(tables.runs, run.run == card.run).where(*within)
        for row in self._connection.execute(cards).mappings():
            self._count_card(dict(row), dict(row), 1, (season,))

    def _run(self, seq: int, key: str, body: RunEntry) -> None:
        there = self.runs.get((body.run,))
        row = {**body.__dict__, "outside": json.dumps(body.outside, ensure_ascii=False), "seq": seq, "key": key}
        if self.tasks.get((body.task,)) is None:
            self.tasks.set((body.task,), self._task_of(body))
        cards = self.cards_of("run", body.run) if there else []
        if there:
            self._count_run(there, -1)
            for _, card in cards:
                self._count_card(card, there, -1)
        self._count_run(row, 1)
        for _, card in cards:
            self._count_card(card, row, 1)
        self.runs.set((body.run,), row)

    def _task_of(self, body: RunEntry) -> RowDict:
        known = self.challenges.get((body.challenge,)) if body.challenge else None
        if known:
            return _task_row(ChallengeEntry.model_validate_json(known["body"]))
        nothing = dict.fromkeys(column.name for column in tables.tasks.c if column.name != "task")
        return {**nothing, "title": body.task, "digest": body.challenge}

    def _card(self, seq: int, moment: str, body: CardEntry) -> None:
        run = self.runs.get((body.run,))
        if run is None:
            raise ValueError(f"a card of the run {body.run!r}, which is not there")
        policy = body.body.policy
        for key, other in self.cards_of("run", body.run):
            if other["latest"] and (other["policy"], other["version"]) == (policy.name, policy.version):
                self.change(key, latest=False)
        self.cards.get((body.card, body.run))
        final = body.body.final
        row: RowDict = {
            "seq": seq,
            "time": moment,
            "agent": body.agent,
            "task": body.task,
            "policy": policy.name,
            "version": policy.version,
            "status": body.body.status,
            "state": body.body.status,
            "outcome": body.body.outcome,
            "final": None if final is None else millionths(final),
            "latest": True,
            "replaced_by": None,
            "appealed": None,
            "evidence": body.evidence,
        }
        self.cards.set((body.card, body.run), row)
        for name, value in (("run", body.run), ("card", body.card)):
            if (name, value) in self._cards_of:
                self._cards_of[name, value].add((body.card, body.run))
        self._count_card(row, run, 1)

    def change(self, key: Key, **columns: Any) -> None:
        """Change a card's row, and what is counted by it."""
        row = self.cards.get(key) or {}
        run = self.runs.get((key[1],)) or {}
        self._count_card(row, run, -1)
        row = {**row, **columns}
        self.cards.set(key, row)
        self._count_card(row, run, 1)

    def _seasons_of(self, ended: float) -> tuple[str, ...]:
        return (EVER, *(name for name, start, stop in self._ranges if start <= ended < stop))

    def _count_run(self, row: RowDict, sign: int, seasons: Sequence[str] | None = None) -> None:
        sums = run_sums(row)
        for season in self._seasons_of(row["ended"]) if seasons is None else seasons:
            key = (season, row["agent"], row["task"], bool(row["inside"]))
            _move(self.tallies, self._before, key, sums, sign, NO_RUNS)

    def _count_card(self, card: RowDict, run: RowDict, sign: int, seasons: Sequence[str] | None = None) -> None:
        if not card["latest"] or card["replaced_by"]:
            return
        sums = card_sums(card["final"], run)
        for season in self._seasons_of(run["ended"]) if seasons is None else seasons:
            key = (season, run["agent"], run["task"], bool(run["inside"]), *(card[k] for k in _OF_CARD))
            _move(self.card_tallies, self._cards_before, key, sums, sign, NO_CARDS)

    def _merge(self) -> None:
        """Write the tallies, and carry what changed in them into the totals."""
        for kept, before, merge in (
            (self.tallies, self._before, into_totals),
            (self.card_tallies, self._cards_before, into_card_totals),
        ):
            moved = {key: (sums or None, kept.get(key)) for key, sums in before.items()}
            names = {key[2] for key in moved}
            self.tasks.load((name,) for name in names)
            told = {name: self.tasks.get((name,)) or {} for name in names}
            merge(self._connection, moved, told, figures=self._figures)
            kept.flush()
            before.clear()


_OF_CARD = ("policy", "version", "state")


def _move(kept: Cached[Vector], before: dict[Key, Vector], key: Key, sums: Vector, sign: int, nothing: Vector) -> None:
    now = kept.get(key)
    if key not in before:
        before[key] = now or ()
    moved = plus(now or nothing, sums, sign)
    kept.set(key, moved if any(moved) else None)


def _task_row(body: ChallengeEntry) -> RowDict:
    return {
        "challenge": body.id,
        "version": body.version,
        "digest": body.digest,
        "title": body.title,
        "format": body.format,
        "family": body.family,
        "language": body.language,
        "tier": body.tier,
    }


def moments(first: str, last: str) -> tuple[float, float]:
    """When a range of days begins, and when it is over, in seconds since 1970."""

    def midnight(day: date) -> float:
        return datetime.combine(day, time(), UTC).timestamp()

    return midnight(date.fromisoformat(first)), midnight(date.fromisoformat(last) + timedelta(days=1))
