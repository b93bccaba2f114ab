"""Text of unknown origin made safe to show."""

from __future__ import annotations

import unicodedata

_KEPT = frozenset("\n\t ")
_UNSAFE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def escape(text: str, limit: int = 2000) -> str:
    """The text with control, bidirectional, zero-width and unassigned characters written as escapes, cut to `limit`."""
    cut = text[:limit]
    harmless = cut.isascii() and cut.isprintable()
    shown = cut if harmless else "".join(_shown(character) for character in cut)
    if len(text) > limit or len(shown) > limit:
        return shown[: max(limit - 1, 0)] + "…"
    return shown


def _shown(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _UNSAFE:
        return character
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
