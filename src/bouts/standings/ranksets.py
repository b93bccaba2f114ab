"""Which ranks the data do not rule out, and who is "tied with" whom.

For every pair of agents the difference of their means is divided by its standard error, clustered by challenge and
paired where they tried the same challenges. How large the largest of these t values gets by chance is found by giving
the deviations of each challenge a random sign, the same for all agents (wild cluster bootstrap, Rademacher weights;
Cameron, Gelbach and Miller 2008), studentised anew in every round. Where challenges have different numbers of tasks
they count as (Σ n)²/Σ n² of equal size. The quantile gives simultaneous intervals for all
differences; agents whose interval holds 0 are tied. The rank set of an agent runs from one behind those that are
certainly better to those that are certainly worse (Mogstad, Romano, Shaikh and Wilhelm 2024).

With the stated confidence all rank sets together hold the true ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from operator import getitem, mul

from bouts.model.base import Fact
from bouts.policy.statistics import RankRules
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.scoring.exact import exact, wholes
from bouts.standings.cells import Cell, by_agent
from bouts.standings.draws import sign_patterns, subset_sums

_EXACT = 1e-9
"""Below this share of its parts a variance of a difference is counted anew, as what is left of them is rounding."""


class RankSet(Fact):
    """The ranks of one agent that are not ruled out."""

    agent: str
    mean: float
    """Mean over its tasks, in the unit of the figure."""
    low: int
    """Best rank that is not ruled out, from 1."""
    high: int
    """Worst rank that is not ruled out."""
    tied_with: tuple[str, ...]
    """Agents that it is not told apart from, by name."""


class RankSets(Fact):
    """All agents, the highest mean first."""

    rows: tuple[RankSet, ...]
    level: float
    """Confidence (0–1) that all rank sets together hold the true ranks."""
    clusters: int
    """Challenges that the agents tried, all together."""
    critical: float | None
    """The t value that a pair's difference must exceed; `null` where there is no pair, or too few challenges to tell
    any two agents apart."""
    rounds: int


def rank_sets(cells: Iterable[Cell], seed: int, rules: RankRules = STATISTICS_1.ranks) -> RankSets:
    """Rank sets of the means over tasks. Each agent is taken on its own tasks; challenges that two agents share count
    as pairs."""
    rows = by_agent(cells)
    names = sorted({cell.challenge for row in rows.values() for cell in row.values()})
    places = {name: at for at, name in enumerate(names)}
    agents = [_agent(name, row, places) for name, row in rows.items()]
    spreads = _spreads(agents)
    largest = _quantile(agents, spreads, seed, len(names), rules)
    sizes = _Sizes(agents)
    pairs = len(agents) * (len(agents) - 1) // 2
    better: list[list[int]] = [[] for _ in agents]
    worse: list[list[int]] = [[] for _ in agents]
    for at, one in enumerate(agents):
        for other, two in enumerate(agents[:at]):
            gap = one.mean - two.mean
            if _apart(abs(gap), spreads[at][other], sizes.of(at, other), largest, (1 - rules.level) / pairs):
                first, second = (at, other) if gap > 0 else (other, at)
                better[second].append(first)
                worse[first].append(second)
    order = sorted(range(len(agents)), key=lambda i: (-agents[i].mean, agents[i].name))
    return RankSets(
        rows=tuple(_row(i, agents, better[i], worse[i]) for i in order),
        level=rules.level,
        clusters=len(names),
        critical=_as_t(largest, _effective([agent.shares for agent in agents])),
        rounds=rules.rounds,
    )


@dataclass(frozen=True, slots=True)
class _Agent:
    name: str
    mean: float
    deviations: list[float]
    """What each challenge adds to the mean beyond its tasks' share of it, 0 where it was not tried; together 0."""
    shares: tuple[float, ...]
    """Share of each challenge in the agent's tasks."""


def _agent(name: str, row: Mapping[str, Cell], places: Mapping[str, int]) -> _Agent:
    values, unit = wholes(cell.value for cell in row.values())
    total, tasks = sum(values), len(values)
    sums, sizes = [0] * len(places), [0] * len(places)
    for cell, value in zip(row.values(), values, strict=True):
        at = places[cell.challenge]
        sums[at] += value * tasks - total
        sizes[at] += 1
    scale = tasks * tasks * unit
    shares = tuple(size / tasks for size in sizes)
    return _Agent(name, total / (tasks * unit), [value / scale for value in sums], shares)


