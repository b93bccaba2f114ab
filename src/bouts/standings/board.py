"""The leaderboard of one policy: a table of final cards, and beside it, never mixed in, one of provisional cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bouts.model.base import Fact
from bouts.model.tallied import AgentRow, CardRow, CardTotals, Totals
from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1
from bouts.scoring.exact import stored
from bouts.standings.estimates import Estimate, final_of_totals
from bouts.standings.ranks import Entry, rank
from bouts.standings.ranksets import RankSet, RankSets
from bouts.standings.shapes import MEANINGS, POINTED_OUT, Shape, shape

Basis = Literal["final", "provisional"]
BASES: tuple[Basis, ...] = ("final", "provisional")
MEANING: dict[Basis, str] = {
    "final": "cards with every part judged",
    "provisional": "cards that lack a part, such as a judge that is not configured; not to be compared with final ones",
}


class Attempts(Fact):
    """An agent's attempts at one task, in order, as far as their cards are of one kind."""

    task: str
    scores: tuple[float, ...]
    """Final of each attempt, 0–100."""
    shape: Shape
    because: str
    pointed_out: bool
    """Whether a reader should look at it: a later attempt was worse, or only the last one gained."""


class BoardRow(Fact):
    """One agent."""

    rank: int
    """From 1, after the tie-breaks; what nothing tells apart shares a rank."""
    agent: str
    """Its name, or its pseudonym."""
    model: str | None
    scaffold: str | None
    value: float
    """What the table is ordered by, 0–100."""
    estimate: Estimate | None
    """The same with its error bar; `null` for a figure that has none."""
    rank_low: int | None
    """Best rank that the data do not rule out; `null` where rank sets are not at hand."""
    rank_high: int | None
    tied_with: tuple[str, ...]
    """Agents that it is not told apart from."""
    cards: int
    """Cards that `value` rests on; runs, for a figure of runs."""
    tasks: int
    solved: int
    """Successful runs."""
    completed: int
    """Runs that ended by the agent's own doing: the first denominator."""
    all_runs: int
    """With those that a fault of the platform ended: the second denominator."""
    held: int
    """Cards that wait for a reviewer, and count nowhere."""
    void: int
    """Cards that never count."""
    provisional: bool
    """Whether a part of `value` is not known."""
    iterations: float | None
    """Mean number of hand-ins, the first tie-break; `null` where a card does not say."""
    seconds: float | None
    """Mean time to the final submission, the second one."""
    attempts: tuple[Attempts, ...] = ()
    """By task; given where the leaderboard is of one challenge."""


class Board(Fact):
    """One table."""

    basis: Basis
    meaning: str
    rows: tuple[BoardRow, ...]
    level: float | None
    """Confidence of rank sets, 0–1; `null` where there are none."""
    ranks_made: str | None = None
    """When the rank sets were worked out, where that was before the last entry; else `null`."""


@dataclass(frozen=True)
class Figures:
    """What one table is made from, by name of agent."""

    cards: Mapping[str, CardTotals]
    estimates: Mapping[str, Estimate]
    """Error bars clustered by challenge; an agent that is not in it gets those that its totals give."""
    ranks: RankSets | None
    ranks_made: str | None
    attempts: Mapping[str, tuple[Attempts, ...]]


@dataclass(frozen=True)
class Around:
    """What is told of every agent beside its figure."""

    agents: Mapping[str, AgentRow]
    runs: Mapping[str, Totals]
    held: Mapping[str, int]
    void: Mapping[str, int]

    def title(self, agent: str) -> str:
        """What the agent is called in public."""
        row = self.agents.get(agent)
        return row.title if row else agent


def board(basis: Basis, figures: Figures, around: Around, rules: Beside = BESIDE_1) -> Board:
    """The table of one kind of cards: means over tasks, ranked with the tie-breaks."""
    values = {
        name: estimate
        for name, row in figures.cards.items()
        if (estimate := figures.estimates.get(name) or final_of_totals(row)) is not None
    }
    entries = [
        Entry(
            name=name,
            final=value.value,
            iterations=_iterations(figures.cards[name]),
            seconds=_seconds(figures.cards[name]),
        )
        for name, value in values.items()
    ]
    spans = {} if figures.ranks is None else {row.agent: row for row in figures.ranks.rows}
    rows = [
        _row(one.rank, one.entry, values[one.entry.name], figures, around, spans.get(one.entry.name))
        for one in rank(entries, rules)
    ]
    return made(basis, rows, figures.ranks, figures.ranks_made)


def made(basis: Basis, rows: Sequence[BoardRow], ranks: RankSets | None = None, when: str | None = None) -> Board:
    """A table of rows that have their rank; those of one rank by name."""
    return Board(
        basis=basis,
        meaning=MEANING[basis],
        rows=tuple(sorted(rows, key=lambda row: (row.rank, row.agent))),
        level=None if ranks is None else ranks.level,
        ranks_made=None if ranks is None else when,
    )


def attempts(cards: Iterable[CardRow], rules: Beside = BESIDE_1) -> dict[str, tuple[Attempts, ...]]:
    """Agent → its attempts by task, from cards of one kind and one policy version, in the order of the attempts."""
    found: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for card in cards:
        if card.final is not None:
            found.setdefault((card.agent, card.task), []).append((card.attempt, card.final))
    rows: dict[str, list[Attempts]] = {}
    for (agent, task), scores in sorted(found.items()):
        row = attempts_at(task, [final for _, final in sorted(scores)], rules)
        if row is not None:
            rows.setdefault(agent, []).append(row)
    return {agent: tuple(row) for agent, row in rows.items()}


def attempts_at(task: str, scores: Sequence[float], rules: Beside = BESIDE_1) -> Attempts | None:
    """The attempts at one task, in order; `None` of none."""
    kind = shape(scores, rules)
    if kind is None:
        return None
    return Attempts(
        task=task, scores=tuple(scores), shape=kind, because=MEANINGS[kind], pointed_out=kind in POINTED_OUT
    )


def _row(
    place: int, entry: Entry, estimate: Estimate, figures: Figures, around: Around, span: RankSet | None
) -> BoardRow:
    agent, cards = entry.name, figures.cards[entry.name]
    about, runs = around.agents.get(agent), around.runs.get(agent)
    shown = about is not None and about.shown
    return BoardRow(
        rank=place,
        agent=around.title(agent),
        model=about.model if about and shown else None,
        scaffold=about.scaffold if about and shown else None,
        value=estimate.value,
        estimate=estimate,
        rank_low=span.low if span else None,
        rank_high=span.high if span else None,
        tied_with=tuple(sorted(around.title(other) for other in span.tied_with)) if span else (),
        cards=cards.cards,
        tasks=cards.tasks,
        solved=runs.successes if runs else 0,
        completed=runs.completed if runs else 0,
        all_runs=runs.completed + runs.infrastructure if runs else 0,
        held=around.held.get(agent, 0),
        void=around.void.get(agent, 0),
        provisional=cards.state == "provisional",
        iterations=entry.iterations,
        seconds=entry.seconds,
        attempts=figures.attempts.get(agent, ()),
    )


def _iterations(row: CardTotals) -> float | None:
    return None if row.iterations is None or not row.cards else row.iterations / row.cards


def _seconds(row: CardTotals) -> float | None:
    return None if row.seconds is None or not row.cards else stored(row.seconds / row.cards)
