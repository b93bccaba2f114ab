"""The profile of a session beside those of other sessions on the same challenge. It gives no points and no rank."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bouts.model.base import Fact
from bouts.scoring.process.profile import Told, Trait


class Spread(Told):
    """One trait, and what it is in other sessions. Shares are fractions; a yes counts as one, a no as nothing."""

    known: int
    """Other sessions whose transcripts tell the trait; the others are left out of what follows."""
    lowest: float | None
    median: float | None
    highest: float | None
    below: int | None
    """Other sessions with a lower value; `null` where this session's is not known."""
    equal: int | None
    above: int | None
    yes: int | None
    """Other sessions where it is so; `null` where the unit is not `yes_no`."""


class Compared(Fact):
    """A profile beside others."""

    challenge: str
    sessions: int
    """Other sessions that it is compared with."""
    without: int
    """Cards that were named and hold no session."""
    traits: tuple[Spread, ...]


def compared(own: Sequence[Trait], others: Sequence[Sequence[Trait]]) -> tuple[Spread, ...]:
    """Each trait of a session with its spread over other sessions, in the order of the session's traits."""
    known: dict[str, list[float]] = {}
    for traits in others:
        for trait in traits:
            if trait.value is not None:
                known.setdefault(trait.key, []).append(float(trait.value))
    return tuple(_spread(trait, sorted(known.get(trait.key, ()))) for trait in own)


def _spread(trait: Trait, numbers: Sequence[float]) -> Spread:
    own = None if trait.value is None else float(trait.value)
    return Spread(
        key=trait.key,
        label=trait.label,
        unit=trait.unit,
        value=trait.value,
        known=len(numbers),
        lowest=numbers[0] if numbers else None,
        median=median(numbers) if numbers else None,
        highest=numbers[-1] if numbers else None,
        below=None if own is None else sum(number < own for number in numbers),
        equal=None if own is None else sum(number == own for number in numbers),
        above=None if own is None else sum(number > own for number in numbers),
        yes=sum(number > 0 for number in numbers) if trait.unit == "yes_no" else None,
    )
