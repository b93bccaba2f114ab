"""Where two submissions are alike: ranges of lines side by side, the weightiest first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bouts.integrity.similarity.measure import Weights
from bouts.integrity.similarity.shapes import Reading

RANGES = 12
"""Ranges that are shown of one pair."""
_OFTEN = 4
"""A shape that occurs more often than this in either submission leads nowhere."""
_HERE, _THERE = 3, 6
"""Lines that may lie between two matches of one range."""
_LEAST = 3.0
"""Weight below which a range is not worth showing."""
_LINKS = 20_000


@dataclass(frozen=True)
class Match:
    """A range of the later submission and the range of the other one that it is like. Lines from 1, both included."""

    path: str
    first: int
    last: int
    other_path: str
    other_first: int
    other_last: int
    weight: float


@dataclass
class _Range:
    first: int
    last: int
    other_first: int
    other_last: int
    weight: float

    def takes(self, first: int, last: int, other: int, other_last: int) -> bool:
        return (
            first <= self.last + _HERE
            and last >= self.first - _HERE
            and other <= self.other_last + _THERE
            and other_last >= self.other_first - _THERE
        )


def matches(ours: Sequence[Reading], theirs: Sequence[Reading], weights: Weights) -> tuple[Match, ...]:
    """Matched ranges of two submissions. Every range holds shapes or fingerprints that both have and few others."""
    links = _links(ours, theirs, weights)
    by_files: dict[tuple[int, int], list[tuple[int, int, int, int, float]]] = defaultdict(list)
    for one, two, first, last, other, other_last, weight in links[:_LINKS]:
        by_files[one, two].append((first, last, other, other_last, weight))
    found: list[Match] = []
    for (one, two), rows in by_files.items():
        for r in _grown(sorted(rows)):
            if r.weight >= _LEAST:
                found.append(
                    Match(ours[one].path, r.first, r.last, theirs[two].path, r.other_first, r.other_last, r.weight)
                )
    found.sort(key=lambda m: (-m.weight, m.path, m.first, m.other_path, m.other_first))
    return _once(found)


def _links(
    ours: Sequence[Reading], theirs: Sequence[Reading], weights: Weights
) -> list[tuple[int, int, int, int, int, int, float]]:
    here, there = _places(ours), _places(theirs)
    links: list[tuple[int, int, int, int, int, int, float]] = []
    for key, places in here.items():
        others = there.get(key)
        if not others or len(places) > _OFTEN or len(others) > _OFTEN:
            continue
        weight = weights.of(key) / (len(places) * len(others))
        if weight > 0:
            links += [(f, g, first, last, o, p, weight) for f, first, last in places for g, o, p in others]
    links.sort(key=lambda x: -x[-1])
    return links


def _places(readings: Iterable[Reading]) -> dict[int, list[tuple[int, int, int]]]:
    found: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for number, reading in enumerate(readings):
        for one in (*reading.shapes, *reading.prints):
            rows = found[one.key]
            if len(rows) <= _OFTEN:
                rows.append((number, one.first, one.last))
    return found


def _grown(rows: Iterable[tuple[int, int, int, int, float]]) -> list[_Range]:
    """Links, sorted by our lines, joined to ranges that are near each other on both sides."""
    open_: list[_Range] = []
    done: list[_Range] = []
    for first, last, other, other_last, weight in rows:
        still: list[_Range] = []
        for r in open_:
            (still if r.last + _HERE >= first else done).append(r)
        open_ = still
        for r in open_:
            if r.takes(first, last, other, other_last):
                r.last = max(r.last, last)
                r.other_first, r.other_last = min(r.other_first, other), max(r.other_last, other_last)
                r.weight += weight
                break
        else:
            open_.append(_Range(first, last, other, other_last, weight))
    return done + open_


def _once(found: list[Match]) -> tuple[Match, ...]:
    """The weightiest ranges; one that lies mostly within a weightier one is left out."""
    kept: list[Match] = []
    for one in found:
        if len(kept) == RANGES:
            break
        size = one.last - one.first + 1
        inside = sum(max(0, min(one.last, k.last) - max(one.first, k.first) + 1) for k in kept if k.path == one.path)
        if inside < math.ceil(size / 2):
            kept.append(one)
    return tuple(kept)
