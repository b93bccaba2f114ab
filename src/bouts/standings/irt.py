"""The two-parameter logistic model of items, exploratory: from about twenty agents it shows a direction, no more.

An agent of ability θ solves an attempt at an item with the chance 1/(1 + e^(−a·(θ − b))): b is the difficulty, a > 0
the discrimination. Abilities are taken as standard normal on a grid; a and b are the most likely ones with abilities
summed out (marginal maximum likelihood by EM, Bock and Aitkin 1981) under weak priors, log a ~ N(0, spread²) and
b ~ N(0, spread²), without which few agents leave some items without an estimate. EM's steps are lengthened as SQUAREM
does (Varadhan and Roland 2008). Abilities are posterior means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, log1p, sqrt
from operator import mul

from bouts.model.base import Fact
from bouts.policy.statistics import ItemRules
from bouts.standings.cells import Cell

_GRID = tuple(step * 0.4 for step in range(-15, 16))
"""Abilities from −6 to 6."""
_CLOSE = 1e-11
_STEPS = 2000
_LARGEST = 1.0
"""No parameter moves further in one step."""


class ItemParameters(Fact):
    """What the model says of one item."""

    item: str
    discrimination: float
    """a, above 0; 1 is the prior's middle. An inverted item shows by an a near 0."""
    difficulty: float
    """b on the scale of abilities: an agent of that ability solves half of its attempts."""


class Ability(Fact):
    """What the model says of one agent."""

    agent: str
    ability: float
    """Posterior mean; the agents' abilities are standard normal before the data."""
    error: float
    """Posterior standard deviation, the items' parameters taken as known."""


class ItemModel(Fact):
    """The fitted model. It is exploratory: no score, rank or gate rests on it."""

    exploratory: bool = True
    items: tuple[ItemParameters, ...]
    agents: tuple[Ability, ...]
    converged: bool
    """Whether the steps became small enough; without it the numbers are where it stopped."""


@dataclass(frozen=True, slots=True)
class _Data:
    items: list[str]
    rows: list[list[tuple[int, float, float]]]
    """For each agent its items with successes and failures."""
    log_spread: float
    difficulty_spread: float


def fit(rows: Mapping[str, Mapping[str, Cell]], rules: ItemRules) -> ItemModel:
    """The model of agent → item → cell with a success rate (0–1)."""
    names = sorted({name for row in rows.values() for name in row})
    places = {name: at for at, name in enumerate(names)}
    counted = [
        [(places[n], float(c.value * c.attempts), float((1 - c.value) * c.attempts)) for n, c in row.items()]
        for row in rows.values()
    ]
    data = _Data(names, counted, rules.irt_discrimination_spread, rules.irt_difficulty_spread)
    found, converged = _fixed_point([0.0] * (2 * len(names)), data)
    posteriors, _ = _posteriors(_curves(found), data.rows)
    return ItemModel(
        items=tuple(
            ItemParameters(item=name, discrimination=exp(found[2 * at]), difficulty=found[2 * at + 1])
            for at, name in enumerate(names)
        ),
        agents=tuple(_ability(agent, row) for agent, row in zip(rows, posteriors, strict=True)),
        converged=converged,
    )


def _ability(agent: str, posterior: Sequence[float]) -> Ability:
    middle = sum(map(mul, posterior, _GRID))
    square = sum(share * (at - middle) ** 2 for share, at in zip(posterior, _GRID, strict=True))
    return Ability(agent=agent, ability=middle, error=sqrt(square))


def _fixed_point(start: list[float], data: _Data) -> tuple[list[float], bool]:
    """Where a step of EM changes nothing: log a and b of each item in turn."""
    here = start
    for _ in range(_STEPS):
        one, before = _step(here, data)
        first = [b - a for a, b in zip(here, one, strict=True)]
        if max(map(abs, first), default=0.0) < _CLOSE:
            return one, True
        two, _ = _step(one, data)
        bend = [c - 2 * b + a for a, b, c in zip(here, one, two, strict=True)]
        size, curve = sum(d * d for d in first), sum(d * d for d in bend)
        reach = min(-1.0, -sqrt(size / curve)) if curve else -1.0
        far = [
            b + _cut(a - 2 * reach * d + reach * reach * e - b)
            for a, b, d, e in zip(here, two, first, bend, strict=True)
        ]
        after, level = _step(far, data)
        here = after if level >= before else two
    return here, False


