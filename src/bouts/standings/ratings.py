"""Bradley–Terry ratings: how strong agents are, from tasks that two of them tried.

At a task the agent with the higher mean over its attempts wins, and equal means are half a win for each. The chance
that i wins against j is taken as 1/(1 + e^(s_j − s_i)). Strengths s are the most likely ones (Bradley and Terry 1952)
after either agent of every pair that met was given a pseudo-win, found by Newton's method. Errors are clustered by
challenge (the sandwich H⁻¹·(Σ_c g_c g_cᵀ)·H⁻¹ with G/(G−1); t with G − 1 degrees of freedom), as neither tasks of one
challenge nor the comparisons within a task are independent evidence.

Agents that no chain of shared tasks connects have no common scale; each such group has its own middle.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt
from operator import mul

from bouts.model.base import Fact
from bouts.policy.statistics import Statistics
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.standings.cells import Cell, by_agent, in_one_unit
from bouts.standings.distributions import t_quantile
from bouts.standings.estimates import Interval
from bouts.standings.linear import Factor, factor

_CLOSE = 1e-13
_STEPS = 200
_LARGEST = 2.0
"""No strength moves further in one step."""
_ANEW = 0.05
"""Steps longer than this want the second derivatives anew; behind shorter ones the last serve on."""


class Rating(Fact):
    """The rating of one agent."""

    agent: str
    rating: float
    """Points; the middle of its group has the table's centre."""
    error: float | None
    """Standard error in points, clustered; `null` with fewer than two challenges."""
    interval: Interval | None
    """In points."""
    strength: float
    """Natural log of the odds against the middle of its group."""
    wins: float
    """Comparisons won; a draw counts a half. No pseudo-wins."""
    comparisons: int
    """Comparisons with other agents, task by task."""
    group: int
    """Agents of one group, counted from 1, are connected by shared tasks; ratings of two groups do not compare."""


class Ratings(Fact):
    """All agents: by group, the highest rating first."""

    rows: tuple[Rating, ...]
    level: float
    """Confidence of the intervals, 0–1."""
    clusters: int
    """Challenges that comparisons were made at."""
    pseudo_wins: float


def ratings(cells: Iterable[Cell], rules: Statistics = STATISTICS_1) -> Ratings:
    """Ratings of all agents that share a task with another; nothing is drawn at random."""
    meetings = _Meetings(by_agent(cells))
    rows: list[Rating] = []
    for number, members in enumerate(_groups(meetings.met), 1):
        rows += sorted(_rated(meetings, members, number, rules), key=lambda r: (-r.rating, r.agent))
    return Ratings(
        rows=tuple(rows),
        level=rules.intervals.level,
        clusters=len({meetings.challenges[task] for task, seen in meetings.tried.items() if len(seen) > 1}),
        pseudo_wins=rules.ratings.pseudo_wins,
    )


class _Meetings:
    """Who met whom at how many tasks, and what came of it."""

    def __init__(self, rows: Mapping[str, Mapping[str, Cell]]) -> None:
        self.agents = list(rows)
        self.challenges = {cell.task: cell.challenge for row in rows.values() for cell in row.values()}
        tasks = sorted(self.challenges)
        self.tried = {task: [i for i, row in enumerate(rows.values()) if task in row] for task in tasks}
        self.wins: dict[str, dict[int, float]] = {}
        """Task → agent → how many it beat there; a draw counts a half."""
        # Whole numbers compare faster than fractions.
        values = zip(rows.values(), in_one_unit(rows), strict=True)
        known = [dict(zip(row, own, strict=True)) for row, own in values]
        for task, seen in self.tried.items():
            self.wins[task] = _wins({i: known[i][task] for i in seen})
        bits = {task: 1 << at for at, task in enumerate(tasks)}
        masks = [sum(bits[task] for task in row) for row in rows.values()]
        self.met = [[(a & b).bit_count() if i != j else 0 for j, b in enumerate(masks)] for i, a in enumerate(masks)]
        """For each two agents the number of tasks that both tried."""


def _wins(values: Mapping[int, int]) -> dict[int, float]:
    ordered = sorted(values.values())
    return {i: (bisect_left(ordered, v) + bisect_right(ordered, v) - 1) / 2 for i, v in values.items()}


def _groups(met: Sequence[Sequence[int]]) -> list[list[int]]:
    """Agents that chains of shared tasks connect, from two on; the largest group first."""
    left, groups = set(range(len(met))), list[list[int]]()
    while left:
        group, open_ = set[int](), [min(left)]
        while open_:
            at = open_.pop()
            if at not in group:
                group.add(at)
                open_ += [j for j, count in enumerate(met[at]) if count and j not in group]
        left -= group
        if len(group) > 1:
            groups.append(sorted(group))
    return sorted(groups, key=lambda g: (-len(g), g))


