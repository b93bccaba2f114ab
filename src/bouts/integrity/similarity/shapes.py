"""What a reader makes of source code: shapes that survive renaming, with the lines that they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

LANGUAGES = ("python", "javascript", "typescript", "go", "rust", "text")
"""Languages by which shapes are told apart; `text` is what cannot be parsed."""


class Shape(NamedTuple):
    """One normalised statement, call or expression."""

    key: int
    """Digest of the normal form, 63 bits."""
    first: int
    """First line, from 1."""
    last: int


class Token(NamedTuple):
    """One step of the normalised sequence that copies of a part are found by."""

    key: int
    line: int


@dataclass(frozen=True)
class Print:
    """A fingerprint: the digest of a run of tokens that winnowing chose, and the lines that it covers."""

    key: int
    first: int
    last: int


@dataclass(frozen=True)
class Reading:
    """One file as shapes. `partial` says in words what of it could not be read."""

    path: str
    language: str
    shapes: tuple[Shape, ...]
    prints: tuple[Print, ...]
    partial: str = ""


@dataclass(frozen=True)
class Bag:
    """A whole submission, ready for comparison: how often each shape occurs, and which fingerprints do."""

    shapes: dict[int, int]
    prints: frozenset[int]


@lru_cache(maxsize=1 << 16)
def key(text: str) -> int:
    """The digest of a normal form: 63 bits, the same on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


def bag(readings: Iterable[Reading], given: Bag | None = None) -> Bag:
    """All files of a submission as one bag, without what was given out: of each shape, as many as it gave."""
    shapes: Counter[int] = Counter()
    prints: set[int] = set()
    for reading in readings:
        shapes.update([shape.key for shape in reading.shapes])
        prints.update([one.key for one in reading.prints])
    if given is not None:
        for one, count in given.shapes.items():
            if one in shapes:
                shapes[one] -= count
        prints -= given.prints
    return Bag({one: count for one, count in shapes.items() if count > 0}, frozenset(prints))
