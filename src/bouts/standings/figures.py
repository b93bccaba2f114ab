"""What a leaderboard says of one agent, from its totals alone: so little that a ledger keeps it ready."""

from __future__ import annotations

from functools import cache

from bouts.model.base import Fact
from bouts.model.ledger import CardState
from bouts.model.records import digest
from bouts.model.tallied import CardTotals, Totals
from bouts.policy.catalogue import policy_digest
from bouts.policy.headline import Headline
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.statistics import Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.standings.composite import Composite, composite_of_totals
from bouts.standings.estimates import Estimate, final_of_totals, rate_of_totals
from bouts.standings.repeatability import PassLevel, pass_levels
from bouts.standings.solved import Solved, solved_of


class RunFigures(Fact):
    """Of one agent's runs."""

    agent: str
    """Its own name."""
    inside: bool
    """Runs inside the challenges' budgets, or those outside them."""
    composite: Composite
    levels: tuple[PassLevel, ...]
    """pass^k."""
    tasks: int
    """Tasks with a known outcome."""
    success: Estimate | None
    """Success rate as mean over tasks, 0–1, its error bar clustered by task; `null` without a known outcome."""
    solved: Solved


class CardFigures(Fact):
    """Of one agent's cards of one policy version and one state."""

    agent: str
    """Its own name."""
    inside: bool
    policy: str
    version: str
    state: CardState
    estimate: Estimate | None
    """Mean final over tasks, 0–100, its error bar clustered by task; `null` of cards that have no final."""
    cards: int
    iterations: float | None
    """Mean a card; `null` where a card does not say."""
    seconds: float | None
    """Mean time to the final submission in seconds; `null` where a card does not say."""


@cache
def rules_digest() -> str:
    """Tells the rules that figures are made by: those that other rules made are made anew."""
    rules = [policy_digest(HEADLINE_2026_07), STATISTICS_1.model_dump(mode="json")]
    return digest(["figures 1", *rules]).removeprefix("sha256:")[:16]


def run_figures(row: Totals, policy: Headline = HEADLINE_2026_07, rules: Statistics = STATISTICS_1) -> RunFigures:
    """Of the runs that the totals are of."""
    return RunFigures(
        agent=row.agent,
        inside=row.inside,
        composite=composite_of_totals(row, policy.composite),
        levels=pass_levels(row.tasks, policy.repeatability),
        tasks=sum(count for (n, _), count in row.tasks.items() if n),
        success=rate_of_totals(row, rules.intervals),
        solved=solved_of(row),
    )


def card_figures(row: CardTotals, rules: Statistics = STATISTICS_1) -> CardFigures:
    """Of the cards that the totals are of."""
    return CardFigures(
        agent=row.agent,
        inside=row.inside,
        policy=row.policy,
        version=row.version,
        state=row.state,
        estimate=final_of_totals(row, rules.intervals),
        cards=row.cards,
        iterations=None if row.iterations is None else row.iterations / row.cards,
        seconds=None if row.seconds is None else float(row.seconds / row.cards),
    )
