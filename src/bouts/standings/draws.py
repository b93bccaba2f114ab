"""Random draws that are values: the same seed gives the same draws on every machine and in every version.

The stream is SHAKE-256 over a purpose and a seed. No generator of a library promises as much, and a leaderboard that
changes with an upgrade would be no record.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import shake_256
from typing import TypeVar

_N = TypeVar("_N", int, float)
_WORD = 4
_SHARE = 32
"""A draw among n is off an even chance by less than n in 2^32."""
_BITS = 8


def stream(purpose: str, seed: int, length: int) -> bytes:
    """`length` random bytes. Different purposes give streams that know nothing of each other."""
    return shake_256(f"bouts {purpose} {seed}".encode()).digest(length)


def sign_patterns(purpose: str, seed: int, clusters: int, rounds: int) -> Iterator[bytes]:
    """For each round one random bit a cluster, eight to a byte, the lowest first. Bits behind the last are random."""
    width = -(-clusters // _BITS)
    data = stream(purpose, seed, width * rounds)
    return (data[at : at + width] for at in range(0, width * rounds, width))


def resamples(purpose: str, seed: int, clusters: int, rounds: int) -> Iterator[list[int]]:
    """For each round as many numbers below `clusters` as there are clusters, drawn with replacement."""
    data = stream(purpose, seed, _WORD * clusters * rounds)
    for words in struct.iter_unpack(f"<{clusters}I", data):
        yield [word * clusters >> _SHARE for word in words]


def subset_sums(values: Sequence[_N], zero: _N) -> list[list[_N]]:
    """One table for each eight values: the sum of those whose bits are set, by the byte of a sign pattern. The sum over
    a pattern is then one look-up for eight clusters."""
    tables: list[list[_N]] = []
    for at in range(0, len(values), _BITS):
        sums = [zero]
        for value in (*values[at : at + _BITS], *[zero] * _BITS)[:_BITS]:
            sums += [total + value for total in sums]
        tables.append(sums)
    return tables
