"""Agents by the headline composite, from their totals; and error bars for composite and pass^k by the bootstrap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from bouts.model.base import Fact, made
from bouts.model.tallied import COST_UNIT, LATENCY_UNIT, AgentRow, Spread, Tally, TaskRow
from bouts.policy.beside_1 import BESIDE_1
from bouts.policy.headline import CompositeTable, Headline, RepeatabilityTable
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.statistics import Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.scoring.exact import add
from bouts.standings.bootstrap import Bootstrapped, bootstrap
from bouts.standings.cells import challenges
from bouts.standings.composite import Cohort, Composite, cohort_of, composite_value
from bouts.standings.estimates import Estimate
from bouts.standings.figures import RunFigures
from bouts.standings.leaderboard import TableState, named
from bouts.standings.ranks import Entry, rank
from bouts.standings.repeatability import PassLevel, pass_k
from bouts.standings.solved import Solved


class HeadlineStanding(Fact):
    """One row."""

    rank: int
    """From 1; equal composites share it."""
    agent: str
    """Name, or pseudonym of an anonymous agent."""
    model: str | None
    scaffold: str | None
    composite: Composite
    """Its `value` decides the rank."""
    levels: tuple[PassLevel, ...]
    """pass^k."""
    tasks: int
    """Tasks with a known outcome."""
    solved: Solved
    success: Estimate | None
    """Success rate as mean over tasks, 0–1; its error bar is clustered by challenge, or by task where agents are many.
    `null` where no outcome is known."""
    bar: Bootstrapped | None = None
    """Error bar of the composite, where tallies were given."""


class HeadlineTable(Fact):
    """Rows whose composite is final, or rows of which an input is not known."""

    state: TableState
    rows: tuple[HeadlineStanding, ...]
    agents: int
    """How many take part, shown here or not."""


class HeadlineBoard(Fact):
    """Agents by composite: those with all inputs known, and apart those that lack the latency or cost of a run."""

    policy: str
    version: str
    inside: bool
    """Runs inside the challenges' budgets, or those outside them; never both."""
    filters: dict[str, str]
    final: HeadlineTable
    provisional: HeadlineTable
    without: int
    """Agents that have no composite, as no run completed or nothing is known of them."""
    level: float
    """Confidence of the error bars, 0–1."""


def headline_board(
    runs: Sequence[RunFigures],
    agents: Iterable[AgentRow],
    *,
    inside: bool = True,
    bars: Mapping[str, Bootstrapped] | None = None,
    filters: Mapping[str, str] | None = None,
    policy: Headline = HEADLINE_2026_07,
    rules: Statistics = STATISTICS_1,
    top: int | None = None,
) -> HeadlineBoard:
    """Both tables, of each the first `top` rows; `bars` by the agent's own name.

    Raises `ValueError` for runs on the other side of the budgets.
    """
    if any(row.inside != inside for row in runs):
        raise ValueError("runs inside and outside the budgets do not mix")
    about = {agent.name: agent for agent in agents}, bars or {}
    ranked = [row for row in runs if row.composite.value is not None]
    return HeadlineBoard(
        policy=policy.name,
        version=policy.version,
        inside=inside,
        filters=dict(filters or {}),
        final=_table("final", [row for row in ranked if not row.composite.provisional], about, policy, top),
        provisional=_table("provisional", [row for row in ranked if row.composite.provisional], about, policy, top),
        without=len(runs) - len(ranked),
        level=rules.intervals.level,
    )


def composite_bar(
    tallies: Iterable[Tally],
    tasks: Iterable[TaskRow],
    seed: int,
    table: CompositeTable = HEADLINE_2026_07.composite,
    rules: Statistics = STATISTICS_1,
) -> Bootstrapped:
    """The composite of one agent's tallies, with challenges drawn anew."""

    def figure(rows: Sequence[_Sums]) -> Fraction | None:
        return composite_value(_cohort(_added(rows)), table)

    # Each challenge is added up once, not anew in every draw.
    sums = {name: _added([_sums(row) for row in rows]) for name, rows in _by_challenge(tallies, tasks).items()}
    return bootstrap(sums, figure, seed, rules.intervals)


def pass_bar(
    tallies: Iterable[Tally],
    tasks: Iterable[TaskRow],
    k: int,
    seed: int,
    table: RepeatabilityTable = HEADLINE_2026_07.repeatability,
    rules: Statistics = STATISTICS_1,
) -> Bootstrapped:
    """pass^k of one agent's tallies, with challenges drawn anew; `null` where no task has outcomes enough."""
    kept = [tally for tally in tallies if tally.outcomes >= table.outcomes]
    values = {
        challenge: (float(add(pass_k(row.outcomes, row.successes, k) for row in rows)), len(rows))
        for challenge, rows in _by_challenge(kept, tasks).items()
    }

    def figure(rows: Sequence[tuple[float, int]]) -> float:
        return sum(total for total, _ in rows) / sum(count for _, count in rows)

    return bootstrap(values, figure, seed, rules.intervals)


_About = tuple[Mapping[str, AgentRow], Mapping[str, Bootstrapped]]


def _table(
    state: TableState, runs: Sequence[RunFigures], about: _About, policy: Headline, top: int | None
) -> HeadlineTable:
    shown = BESIDE_1.model_copy(update={"decimals": policy.composite.decimals})
    rows = {row.agent: row for row in runs}
    entries = [Entry(name=name, final=row.composite.value or 0.0) for name, row in rows.items()]
    placed = [_standing(r.rank, rows[r.entry.name], about) for r in rank(entries, shown, ())[:top]]
    return HeadlineTable(state=state, rows=tuple(placed), agents=len(rows))


def _standing(place: int, row: RunFigures, about: _About) -> HeadlineStanding:
    known, bars = about
    agent, model, scaffold = named(row.agent, known.get(row.agent))
    return made(
        HeadlineStanding,
        rank=place,
        agent=agent,
        model=model,
        scaffold=scaffold,
        composite=row.composite,
        levels=row.levels,
        tasks=row.tasks,
        solved=row.solved,
        success=row.success,
        bar=bars.get(row.agent),
    )


def _by_challenge(tallies: Iterable[Tally], tasks: Iterable[TaskRow]) -> dict[str, list[Tally]]:
    names = challenges(tasks)
    found: dict[str, list[Tally]] = {}
    for tally in sorted(tallies, key=lambda t: t.task):
        found.setdefault(names.get(tally.task, tally.task), []).append(tally)
    return found


_Sums = tuple[int, ...]


def _sums(tally: Tally) -> _Sums:
    latency, cost = tally.latency, tally.cost
    return (
        tally.completed, tally.successes,
        latency.count, latency.total, latency.squares, cost.count, cost.total, cost.squares,
    )  # fmt: skip


def _added(rows: Sequence[_Sums]) -> _Sums:
    return tuple(map(sum, zip(*rows, strict=True)))


def _cohort(sums: _Sums) -> Cohort:
    runs, successes, timed, time, time_squares, priced, price, price_squares = sums
    latency = Spread(timed, time, time_squares, LATENCY_UNIT)
    return cohort_of(runs, successes, latency, Spread(priced, price, price_squares, COST_UNIT))
