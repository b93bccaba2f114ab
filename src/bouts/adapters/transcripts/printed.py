"""What a command printed, line by line, in bounded memory."""

from __future__ import annotations

from collections import deque

from bouts.adapters.transcripts.results import LOOKED_AT

MOST_FIRST = 200
MOST_LINE = 10_000
"""Characters of a line that are kept."""
LINE_COST = 60
"""What a line takes beside its characters."""


class Printed:
    """Of a long output the beginning and the end, where runners print their totals."""

    def __init__(self) -> None:
        self._first: list[str] = []
        self._last: deque[str] = deque()
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._first)

    def add(self, line: str) -> None:
        """One more line."""
        line = line[:MOST_LINE]
        if len(self._first) < MOST_FIRST:
            self._first.append(line)
            return
        self._last.append(line)
        self._size += len(line) + LINE_COST
        while self._size > LOOKED_AT:
            self._size -= len(self._last.popleft()) + LINE_COST

    def text(self) -> str:
        """All that is kept."""
        return "\n".join([*self._first, *self._last])