class _Sizes:
    """How many challenges of equal size a pair's difference rests on, and how many of any size."""

    def __init__(self, agents: Sequence[_Agent]) -> None:
        # Most agents tried the same tasks, so that few pairs of shares differ.
        self._shares = list(dict.fromkeys(agent.shares for agent in agents))
        numbers = {shares: number for number, shares in enumerate(self._shares)}
        self._kinds = [numbers[agent.shares] for agent in agents]
        self._known: dict[tuple[int, int], tuple[float, int]] = {}

    def of(self, at: int, other: int) -> tuple[float, int]:
        """Both numbers of a pair of agents."""
        key = self._kinds[at], self._kinds[other]
        if key not in self._known:
            one, two = self._shares[key[0]], self._shares[key[1]]
            clusters = sum(1 for a, b in zip(one, two, strict=True) if a or b)
            self._known[key] = _effective((one, two)), clusters
        return self._known[key]


def _effective(shares: Sequence[tuple[float, ...]]) -> float:
    """How many challenges of equal size weigh as much as those with these shares, taken together."""
    together = [sum(column) / len(shares) for column in zip(*shares, strict=True)]
    return 1 / sum(share * share for share in together) if together else 0.0


def _spreads(agents: Sequence[_Agent]) -> list[list[float]]:
    """For each pair the root of the sum of squared differences of their deviations; the lower triangle."""
    own = [sum(map(mul, agent.deviations, agent.deviations)) for agent in agents]
    made: list[list[float]] = []
    for at, one in enumerate(agents):
        row: list[float] = []
        for other, two in enumerate(agents[:at]):
            parts = own[at] + own[other]
            square = parts - 2 * sum(map(mul, one.deviations, two.deviations))
            if square < _EXACT * parts:
                square = sum((a - b) ** 2 for a, b in zip(one.deviations, two.deviations, strict=True))
            row.append(sqrt(square))
        made.append(row)
    return made


def _quantile(
    agents: Sequence[_Agent], spreads: Sequence[Sequence[float]], seed: int, clusters: int, rules: RankRules
) -> float | None:
    """What the largest difference of a pair by its spread stays below with the level's chance; `None` without a pair
    that has a spread."""
    inverse = [[0.0] * len(agents) for _ in agents]
    for at, row in enumerate(spreads):
        for other, spread in enumerate(row):
            inverse[at][other] = inverse[other][at] = 1 / spread if spread else 0.0
    steepest = [max(row) for row in inverse]
    place = ceil(exact(rules.level) * (rules.rounds + 1))
    if not any(steepest) or place > rules.rounds:
        return None
    tables = [subset_sums(agent.deviations, 0.0) for agent in agents]
    largest: list[float] = []
    for pattern in sign_patterns("rank sets", seed, clusters, rules.rounds):
        # With signs the sum is twice that of the chosen ones less all, which is 0.
        sums = [2 * sum(map(getitem, table, pattern)) for table in tables]
        largest.append(_largest(sums, inverse, steepest))
    return sorted(largest)[place - 1]


def _largest(sums: Sequence[float], inverse: Sequence[Sequence[float]], steepest: Sequence[float]) -> float:
    """The largest difference of a pair by its spread. Pairs that cannot be it are passed over: a thousand agents have
    half a million of them."""
    order = sorted(range(len(sums)), key=sums.__getitem__)
    bottom, best = sums[order[0]], 0.0
    for at in reversed(order):
        top, steep, row = sums[at], steepest[at], inverse[at]
        if steep * (top - bottom) <= best:
            continue
        for other in order:
            gap = top - sums[other]
            if steep * gap <= best:
                break
            best = max(best, gap * row[other])
    return best


def _apart(gap: float, spread: float, size: tuple[float, int], largest: float | None, alone: float) -> bool:
    """Whether a difference is larger than chance makes the largest of all pairs."""
    effective, clusters = size
    if not gap:
        return False
    if not spread:
        # The same difference at every challenge has no spread to be measured by; but were the two alike, each
        # challenge would favour either with the same chance.
        return 2.0 ** (1 - clusters) <= alone
    critical = _as_t(largest, effective)
    return critical is not None and gap > critical * spread * sqrt(effective / (effective - 1))


def _as_t(largest: float | None, clusters: float) -> float | None:
    """A deviation by the root of its sum of squares, as t value; `None` where so few challenges cannot reach it."""
    if largest is None or clusters <= 1 or largest * largest >= clusters:
        return None
    return largest * sqrt((clusters - 1) / (clusters - largest * largest))


def _row(at: int, agents: Sequence[_Agent], better: Sequence[int], worse: Sequence[int]) -> RankSet:
    apart = {at, *better, *worse}
    return RankSet(
        agent=agents[at].name,
        mean=agents[at].mean,
        low=1 + len(better),
        high=len(agents) - len(worse),
        tied_with=tuple(agent.name for i, agent in enumerate(agents) if i not in apart),
    )
