"""A forest plot: one row a name, its value as a mark, its interval as a bar with ends."""

from __future__ import annotations

from dataclasses import dataclass

from bouts.render.pictures import frame
from bouts.render.pictures.frame import Drawn, label, mark, ticks
from bouts.render.pictures.scale import Scale, around
from bouts.render.pictures.svg import Piece, joined, number, tag
from bouts.render.pictures.theme import Theme

_ROOM, _ROW = 760.0, 26.0
_NAMES, _SAID = 220.0, 210.0


@dataclass(frozen=True)
class Interval:
    """One row. Where there is no interval only the mark is drawn, and without a value nothing."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    said: str
    """Value and interval in words, shown at the right."""
    hollow: bool = False
    """Whether the row counts less, such as a provisional one: its mark is open, and `said` says why."""


@dataclass(frozen=True)
class ForestPlot:
    """Rows in the order given."""

    title: str
    subtitle: str
    x_label: str
    rows: tuple[Interval, ...]
    reference: float | None = None
    """A value with a line of its own, such as 0 for differences."""
    least: float | None = None
    most: float | None = None
    """Where the scale cannot go beyond, such as 0 and 100."""
    notes: tuple[str, ...] = ()


def draw(plot: ForestPlot, mode: Theme = "auto") -> str:
    """The picture. An interval that leaves the scale ends in an arrow."""
    values = [v for row in plot.rows for v in (row.value, row.low, row.high)]
    low, high = around([*values, plot.reference], least=plot.least, most=plot.most)
    x = Scale(low, high, _NAMES + 16, _ROOM - _SAID - 16)
    bottom = _ROW * max(1, len(plot.rows)) + 6
    drawn = [*_grid(plot, x, bottom), *(p for at, row in enumerate(plot.rows) for p in _row(row, x, _ROW * (at + 0.5)))]
    if not plot.rows:
        drawn.append(label("nothing to show", (x.start + x.end) / 2, _ROW * 0.5 + 4, anchor="middle", look="soft"))
    words = "\n".join(f"{row.name}: {row.said}" for row in plot.rows) or "Nothing to show."
    return frame.document(Drawn(joined(*drawn), _ROOM, bottom + 42, words, plot.notes), plot.title, plot.subtitle, mode)


def _grid(plot: ForestPlot, x: Scale, bottom: float) -> list[Piece]:
    made = ticks(x, bottom, 6)
    if plot.reference is not None and x.low <= plot.reference <= x.high:
        at = number(x.at(plot.reference))
        made.append(tag("path", class_="rule", d=f"M{at} 0 L{at} {number(bottom)}", stroke_dasharray="4 3"))
    made.append(label(plot.x_label, (x.start + x.end) / 2, bottom + 34, anchor="middle", look="soft", size=frame.SMALL))
    return made


def _row(row: Interval, x: Scale, y: float) -> list[Piece]:
    made = [
        label(row.name, 0, y + 4.5, room=_NAMES),
        label(row.said, _ROOM - _SAID, y + 4.5, look="soft", size=frame.SMALL, room=_SAID),
    ]
    if row.low is not None and row.high is not None:
        made.append(tag("path", class_="s0", d=_bar(row.low, row.high, x, y), stroke_width=1.8))
    if row.value is None:
        return made
    spot = mark(0, x.at(row.value), y, row.said, 5)
    if row.hollow:
        spot = tag("circle", tag("title", row.said), class_="paper", cx=x.at(row.value), cy=y, r=5)
        spot = joined(spot, tag("circle", class_="s0", cx=x.at(row.value), cy=y, r=5, stroke_width=1.8))
    return [*made, spot]


def _bar(low: float, high: float, x: Scale, y: float) -> str:
    a, b, level = x.at(low), x.at(high), number(y)
    left = _end(a, y, out=low < x.low, way=1)
    right = _end(b, y, out=high > x.high, way=-1)
    return f"M{number(a)} {level} L{number(b)} {level} {left} {right}"


def _end(at: float, y: float, *, out: bool, way: int) -> str:
    """A short stroke across, or an arrow where the interval goes on."""
    up, down = number(y - 5), number(y + 5)
    if not out:
        return f"M{number(at)} {up} L{number(at)} {down}"
    inner = number(at + 6 * way)
    return f"M{inner} {up} L{number(at)} {number(y)} L{inner} {down}"
