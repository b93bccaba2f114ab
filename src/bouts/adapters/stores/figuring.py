"""Totals as standings take them, and what standings say of them, which is kept beside the sums."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from bouts.adapters.stores.sums import CardSums, RunTotals, Vector
from bouts.model.ledger import TIME_PLACES, CardState
from bouts.model.tallied import COST_UNIT, LATENCY_UNIT, POINT_UNIT, CardTotals, Spread, Totals

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from bouts.standings.figures import CardFigures, RunFigures


def counted(s: Vector) -> dict[str, Any]:
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


def run_totals(agent: str, inside: bool, total: RunTotals) -> Totals:
    """One agent's runs."""
    return Totals(
        agent=agent,
        inside=inside,
        **counted(total.sums),
        steps=_spread(total.sums, 10, 1),
        tokens=total.sums[13],
        tasks={_pair(shape): count for shape, count in total.tasks.items()},
    )


def _pair(shape: str) -> tuple[int, int]:
    n, _, c = shape.partition(":")
    return int(n), int(c)


def card_totals(key: tuple[str, ...], inside: bool, total: CardSums) -> CardTotals:
    """One agent's cards; the key is agent, policy, version and state."""
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


# Imported where they are used: who opens a ledger to look something up needs no statistics.


def figured_runs(key: tuple[Any, ...], total: RunTotals) -> str:
    """The figures of a row of `ledger_totals`, by its key, as the row keeps them."""
    from bouts.standings.figures import rules_digest, run_figures

    return rules_digest() + run_figures(run_totals(key[2], bool(key[3]), total)).model_dump_json()


def figured_cards(key: tuple[Any, ...], total: CardSums) -> str:
    """The figures of a row of `ledger_card_totals`."""
    from bouts.standings.figures import card_figures, rules_digest

    _, _, agent, inside, *of_cards = key
    return rules_digest() + card_figures(card_totals((agent, *of_cards), bool(inside), total)).model_dump_json()


def kept_runs(texts: Iterable[str]) -> tuple[RunFigures, ...] | None:
    """Figures as rows keep them; `None` where some were made by other rules."""
    bodies = _bodies(texts)
    return None if bodies is None else _of_runs().validate_json(bodies)


def kept_cards(texts: Iterable[str]) -> tuple[CardFigures, ...] | None:
    """See `kept_runs`."""
    bodies = _bodies(texts)
    return None if bodies is None else _of_cards().validate_json(bodies)


def _bodies(texts: Iterable[str]) -> str | None:
    from bouts.standings.figures import rules_digest

    mark, rows = rules_digest(), list(texts)
    if any(not row.startswith(mark) for row in rows):
        return None
    return f"[{','.join(row[len(mark) :] for row in rows)}]"


@cache
def _of_runs() -> TypeAdapter[tuple[RunFigures, ...]]:
    from pydantic import TypeAdapter

    from bouts.standings.figures import RunFigures

    return TypeAdapter(tuple[RunFigures, ...])


@cache
def _of_cards() -> TypeAdapter[tuple[CardFigures, ...]]:
    from pydantic import TypeAdapter

    from bouts.standings.figures import CardFigures

    return TypeAdapter(tuple[CardFigures, ...])
