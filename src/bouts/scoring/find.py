"""Lines of a card by their keys."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from bouts.errors import NotFound
from bouts.model.card import Card, Line

WHOLE = "final"
"""The key of the sum itself."""


def walk(lines: tuple[Line, ...]) -> Iterator[Line]:
    """Every line of a card, parents before their children."""
    for line in lines:
        yield line
        yield from walk(line.children)


def find(card: Card, key: str) -> Line:
    """The line with that key. Raises `NotFound` with the nearest keys."""
    known = {line.key: line for line in walk(card.lines)}
    if key in known:
        return known[key]
    tails = [name for name in known if name.rpartition(".")[2] == key]
    near = tails or get_close_matches(key, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"keys: {', '.join((WHOLE, *known))}"
    raise NotFound(f"the card has no line {key!r}", hint=hint)