def _rated(meetings: _Meetings, members: Sequence[int], number: int, rules: Statistics) -> list[Rating]:
    met = [[meetings.met[i][j] for j in members] for i in members]
    own = set(members)
    tasks = [task for task, seen in meetings.tried.items() if len(seen) > 1 and seen[0] in own]
    wins = [sum(meetings.wins[task].get(i, 0.0) for task in tasks) for i in members]
    pseudo = rules.ratings.pseudo_wins
    weights = [[count + 2 * pseudo if count else 0.0 for count in row] for row in met]
    padded = [won + pseudo * sum(1 for count in row if count) for won, row in zip(wins, met, strict=True)]
    strengths, curvature = _most_likely(padded, weights)
    clusters, errors = _errors(meetings, members, tasks, strengths, curvature)
    scale = rules.ratings.points_tenfold / log(10)
    level = rules.intervals.level
    made: list[Rating] = []
    for at, agent in enumerate(members):
        rating = rules.ratings.centre + scale * strengths[at]
        error = None if errors is None else scale * errors[at]
        reach = None if error is None else t_quantile(level, clusters - 1) * error
        bar = None if reach is None else Interval(low=rating - reach, high=rating + reach, level=level)
        made.append(
            Rating(
                agent=meetings.agents[agent],
                rating=rating,
                error=error,
                interval=bar,
                strength=strengths[at],
                wins=wins[at],
                comparisons=sum(met[at]),
                group=number,
            )
        )
    return made


def _most_likely(wins: Sequence[float], weights: Sequence[Sequence[float]]) -> tuple[list[float], Factor]:
    """Strengths whose expected wins are the given ones, with the mean 0; and the factor of the second derivatives."""
    strengths = [0.0] * len(wins)
    curvature: Factor | None = None
    for _ in range(_STEPS):
        chances = _chances(strengths)
        gap = [won - sum(map(mul, n, p)) for won, n, p in zip(wins, weights, chances, strict=True)]
        if curvature is None:
            curvature = factor(_second(weights, chances))
        step = curvature.solve(gap)
        longest = max(map(abs, step))
        strengths = [
            s + d * min(1.0, _LARGEST / longest if longest else 1.0) for s, d in zip(strengths, step, strict=True)
        ]
        if longest <= _CLOSE * max(1.0, *map(abs, strengths)):
            break
        if longest > _ANEW:
            curvature = None
    middle = sum(strengths) / len(strengths)
    strengths = [s - middle for s in strengths]
    return strengths, factor(_second(weights, _chances(strengths)))


def _chances(strengths: Sequence[float]) -> list[list[float]]:
    grown = [exp(s) for s in strengths]
    return [[a / (a + b) for b in grown] for a in grown]


def _second(weights: Sequence[Sequence[float]], chances: Sequence[Sequence[float]]) -> list[list[float]]:
    """Second derivatives of the log likelihood, negated. A constant in all strengths changes nothing, so that they are
    singular; the same number added to every entry, the mean of the diagonal, keeps the mean of the strengths at 0."""
    rows = [[-n * p * (1 - p) for n, p in zip(a, b, strict=True)] for a, b in zip(weights, chances, strict=True)]
    for at, row in enumerate(rows):
        row[at] = 0.0
        row[at] = -sum(row)
    lift = sum(row[at] for at, row in enumerate(rows)) / len(rows) ** 2
    return [[value + lift for value in row] for row in rows]


def _errors(
    meetings: _Meetings, members: Sequence[int], tasks: Sequence[str], strengths: Sequence[float], curvature: Factor
) -> tuple[int, list[float] | None]:
    places = {agent: at for at, agent in enumerate(members)}
    chances = _chances(strengths)
    expected: dict[tuple[int, ...], list[float]] = {}
    scores: dict[str, list[float]] = {}
    for task in tasks:
        seen = tuple(places[i] for i in meetings.tried[task])
        if seen not in expected:
            expected[seen] = [sum(chances[i][j] for j in seen) - 0.5 for i in seen]
        row = scores.setdefault(meetings.challenges[task], [0.0] * len(members))
        for i, chance in zip(seen, expected[seen], strict=True):
            row[i] += meetings.wins[task][members[i]] - chance
    clusters = len(scores)
    if clusters < 2:
        return clusters, None
    middle = [sum(column) / clusters for column in zip(*scores.values(), strict=True)]
    squares = [0.0] * len(members)
    for _, row in sorted(scores.items()):
        moved = curvature.solve([value - mid for value, mid in zip(row, middle, strict=True)])
        squares = [square + value * value for square, value in zip(squares, moved, strict=True)]
    return clusters, [sqrt(square * clusters / (clusters - 1)) for square in squares]
