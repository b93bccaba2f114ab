"""The leaderboard of policy `headline`: agents by the composite of all their runs, from totals alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bouts.model.base import Fact
from bouts.model.tallied import AgentRow, Totals
from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1
from bouts.policy.headline import Headline
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.standings.composite import Composite, composite_of_totals
from bouts.standings.leaderboard import Leaderboard, Standing, Table, TableState, solved_of
from bouts.standings.ranks import Entry, rank
from bouts.standings.repeatability import PassLevel, pass_levels


class PassRow(Fact):
    """pass^k of one agent, beside its composite and never blended with it."""

    agent: str
    levels: tuple[PassLevel, ...]


def composites(
    runs: Sequence[Totals],
    agents: Iterable[AgentRow],
    *,
    policy: Headline = HEADLINE_2026_07,
    inside: bool = True,
    filters: Mapping[str, str] | None = None,
    level: float = 0.95,
    beside: Beside = BESIDE_1,
) -> Leaderboard:
    """Both tables: composites that lack an input are provisional. Agents without a completed run are in neither. There
    are no error bars. Raises `ValueError` for runs on the other side of the budgets."""
    if any(row.inside != inside for row in runs):
        raise ValueError("runs inside and outside the budgets do not mix")
    known = {agent.name: agent for agent in agents}
    found = [(row, composite_of_totals(row, policy.composite)) for row in runs]
    rules = beside.model_copy(update={"decimals": policy.composite.decimals})
    tables: dict[TableState, Table] = {
        "final": _table("final", [pair for pair in found if not pair[1].provisional], known, rules),
        "provisional": _table("provisional", [pair for pair in found if pair[1].provisional], known, rules),
    }
    return Leaderboard(
        policy=policy.name,
        version=policy.version,
        inside=inside,
        filters=dict(filters or {}),
        final=tables["final"],
        provisional=tables["provisional"],
        held=0,
        void=0,
        level=level,
    )


def passes(
    runs: Iterable[Totals], agents: Iterable[AgentRow], policy: Headline = HEADLINE_2026_07
) -> tuple[PassRow, ...]:
    """pass^k of every agent, by name."""
    titles = {agent.name: agent.title for agent in agents}
    rows = [
        PassRow(agent=titles.get(row.agent, row.agent), levels=pass_levels(row.tasks, policy.repeatability))
        for row in runs
    ]
    return tuple(sorted(rows, key=lambda row: row.agent))


def _table(
    state: TableState, found: Sequence[tuple[Totals, Composite]], known: Mapping[str, AgentRow], rules: Beside
) -> Table:
    rows: dict[str, Standing] = {}
    for totals, composite in found:
        agent = known.get(totals.agent)
        if composite.value is not None:
            rows[totals.agent] = Standing(
                rank=1,
                agent=totals.agent if agent is None else agent.title,
                model=agent.model if agent is not None and agent.shown else None,
                scaffold=agent.scaffold if agent is not None and agent.shown else None,
                score=composite.value,
                error=None,
                interval=None,
                few=False,
                cards=composite.runs,
                tasks=sum(totals.tasks.values()),
                solved=solved_of(totals),
                iterations=None,
                seconds=None,
            )
    entries = [Entry(name=name, final=row.score) for name, row in rows.items()]
    placed = [rows[one.entry.name].model_copy(update={"rank": one.rank}) for one in rank(entries, rules)]
    return Table(state=state, rows=tuple(placed))
