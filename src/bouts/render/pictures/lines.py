"""Lines over steps: scores over attempts, pass^k over k."""

from __future__ import annotations

from dataclasses import dataclass

from bouts.render import numbers
from bouts.render.pictures import frame, theme
from bouts.render.pictures.frame import Drawn, label, legend, mark
from bouts.render.pictures.scale import Scale, tick
from bouts.render.pictures.svg import Piece, joined, number, path, tag
from bouts.render.pictures.theme import Theme

_ROOM, _LEFT, _HEIGHT = 720.0, 52.0, 250.0
_MOST_VALUES = 12
"""Points of a line from which on their values are left to the tooltips and the description."""


@dataclass(frozen=True)
class Curve:
    """One line."""

    name: str
    values: tuple[float | None, ...]
    """One for each step, `None` where there is none."""
    note: str = ""
    """Something to point out about it; shown below the picture, after its name."""


@dataclass(frozen=True)
class LinePlot:
    """One to four lines over the same steps; the values run from 0 to 100."""

    title: str
    subtitle: str
    x_label: str
    y_label: str
    steps: tuple[str, ...]
    curves: tuple[Curve, ...]
    below: tuple[str, ...] = ()
    """A second line under each step."""
    notes: tuple[str, ...] = ()


def draw(plot: LinePlot, mode: Theme = "auto") -> str:
    """The picture."""
    curves = plot.curves[: theme.MOST_SERIES]
    keys, above = legend([curve.name for curve in curves], _ROOM)
    y = Scale(0, 100, above + 20 + _HEIGHT, above + 20)
    x = _places(len(plot.steps))
    drawn = [*_grid(plot, y), *_steps(plot, x, y.start)]
    for at, curve in enumerate(curves):
        drawn += _curve(curve, at, x, y, values=len(curves) == 1 and len(plot.steps) <= _MOST_VALUES)
    notes = tuple(f"{curve.name}: {curve.note}" if len(curves) > 1 else curve.note for curve in curves if curve.note)
    words = "\n".join(_words(curve, plot.steps) for curve in curves)
    height = above + 20 + _HEIGHT + (58 if plot.below else 42)
    return frame.document(
        Drawn(joined(*keys, *drawn), _ROOM, height, words, (*notes, *plot.notes)), plot.title, plot.subtitle, mode
    )


def _places(steps: int) -> list[float]:
    """The pixel of each step: in the middle of equal parts."""
    part = (_ROOM - _LEFT - 12) / max(1, steps)
    return [_LEFT + part * (at + 0.5) for at in range(steps)]


def _grid(plot: LinePlot, y: Scale) -> list[Piece]:
    made: list[Piece] = [label(plot.y_label, 0, y.end - 10, look="soft", size=frame.SMALL)]
    for value in y.ticks(5):
        at = y.at(value)
        made.append(tag("path", class_="grid", d=f"M{number(_LEFT)} {number(at)} L{number(_ROOM)} {number(at)}"))
        made.append(label(tick(value), _LEFT - 8, at + 4, anchor="end", look="soft", size=frame.SMALL))
    return made


def _steps(plot: LinePlot, x: list[float], bottom: float) -> list[Piece]:
    every = -(-len(x) // 20) or 1
    part = (_ROOM - _LEFT - 12) / max(1, len(x)) * every - 4
    made: list[Piece] = []
    for at, place in enumerate(x):
        if at % every:
            continue
        made.append(label(plot.steps[at], place, bottom + 18, anchor="middle", size=frame.SMALL, room=part))
        if plot.below:
            made.append(
                label(plot.below[at], place, bottom + 34, anchor="middle", look="soft", size=frame.SMALL, room=part)
            )
    low = bottom + (52 if plot.below else 36)
    made.append(label(plot.x_label, (_LEFT + _ROOM) / 2, low, anchor="middle", look="soft", size=frame.SMALL))
    return made


def _curve(curve: Curve, series: int, x: list[float], y: Scale, *, values: bool) -> list[Piece]:
    places = [(at, value) for at, value in enumerate(curve.values) if value is not None]
    runs: list[list[tuple[float, float]]] = []
    last = -2
    for at, value in places:
        if at != last + 1:
            runs.append([])
        runs[-1].append((x[at], y.at(value)))
        last = at
    made = [
        tag("path", class_=f"s{series}", d=path(run), stroke_width=2, stroke_dasharray=theme.DASHES[series])
        for run in runs
        if len(run) > 1
    ]
    size = 4.5 if len(x) <= 60 else 2.5
    made += [mark(series, x[at], y.at(value), numbers.score(value), size) for at, value in places]
    if values:
        made += [
            label(numbers.score(value), x[at], y.at(value) - 10, anchor="middle", weight="600", size=frame.SMALL)
            for at, value in places
        ]
    return made


def _words(curve: Curve, steps: tuple[str, ...]) -> str:
    said = ", ".join(
        f"{step}: {numbers.score(value) if value is not None else 'none'}"
        for step, value in zip(steps, curve.values, strict=True)
    )
    return f"{curve.name}: {said}"
