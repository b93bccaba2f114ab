"""What is asked for, as conditions on the derived tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, select

from bouts.adapters.stores import tables
from bouts.adapters.stores.deriving import EVER, moments
from bouts.adapters.stores.scopes import KINDS, scope
from bouts.errors import NotFound
from bouts.model.tallied import Where

Conditions = list[ColumnElement[bool]]


def on_runs(connection: Connection, where: Where) -> Conditions:
    """Conditions on `ledger_runs`."""
    column = tables.runs.c
    found: Conditions = [
        column.inside == where.inside,
        *on_agents(column.agent, where),
        *on_tasks(column.task, where),
    ]
    if where.season is not None:
        start, stop = season_of(connection, where.season)
        found += [column.ended >= start, column.ended < stop]
    return found


def season_of(connection: Connection, name: str) -> tuple[float, float]:
    """When a season begins, and when it is over. Raises `NotFound`."""
    row = connection.execute(select(tables.seasons).where(tables.seasons.c.name == name)).first()
    if row is None:
        names = connection.execute(select(tables.seasons.c.name).order_by(tables.seasons.c.first)).scalars()
        known = ", ".join(names) or "none"
        raise NotFound(f"there is no season {name!r}", hint=f"seasons: {known}; `bouts register season` makes one")
    return moments(row.first, row.last)


def on_agents(column: ColumnElement[str], where: Where) -> Conditions:
    """Conditions on a column with an agent's name."""
    found: Conditions = []
    if where.agents:
        found.append(column.in_(where.agents))
    if where.model is not None:
        found.append(column.in_(select(tables.agents.c.name).where(tables.agents.c.model == where.model)))
    return found


def on_tasks(column: ColumnElement[str], where: Where) -> Conditions:
    """Conditions on a column with a task's name."""
    found: Conditions = [column == where.task] if where.task is not None else []
    named = {"challenge": where.challenge, "family": where.family, "format": where.format, "language": where.language}
    same = [tables.tasks.c[name] == value for name, value in named.items() if value is not None]
    if same:
        found.append(column.in_(select(tables.tasks.c.task).where(*same)))
    return found


def by_scope(connection: Connection, table: Table, where: Where) -> Conditions | None:
    """Conditions on a table of totals; `None` where tallies by task must answer the question."""
    if where.task is not None or where.challenge is not None:
        return None
    if where.season is not None:
        season_of(connection, where.season)
    named = {kind: value for kind in KINDS if (value := getattr(where, kind)) is not None}
    kind, value = scope(named)
    return [table.c.scope == kind, table.c.value == value, *_within(table, where)]


def by_task(connection: Connection, table: Table, where: Where) -> Conditions:
    """Conditions on a table of tallies."""
    if where.season is not None:
        season_of(connection, where.season)
    season = EVER if where.season is None else where.season
    return [table.c.season == season, *_within(table, where), *on_tasks(table.c.task, where)]


def _within(table: Table, where: Where) -> Conditions:
    """Conditions on whose runs they are, inside the budgets or outside."""
    return [table.c.inside == where.inside, *on_agents(table.c.agent, where)]


def of_policy(table: Table, where: Where) -> Conditions:
    """Conditions on a table of cards."""
    found: Conditions = []
    if where.policy is not None:
        found.append(table.c.policy == where.policy)
    if where.policy_version is not None:
        found.append(table.c.version == where.policy_version)
    if where.states:
        found.append(table.c.state.in_(where.states))
    return found


def columns(table: Table, names: Iterable[str], *conditions: ColumnElement[bool]) -> Select[Any]:
    """Some columns of the rows for which all of it holds."""
    return select(*(table.c[name] for name in names)).where(*conditions)
