"""Error bars by challenge, rank sets and ratings: made from every single card, and kept, as that can take a while."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bouts.errors import StoreFault
from bouts.model.records import digest
from bouts.model.tallied import Tally, Where
from bouts.pipeline.cache import Cache
from bouts.policy.headline import CompositeTable
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.ports.ledger import Ledger
from bouts.standings.bootstrap import Bootstrapped
from bouts.standings.cells import Cell, final_cells, rate_cells
from bouts.standings.estimates import estimates
from bouts.standings.figures import CardFigures, RunFigures
from bouts.standings.headline_board import composite_bar
from bouts.standings.leaderboard import Refined, refine

LIVE_CARDS, LIVE_AGENTS = 5_000, 100
"""Up to so many of a table's cards and agents this is made whenever it is asked for; beyond, only when `fresh` asks."""
LIVE_BARS = 12
"""Agents up to which the error bars of composites are made whenever they are asked for."""

Public = Callable[[str], bool]
"""Whether an agent may take part in what was asked."""


@dataclass(frozen=True)
class Reading:
    """A ledger, and what helps to answer from it."""

    ledger: Ledger
    name: str
    """What tells this ledger from others."""
    cache: Cache | None = None
    now: str = ""
    """The time, to be shown beside what is kept."""


def refined(
    reading: Reading, question: Where, cards: Sequence[CardFigures], public: Public, *, fresh: bool = False
) -> Refined | None:
    """Of one table, whose figures `cards` are: what is kept where nothing was recorded since; else made anew where the
    cards are few or `fresh` asks for it; else what was kept last, `as_of` saying when; `None` where nothing is."""
    if not cards:
        return None
    seq, head = reading.ledger.head()
    key = _key(reading, question)
    kept = _kept(reading.cache, key)
    if kept is not None and kept[0] == head:
        return kept[1].model_copy(update={"as_of": ""})
    few = len(cards) <= LIVE_AGENTS and sum(row.cards for row in cards) <= LIVE_CARDS
    if not few and not fresh:
        return None if kept is None else kept[1]
    rows = cells(reading.ledger, question, public)
    made = refine(rows, "score", STATISTICS_1.seed, as_of=f"entry {seq} of the ledger, {reading.now}")
    _keep(reading.cache, key, {"head": head, "refined": made.model_dump(mode="json")})
    return made.model_copy(update={"as_of": ""})


def composite_bars(
    reading: Reading, question: Where, agents: Sequence[str], table: CompositeTable, *, fresh: bool = False
) -> dict[str, Bootstrapped]:
    """Error bars of the composites of some agents: those that were kept since the last entry, else made anew where the
    agents are few or `fresh` asks for it, else none: unlike ranks, a bar of another figure would mislead."""
    _, head = reading.ledger.head()
    key = _key(reading, question, f"composite {digest(table.model_dump(mode='json'))}")
    kept = None if reading.cache is None else reading.cache.get(key)
    if kept is not None and kept.get("head") == head:
        try:
            return {str(name): Bootstrapped.model_validate(row) for name, row in kept["bars"].items()}
        except (AttributeError, KeyError, ValidationError):
            pass
    if len(agents) > LIVE_BARS and not fresh:
        return {}
    tasks, wanted = reading.ledger.tasks(), frozenset(agents)
    tallies: dict[str, list[Tally]] = {}
    for row in reading.ledger.tallies(question):
        if row.agent in wanted:
            tallies.setdefault(row.agent, []).append(row)
    made = {name: composite_bar(rows, tasks, STATISTICS_1.seed, table) for name, rows in tallies.items()}
    _keep(reading.cache, key, {"head": head, "bars": {name: row.model_dump(mode="json") for name, row in made.items()}})
    return made


def rates_by_challenge(reading: Reading, question: Where, runs: Sequence[RunFigures]) -> Sequence[RunFigures]:
    """The same with error bars of success clustered by challenge where agents and tasks are few; of many they stay
    clustered by task, as totals have them."""
    if len(runs) > LIVE_AGENTS or sum(row.tasks for row in runs) > LIVE_CARDS:
        return runs
    bars = estimates(rate_cells(reading.ledger.tallies(question), reading.ledger.tasks()), "rate")
    return [row.model_copy(update={"success": bars.get(row.agent)}) for row in runs]


def cells(ledger: Ledger, question: Where, public: Public) -> tuple[Cell, ...]:
    """Mean finals by agent and task."""
    return final_cells([card for card in ledger.cards(question) if public(card.agent)], ledger.tasks())


def _key(reading: Reading, question: Where, what: str = "refined") -> str:
    asked = {name: getattr(question, name) for name in question.__slots__}
    rules = STATISTICS_1.model_dump(mode="json")
    return digest({"what": f"{what} 1", "ledger": reading.name, "asked": asked, "rules": rules})


def _keep(cache: Cache | None, key: str, value: dict[str, Any]) -> None:
    if cache is not None:
        with contextlib.suppress(StoreFault):  # a home that cannot be written keeps nobody from reading
            cache.put(key, value)


def _kept(cache: Cache | None, key: str) -> tuple[str, Refined] | None:
    """The ledger's head when it was made, and what was made."""
    value = None if cache is None else cache.get(key)
    if value is None:
        return None
    try:
        return str(value["head"]), Refined.model_validate(value["refined"])
    except (KeyError, TypeError, ValidationError):
        return None
