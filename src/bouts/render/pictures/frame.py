"""What every picture has: a background, a title, a description for those who cannot see it, notes below."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from bouts.render.pictures import measure, theme
from bouts.render.pictures.scale import Scale, tick
from bouts.render.pictures.svg import Piece, joined, number, tag, text
from bouts.render.pictures.theme import Theme

MARGIN = 24.0
TITLE, TEXT, SMALL = 16.0, 13.0, 11.5
"""Sizes of text in pixels."""


@dataclass(frozen=True)
class Drawn:
    """The inside of a picture, drawn from (0, 0) downwards."""

    body: Piece
    width: float
    height: float
    description: str
    """All that the picture says, in words."""
    notes: tuple[str, ...] = ()


def document(drawn: Drawn, title: str, subtitle: str = "", mode: Theme = "auto") -> str:
    """A whole SVG file."""
    room = drawn.width
    heads = measure.wrap(title, TITLE, room) or [title]
    subs = measure.wrap(subtitle, TEXT, room)
    notes = [line for note in drawn.notes for line in measure.wrap(note, SMALL, room)]
    top = MARGIN + 20 * len(heads) + 18 * len(subs) + 12
    bottom = top + drawn.height
    height = bottom + (10 + 16 * len(notes) if notes else 0) + MARGIN
    width = room + 2 * MARGIN
    scope = "bouts-" + hashlib.sha256(f"{title}\n{drawn.description}\n{mode}".encode(errors="replace")).hexdigest()[:10]
    inside = joined(
        tag("title", title, id=f"{scope}-title"),
        tag("desc", Piece(text_of(drawn.description)), id=f"{scope}-desc"),
        Piece(f"<style>\n{theme.style(scope, mode)}\n</style>"),
        tag("rect", class_="paper", width=width, height=height),
        *_lines(heads, MARGIN, MARGIN + 14, 20, size=TITLE, weight="600", look="ink"),
        *_lines(subs, MARGIN, MARGIN + 20 * len(heads) + 14, 18, size=TEXT, weight=None, look="soft"),
        tag("g", drawn.body, transform=f"translate({number(MARGIN)} {number(top)})"),
        *_lines(notes, MARGIN, bottom + 20, 16, size=SMALL, weight=None, look="soft"),
    )
    root = tag(
        "svg",
        inside,
        xmlns="http://www.w3.org/2000/svg",
        id=scope,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{scope}-title {scope}-desc",
        font_family=theme.FONT,
        font_size=TEXT,
    )
    return root + "\n"


def text_of(description: str) -> str:
    """A description line by line, each made safe."""
    return "\n".join(text(line) for line in description.split("\n"))


def label(
    said: str,
    x: float,
    y: float,
    *,
    anchor: str | None = None,
    look: str = "ink",
    size: float = TEXT,
    weight: str | None = None,
    room: float | None = None,
) -> Piece:
    """A line of text with its baseline at `y`, cut to `room` pixels; the whole is then its tooltip."""
    shown = said if room is None else measure.fit(said, size, room)
    children = (said,) if shown == said else (shown, tag("title", said))
    return tag(
        "text",
        *children,
        class_=look,
        x=x,
        y=y,
        text_anchor=anchor,
        font_size=None if size == TEXT else size,
        font_weight=weight,
    )


def mark(series: int, x: float, y: float, said: str = "", size: float = 4.5) -> Piece:
    """The mark of a series: a dot, a square, a triangle or a diamond."""
    kind = series % theme.MOST_SERIES
    hint = (tag("title", said),) if said else ()
    look = f"f{kind}"
    if kind == 0:
        return tag("circle", *hint, class_=look, cx=x, cy=y, r=size)
    corners = {
        1: [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2: [(0, -1.2), (1.15, 0.9), (-1.15, 0.9)],
        3: [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
    }[kind]
    points = " ".join(f"{number(x + size * dx)},{number(y + size * dy)}" for dx, dy in corners)
    return tag("polygon", *hint, class_=look, points=points)


def legend(names: Sequence[str], room: float) -> tuple[list[Piece], float]:
    """The series with mark and dash, one below the other; and the height that they take."""
    if len(names) < 2:
        return [], 0.0
    made: list[Piece] = []
    for at, name in enumerate(names):
        y = 18.0 * at + 6
        kind = at % theme.MOST_SERIES
        made += [
            tag(
                "path",
                d=f"M0 {number(y)} L28 {number(y)}",
                class_=f"s{kind}",
                stroke_width=2,
                stroke_dasharray=theme.DASHES[kind],
            ),
            mark(at, 14, y),
            label(name, 38, y + 4.5, room=room - 38),
        ]
    return made, 18.0 * len(names) + 8


def ticks(x: Scale, bottom: float, most: int) -> list[Piece]:
    """The ticks of a horizontal axis at `bottom`, at most `most` steps of them, with lines from the top."""
    made: list[Piece] = []
    for value in x.ticks(most):
        at = number(x.at(value))
        made.append(tag("path", class_="grid", d=f"M{at} 0 L{at} {number(bottom)}"))
        made.append(label(tick(value), x.at(value), bottom + 16, anchor="middle", look="soft", size=SMALL))
    return made


def _lines(
    rows: Sequence[str], x: float, y: float, step: float, *, size: float, weight: str | None, look: str
) -> list[Piece]:
    return [label(row, x, y + step * at, size=size, weight=weight, look=look) for at, row in enumerate(rows)]
