"""How much room a text takes, without a font at hand: an estimate that is a little too wide."""

from __future__ import annotations

import unicodedata

_NARROW = frozenset("iIjlftr.,:;'|!()[]{} ·-/\\")
_BROAD = frozenset("mwMW@%—…→")


def width(text: str, size: float) -> float:
    """Pixels that a text takes in a sans-serif font of `size` pixels."""
    return size * sum(_em(character) for character in text)


def fit(text: str, size: float, room: float) -> str:
    """The text, or its beginning and `…` where it takes more than `room` pixels."""
    if width(text, size) <= room:
        return text
    kept, used = "", width("…", size)
    for character in text:
        used += size * _em(character)
        if used > room:
            break
        kept += character
    return f"{kept.rstrip()}…"


def wrap(text: str, size: float, room: float) -> list[str]:
    """The text in lines of at most `room` pixels; a single word that is longer is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(fit(word, size, room))
    return lines


def _em(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character in _NARROW:
        return 0.36
    if character in _BROAD:
        return 1.0
    return 0.72 if character.isupper() else 0.6
