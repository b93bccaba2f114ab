"""Results of Claude Code that stand before their call, as calls that are answered at once may be written late."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import Object

MOST = 200
MOST_TEXT = 2 << 20
"""Results that wait, and characters of them."""


class Result(NamedTuple):
    """A result whose call has not been read yet."""

    part: Object
    structured: object
    time: Time | None


class Early:
    """Those that wait, by the id of their call."""

    def __init__(self) -> None:
        self._waiting: dict[str, Result] = {}
        self._text = 0

    def add(self, key: str, result: Result) -> bool:
        """Let a result wait. False where too many do."""
        if len(self._waiting) >= MOST:
            return False
        self._text += len(str(result.part)) + len(str(result.structured))
        if self._text > MOST_TEXT:
            return False
        self._waiting[key] = result
        return True

    def pop(self, key: str) -> Result | None:
        """The result of a call, which waits no longer."""
        return self._waiting.pop(key, None)

    def calls(self) -> Iterable[str]:
        """Calls whose results still wait."""
        return self._waiting.keys()
