"""From a ledger to agents compared: two side by side, or one against several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bouts.errors import BadUsage
from bouts.model.tallied import AgentRow, CardRow, Tally, Totals, Where
from bouts.pipeline.agents import headline_of, known
from bouts.pipeline.refining import Reading
from bouts.pipeline.standings import Asked
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.ports.ledger import Ledger
from bouts.standings.cells import final_cells, rate_cells
from bouts.standings.duel import Comparisons, Duel, Side
from bouts.standings.leaderboard import STATES, TableState
from bouts.standings.paired import Comparison, compare, compare_with_all


def duel(reading: Reading, first: str, second: str, asked: Asked) -> Duel:
    """The first agent against the second. Raises `NotFound` for an unknown agent or season, and `BadUsage` for one
    agent against itself or a policy that scores no cards."""
    ledger = reading.ledger
    _refuse_headline(asked)
    one, two = known(ledger, first), known(ledger, second)
    if one.name == two.name:
        raise BadUsage("an agent is not compared with itself", where=one.title, hint="name two agents")
    both = (one.name, two.name)
    where = replace(asked.runs, agents=both)
    tasks, tallies, seed = ledger.tasks(), ledger.tallies(where), STATISTICS_1.seed
    totals = {row.agent: row for row in ledger.totals(where)}
    state, cards = _cards(ledger, replace(asked.cards, agents=both), both, otherwise="final")
    success = compare(one.name, two.name, rate_cells(tallies, tasks), "rate", seed)
    finals = compare(one.name, two.name, final_cells(cards, tasks), "score", seed)
    return Duel(
        first=_side(ledger, one, where, totals, tallies),
        second=_side(ledger, two, where, totals, tallies),
        inside=asked.inside,
        filters=asked.named,
        success=_titled(success, one, two),
        policy=asked.policy[0],
        version=asked.policy[1],
        state=state,
        finals=_titled(finals, one, two),
    )


def against(reading: Reading, first: str, others: Sequence[str], asked: Asked) -> Comparisons:
    """The first agent against each of the others; against all that there are, where none is named. Raises as `duel`."""
    ledger = reading.ledger
    _refuse_headline(asked)
    one, rest = known(ledger, first), [known(ledger, other) for other in others]
    if any(other.name == one.name for other in rest):
        raise BadUsage("an agent is not compared with itself", where=one.title, hint="name others")
    titles = {row.name: row.title for row in (ledger.agents() if not rest else (one, *rest))}
    named = tuple(titles) if rest else ()
    where, tasks, seed = replace(asked.runs, agents=named), ledger.tasks(), STATISTICS_1.seed
    state, cards = _cards(ledger, replace(asked.cards, agents=named), (one.name,), otherwise="provisional")
    success = compare_with_all(one.name, rate_cells(ledger.tallies(where), tasks), "rate", seed)
    finals = compare_with_all(one.name, final_cells(cards, tasks), "score", seed)
    return Comparisons(
        first=one.title,
        inside=asked.inside,
        filters=asked.named,
        success=_listed(success, titles),
        policy=asked.policy[0],
        version=asked.policy[1],
        state=state,
        finals=_listed(finals, titles),
    )


def _refuse_headline(asked: Asked) -> None:
    if asked.policy[0] == HEADLINE_2026_07.name:
        raise BadUsage(
            "policy 'headline' gives one figure an agent, and nothing to pair by task",
            hint="compare by a policy of cards; success rates and both composites are shown with any",
        )


def _listed(rows: Iterable[Comparison], titles: Mapping[str, str]) -> tuple[Comparison, ...]:
    named = [
        row.model_copy(update={"first": titles[row.first], "second": titles[row.second], "decisive": ()})
        for row in rows
    ]
    return tuple(sorted(named, key=lambda row: row.second))


def _cards(
    ledger: Ledger, question: Where, agents: Sequence[str], *, otherwise: TableState
) -> tuple[TableState, tuple[CardRow, ...]]:
    """The cards of the first kind of which all of these agents have some."""
    found: dict[TableState, tuple[CardRow, ...]] = {}
    for state in STATES:
        found[state] = ledger.cards(replace(question, states=(state,)))
        if {row.agent for row in found[state]} >= set(agents):
            return state, found[state]
    return otherwise, found[otherwise]


def _side(
    ledger: Ledger, agent: AgentRow, where: Where, totals: Mapping[str, Totals], tallies: Iterable[Tally]
) -> Side:
    mine = [row for row in tallies if row.agent == agent.name]
    made = headline_of(ledger, replace(where, agents=(agent.name,)), totals.get(agent.name), mine)
    return Side(agent=agent.title, composite=made.composite, radar=made.radar, repeatability=made.repeatability)


def _titled(found: Comparison, one: AgentRow, two: AgentRow) -> Comparison:
    return found.model_copy(update={"first": one.title, "second": two.title})