def _step(parameters: Sequence[float], data: _Data) -> tuple[list[float], float]:
    """One step of EM, and the logarithm of the penalised likelihood before it."""
    curves = _curves(parameters)
    posteriors, level = _posteriors(curves, data.rows)
    solved = [[0.0] * len(_GRID) for _ in data.items]
    tried = [[0.0] * len(_GRID) for _ in data.items]
    for row, posterior in zip(data.rows, posteriors, strict=True):
        for at, won, lost in row:
            solved[at] = [total + won * share for total, share in zip(solved[at], posterior, strict=True)]
            tried[at] = [total + (won + lost) * share for total, share in zip(tried[at], posterior, strict=True)]
    after: list[float] = []
    for at in range(len(data.items)):
        log_a, b = parameters[2 * at], parameters[2 * at + 1]
        level -= (log_a / data.log_spread) ** 2 / 2 + (b / data.difficulty_spread) ** 2 / 2
        after += _scored(log_a, b, solved[at], tried[at], data)
    return after, level


def _scored(
    log_a: float, b: float, solved: Sequence[float], tried: Sequence[float], data: _Data
) -> tuple[float, float]:
    """One step of Fisher scoring for one item."""
    a = exp(log_a)
    slope_a, slope_b = -log_a / data.log_spread**2, -b / data.difficulty_spread**2
    aa, bb, ab = 1 / data.log_spread**2, 1 / data.difficulty_spread**2, 0.0
    for ability, won, count in zip(_GRID, solved, tried, strict=True):
        z = a * (ability - b)
        chance = exp(_log_chance(z))
        miss, weight = won - count * chance, count * chance * (1 - chance)
        slope_a += miss * z
        slope_b -= miss * a
        aa += weight * z * z
        bb += weight * a * a
        ab -= weight * a * z
    fall = aa * bb - ab * ab
    return log_a + _cut((bb * slope_a - ab * slope_b) / fall), b + _cut((aa * slope_b - ab * slope_a) / fall)


def _log_chance(z: float) -> float:
    """log(1/(1 + e^−z)), for any z."""
    return -log1p(exp(-z)) if z > 0 else z - log1p(exp(z))


def _cut(step: float) -> float:
    return max(-_LARGEST, min(_LARGEST, step))


_Curves = list[tuple[list[float], list[float]]]


def _curves(parameters: Sequence[float]) -> _Curves:
    """For each item the logarithms of the chances to solve and to fail, over the grid."""
    made: _Curves = []
    for at in range(0, len(parameters), 2):
        a, b = exp(parameters[at]), parameters[at + 1]
        solve = [_log_chance(a * (ability - b)) for ability in _GRID]
        made.append((solve, [s - a * (ability - b) for s, ability in zip(solve, _GRID, strict=True)]))
    return made


def _posteriors(curves: _Curves, rows: Sequence[Sequence[tuple[int, float, float]]]) -> tuple[list[list[float]], float]:
    """What is known of each agent's ability, as shares of the grid, and the logarithm of the likelihood."""
    prior = [-ability * ability / 2 for ability in _GRID]
    base = log(sum(map(exp, prior)))
    made: list[list[float]] = []
    level = 0.0
    for row in rows:
        logs = [value - base for value in prior]
        for at, won, lost in row:
            solve, fail = curves[at]
            logs = [total + won * s + lost * f for total, s, f in zip(logs, solve, fail, strict=True)]
        top = max(logs)
        shares = [exp(value - top) for value in logs]
        whole = sum(shares)
        level += top + log(whole)
        made.append([share / whole for share in shares])
    return made, level
