"""Policies as styled lines for a terminal: one table, and whose score moves between two."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from bouts.render import numbers
from bouts.render.policy import PolicyRow
from bouts.render.terminal import Span, Styled, table


@dataclass(frozen=True)
class Moved:
    """One card under two policies."""

    path: str
    agent: str
    before: float
    after: float
    difference: float
    status_before: str
    status_after: str
    largest: str
    """Key of the line whose points moved most, with those points; empty where none moved."""


def tree(rows: Sequence[PolicyRow], width: int) -> list[Styled]:
    """Every field on a line of its own, its meaning below."""
    width = max(60, min(width, 120))
    out: list[Styled] = []
    for row in rows:
        pad = "  " * row.depth
        head = Span(f"{pad}{row.name}", "strong" if row.depth == 0 else "")
        room = width - len(pad) - len(row.name) - 3
        if len(row.value) <= room:
            out.append((head, Span(f" = {row.value}" if row.value else "")))
        else:
            out.append((head, Span(" =")))
            out += _wrapped(row.value, width, f"{pad}    ", "")
        if row.meaning:
            out += _wrapped(row.meaning, width, f"{pad}    ", "dim")
    return out


def movements(rows: Sequence[Moved], names: tuple[str, str]) -> list[Styled]:
    """One row a card, in the order given."""
    head = ["card", "agent", names[0], names[1], "moves", "status", "most by"]
    cells = [
        [
            row.path,
            row.agent,
            numbers.score(row.before),
            numbers.score(row.after),
            numbers.signed(row.difference),
            row.status_after if row.status_before == row.status_after else f"{row.status_before} → {row.status_after}",
            row.largest,
        ]
        for row in rows
    ]
    return table(head, cells, right=frozenset({2, 3, 4}))


def _wrapped(text: str, width: int, pad: str, style: str) -> list[Styled]:
    made = textwrap.wrap(text, width, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False)
    return [(Span(line, style),) for line in made]
