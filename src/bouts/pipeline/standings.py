"""From a ledger to a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from bouts.model.tallied import AgentRow, Where
from bouts.pipeline.refining import Public, Reading, composite_bars, rates_by_challenge, refined
from bouts.policy.catalogue import RELEASED
from bouts.policy.headline import Headline
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.render.standings.leaderboard import Beside
from bouts.standings.figures import RunFigures
from bouts.standings.headline_board import HeadlineBoard, headline_board
from bouts.standings.leaderboard import STATES, Leaderboard, Refined, TableState, leaderboard
from bouts.standings.trajectories import Trajectory, trajectories

Kind = Literal["challenge", "family", "format", "language", "season", "model"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Asked:
    """What a leaderboard is asked for."""

    policy: tuple[str, str]
    """Name and version."""
    filters: Mapping[Kind, str]
    inside: bool = True
    """Runs that kept to the challenges' budgets, or those that did not: never both."""
    fresh: bool = False
    """Make rank sets and ratings anew, however many cards there are."""
    top: int | None = None
    """So many rows of each table; all where it is not said."""

    @property
    def runs(self) -> Where:
        """The question for runs."""
        return Where(**self.filters, inside=self.inside)

    @property
    def cards(self) -> Where:
        """The question for the policy's cards."""
        name, version = self.policy
        return replace(self.runs, policy=name, policy_version=version)

    @property
    def named(self) -> dict[str, str]:
        """The filters by plain names."""
        return {str(name): value for name, value in self.filters.items()}


@dataclass(frozen=True)
class Answer:
    """A leaderboard with what stands beside it."""

    board: Leaderboard | HeadlineBoard
    beside: Beside
    completed: int
    """Runs that no fault of the platform ended, with a card or without."""


def answer(reading: Reading, asked: Asked) -> Answer:
    """The leaderboard of a policy. Raises `NotFound` for an unknown season."""
    ledger = reading.ledger
    place, head = ledger.head()
    where = asked.runs
    agents = ledger.agents()
    public = taking_part(agents, asked.filters.get("model"))
    runs = rates_by_challenge(reading, where, [row for row in ledger.run_figures(where) if public(row.agent)])
    told: dict[TableState, tuple[Trajectory, ...]] = {}
    board: Leaderboard | HeadlineBoard
    if asked.policy[0] == HEADLINE_2026_07.name:
        policy = RELEASED[asked.policy]
        assert isinstance(policy, Headline)
        bars = composite_bars(reading, where, [row.agent for row in runs], policy.composite, fresh=asked.fresh)
        board = headline_board(
            runs, agents, inside=asked.inside, bars=bars, filters=asked.named, policy=policy, top=asked.top
        )
    else:
        board = _of_cards(reading, asked, runs, agents, public)
        if "challenge" in asked.filters:
            told = _trajectories(reading, asked.cards, agents, public)
    others = ledger.run_figures(replace(where, inside=not asked.inside))
    beside = Beside(
        trajectories=told,
        other_side=sum(row.solved.completed for row in others if public(row.agent)),
        infrastructure=sum(row.solved.infrastructure for row in runs),
        anonymous=0 if "model" not in asked.filters else sum(1 for row in agents if not row.shown),
        entries=place,
        head=head,
    )
    return Answer(board, beside, completed=sum(row.solved.completed for row in runs))


def _of_cards(
    reading: Reading, asked: Asked, runs: Sequence[RunFigures], agents: tuple[AgentRow, ...], public: Public
) -> Leaderboard:
    cards = [row for row in reading.ledger.card_figures(asked.cards) if public(row.agent)]
    extras: dict[TableState, Refined] = {}
    for state in STATES:
        mine = [row for row in cards if row.state == state]
        found = refined(reading, replace(asked.cards, states=(state,)), mine, public, fresh=asked.fresh)
        if found is not None:
            extras[state] = found
    return leaderboard(
        cards,
        runs,
        agents,
        policy=asked.policy,
        inside=asked.inside,
        refined=extras,
        filters=asked.named,
        top=asked.top,
    )


def finals(reading: Reading, asked: Asked) -> dict[TableState, dict[str, tuple[float, ...]]]:
    """The finals of every card that counts, by table and by what agents are called; the highest mean first."""
    agents = reading.ledger.agents()
    public, titles = taking_part(agents, asked.filters.get("model")), {row.name: row.title for row in agents}
    found: dict[TableState, dict[str, tuple[float, ...]]] = {}
    for state in STATES:
        rows: dict[str, list[float]] = {}
        for card in reading.ledger.cards(replace(asked.cards, states=(state,))):
            if card.final is not None and public(card.agent):
                rows.setdefault(titles.get(card.agent, card.agent), []).append(card.final)
        order = sorted(rows.items(), key=lambda item: (-sum(item[1]) / len(item[1]), item[0]))
        found[state] = {agent: tuple(values) for agent, values in order}
    return found


def taking_part(agents: tuple[AgentRow, ...], model: str | None) -> Public:
    """Whether an agent may take part: one that is not shown stays out where a model was asked for, as being in such a
    table would tell its model."""
    hidden = frozenset(row.name for row in agents if not row.shown) if model is not None else frozenset[str]()
    return lambda agent: agent not in hidden


def _trajectories(
    reading: Reading, question: Where, agents: tuple[AgentRow, ...], public: Public
) -> dict[TableState, tuple[Trajectory, ...]]:
    titles = {row.name: row.title for row in agents}
    found: dict[TableState, tuple[Trajectory, ...]] = {}
    for state in STATES:
        cards = reading.ledger.cards(replace(question, states=(state,)))
        found[state] = trajectories([card for card in cards if public(card.agent)], titles)
    return found
