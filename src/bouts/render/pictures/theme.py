"""Colours and marks of pictures. Nothing is told by colour alone: series differ in mark and dash as well.

The tests hold each palette to a contrast of 3 against its background (4.5 for text) and to differences that remain
visible with each of the three kinds of colour blindness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Theme = Literal["auto", "light", "dark"]
"""`auto` follows the reader's system."""


@dataclass(frozen=True)
class Palette:
    """Colours of one background."""

    paper: str
    ink: str
    soft: str
    line: str
    fill: str
    """Boxes and bars that hold no series."""
    series: tuple[str, ...]


LIGHT = Palette(
    paper="#ffffff",
    ink="#1c2024",
    soft="#5b6470",
    line="#d9dde2",
    fill="#8a94a0",
    series=("#1c3f75", "#e0590f", "#a75ad0", "#2d9276"),
)
DARK = Palette(
    paper="#14171a",
    ink="#e6e8eb",
    soft="#a3acb6",
    line="#353c44",
    fill="#79838e",
    series=("#4c8dff", "#c96a16", "#ecc4f2", "#4cf0a8"),
)
DASHES = (None, "7 4", "2 3", "9 3 2 3")
"""Dash of each series."""
MOST_SERIES = 4
"""Series that one picture can tell apart."""

FONT = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', "
    "sans-serif"
)


def style(scope: str, theme: Theme) -> str:
    """The rules of a picture whose root has the id `scope`."""
    if theme == "auto":
        dark = "\n".join(_rules(scope, DARK))
        return "\n".join([*_rules(scope, LIGHT), "@media (prefers-color-scheme: dark) {", dark, "}"])
    return "\n".join(_rules(scope, DARK if theme == "dark" else LIGHT))


def _rules(scope: str, palette: Palette) -> list[str]:
    rules = {
        "paper": f"fill: {palette.paper}",
        "ink": f"fill: {palette.ink}",
        "soft": f"fill: {palette.soft}",
        "box": f"fill: {palette.fill}",
        "grid": f"stroke: {palette.line}; fill: none",
        "axis": f"stroke: {palette.soft}; fill: none",
        "rule": f"stroke: {palette.ink}; fill: none",
    }
    for at, colour in enumerate(palette.series):
        rules[f"s{at}"] = f"stroke: {colour}; fill: none"
        rules[f"f{at}"] = f"fill: {colour}; stroke: {colour}"
    return [f"#{scope} .{name} {{ {rule} }}" for name, rule in rules.items()]
