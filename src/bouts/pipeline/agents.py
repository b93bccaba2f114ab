"""From a ledger to all that it says of one agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches

from bouts.errors import NotFound
from bouts.model.card import PolicyRef
from bouts.model.ledger import CardState, RunEntry
from bouts.model.tallied import AgentRow, CardRow, Tally, TaskRow, Totals, Where
from bouts.pipeline.refining import Reading
from bouts.policy.catalogue import policy_digest
from bouts.policy.headline import Headline
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.ports.ledger import Ledger
from bouts.standings.agent import AgentFigures, PassBar, PastRun, PolicyScores, SeasonFigures
from bouts.standings.cells import final_cells, rate_cells
from bouts.standings.composite import composite, composite_of_totals
from bouts.standings.estimates import estimates
from bouts.standings.headline import HeadlineFigures
from bouts.standings.headline_board import composite_bar, pass_bar
from bouts.standings.leaderboard import named
from bouts.standings.radar import radar
from bouts.standings.repeatability import repeatability_of
from bouts.standings.solved import Solved, solved_of
from bouts.standings.trajectories import trajectories


def known(ledger: Ledger, name: str) -> AgentRow:
    """The agent of a name or pseudonym. Raises `NotFound` with the nearest names."""
    agents = ledger.agents()
    for agent in agents:
        if name in (agent.name, agent.title):
            return agent
    titles = [agent.title for agent in agents]
    near = get_close_matches(name, titles, n=3, cutoff=0.5)
    some = f"agents: {', '.join(titles[:8])}" + (" …" if len(titles) > 8 else "") if titles else "the ledger is empty"
    raise NotFound(f"no agent is called {name!r}", hint=f"did you mean {' or '.join(near)}?" if near else some)


def figures(
    reading: Reading,
    name: str,
    policy: tuple[str, str],
    *,
    weights: Mapping[str, float] | None = None,
    season: str | None = None,
    inside: bool = True,
    last: int = 10,
    headline: Headline = HEADLINE_2026_07,
) -> AgentFigures:
    """Everything about one agent. `weights` are the viewer's for the radar alone; `last` runs are listed.

    Raises `NotFound` for an unknown agent or season, and `BadUsage` for weights that cannot be.
    """
    ledger = reading.ledger
    agent = known(ledger, name)
    where = Where(agents=(agent.name,), season=season, inside=inside)
    totals = next(iter(ledger.totals(where)), None)
    tallies, cards, tasks = ledger.tallies(where), ledger.cards(where), ledger.tasks()
    mine = [row for row in cards if (row.policy, row.version) == policy]
    state: CardState = "final" if any(row.state == "final" for row in mine) else "provisional"
    others = ledger.totals(replace(where, inside=not inside))
    title, model, scaffold = named(agent.name, agent)
    return AgentFigures(
        agent=title,
        model=model,
        scaffold=scaffold,
        inside=inside,
        season=season,
        policy=policy[0],
        version=policy[1],
        headline=headline_of(ledger, where, totals, tallies, weights, headline),
        composite_bar=composite_bar(tallies, tasks, STATISTICS_1.seed, headline.composite),
        pass_bars=tuple(
            PassBar(k=k, bar=pass_bar(tallies, tasks, k, STATISTICS_1.seed, headline.repeatability))
            for k in headline.repeatability.levels
        ),
        solved=_solved(totals),
        success=estimates(rate_cells(tallies, tasks), "rate").get(agent.name),
        scores=_scores(cards, tasks),
        trajectories=trajectories([row for row in mine if row.state == state], {agent.name: title}),
        trajectory_state=state,
        seasons=_seasons(ledger, agent.name, inside, headline) if season is None else (),
        history=_history(ledger, where, mine, last),
        runs=totals.completed + totals.infrastructure if totals else 0,
        other_side=sum(row.completed for row in others),
    )


def headline_of(
    ledger: Ledger,
    where: Where,
    totals: Totals | None,
    tallies: Iterable[Tally],
    weights: Mapping[str, float] | None = None,
    policy: Headline = HEADLINE_2026_07,
) -> HeadlineFigures:
    """The three views of the one agent that `where` names and that `totals` and `tallies` are of: as
    `standings.headline.headline` of all its runs, without reading more of them than the radar looks at."""
    repeats = {row.task: (row.outcomes, row.successes) for row in tallies if row.outcomes}
    whole = composite((), policy.composite) if totals is None else composite_of_totals(totals, policy.composite)
    return HeadlineFigures(
        policy=PolicyRef(name=policy.name, version=policy.version, digest=policy_digest(policy)),
        composite=whole,
        radar=radar(ledger.runs(where, last=policy.radar.runs), policy.radar, weights),
        repeatability=repeatability_of(repeats, policy.repeatability),
    )


def _solved(totals: Totals | None) -> Solved:
    if totals is not None:
        return solved_of(totals)
    return Solved(successes=0, completed=0, infrastructure=0, of_completed=None, of_all=None)


def _scores(cards: Sequence[CardRow], tasks: Sequence[TaskRow]) -> tuple[PolicyScores, ...]:
    groups: dict[tuple[str, str, CardState], list[CardRow]] = {}
    for row in cards:
        groups.setdefault((row.policy, row.version, row.state), []).append(row)
    made: list[PolicyScores] = []
    for (policy, version, state), rows in sorted(groups.items()):
        counts = state in ("final", "provisional")
        bars = estimates(final_cells(rows, tasks), "score") if counts else {}
        made.append(
            PolicyScores(
                policy=policy,
                version=version,
                state=state,
                cards=len(rows),
                estimate=next(iter(bars.values()), None),
                finals=tuple(row.final for row in rows if row.final is not None) if counts else (),
            )
        )
    return tuple(made)


def _seasons(ledger: Ledger, agent: str, inside: bool, policy: Headline) -> tuple[SeasonFigures, ...]:
    made: list[SeasonFigures] = []
    for season in ledger.seasons():
        for row in ledger.totals(Where(agents=(agent,), season=season.name, inside=inside)):
            found = composite_of_totals(row, policy.composite)
            made.append(SeasonFigures(season=season.name, first=season.first, last=season.last, composite=found))
    return tuple(made)


def _history(ledger: Ledger, where: Where, cards: Sequence[CardRow], last: int) -> tuple[PastRun, ...]:
    # A question with a number leaves out what a fault of the platform ended, which belongs to a history.
    runs = ledger.runs(where)[-last:] if last else ()
    by_run = {row.run: row for row in cards}
    return tuple(_past(run, by_run.get(run.run)) for run in reversed(runs))


def _past(run: RunEntry, card: CardRow | None) -> PastRun:
    return PastRun(
        ended=datetime.fromtimestamp(run.ended, UTC).strftime("%Y-%m-%d %H:%M"),
        task=run.task,
        attempt=run.attempt,
        status=run.status,
        outcome=run.outcome,
        success=run.success,
        final=None if card is None else card.final,
        state=None if card is None else card.state,
        card=None if card is None else card.card,
        outside=run.outside,
    )
