"""Combining marks of names that strangers chose, kept to as many as writing needs."""

from __future__ import annotations

import unicodedata

MOST = 2
"""Marks that a letter may carry; piles of them only blot the lines around."""


def thinned(text: str) -> str:
    """The text, composed, with at most `MOST` combining marks in a row."""
    if text.isascii():
        return text
    kept, marks = "", 0
    for character in unicodedata.normalize("NFC", text):
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MOST:
            kept += character
    return kept
