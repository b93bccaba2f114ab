"""A card as styled lines for a terminal of a given width. Styles are words (`good`, `bad`, `dim` …), not colours."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Literal

from bouts.policy.beside_1 import BESIDE_1
from bouts.render.card import BAR_CELLS, CardView, Row

FULL, EMPTY = "█", "░"


@dataclass(frozen=True)
class Span:
    """A piece of text with a style word."""

    text: str
    style: str = ""


Styled = tuple[Span, ...]


def card_lines(view: CardView, width: int, *, detail: bool = True) -> list[Styled]:
    """The whole card. With `detail` every line of the sum is followed by its reason."""
    width = max(60, min(width, 110))
    rule = (Span("═" * width, "dim"),)
    lines: list[Styled] = [rule, (Span(f"  {view.title}", "title"),)]
    lines += _wrapped(view.subtitle, width, 2, "dim")
    lines += [rule, ()]
    lines.append(
        (Span(f"  {view.final}", grade(view.final)), Span(" / 100   "), Span(view.status, _status(view.status)))
    )
    lines += _wrapped(view.status_because, width, 2, "dim")
    if view.reach:
        lines += _wrapped(view.reach, width, 2, "dim")
    lines.append(())
    for row in view.rows:
        lines.append(_row(row, width))
        if detail and row.because:
            lines += _wrapped(row.because, width, 4 + 2 * row.depth, "dim")
    lines += [(Span("  " + "─" * (width - 2), "dim"),), *_wrapped(view.breakdown, width, 2, "strong"), ()]
    for kind, points, because, proofs in view.violations:
        lines += _wrapped(f"VIOLATION {kind} ({points}): {because}", width, 2, "bad")
        for proof in proofs:
            lines += _wrapped(proof.detail, width, 6, "")
            for one in proof.excerpts:
                lines += _wrapped(one.place, width, 8, "dim")
                lines += [(Span(f"        │ {line}"[:width], ""),) for line in one.text.expandtabs(4).split("\n")]
    for kind, points, because in view.bonuses:
        lines += _wrapped(f"bonus {kind} ({points}): {because}", width, 2, "good")
    for kind, why, holds in view.flags:
        lines += _wrapped(f"{'HOLDS' if holds else 'note'} {kind}: {why}", width, 2, "bad" if holds else "warn")
    watched = ", ".join(f"{name} {level}" for name, level in view.audit)
    lines += _wrapped(f"watched: {watched}", width, 2, "dim")
    return lines


def table(head: list[str], rows: list[list[str]], *, right: frozenset[int] = frozenset()) -> list[Styled]:
    """A plain table; columns in `right` are aligned to the right."""
    widths = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]

    def cells(row: list[str]) -> str:
        return "  ".join(
            c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        )

    return [(Span(cells(head), "strong"),), *((Span(cells(row).rstrip()),) for row in rows)]


def grade(text: str) -> str:
    """A style for a score's text."""
    try:
        return graded(float(text))
    except ValueError:
        return "dim"


def graded(value: float) -> Literal["good", "warn", "bad"]:
    """A style for a score from 0 to 100."""
    return "good" if value >= BESIDE_1.good_from else "warn" if value >= BESIDE_1.fair_from else "bad"


def _row(row: Row, width: int) -> Styled:
    indent = "  " * (row.depth + 1)
    numbers = 30 + BAR_CELLS
    label = textwrap.shorten(row.label, width - numbers - len(indent), placeholder="…")
    label = f"{indent}{label}".ljust(width - numbers)
    style = "strong" if row.depth == 0 else ""
    if row.state and row.score == "–":
        return (Span(label, style), Span(row.state, "dim"))
    bar = " " * BAR_CELLS
    if row.fraction is not None:
        cells = round(row.fraction * BAR_CELLS)
        bar = FULL * cells + EMPTY * (BAR_CELLS - cells)
    sum_text = f"{row.score:>6}" + (f" × {row.weight:<5}" if row.weight else " " * 8) + f" → {row.points:>5}"
    return (
        Span(label, style),
        Span(bar, grade(row.score) if row.fraction is not None else ""),
        Span(sum_text, style or ""),
        Span(f" {row.state}" if row.state else "", "warn"),
    )


def _wrapped(text: str, width: int, indent: int, style: str) -> list[Styled]:
    pad = " " * indent
    wrapped = textwrap.wrap(text, width, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False)
    return [(Span(line, style),) for line in wrapped]


def _status(status: str) -> str:
    return {"final": "good", "provisional": "warn"}.get(status, "bad")
