"""The fitness radar. An axis without a value stays open: no line is drawn to it, and no area without all axes."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from bouts.render import numbers
from bouts.render.pictures import frame, theme
from bouts.render.pictures.frame import Drawn, label, legend, mark
from bouts.render.pictures.svg import Piece, joined, number, path, tag
from bouts.render.pictures.theme import Theme

_ROOM, _RADIUS, _CENTRE = 720.0, 125.0, (230.0, 166.0)
_TABLE, _HEIGHT, _STEP = 462.0, 308.0, 42.0
_RINGS = (25, 50, 75, 100)


@dataclass(frozen=True)
class Spoke:
    """One axis."""

    label: str
    values: tuple[float | None, ...]
    """0–100 for each series, `None` where it has none."""
    said: str = ""
    """What was measured, such as `640 ms`; shown where there is one series."""


@dataclass(frozen=True)
class RadarPlot:
    """One to four agents on the same axes."""

    title: str
    subtitle: str
    names: tuple[str, ...]
    spokes: tuple[Spoke, ...]
    notes: tuple[str, ...] = ()


def draw(plot: RadarPlot, mode: Theme = "auto") -> str:
    """The picture."""
    names = plot.names[: theme.MOST_SERIES]
    room = _ROOM + 50.0 * max(0, len(names) - 2)
    keys, above = legend(names, room)
    table, rows = _table(plot, len(names), room)
    alone = len(names) == 1
    inside = [*_web(plot.spokes), *(p for at in range(len(names)) for p in _outline(plot.spokes, at, filled=alone))]
    body = joined(
        *keys,
        tag("g", joined(*inside, *table), transform=f"translate(0 {number(above)})"),
    )
    missing = [spoke.label for spoke in plot.spokes if None in spoke.values]
    notes = (f"Open at {', '.join(missing)}: not enough was measured there.",) if missing else ()
    drawn = Drawn(body, room, above + max(_HEIGHT, rows), _words(plot, names), (*notes, *plot.notes))
    return frame.document(drawn, plot.title, plot.subtitle, mode)


def _point(at: int, of: int, value: float) -> tuple[float, float]:
    turn = 2 * pi * at / of - pi / 2
    reach = _RADIUS * value / 100
    return _CENTRE[0] + reach * cos(turn), _CENTRE[1] + reach * sin(turn)


def _web(spokes: tuple[Spoke, ...]) -> list[Piece]:
    many = len(spokes)
    made = [
        tag("path", class_="grid", d=path([_point(at, many, ring) for at in range(many)], closed=True))
        for ring in _RINGS
    ]
    for at, spoke in enumerate(spokes):
        measured = any(value is not None for value in spoke.values)
        made.append(
            tag(
                "path",
                class_="grid" if measured else "axis",
                d=path([_CENTRE, _point(at, many, 100)]),
                stroke_dasharray=None if measured else "3 4",
            )
        )
        x, y = _point(at, many, 118)
        anchor = "middle" if abs(x - _CENTRE[0]) < 2 else ("start" if x > _CENTRE[0] else "end")
        room = 150.0 if anchor == "middle" else (x if anchor == "end" else _TABLE - 12 - x)
        made.append(label(spoke.label, x, y + 4, anchor=anchor, room=room, look="ink" if measured else "soft"))
    made += [
        label(str(ring), _CENTRE[0] + 4, _CENTRE[1] - _RADIUS * ring / 100 + 4, look="soft", size=9.5)
        for ring in _RINGS
    ]
    return made


def _outline(spokes: tuple[Spoke, ...], series: int, *, filled: bool) -> list[Piece]:
    many = len(spokes)
    values = [spoke.values[series] for spoke in spokes]
    places = [None if value is None else _point(at, many, value) for at, value in enumerate(values)]
    whole = [place for place in places if place is not None]
    dash = theme.DASHES[series]
    if len(whole) == many:
        ring = path(whole, closed=True)
        lines = [tag("path", class_=f"f{series}", d=ring, fill_opacity=0.14, stroke_opacity=0)] if filled else []
        lines.append(tag("path", class_=f"s{series}", d=ring, stroke_width=2, stroke_dasharray=dash))
    else:
        pairs = [(places[at], places[(at + 1) % many]) for at in range(many)]
        lines = [
            tag("path", class_=f"s{series}", d=path([a, b]), stroke_width=2, stroke_dasharray=dash)
            for a, b in pairs
            if a is not None and b is not None
        ]
    marks = [
        mark(series, *place, said=f"{spoke.label} {numbers.score(value)}")
        for place, spoke, value in zip(places, spokes, values, strict=True)
        if place is not None
    ]
    return [*lines, *marks]


def _table(plot: RadarPlot, series: int, room: float) -> tuple[list[Piece], float]:
    """The values at the right, a column a series; and how far down they go."""
    one = series == 1
    columns = [room - 52.0 * (series - 1 - at) for at in range(series)]
    made: list[Piece] = [] if one else [mark(at, x - 16, 20) for at, x in enumerate(columns)]
    y = 34.0
    for spoke in plot.spokes:
        made.append(label(spoke.label, _TABLE, y + 12, room=columns[0] - 52 - _TABLE))
        for at, x in enumerate(columns):
            value = spoke.values[at]
            look = "soft" if value is None else "ink"
            made.append(label(numbers.score(value), x, y + 12, anchor="end", weight="600", look=look))
        if one and spoke.said:
            made.append(label(spoke.said, _TABLE, y + 28, look="soft", size=frame.SMALL, room=room - _TABLE))
        y += _STEP if one else 30
        made.append(tag("path", class_="grid", d=f"M{number(_TABLE)} {number(y - 6)} L{number(room)} {number(y - 6)}"))
    return made, y


def _words(plot: RadarPlot, names: tuple[str, ...]) -> str:
    return "\n".join(
        f"{name}: "
        + "; ".join(
            f"{spoke.label} {numbers.score(spoke.values[at]) if spoke.values[at] is not None else 'not measured'}"
            for spoke in plot.spokes
        )
        for at, name in enumerate(names)
    )
