"""Questions that a ledger answers from its derived rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, or_, select

from bouts.adapters.stores import tables
from bouts.adapters.stores.deriving import EVER, moments
from bouts.adapters.stores.sums import CardSums, RunTotals, Vector
from bouts.adapters.stores.writing import stored_run
from bouts.errors import NotFound
from bouts.model.base import made
from bouts.model.ledger import Entry, EntryKind, RunEntry
from bouts.model.tallied import (
    COST_UNIT,
    LATENCY_UNIT,
    POINT_UNIT,
    AgentRow,
    CardRow,
    CardTotals,
    Queued,
    ReviewRow,
    SeasonRow,
    Spread,
    Tally,
    TaskRow,
    Totals,
    Where,
)

_CHUNK = 5_000
Conditions = list[ColumnElement[bool]]


def entries(connection: Connection, after: int, kinds: Sequence[EntryKind], upto: int | None = None) -> Iterator[Entry]:
    """Entries behind a place."""
    for row in entry_rows(connection, after, kinds, upto):
        body = json.loads(row.body)
        yield made(
            Entry,
            seq=row.seq,
            time=row.time,
            kind=row.kind,
            key=row.key,
            body=body,
            previous=row.previous,
            digest=row.digest,
        )


def entry_rows(
    connection: Connection, after: int = 0, kinds: Sequence[EntryKind] = (), upto: int | None = None
) -> Iterator[Row[Any]]:
    """The rows of entries behind a place, some thousands at a time."""
    column = tables.entries.c
    while True:
        wanted = select(tables.entries).where(column.seq > after).order_by(column.seq).limit(_CHUNK)
        if upto is not None:
            wanted = wanted.where(column.seq <= upto)
        rows = connection.execute(wanted.where(column.kind.in_(kinds)) if kinds else wanted).all()
        yield from rows
        if len(rows) < _CHUNK:
            return
        after = rows[-1].seq


def agents(connection: Connection) -> tuple[AgentRow, ...]:
    """All agents."""
    rows = connection.execute(select(tables.agents)).all()
    return tuple(sorted((agent_row(row._mapping) for row in rows), key=lambda agent: agent.name))


def agent_row(row: Any) -> AgentRow:
    """An agent of its row."""
    names = ("name", "owner", "model", "scaffold", "shown", "pseudonym")
    return AgentRow(**{name: row[name] for name in names})


def seasons(connection: Connection) -> tuple[SeasonRow, ...]:
    """All seasons."""
    rows = connection.execute(select(tables.seasons)).all()
    return tuple(sorted((SeasonRow(row.name, row.first, row.last) for row in rows), key=lambda s: (s.first, s.name)))


def tasks(connection: Connection) -> tuple[TaskRow, ...]:
    """All tasks."""
    rows = connection.execute(select(tables.tasks)).all()
    return tuple(sorted((TaskRow(**row._mapping) for row in rows), key=lambda task: task.task))


def runs(connection: Connection, where: Where, last: int | None) -> tuple[RunEntry, ...]:
    """Runs as they count."""
    column = tables.runs.c
    wanted = select(tables.runs).where(*_on_runs(connection, where))
    if last is not None:
        wanted = wanted.where(column.status != "infrastructure").order_by(column.ended.desc(), column.seq.desc())
        rows = connection.execute(wanted.limit(last)).mappings().all()[::-1]
    else:
        rows = connection.execute(wanted.order_by(column.ended, column.seq)).mappings().all()
    return tuple(stored_run(dict(row)) for row in rows)


def _on_runs(connection: Connection, where: Where) -> Conditions:
    column = tables.runs.c
    found: Conditions = [
        column.inside == where.inside,
        *_on_agents(column.agent, where),
        *_on_tasks(column.task, where),
    ]
    if where.season is not None:
        start, stop = _season(connection, where.season)
        found += [column.ended >= start, column.ended < stop]
    return found


def _season(connection: Connection, name: str) -> tuple[float, float]:
    row = connection.execute(select(tables.seasons).where(tables.seasons.c.name == name)).first()
    if row is None:
        known = ", ".join(season.name for season in seasons(connection)) or "none"
        raise NotFound(f"there is no season {name!r}", hint=f"seasons: {known}; `bouts season add` makes one")
    return moments(row.first, row.last)


def _on_agents(column: ColumnElement[str], where: Where) -> Conditions:
    found: Conditions = []
    if where.agents:
        found.append(column.in_(where.agents))
    if where.model is not None:
        found.append(column.in_(select(tables.agents.c.name).where(tables.agents.c.model == where.model)))
    return found


def _on_tasks(column: ColumnElement[str], where: Where) -> Conditions:
    found: Conditions = [column == where.task] if where.task is not None else []
    named = {"challenge": where.challenge, "family": where.family, "format": where.format, "language": where.language}
    same = [tables.tasks.c[name] == value for name, value in named.items() if value is not None]
    if same:
        found.append(column.in_(select(tables.tasks.c.task).where(*same)))
    return found


def _scope(where: Where) -> tuple[str, str] | None:
    """The scope whose totals answer a question; `None` where tallies by task must."""
    if where.task is not None or where.challenge is not None:
        return None
    named = {name: getattr(where, name) for name in ("family", "format", "language", "season")}
    asked = [(name, value) for name, value in named.items() if value is not None]
    return ("all", "") if not asked else asked[0] if len(asked) == 1 else None


def _by_task(connection: Connection, table: Table, where: Where) -> Conditions:
    if where.season is not None:
        _season(connection, where.season)
    season = EVER if where.season is None else where.season
    return [table.c.season == season, *_within(table, where), *_on_tasks(table.c.task, where)]


def _within(table: Table, where: Where) -> Conditions:
    return [table.c.inside == where.inside, *_on_agents(table.c.agent, where)]


def _of_policy(table: Table, where: Where) -> Conditions:
    found: Conditions = []
    if where.policy is not None:
        found.append(table.c.policy == where.policy)
    if where.policy_version is not None:
        found.append(table.c.version == where.policy_version)
    if where.states:
        found.append(table.c.state.in_(where.states))
    return found


def _columns(table: Table, names: Iterable[str], *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(*(table.c[name] for name in names)).where(*conditions)


def tallies(connection: Connection, where: Where) -> tuple[Tally, ...]:
    """Runs by agent and task."""
    table = tables.tallies
    names = ("agent", "task", *tables.RUN_SUMS)
    rows = connection.execute(_columns(table, names, *_by_task(connection, table, where))).all()
    found = [_tally(row[0], row[1], where.inside, tuple(map(int, row[2:]))) for row in rows]
    return tuple(sorted(found, key=lambda tally: (tally.agent, tally.task)))


def _tally(agent: str, task: str, inside: bool, sums: Vector) -> Tally:
    return Tally(agent, task, inside, *sums[:4], Spread(*sums[4:7], LATENCY_UNIT), Spread(*sums[7:10], COST_UNIT))


def totals(connection: Connection, where: Where) -> tuple[Totals, ...]:
    """Runs by agent."""
    scope, found = _scope(where), dict[str, RunTotals]()
    if scope is not None:
        if where.season is not None:
            _season(connection, where.season)
        table = tables.totals
        at = (table.c.scope == scope[0], table.c.value == scope[1], *_within(table, where))
        for row in connection.execute(_columns(table, ("agent", *tables.RUN_SUMS, "tasks"), *at)):
            found[row[0]] = RunTotals.read(row[1:])
    else:
        table = tables.tallies
        for row in connection.execute(
            _columns(table, ("agent", *tables.RUN_SUMS), *_by_task(connection, table, where))
        ):
            total = found.setdefault(row[0], RunTotals((0,) * len(tables.RUN_SUMS)))
            total.move(tuple(map(int, row[1:])), 1)
    return tuple(_totals(agent, where.inside, total) for agent, total in sorted(found.items()))


def _totals(agent: str, inside: bool, total: RunTotals) -> Totals:
    s = total.sums
    shapes = {_pair(shape): count for shape, count in total.tasks.items()}
    latency, cost = Spread(*s[4:7], LATENCY_UNIT), Spread(*s[7:10], COST_UNIT)
    return Totals(agent, inside, *s[:4], latency, cost, Spread(*s[10:13], 1), s[13], shapes)


def _pair(shape: str) -> tuple[int, int]:
    n, _, c = shape.partition(":")
    return int(n), int(c)


def card_totals(connection: Connection, where: Where) -> tuple[CardTotals, ...]:
    """Cards by agent, policy version and state."""
    scope, found = _scope(where), dict[tuple[str, ...], CardSums]()
    keys = ("agent", "policy", "version", "state")
    if scope is not None:
        if where.season is not None:
            _season(connection, where.season)
        table = tables.card_totals
        names = (*keys, *tables.CARD_SUMS, *tables.CARD_TASK_SUMS, "mean_total", "mean_squares")
        at = (table.c.scope == scope[0], table.c.value == scope[1], *_within(table, where), *_of_policy(table, where))
        for row in connection.execute(_columns(table, names, *at)):
            found[tuple(row[:4])] = CardSums.read(row[4:])
    else:
        table = tables.card_tallies
        at = (*_by_task(connection, table, where), *_of_policy(table, where))
        for row in connection.execute(_columns(table, (*keys, *tables.CARD_SUMS), *at)):
            total = found.setdefault(tuple(row[:4]), CardSums((0,) * len(tables.CARD_SUMS)))
            total.move(tuple(map(int, row[4:])), 1)
    return tuple(_card_totals(key, where.inside, total) for key, total in sorted(found.items()))


def _card_totals(key: tuple[str, ...], inside: bool, total: CardSums) -> CardTotals:
    agent, policy, version, state = key
    cards, points, squares, iterations, unknown, micros, untimed = total.sums
    size, crossed = total.over_tasks[1:3]
    return CardTotals(
        agent=agent,
        inside=inside,
        policy=policy,
        version=version,
        state=state,  # pyright: ignore[reportArgumentType] - it was a card's status
        cards=cards,
        total=points,
        squares=squares,
        tasks=total.over_tasks[0],
        task_sizes=size,
        task_crossed=crossed,
        task_squares=total.over_tasks[3],
        mean_total=total.mean_total / POINT_UNIT,
        mean_squares=total.mean_squares / POINT_UNIT**2,
        iterations=None if unknown else iterations,
        seconds=None if untimed else Fraction(micros, 10**6),
    )


def cards(connection: Connection, where: Where) -> tuple[CardRow, ...]:
    """Cards in short."""
    table = tables.cards
    conditions = [*_on_runs(connection, where), *_of_policy(table, where)]
    if where.latest:
        conditions += [table.c.latest == True, table.c.replaced_by.is_(None)]  # noqa: E712 - SQL, not Python
    return _card_rows(connection, conditions)


def _card_rows(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> tuple[CardRow, ...]:
    table, run = tables.cards, tables.runs
    beside = ("attempt", "ended", "inside", "iterations", "seconds")
    wanted = (
        select(table, *(run.c[name] for name in beside))
        .join(run, run.c.run == table.c.run)
        .where(*conditions)
        .order_by(run.c.ended, table.c.seq)
    )
    return tuple(_card_row(row) for row in connection.execute(wanted).mappings())


def _card_row(row: Any) -> CardRow:
    values = {**row, "appealed": row["appealed"] is not None}
    values["final"] = None if row["final"] is None else row["final"] / POINT_UNIT
    return CardRow(**values)


def card(connection: Connection, digest: str) -> tuple[CardRow, dict[str, Any]]:
    """A card's row and body by the first characters of its digest. Raises `NotFound`."""
    said = digest.removeprefix("sha256:").lower()
    hint = "`bouts review list` and `bouts agent` show the digests of cards"
    if not said or set(said) - set("0123456789abcdef"):
        raise NotFound("a card is named by its digest, or the first characters of it", where=digest, hint=hint)
    rows = _card_rows(connection, [tables.cards.c.card.like(f"sha256:{said}%")])
    names = sorted({row.card for row in rows})
    if len(names) != 1:
        what = "several cards have digests that begin so" if names else "no such card in this ledger"
        raise NotFound(what, where=digest, hint=", ".join(name[:23] for name in names[:5]) or hint)
    row = min(rows, key=lambda row: row.seq)
    return row, _body(connection, row.seq)


