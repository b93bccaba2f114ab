"""All that is said of one agent, in one place."""

from __future__ import annotations

from bouts.model.base import Fact
from bouts.model.ledger import CardState
from bouts.standings.bootstrap import Bootstrapped
from bouts.standings.composite import Composite
from bouts.standings.estimates import Estimate
from bouts.standings.headline import HeadlineFigures
from bouts.standings.solved import Solved
from bouts.standings.trajectories import Trajectory


class PassBar(Fact):
    """Error bar of pass^k."""

    k: int
    bar: Bootstrapped


class PolicyScores(Fact):
    """Cards of one policy's version and one state."""

    policy: str
    version: str
    state: CardState
    cards: int
    estimate: Estimate | None
    """Mean final over tasks; `null` for cards that count nowhere."""
    finals: tuple[float, ...]
    """0–100, in the order in which the runs ended."""


class SeasonFigures(Fact):
    """The composite of one season's runs."""

    season: str
    first: str
    last: str
    composite: Composite


class PastRun(Fact):
    """One run with its card, if it has one of the policy that was asked for."""

    ended: str
    """When, UTC."""
    task: str
    attempt: int
    status: str
    outcome: str | None
    success: bool | None
    final: float | None
    state: CardState | None
    card: str | None
    """Digest of the card."""
    outside: tuple[str, ...]
    """What it spent more of than allowed."""


class AgentFigures(Fact):
    """All that is said of one agent."""

    agent: str
    """Its name, or its pseudonym."""
    model: str | None
    scaffold: str | None
    inside: bool
    season: str | None
    policy: str
    version: str
    headline: HeadlineFigures
    composite_bar: Bootstrapped
    pass_bars: tuple[PassBar, ...]
    solved: Solved
    success: Estimate | None
    """Success rate as mean over tasks, 0–1, its error bar clustered by challenge; `null` where no outcome is known."""
    scores: tuple[PolicyScores, ...]
    trajectories: tuple[Trajectory, ...]
    """Of the policy that was asked for: of final cards, and where there are none, of provisional ones."""
    trajectory_state: CardState
    seasons: tuple[SeasonFigures, ...]
    history: tuple[PastRun, ...]
    """The latest runs, the last one first."""
    runs: int
    """Runs on this side of the budgets, those that a fault of the platform ended among them."""
    other_side: int
    """Runs on the other side of the budgets; never mixed with these."""
