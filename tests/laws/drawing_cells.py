"""Strategies: cells of agents at tasks, and the totals of runs counted by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import strategies as st

from bouts.model.run import Run
from bouts.model.tallied import COST_UNIT, LATENCY_UNIT, Spread, Tally, Totals
from bouts.scoring.exact import exact
from bouts.standings.cells import Cell
from bouts.standings.cohort import completed, outcome

AGENTS = ("ada", "ben", "cleo", "dora", "emil")
VALUES = st.sampled_from([Fraction(c, n) for n in (1, 2, 3, 5) for c in range(n + 1)])


@st.composite
def cells(draw: st.DrawFn, agents: int = 5, whole: bool = False, alone: bool = False) -> list[Cell]:
    """Agents at tasks of some challenges. `whole`: all agents tried all tasks. `alone`: a challenge has one task."""
    tasks = {f"t{n}": f"c{n if alone else draw(st.integers(0, n))}" for n in range(draw(st.integers(1, 8)))}
    names = AGENTS[: draw(st.integers(1, agents))]
    return [
        Cell(agent, task, challenge, draw(VALUES), draw(st.integers(1, 4)))
        for agent in names
        for task, challenge in tasks.items()
        if whole or draw(st.integers(0, 5))
    ]


def spread(values: list[float | None], unit: int) -> Spread:
    known = [int(exact(value) * unit) for value in values if value is not None]
    return Spread(len(known), sum(known), sum(value * value for value in known), unit)


def totals(runs: tuple[Run, ...], agent: str = "ada") -> Totals:
    rows = completed(runs)
    counts = Counter(counted(rows).values())
    return Totals(
        agent=agent,
        inside=True,
        completed=len(rows),
        infrastructure=len(runs) - len(rows),
        outcomes=sum(outcome(run) is not None for run in rows),
        successes=sum(outcome(run) is True for run in rows),
        latency=spread([run.latency_ms for run in rows], LATENCY_UNIT),
        cost=spread([run.cost_usd for run in rows], COST_UNIT),
        steps=spread([run.steps for run in rows], 1),
        tokens=0,
        tasks=dict(counts),
    )


def counted(rows: tuple[Run, ...]) -> dict[str, tuple[int, int]]:
    """Known outcomes and successes by task."""
    found: dict[str, tuple[int, int]] = {}
    for run in rows:
        seen = outcome(run)
        if seen is not None:
            n, c = found.get(run.task, (0, 0))
            found[run.task] = (n + 1, c + seen)
    return found


def tallies(runs: tuple[Run, ...], agent: str = "ada") -> list[Tally]:
    made = []
    for task in sorted({run.task for run in runs}):
        whole = totals(tuple(run for run in runs if run.task == task), agent)
        made.append(
            Tally(
                agent=agent, task=task, inside=True, completed=whole.completed, infrastructure=whole.infrastructure,
                outcomes=whole.outcomes, successes=whole.successes, latency=whole.latency, cost=whole.cost,
            )
        )  # fmt: skip
    return made
