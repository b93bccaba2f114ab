"""How alike two submissions to one task are.

Two views are joined. The bag: of all shapes, weighted by how rare they are among the submissions of the task, how much
of the smaller submission's weight the larger one has too; order does not count. Winnowing: the weight of common
fingerprints, runs of tokens in order; they show a part that was copied into a different whole. Both are read against
what is normal between honest solutions of this very task.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bouts.integrity.similarity.calibration import (
    EDGE,
    ENOUGH,
    MOST_OF_ONE,
    PART,
    SCORE,
    SPREAD,
    TAIL,
    UNEQUAL,
    USUAL,
    USUAL_PAIRS,
)
from bouts.integrity.similarity.shapes import Bag


class Counts:
    """In how many submissions of a task each shape and each fingerprint occurs. Weights follow from it when they are
    asked for, so that adding a submission touches nothing else."""

    def __init__(self) -> None:
        self.submissions = 0
        self.shapes: Counter[int] = Counter()
        self.prints: Counter[int] = Counter()

    def add(self, bag: Bag) -> None:
        """Count one more submission."""
        self.submissions += 1
        self.shapes.update(bag.shapes.keys())
        self.prints.update(bag.prints)


class Weights:
    """Inverse document frequency, from counts as they are now."""

    def __init__(self, counts: Counts) -> None:
        more = counts.submissions + 1
        self._by_count = [math.log(more)] + [math.log(more / n) for n in range(1, more + 1)]
        self._shapes, self._prints = counts.shapes, counts.prints

    def of(self, key: int) -> float:
        """Weight of a shape or fingerprint; 0 where every submission has it."""
        return self._by_count[self._shapes[key] or self._prints[key]]

    def weigh(self, bag: Bag) -> Weighed:
        """A bag with the weight of each of its parts."""
        known, by_count = self._shapes, self._by_count
        shapes = {
            key: (count if count < MOST_OF_ONE else MOST_OF_ONE, by_count[known[key]])
            for key, count in bag.shapes.items()
        }
        prints = {key: by_count[self._prints[key]] for key in bag.prints}
        return Weighed(shapes, prints, math.fsum(count * weight for count, weight in shapes.values()))


@dataclass(frozen=True)
class Weighed:
    """A bag under the weights of its task. `mass` is the weight of all its shapes."""

    shapes: Mapping[int, tuple[int, float]]
    prints: Mapping[int, float]
    mass: float


@dataclass(frozen=True)
class Overlap:
    """What two submissions share. Symmetric."""

    contained: float
    """Share of the smaller one's weight that the other has too, 0–1; 1 only from `ENOUGH` weight on."""
    shared: float
    """Weight of the common shapes."""
    prints: float
    """Weight of the common fingerprints."""
    ratio: float = 1.0
    """Weight of the larger one, in those of the smaller."""


def overlap(one: Weighed, two: Weighed) -> Overlap:
    """Compare two submissions."""
    if len(one.shapes) > len(two.shapes):
        one, two = two, one
    there = two.shapes
    common = [min(count, there[key][0]) * weight for key, (count, weight) in one.shapes.items() if key in there]
    less, more = (one, two) if len(one.prints) <= len(two.prints) else (two, one)
    runs = [weight for key, weight in less.prints.items() if key in more.prints]
    return overlap_of(math.fsum(common), math.fsum(runs), one.mass, two.mass)


def overlap_of(shared: float, prints: float, mass: float, other: float) -> Overlap:
    """The same from sums that somebody else has made."""
    less = max(min(mass, other), ENOUGH)
    return Overlap(min(1.0, shared / less), shared, prints, max(mass, other, less) / less)


@dataclass(frozen=True)
class Normal:
    """What is normal between honest solutions of a task, on the scale of the logit."""

    median: float
    spread: float
    """From the median to the 90th percentile."""
    pairs: int
    """Pairs of the task that this rests on."""


def normal(contained: Sequence[float]) -> Normal:
    """From pairs of submissions by different agents. Median and 90th percentile stay where they are though a few pairs
    are copies; few pairs count little beside what is usual in other tasks."""
    count = len(contained)
    if not count:
        return Normal(*USUAL, 0)
    values = sorted(_logit(c) for c in contained)
    median = values[count // 2]
    spread = values[min(count - 1, (9 * count) // 10)] - median
    share = count / (count + USUAL_PAIRS)
    return Normal(share * median + (1 - share) * USUAL[0], share * spread + (1 - share) * USUAL[1], count)


@dataclass(frozen=True)
class Likeness:
    """A pair, judged."""

    similarity: float
    """0–1. From 0.85 on about one honest pair in a thousand is as alike; 1 where the smaller is wholly contained."""
    percentile: float
    """0–100: share of honest pairs of the same task that are less alike, estimated."""
    strength: float
    """What both rest on, without an upper end: distances from the median to the 90th percentile, or so."""
    overlap: Overlap


def likeness(overlap: Overlap, usual: Normal) -> Likeness:
    """Read an overlap against what is normal in the task."""
    relative = (_logit(overlap.contained) - usual.median) / (usual.spread + SPREAD)
    strength = relative + PART[0] * overlap.prints / (overlap.prints + PART[1])
    # Much of anything lies in what is many times as large: who hands in all solutions that one can think of must not
    # make copies of what comes later.
    strength -= UNEQUAL[1] * math.log(max(1.0, overlap.ratio / UNEQUAL[0]))
    share = math.exp(_line(strength, [(x, math.log(y)) for x, y in TAIL]))
    similarity = _line(-math.log(share), [(-math.log(x), y) for x, y in SCORE])
    if overlap.contained > 1 - 1e-9:
        similarity = 1.0
    return Likeness(similarity, 100 * (1 - share), strength, overlap)


def pairs_of(bags: Iterable[tuple[str | None, Weighed]]) -> list[float]:
    """Containment of all pairs by different agents."""
    items = list(bags)
    return [
        overlap(one, two).contained
        for position, (agent, one) in enumerate(items)
        for other, two in items[:position]
        if agent is None or agent != other
    ]


def _logit(share: float) -> float:
    return math.log((share + EDGE[0]) / (1 - share + EDGE[1]))


def _line(x: float, points: Sequence[tuple[float, float]]) -> float:
    """Piecewise linear through points, flat beyond them."""
    place = bisect_right([p[0] for p in points], x)
    if place == 0:
        return points[0][1]
    if place == len(points):
        return points[-1][1]
    (x0, y0), (x1, y1) = points[place - 1], points[place]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
