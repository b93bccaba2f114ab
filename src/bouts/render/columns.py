"""Tables that fit a terminal: widths in cells, as wide characters take two, and names cut where there is no room."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bouts.model.text import clean_line
from bouts.render.marks import thinned
from bouts.render.terminal import Span, Styled

GAP = 2
"""Cells between two columns."""


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    head: str
    right: bool = False
    least: int | None = None
    """Cells to which it may be cut where the table is too wide; `None` for a column that is never cut."""
    style: Callable[[str], str] | None = None
    """The style word of a cell by its text."""


def cells(text: str) -> int:
    """How many cells of a terminal a line of text takes."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def cut(text: str, room: int) -> str:
    """The text, or its beginning and `…` where it takes more than `room` cells."""
    if cells(text) <= room:
        return text
    kept, used = "", 1
    for character in text:
        used += _cell(character)
        if used > room:
            break
        kept += character
    return f"{kept}…" if room > 0 else ""


def pad(text: str, room: int, *, right: bool = False) -> str:
    """The text with blanks up to `room` cells."""
    if text.isascii():
        return text.rjust(room) if right else text.ljust(room)
    blanks = " " * max(0, room - cells(text))
    return f"{blanks}{text}" if right else f"{text}{blanks}"


def name(text: str, limit: int = 100) -> str:
    """A name that a stranger chose, on one line, with nothing in it that steers, hides or blots."""
    return clean_line(thinned(text), limit)


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a row, the rest counted."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def fitted(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int, indent: int = 0) -> list[Styled]:
    """The table in at most `width` cells, as far as the columns that may be cut allow that. Texts must be safe."""
    table = [[column.head for column in columns], *rows]
    wide = [max(cells(row[at]) for row in table) for at in range(len(columns))]
    over = indent + sum(wide) + GAP * (len(columns) - 1) - width
    while over > 0:
        loose = [at for at, column in enumerate(columns) if column.least is not None and wide[at] > column.least]
        if not loose:
            break
        widest = max(loose, key=lambda at: wide[at])
        wide[widest] -= 1
        over -= 1
    return [_line(columns, row, wide, indent, head=at == 0) for at, row in enumerate(table)]


def wrapped(text: str, width: int, style: str = "", indent: int = 0, *, first: int = 0) -> list[Styled]:
    """A text in lines of at most `width` cells, as far as its words allow; `first` is the first line's indent."""
    made = textwrap.wrap(
        text, width, initial_indent=" " * first, subsequent_indent=" " * indent, break_on_hyphens=False
    )
    return [(Span(line, style),) for line in made]


def _line(columns: Sequence[Column], row: Sequence[str], wide: Sequence[int], indent: int, *, head: bool) -> Styled:
    spans: list[Span] = [Span(" " * indent)] if indent else []
    last = len(columns) - 1
    for at, (column, text, room) in enumerate(zip(columns, row, wide, strict=True)):
        shown = pad(cut(text, room), room, right=column.right)
        if at == last and not column.right:
            shown = shown.rstrip()
        style = "strong" if head else column.style(text) if column.style else ""
        spans.append(Span(shown, style))
        if at < last:
            spans.append(Span(" " * GAP))
    return tuple(spans)


@lru_cache(maxsize=1024)
def _cell(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
