"""What the tests of ledgers share."""

from __future__ import annotations

from collections.abc import Callable

from bouts.adapters.stores.ledger import StoredLedger

Open = Callable[..., StoredLedger]


class Clock:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self.now = 1_767_225_600.0  # 2026-01-01

    def __call__(self) -> float:
        self.now += 1
        return self.now
