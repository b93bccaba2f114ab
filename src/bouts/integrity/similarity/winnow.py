"""Winnowing: of all runs of `RUN` tokens, some that every long enough common part must share.

In each window of `WINDOW` runs the smallest digest is chosen, the last one where it occurs twice. Two texts that have
`RUN + WINDOW - 1` tokens in common, in order, share at least one fingerprint.
"""

from __future__ import annotations

from collections.abc import Sequence

from bouts.integrity.similarity.shapes import Print, Token

RUN = 12
WINDOW = 6
_MODULUS = (1 << 61) - 1
_BASE = 1_000_003


def winnow(tokens: Sequence[Token], run: int = RUN, window: int = WINDOW) -> tuple[Print, ...]:
    """The fingerprints of a sequence, in order. Fewer tokens than `run` have none."""
    hashes = _rolling([token.key for token in tokens], run)
    if not hashes:
        return ()
    chosen: list[int] = []
    width = min(window, len(hashes))
    place = -1
    for end in range(width, len(hashes) + 1):
        start = end - width
        if place < start:
            place = min(range(start, end), key=lambda i: (hashes[i], -i))
            chosen.append(place)
        elif hashes[end - 1] <= hashes[place]:
            place = end - 1
            chosen.append(place)
    return tuple(Print(hashes[i], tokens[i].line, max(t.line for t in tokens[i : i + run])) for i in chosen)


def _rolling(keys: Sequence[int], run: int) -> list[int]:
    if len(keys) < run:
        return []
    top = pow(_BASE, run, _MODULUS)
    value = 0
    made: list[int] = []
    for position, one in enumerate(keys):
        value = (value * _BASE + one) % _MODULUS
        if position >= run:
            value = (value - keys[position - run] * top) % _MODULUS
        if position >= run - 1:
            # Mixed, so that the smallest digest does not prefer some tokens.
            made.append((value * 0x9E3779B97F4A7C15) & ((1 << 62) - 1))
    return made
