"""Keys that have been met, in memory that is bounded: eight bytes a key."""

from __future__ import annotations

from array import array
from itertools import islice
from typing import Any

MOST = 1_400_000
"""Keys that are remembered; later ones are taken as new."""


class Seen:
    """A set of texts that only grows. Two texts are taken for one with a chance of about 1 in 10⁷ for a million."""

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 << 10))
        self._known = 0

    def add(self, key: str) -> bool:
        """Remember a key. Whether it is new."""
        mark = _mark(key)
        at = self._place(mark)
        if self._table[at] == mark:
            return False
        if self._known < MOST:
            self._table[at] = mark
            self._known += 1
            if self._known * 3 > len(self._table) * 2:
                self._grow()
        return True

    def __contains__(self, key: str) -> bool:
        mark = _mark(key)
        return self._table[self._place(mark)] == mark

    @property
    def full(self) -> bool:
        """Whether later keys are no longer remembered."""
        return self._known >= MOST

    def _place(self, mark: int) -> int:
        """Where a mark stands, or would stand."""
        last = len(self._table) - 1
        at = mark & last
        while self._table[at] and self._table[at] != mark:
            at = (at + 1) & last
        return at

    def _grow(self) -> None:
        old = self._table
        self._table = array("Q", bytes(16 * len(old)))
        for mark in old:
            if mark:
                self._table[self._place(mark)] = mark


def _mark(key: str) -> int:
    # Zero marks a free place.
    return (hash(key) & 0xFFFF_FFFF_FFFF_FFFF) or 1


def bounded(known: dict[str, Any], most: int) -> None:
    """Let go of the older half where there are more than twice as many."""
    if len(known) > 2 * most:
        for key in list(islice(known, most)):
            del known[key]
