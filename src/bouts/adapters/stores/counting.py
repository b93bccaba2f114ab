"""Sums over runs and cards, as they are kept up to date with every entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select

from bouts.adapters.stores import figuring, tables
from bouts.adapters.stores.asking import by_scope, by_task, columns, of_policy
from bouts.adapters.stores.sums import NO_CARDS, NO_RUNS, CardSums, RunTotals
from bouts.model.tallied import CardTotals, Tally, Totals, Where

if TYPE_CHECKING:
    from bouts.standings.figures import CardFigures, RunFigures

_OF_CARDS = ("agent", "policy", "version", "state")


def tallies(connection: Connection, where: Where) -> tuple[Tally, ...]:
    """Runs by agent and task."""
    table = tables.tallies
    names = ("agent", "task", *tables.RUN_SUMS)
    found: list[Tally] = []
    for row in _rows(connection, columns(table, names, *by_task(connection, table, where))):
        sums = figuring.counted(tuple(map(int, row[2:])))
        found.append(Tally(agent=row[0], task=row[1], inside=where.inside, **sums))
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
    return tuple(figuring.run_totals(agent, where.inside, total) for agent, total in sorted(found.items()))


def run_totals_figured(connection: Connection, where: Where) -> tuple[RunFigures, ...]:
    """Figures of runs by agent, as they are kept where the question is about a scope."""
    at = by_scope(connection, tables.totals, where)
    if at is not None:
        texts = [row[0] for row in _rows(connection, columns(tables.totals, ("figures",), *at))]
        kept = figuring.kept_runs(texts)
        if kept is not None:
            return tuple(sorted(kept, key=lambda row: row.agent))
    from bouts.standings.figures import run_figures

    return tuple(run_figures(row) for row in totals(connection, where))


def card_totals(connection: Connection, where: Where) -> tuple[CardTotals, ...]:
    """Cards by agent, policy version and state."""
    found: dict[tuple[str, ...], CardSums] = {}
    table, at = tables.card_totals, by_scope(connection, tables.card_totals, where)
    if at is not None:
        names = (*_OF_CARDS, *tables.CARD_SUMS, *tables.CARD_TASK_SUMS, "mean_total", "mean_squares")
        for row in _rows(connection, columns(table, names, *at, *of_policy(table, where))):
            found[tuple(row[:4])] = CardSums.read(row[4:])
    else:
        table = tables.card_tallies
        at = (*by_task(connection, table, where), *of_policy(table, where))
        for row in _rows(connection, columns(table, (*_OF_CARDS, *tables.CARD_SUMS), *at)):
            total = found.setdefault(tuple(row[:4]), CardSums(NO_CARDS))
            total.move(tuple(map(int, row[4:])), 1)
    return tuple(figuring.card_totals(key, where.inside, total) for key, total in sorted(found.items()))


def card_totals_figured(connection: Connection, where: Where) -> tuple[CardFigures, ...]:
    """Figures of cards by agent, policy version and state, as they are kept where the question is about a scope."""
    at = by_scope(connection, tables.card_totals, where)
    if at is not None:
        wanted = columns(tables.card_totals, ("figures",), *at, *of_policy(tables.card_totals, where))
        kept = figuring.kept_cards([row[0] for row in _rows(connection, wanted)])
        if kept is not None:
            return tuple(sorted(kept, key=lambda row: (row.agent, row.policy, row.version, row.state)))
    from bouts.standings.figures import card_figures

    return tuple(card_figures(row) for row in card_totals(connection, where))


def _rows(connection: Connection, wanted: Select[Any]) -> Iterator[Sequence[Any]]:
    return (tuple(row) for row in connection.execute(wanted))
