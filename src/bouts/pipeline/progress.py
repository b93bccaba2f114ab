"""How long work tells where it is. Nothing is measured or decided by it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called from any thread."""

    def step(self, item: str, what: str, done: int, total: int) -> None:
        """`item` is at `done` of `total` of the part `what`; a total of 0 means that it is not known."""
        ...

    def finish(self, item: str, result: str = "") -> None:
        """`item` is done, with this in a few words."""
        ...

    def leave(self, item: str) -> None:
        """`item` is over, and none of those that are counted."""
        ...


class Silent:
    """Tells nobody."""

    def step(self, item: str, what: str, done: int, total: int) -> None:
        """Say nothing."""

    def finish(self, item: str, result: str = "") -> None:
        """Say nothing."""

    def leave(self, item: str) -> None:
        """Say nothing."""
