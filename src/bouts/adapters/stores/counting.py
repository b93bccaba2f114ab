"""Sums over runs and cards, as they are kept up to date with every entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, cast

from sqlalchemy import Connection, Select

from bouts.adapters.stores import tables
from bouts.adapters.stores.asking import by_scope, by_task, columns, of_policy
from bouts.adapters.stores.sums import NO_CARDS, NO_RUNS, CardSums, RunTotals, Vector
from bouts.model.ledger import TIME_PLACES, CardState
from bouts.model.tallied import COST_UNIT, LATENCY_UNIT, POINT_UNIT, CardTotals, Spread, Tally, Totals, Where


def tallies(connection: Connection, where: Where) -> tuple[Tally, ...]:
    """Runs by agent and task."""
    table = tables.tallies
    names = ("agent", "task", *tables.RUN_SUMS)
    found: list[Tally] = []
    for row in _rows(connection, columns(table, names, *by_task(connection, table, where))):
        found.append(Tally(agent=row[0], task=row[1], inside=where.inside, **_counted(tuple(map(int, row[2:])))))
    return tuple(sorted(found, key=lambda tally: (tally.agent, tally.task)))


def totals(connection: Connection, where: Where) -> tuple[Totals, ...]:
    """Runs by agent."""
    found: dict[str, RunTotals] = {}
    table, at = tables.totals, by_scope(connection, tables.totals, where)
    if at is not None:
        for row in _rows(connection, columns(table, ("agent", *tables.RUN_SUMS, "tasks"), *at)):
            found[row[0]] = RunTotals.read(row[1:])
    else:
        table = tables.tallies
        for row in _rows(connection, columns(table, ("agent", *tables.RUN_SUMS), *by_task(connection, table, where))):
            total = found.setdefault(row[0], RunTotals(NO_RUNS))
            total.move(tuple(map(int, row[1:])), 1)
    return tuple(_totals(agent, where.inside, total) for agent, total in sorted(found.items()))


def _totals(agent: str, inside: bool, total: RunTotals) -> Totals:
    return Totals(
        agent=agent,
        inside=inside,
        **_counted(total.sums),
        steps=_spread(total.sums, 10, 1),
        tokens=total.sums[13],
        tasks={_pair(shape): count for shape, count in total.tasks.items()},
    )


def _rows(connection: Connection, wanted: Select[Any]) -> Iterator[Sequence[Any]]:
    return (tuple(row) for row in connection.execute(wanted))


def _counted(s: Vector) -> dict[str, Any]:
    """What a tally and a total both say, of sums in the order of `tables.RUN_SUMS`."""
    return {
        "completed": s[0],
        "infrastructure": s[1],
        "outcomes": s[2],
        "successes": s[3],
        "latency": _spread(s, 4, LATENCY_UNIT),
        "cost": _spread(s, 7, COST_UNIT),
    }


def _spread(sums: Vector, at: int, unit: int) -> Spread:
    return Spread(sums[at], sums[at + 1], sums[at + 2], unit)


def _pair(shape: str) -> tuple[int, int]:
    n, _, c = shape.partition(":")
    return int(n), int(c)


def card_totals(connection: Connection, where: Where) -> tuple[CardTotals, ...]:
    """Cards by agent, policy version and state."""
    found: dict[tuple[str, ...], CardSums] = {}
    keys = ("agent", "policy", "version", "state")
    table, at = tables.card_totals, by_scope(connection, tables.card_totals, where)
    if at is not None:
        names = (*keys, *tables.CARD_SUMS, *tables.CARD_TASK_SUMS, "mean_total", "mean_squares")
        for row in _rows(connection, columns(table, names, *at, *of_policy(table, where))):
            found[tuple(row[:4])] = CardSums.read(row[4:])
    else:
        table = tables.card_tallies
        at = (*by_task(connection, table, where), *of_policy(table, where))
        for row in _rows(connection, columns(table, (*keys, *tables.CARD_SUMS), *at)):
            total = found.setdefault(tuple(row[:4]), CardSums(NO_CARDS))
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
        state=cast("CardState", state),
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
        seconds=None if untimed else Fraction(micros, 10**TIME_PLACES),
    )
