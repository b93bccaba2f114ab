"""A small SVG writer. Text is escaped unless it is markup that was made here."""

from __future__ import annotations

from html import escape

from bouts.model.text import clean_line
from bouts.render.marks import thinned

LONGEST_TEXT = 400
"""Characters of one text in a picture; what strangers wrote is cut there."""


class Piece(str):
    """Markup that was made by this module, and so is not escaped again."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str | float | None) -> Piece:
    """One element. Children that are no `Piece` are text: made safe to show, then escaped. Attributes likewise;
    `_` in their names stands for `-`, a trailing one is dropped, and `None` leaves the attribute out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return Piece(f"<{name}{given}/>")
    return Piece(f"<{name}{given}>{''.join(text(child) for child in children)}</{name}>")


def text(value: str) -> Piece:
    """`value` as it may stand between two tags."""
    return value if isinstance(value, Piece) else Piece(escape(clean_line(thinned(value), LONGEST_TEXT)))


def joined(*pieces: Piece) -> Piece:
    """Several elements one after another, each on a line of its own."""
    return Piece("\n".join(piece for piece in pieces if piece))


def number(value: float) -> str:
    """A coordinate to two places, without trailing zeros."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def path(points: list[tuple[float, float]], *, closed: bool = False) -> str:
    """The `d` of a line through points."""
    steps = " ".join(f"{'L' if at else 'M'}{number(x)} {number(y)}" for at, (x, y) in enumerate(points))
    return f"{steps} Z" if closed else steps


def _attribute(value: str | float) -> str:
    return number(value) if isinstance(value, int | float) else escape(clean_line(thinned(value), 10_000))
