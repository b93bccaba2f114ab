"""The leaderboard: agents by the mean of their finals over tasks, with error bars, rank sets and both denominators.

What takes part is decided before: cards inside the budgets or outside them, of one policy version, perhaps of one
challenge, family, format, language, season or model. Here final and provisional cards get tables of their own, held and
void ones are counted and kept out, and an anonymous agent stands under its pseudonym.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from bouts.model.base import Fact, made
from bouts.model.tallied import AgentRow
from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1
from bouts.policy.statistics import Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.standings.cells import Cell
from bouts.standings.estimates import Estimate, Interval, Scale, estimates
from bouts.standings.figures import CardFigures, RunFigures
from bouts.standings.ranks import Entry, TieBreak, rank
from bouts.standings.ranksets import RankSets, rank_sets
from bouts.standings.ratings import Ratings, ratings
from bouts.standings.solved import Solved

TableState = Literal["final", "provisional"]
STATES: tuple[TableState, ...] = ("final", "provisional")


class Refined(Fact):
    """What takes longer to compute, for one table: it may be kept, and says what it was made from."""

    estimates: dict[str, Estimate]
    """Mean with error bar clustered by challenge, by the agent's own name."""
    rank_sets: RankSets
    ratings: Ratings
    statistics: str
    """Version of the table of statistics."""
    seed: int
    as_of: str = ""
    """What it rests on, such as the ledger's head and the time."""


class Standing(Fact):
    """One row."""

    rank: int
    """From 1; rows that nothing tells apart share it."""
    agent: str
    """Name, or pseudonym of an anonymous agent."""
    model: str | None
    scaffold: str | None
    score: float
    """Mean final over tasks or the composite, 0–100."""
    error: float | None
    """Standard error, clustered by challenge, or by task where it comes from totals."""
    interval: Interval | None
    few: bool
    """Whether the error bar rests on few challenges, or on none."""
    cards: int
    tasks: int
    solved: Solved | None
    """`null` where no run is on record."""
    success: Estimate | None
    """Success rate as mean over tasks, 0–1; its error bar is clustered by challenge, or by task where agents are many.
    `null` where no outcome is known."""
    iterations: float | None
    """Mean a card; `null` where a card does not say."""
    seconds: float | None
    """Mean time to the final submission in seconds; `null` where a card does not say."""
    rank_low: int | None = None
    """Best rank that the data do not rule out; `null` where rank sets were not asked for."""
    rank_high: int | None = None
    tied_with: tuple[str, ...] = ()
    """Agents of this table that it is not told apart from."""
    rating: float | None = None
    """Bradley–Terry rating; `null` where none was asked for or no task is shared."""
    rating_interval: Interval | None = None
    rating_group: int | None = None
    """Ratings of one group compare with each other only."""


class Table(Fact):
    """Rows of cards in one state."""

    state: TableState
    rows: tuple[Standing, ...]
    agents: int
    """How many take part, shown here or not."""
    as_of: str = ""
    """What rank sets and ratings rest on, where they were kept from before."""


class Leaderboard(Fact):
    """Final and provisional standings, apart."""

    policy: str
    version: str
    inside: bool
    """Runs inside the challenges' budgets, or those outside them; never both."""
    filters: dict[str, str]
    """What was asked for, such as `{"season": "spring"}`."""
    final: Table
    provisional: Table
    held: int
    """Cards that wait for a reviewer; they are in no table."""
    void: int
    """Cards that say nothing about their agent; they are in no table."""
    level: float
    """Confidence of the intervals, 0–1."""


def refine(
    cells: Iterable[Cell], scale: Scale, seed: int, rules: Statistics = STATISTICS_1, as_of: str = ""
) -> Refined:
    """Error bars, rank sets and ratings of one table's cells."""
    flat = tuple(cells)
    return Refined(
        estimates=estimates(flat, scale, rules.intervals),
        rank_sets=rank_sets(flat, seed, rules.ranks),
        ratings=ratings(flat, rules),
        statistics=rules.version,
        seed=seed,
        as_of=as_of,
    )


