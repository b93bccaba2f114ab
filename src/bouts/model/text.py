"""Text of unknown origin made safe to show: nothing in it can steer a terminal, reorder a line or hide."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_KEPT = frozenset("\n\t")
_PLAIN = _KEPT | frozenset(map(chr, range(ord(" "), ord("~") + 1)))
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that draw nothing: fillers, the blank braille pattern, the grapheme joiner.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def clean(text: str, limit: int) -> str:
    """`text` with every control, bidirectional, zero-width or otherwise invisible character written as an escape
    such as `\\x1b` or `\\u202e`, at most `limit` characters long; a cut is shown by a final `…`.

    Line feeds and tabs stay. Other spaces than the plain one are escaped too, as they can be told apart by no reader.
    """
    if len(text) <= limit and all(_shown(character) == character for character in set(text) - _PLAIN):
        return text
    out: list[str] = []
    size = 0
    for position, character in enumerate(text):
        piece = character if character in _PLAIN else _shown(character)
        more = position + 1 < len(text)
        if size + len(piece) + (1 if more else 0) > limit:
            out.append("…")
            # A piece that was held back for the mark makes room for it.
            return "".join(out)[:limit]
        out.append(piece)
        size += len(piece)
    return "".join(out)


def clean_line(text: str, limit: int) -> str:
    """`clean` for places that hold one line: line feeds and tabs are written as escapes too."""
    head = text[: limit + 1].replace("\n", "\\n").replace("\t", "\\t")
    return clean(head, limit)


@lru_cache(maxsize=4096)
def _shown(character: str) -> str:
    code = ord(character)
    category = unicodedata.category(character)
    selector = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F
    if category in _UNSAFE or category == "Zs" or character in _INVISIBLE or selector:
        if code <= 0xFF:
            return f"\\x{code:02x}"
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
    return character
