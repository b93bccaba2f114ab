"""Whether the statistics keep what they promise, by simulation: agents and challenges are made up whose truth is known.

Every challenge has a difficulty, and each agent a strength of its own at each challenge, which the tasks of the
challenge and all attempts share: what makes attempts no independent evidence. BENCH_SIMULATIONS sets how many are made
up, else 1,000.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import erfc, exp, sqrt
from random import Random
from typing import NamedTuple

from bouts.policy.statistics_1 import STATISTICS_1
from bouts.standings.cells import Cell, by_agent
from bouts.standings.distributions import normal_quantile
from bouts.standings.estimates import estimate, wilson
from bouts.standings.leaderboard import refine
from bouts.standings.paired import compare
from bouts.standings.ranksets import rank_sets

SIMULATIONS = int(os.environ.get("BENCH_SIMULATIONS", "1000"))
TIMES = 4
"""Times as many for a rate of errors that is rare: 1,000 would tell 5 % from 6 % only now and then."""
DRAWS = 499
"""Random patterns in each simulation, fewer than in earnest: it makes levels no worse, only single results rougher."""
RULES = STATISTICS_1.model_copy(
    update={
        "comparison": STATISTICS_1.comparison.model_copy(update={"flips": DRAWS}),
        "ranks": STATISTICS_1.ranks.model_copy(update={"rounds": DRAWS}),
    }
)
SEED = 1
Figure = tuple[str, float | str, str, str]


class World(NamedTuple):
    """How results come about."""

    strengths: Sequence[float]
    """Of each agent, on the scale of log odds."""
    challenges: int
    tasks: tuple[int, int]
    """Fewest and most tasks made from one challenge."""
    attempts: int
    hard: float = 0.0
    """Mean difficulty, on the scale of log odds."""
    own: float = 1.0
    """Spread of an agent's strength from challenge to challenge."""


def made(world: World, random: Random) -> list[Cell]:
    """One set of results."""
    cells: list[Cell] = []
    for c in range(world.challenges):
        hard = random.gauss(world.hard, 1.2)
        sizes = range(random.randint(*world.tasks))
        harder = [random.gauss(0, 0.5) for _ in sizes]
        for a, strength in enumerate(world.strengths):
            here = strength + random.gauss(0, world.own) - hard
            for t in sizes:
                chance = 1 / (1 + exp(harder[t] - here))
                good = sum(random.random() < chance for _ in range(world.attempts))
                share = Fraction(good, world.attempts)
                cells.append(Cell(f"a{a:02}", f"c{c:03}t{t}", f"c{c:03}", share, world.attempts))
    return cells


NULLS: dict[str, World] = {
    "40 challenges of 1 to 6 tasks": World((0, 0), 40, (1, 6), 5),
    "12 challenges of 1 to 6 tasks": World((0, 0), 12, (1, 6), 5),
    "60 hard challenges, 1 attempt": World((0, 0), 60, (1, 3), 1, hard=2.0),
}
RANKED: dict[str, World] = {
    "8 equal agents, 40 challenges": World((0,) * 8, 40, (1, 3), 3),
    "8 agents in 4 pairs, 40 challenges": World((0, 0, 0.7, 0.7, 1.4, 1.4, 2.1, 2.1), 40, (1, 3), 3),
}
RATE = World((0,), 40, (1, 6), 5)


def naive(cells: Sequence[Cell]) -> float:
    """p-value of the usual comparison of two rates, as if every attempt were independent of all others."""
    rows = by_agent(cells)
    good, many = [], []
    for row in rows.values():
        good.append(float(sum(cell.value * cell.attempts for cell in row.values())))
        many.append(sum(cell.attempts for cell in row.values()))
    pooled = sum(good) / sum(many)
    error = sqrt(pooled * (1 - pooled) * (1 / many[0] + 1 / many[1]))
    return erfc(abs(good[0] / many[0] - good[1] / many[1]) / error / sqrt(2)) if error else 1.0


def nulls(random: Random) -> Iterator[Figure]:
    """How often a difference is called between two agents that are alike."""
    alpha = STATISTICS_1.comparison.alpha
    many = TIMES * SIMULATIONS
    for name, world in NULLS.items():
        ours = theirs = 0
        for number in range(many):
            cells = made(world, random)
            ours += compare("a00", "a01", cells, "rate", number, RULES).different
            theirs += naive(cells) <= alpha
        note = f"{many} simulations; {100 * theirs / many:.1f} % when attempts are taken as independent"
        yield f"false differences, {name}", 100 * ours / many, "%", note


def ranked(random: Random) -> Iterator[Figure]:
    """How often rank sets hold the true ranks."""
    for name, world in RANKED.items():
        single = every = sizes = 0
        for number in range(SIMULATIONS):
            sets = rank_sets(made(world, random), number, RULES.ranks)
            held = 0
            for row in sets.rows:
                own = world.strengths[int(row.agent[1:])]
                best = 1 + sum(other > own for other in world.strengths)
                worst = len(world.strengths) - sum(other < own for other in world.strengths)
                held += row.low <= best and worst <= row.high
                sizes += row.high - row.low + 1
            single += held
            every += held == len(sets.rows)
        agents = len(world.strengths)
        note = (
            f"all agents' at once {100 * every / SIMULATIONS:.1f} %; mean size {sizes / SIMULATIONS / agents:.1f} ranks"
        )
        yield f"true rank held, {name}", 100 * single / SIMULATIONS / agents, "%", note


def held(random: Random) -> Iterator[Figure]:
    """How often the error bar of a rate holds the true one."""
    truth = _rate(RATE, Random(SEED))
    ours = theirs = 0
    z = normal_quantile((1 + STATISTICS_1.intervals.level) / 2)
    for _ in range(SIMULATIONS):
        row = by_agent(made(RATE, random))["a00"]
        bar = estimate(row, "rate").interval
        assert bar is not None
        ours += bar.low <= truth <= bar.high
        many = sum(cell.attempts for cell in row.values())
        low, high = wilson(float(sum(cell.value * cell.attempts for cell in row.values())) / many, many, z)
        theirs += low <= truth <= high
    note = f"{SIMULATIONS} simulations; {100 * theirs / SIMULATIONS:.1f} % when attempts are taken as independent"
    yield "true rate held, 40 challenges of 1 to 6 tasks", 100 * ours / SIMULATIONS, "%", note


def _rate(world: World, random: Random) -> float:
    """The true rate: chances averaged over very many challenges. The order of draws is that of `made`."""
    many = 200_000
    total = 0.0
    for _ in range(many):
        hard = random.gauss(world.hard, 1.2)
        total += 1 / (1 + exp(hard + random.gauss(0, 0.5) - random.gauss(0, world.own)))
    return total / many


def speed() -> Iterator[Figure]:
    """Error bars, rank sets and ratings of 20 agents at 200 tasks with 5 attempts each."""
    random = Random(SEED)
    cells = made(World([random.gauss(0, 0.7) for _ in range(20)], 200, (1, 1), 5), random)
    seconds = []
    for _ in range(3):
        started = time.process_time()
        refine(cells, "rate", SEED)
        seconds.append(time.process_time() - started)
    what = "of processor time; 20 agents, 200 tasks, 5 attempts: error bars, rank sets, ratings"
    yield "standings", sorted(seconds)[1], "s", what


def figures() -> Iterator[Figure]:
    """All of it."""
    yield from speed()
    random = Random(SEED)
    yield from nulls(random)
    yield from ranked(random)
    yield from held(random)


if __name__ == "__main__":
    for row in figures():
        print(*row)
