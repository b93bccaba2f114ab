"""All pairs of a task at once, by an inverted index: only pairs that share something cost anything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from bouts.integrity.similarity.measure import Overlap, Weighed, overlap_of


def all_pairs(items: Iterable[tuple[int, Weighed]]) -> Iterator[tuple[int, int, Overlap]]:
    """Every pair that has a shape in common, as the later number, the earlier one, and what they share.

    Items come one at a time and each is compared with those before it, so memory holds the inverted index and one row
    of sums.
    """
    numbers: list[int] = []
    masses: list[float] = []
    shapes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    prints: dict[int, list[int]] = defaultdict(list)
    for number, weighed in items:
        shared = [0.0] * len(numbers)
        runs = [0.0] * len(numbers)
        place = len(numbers)
        for key, (count, weight) in weighed.shapes.items():
            posted = shapes[key]
            if weight > 0:
                whole = count * weight
                for other, times in posted:
                    shared[other] += whole if times >= count else times * weight
            posted.append((place, count))
        for key, weight in weighed.prints.items():
            others = prints[key]
            for other in others:
                runs[other] += weight
            others.append(place)
        for other, sum_ in enumerate(shared):
            if sum_ > 0:
                yield number, numbers[other], overlap_of(sum_, runs[other], weighed.mass, masses[other])
        numbers.append(number)
        masses.append(weighed.mass)
