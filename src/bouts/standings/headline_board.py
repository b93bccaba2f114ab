"""Agents by the headline composite, from their totals; and error bars for composite and pass^k by the bootstrap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from bouts.model.base import Fact
from bouts.model.tallied import COST_UNIT, LATENCY_UNIT, AgentRow, Spread, Tally, TaskRow, Totals
from bouts.policy.beside_1 import BESIDE_1
from bouts.policy.headline import CompositeTable, Headline, RepeatabilityTable
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.statistics import Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.scoring.exact import add
from bouts.standings.bootstrap import Bootstrapped, bootstrap
from bouts.standings.cells import challenges
from bouts.standings.composite import Cohort, Composite, cohort_of, composite_of_totals, composite_value
from bouts.standings.leaderboard import Solved, TableState, named, solved_of
from bouts.standings.ranks import Entry, rank
from bouts.standings.repeatability import PassLevel, pass_k, pass_levels


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
    bar: Bootstrapped | None = None
    """Error bar of the composite, where tallies were given."""


class HeadlineTable(Fact):
    """Rows whose composite is final, or rows of which an input is not known."""

    state: TableState
    rows: tuple[HeadlineStanding, ...]


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
    runs: Sequence[Totals],
    agents: Iterable[AgentRow],
    *,
    inside: bool = True,
    bars: Mapping[str, Bootstrapped] | None = None,
    filters: Mapping[str, str] | None = None,
    policy: Headline = HEADLINE_2026_07,
    rules: Statistics = STATISTICS_1,
) -> HeadlineBoard:
    """Both tables; `bars` by the agent's own name. Raises `ValueError` for runs on the other side of the budgets."""
    if any(row.inside != inside for row in runs):
        raise ValueError("runs inside and outside the budgets do not mix")
    known = {agent.name: agent for agent in agents}
    rows = {row.agent: _standing(row, known.get(row.agent), (bars or {}).get(row.agent), policy) for row in runs}
    ranked = {name: row for name, row in rows.items() if row.composite.value is not None}
    return HeadlineBoard(
        policy=policy.name,
        version=policy.version,
        inside=inside,
        filters=dict(filters or {}),
        final=_table("final", {n: r for n, r in ranked.items() if not r.composite.provisional}, policy),
        provisional=_table("provisional", {n: r for n, r in ranked.items() if r.composite.provisional}, policy),
        without=len(rows) - len(ranked),
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


def _standing(row: Totals, known: AgentRow | None, bar: Bootstrapped | None, policy: Headline) -> HeadlineStanding:
    agent, model, scaffold = named(row.agent, known)
    return HeadlineStanding(
        rank=1,
        agent=agent,
        model=model,
        scaffold=scaffold,
        composite=composite_of_totals(row, policy.composite),
        levels=pass_levels(row.tasks, policy.repeatability),
        tasks=sum(count for (n, _), count in row.tasks.items() if n),
        solved=solved_of(row),
        bar=bar,
    )


def _table(state: TableState, rows: Mapping[str, HeadlineStanding], policy: Headline) -> HeadlineTable:
    shown = BESIDE_1.model_copy(update={"decimals": policy.composite.decimals})
    entries = [Entry(name=name, final=row.composite.value or 0.0) for name, row in rows.items()]
    placed = [rows[r.entry.name].model_copy(update={"rank": r.rank}) for r in rank(entries, shown, ())]
    return HeadlineTable(state=state, rows=tuple(placed))


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
