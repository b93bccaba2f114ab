"""Badges: one figure of an agent, as SVG or as JSON for a badge service that reads an endpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bouts.render import terminal
from bouts.render.columns import name
from bouts.render.pictures import measure
from bouts.render.pictures.svg import joined, number, tag

GOOD, FAIR, POOR, PLAIN, FADED = "#2e7d32", "#8a6100", "#b3261e", "#1f5fa8", "#5f6670"
"""Colours that white text can be read on; the state is always said in words, too."""
_LABEL = "#3a4048"
_SIZE, _PAD, _HEIGHT = 11.0, 7.0, 20.0
_SECONDS = 3600
"""How long a badge service may keep the answer."""


@dataclass(frozen=True)
class Badge:
    """One figure."""

    label: str
    message: str
    colour: str
    whole: str
    """The sentence that a screen reader or a tooltip gives."""


def graded(value: float) -> str:
    """The colour of a value from 0 to 100: good, fair or poor."""
    return {"good": GOOD, "warn": FAIR, "bad": POOR}[terminal.graded(value)]


def badge(label: str, figure: str | None, colour: str, states: tuple[str, ...] = (), about: str = "") -> Badge:
    """A badge of a figure, or of its absence. Whatever state makes the figure count less takes its colour away and
    stands behind it in words, such as `83.6 · provisional, stale`."""
    message = " · ".join(part for part in (figure or "none yet", ", ".join(states) if figure else "") if part)
    shown = FADED if states or figure is None else colour
    label = name(label)
    whole = f"{name(about)}: {label} {message}" if about else f"{label} {message}"
    return Badge(label, message, shown, whole)


def endpoint(made: Badge) -> dict[str, Any]:
    """The JSON that a badge service's endpoint gives, schema version 1."""
    return {
        "schemaVersion": 1,
        "label": made.label,
        "message": made.message,
        "color": made.colour.removeprefix("#"),
        "cacheSeconds": _SECONDS,
    }


def draw(made: Badge) -> str:
    """The badge as an SVG file."""
    first, second = (measure.width(text, _SIZE) for text in (made.label, made.message))
    left, right = first + 2 * _PAD, second + 2 * _PAD
    width = left + right
    inside = joined(
        tag("title", made.whole),
        tag("rect", x=0, y=0, width=width, height=_HEIGHT, rx=3, fill=_LABEL),
        tag(
            "path",
            d=f"M{number(left)} 0 H{number(width - 3)} a3 3 0 0 1 3 3 V17 a3 3 0 0 1 -3 3 H{number(left)} Z",
            fill=made.colour,
        ),
        tag("text", made.label, x=_PAD, y=14, textLength=first, fill="#ffffff"),
        tag("text", made.message, x=left + _PAD, y=14, textLength=second, fill="#ffffff"),
    )
    root = tag(
        "svg",
        inside,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=_HEIGHT,
        viewBox=f"0 0 {number(width)} {number(_HEIGHT)}",
        role="img",
        aria_label=made.whole,
        font_family="Verdana, 'DejaVu Sans', Geneva, sans-serif",
        font_size=_SIZE,
    )
    return root + "\n"