def leaderboard(
    cards: Sequence[CardFigures],
    runs: Sequence[RunFigures],
    agents: Iterable[AgentRow],
    *,
    policy: tuple[str, str],
    inside: bool = True,
    refined: Mapping[TableState, Refined] | None = None,
    filters: Mapping[str, str] | None = None,
    tie_breakers: Sequence[TieBreak] | None = None,
    rules: Statistics = STATISTICS_1,
    beside: Beside = BESIDE_1,
    top: int | None = None,
) -> Leaderboard:
    """Both tables of one policy version (name, version), of each the first `top` rows.

    Scores, and ranks with their tie-breaks, come from figures of totals. So do error bars, clustered by task, where
    `refined` has none for the same cards. Raises `ValueError` for figures of another policy version, or of runs on the
    other side of the budgets.
    """
    if any((row.policy, row.version) != policy for row in cards):
        raise ValueError("cards of another policy or version")
    if any(row.inside != inside for row in (*cards, *runs)):
        raise ValueError("runs inside and outside the budgets do not mix")
    known = {agent.name: agent for agent in agents}
    ran = {row.agent: row for row in runs}
    tables = {
        state: _table(
            state,
            [row for row in cards if row.state == state],
            (known, ran, (refined or {}).get(state)),
            tie_breakers,
            beside,
            top,
        )
        for state in STATES
    }
    return Leaderboard(
        policy=policy[0],
        version=policy[1],
        inside=inside,
        filters=dict(filters or {}),
        final=tables["final"],
        provisional=tables["provisional"],
        held=sum(row.cards for row in cards if row.state == "held"),
        void=sum(row.cards for row in cards if row.state == "void"),
        level=rules.intervals.level,
    )


def named(name: str, agent: AgentRow | None) -> tuple[str, str | None, str | None]:
    """What standings say of who an agent is: name or pseudonym, model, scaffold. An anonymous one has the first alone,
    and of an agent that is not known there is no more than the name."""
    if agent is None:
        return name, None, None
    return (agent.title, agent.model, agent.scaffold) if agent.shown else (agent.title, None, None)


_About = tuple[Mapping[str, AgentRow], Mapping[str, RunFigures], Refined | None]


def _table(
    state: TableState,
    cards: Sequence[CardFigures],
    about: _About,
    tie_breakers: Sequence[TieBreak] | None,
    beside: Beside,
    top: int | None,
) -> Table:
    known, _, refined = about
    rows = {row.agent: (row, row.estimate) for row in cards if row.estimate is not None}
    entries = [
        made(Entry, name=name, final=found.value, iterations=row.iterations, seconds=row.seconds)
        for name, (row, found) in rows.items()
    ]
    extras = {} if refined is None else _extras(refined, {name: agent.title for name, agent in known.items()})
    placed = [
        _standing(ranked.rank, *rows[ranked.entry.name], about, extras.get(ranked.entry.name, _NO_EXTRAS))
        for ranked in rank(entries, beside, tie_breakers)[:top]
    ]
    as_of = "" if refined is None else refined.as_of
    return Table(state=state, rows=tuple(placed), agents=len(rows), as_of=as_of)


_NO_EXTRAS: Mapping[str, Any] = {
    "rank_low": None, "rank_high": None, "tied_with": (), "rating": None, "rating_interval": None, "rating_group": None,
}  # fmt: skip


def _standing(place: int, row: CardFigures, found: Estimate, about: _About, extras: Mapping[str, Any]) -> Standing:
    known, ran, refined = about
    agent, model, scaffold = named(row.agent, known.get(row.agent))
    kept = refined.estimates.get(row.agent) if refined is not None else None
    # What was kept from before may be clustered by challenge, but it must be of the same cards.
    if kept is not None and (kept.value, kept.tasks, kept.attempts) == (found.value, found.tasks, found.attempts):
        found = kept
    runs = ran.get(row.agent)
    return made(
        Standing,
        rank=place,
        agent=agent,
        model=model,
        scaffold=scaffold,
        score=found.value,
        error=found.error,
        interval=found.interval,
        few=found.few,
        cards=row.cards,
        tasks=found.tasks,
        solved=None if runs is None else runs.solved,
        success=None if runs is None else runs.success,
        iterations=row.iterations,
        seconds=row.seconds,
        **{**_NO_EXTRAS, **extras},
    )


def _extras(refined: Refined, titles: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {
        row.agent: {
            "rank_low": row.low,
            "rank_high": row.high,
            "tied_with": tuple(sorted(titles.get(name, name) for name in row.tied_with)),
        }
        for row in refined.rank_sets.rows
    }
    for row in refined.ratings.rows:
        found.setdefault(row.agent, {}).update(rating=row.rating, rating_interval=row.interval, rating_group=row.group)
    return found
