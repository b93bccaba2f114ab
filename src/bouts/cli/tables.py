"""Tables that several commands print."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bouts.render import numbers
from bouts.render.terminal import Span, Styled, table

if TYPE_CHECKING:
    from bouts.errors import BoutsError
    from bouts.model.card import Card, Line

_COUNTED = ("static", "adversarial")
"""Lines that say what the columns of test counts say."""


class Entry(NamedTuple):
    """One submission or card of several."""

    name: str
    card: Card | None
    error: BoutsError | None
    before: str = ""
    """The final of an earlier card, where there is one."""


def comparison(entries: list[Entry]) -> list[Styled]:
    """One row a submission: final, the terms of the sum, tests, outcome, status."""
    cards = [entry.card for entry in entries if entry.card is not None]
    keys = _keys(cards)
    counts = ["visible", "hidden"]
    was = ["before"] if any(entry.before for entry in entries) else []
    head = ["submission", *was, "final", *(key.replace("_", " ") for key in keys), *counts, "outcome", "status"]
    rows: list[list[str]] = []
    notes: list[Styled] = []
    for entry in entries:
        start = [entry.name, *([entry.before] if was else [])]
        if entry.card is None:
            rows.append([*start, "–", *("–" for _ in (*keys, *counts)), "invalid", "not scored"])
            if entry.error is not None:
                notes.append((Span(f"{entry.name}: {entry.error}", "bad"),))
            continue
        card, tests = entry.card, entry.card.tests
        lines = {line.key: line for line in card.lines}
        rows.append(
            [
                *start,
                numbers.score(card.final),
                *(_score(lines.get(key)) for key in keys),
                f"{tests.static_passed}/{tests.static_total}",
                f"{tests.adversarial_passed}/{tests.adversarial_total}",
                card.outcome,
                card.status,
            ]
        )
    return [*table(head, rows, right=frozenset(range(1, len(head) - 2))), *notes]


def _keys(cards: list[Card]) -> list[str]:
    """The terms that at least one of the cards has a score for, less those that the counts of tests stand for."""
    found = dict.fromkeys(line.key for card in cards for line in card.lines if line.score is not None)
    return [key for key in found if key not in _COUNTED]


def _score(line: Line | None) -> str:
    if line is None:
        return "–"
    return numbers.signed(line.points) if line.weight is None and line.points is not None else numbers.score(line.score)