def _body(connection: Connection, seq: int) -> dict[str, Any]:
    stored = select(tables.entries.c.body).where(tables.entries.c.seq == seq)
    return json.loads(connection.execute(stored).scalar_one())["body"]


def reviews(connection: Connection, cards: Sequence[str]) -> tuple[ReviewRow, ...]:
    """Everything that was said about some cards."""
    table = tables.reviews
    rows = connection.execute(select(table).where(table.c.card.in_(cards)).order_by(table.c.seq)).mappings()
    return tuple(ReviewRow(**row) for row in rows)


def queue(connection: Connection) -> tuple[Queued, ...]:
    """Cards that wait for a reviewer."""
    column = tables.cards.c
    waiting = or_(column.state == "held", column.appealed.is_not(None))
    counts = and_(column.latest == True, column.replaced_by.is_(None))  # noqa: E712 - SQL, not Python
    rows = _card_rows(connection, [waiting, counts])
    said: dict[str, list[ReviewRow]] = {}
    for review in reviews(connection, [row.card for row in rows]):
        said.setdefault(review.card, []).append(review)
    found: list[Queued] = []
    for row in rows:
        flags = _body(connection, row.seq).get("flags", ()) if row.state == "held" else ()
        held = dict.fromkeys(flag["kind"] for flag in flags if flag.get("holds"))
        mine = tuple(said.get(row.card, ()))
        appeals = [review.time for review in mine if review.action == "appeal"]
        since = row.time if row.state == "held" or not appeals else appeals[-1]
        found.append(Queued(row, since, (*held, *(("appeal",) if row.appealed else ())), mine))
    return tuple(sorted(found, key=lambda item: (item.since, item.card.seq)))
