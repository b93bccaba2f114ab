"""Counts, costs and times of a transcript that cannot be used: none is bent, and how many there were is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

What = Literal["token count", "cost", "time"]
_WHY: dict[What, tuple[str, str]] = {
    "token count": ("is no whole number", "are no whole numbers"),
    "cost": ("is no number of dollars", "are no numbers of dollars"),
    "time": ("is no time from 2000 to 2100", "are no times from 2000 to 2100"),
}
# Readers take values apart in many small functions, and sessions are read in several threads at once.
_counted: ContextVar[Counter[What] | None] = ContextVar("counted", default=None)


@contextmanager
def counted() -> Generator[Counter[What]]:
    """Counts what is met while a transcript is being read."""
    found = Counter[What]()
    token = _counted.set(found)
    try:
        yield found
    finally:
        _counted.reset(token)


def met(what: What) -> None:
    """One value that is not used."""
    found = _counted.get()
    if found is not None:
        found[what] += 1


def notes(found: Counter[What]) -> list[str]:
    """What to say of them."""
    return [
        f"1 {what} that {one} was left out."
        if found[what] == 1
        else f"{found[what]:,} {what}s that {many} were left out."
        for what, (one, many) in _WHY.items()
        if found[what]
    ]
