"""How proofs are worded and bounded."""

from __future__ import annotations

from collections.abc import Iterable

from bouts.model.proof import Counterpart, Proof
from bouts.model.text import clean, clean_line

MOST = 20
"""Proofs of one observation; what is beyond is counted in the last one."""
EXCERPT = 400
DETAIL = 600
PACKAGE = "the package has"
"""How the given version of a handed-in place is named."""


def proof(
    path: str | None,
    line: int | None,
    excerpt: str,
    detail: str,
    *,
    event: int | None = None,
    other: Counterpart | None = None,
) -> Proof:
    """A proof with everything escaped and cut. An excerpt keeps its lines; a detail is one line."""
    return Proof(
        path=clean_line(path, 300) if path is not None else None,
        line=line,
        event=event,
        excerpt=clean(excerpt, EXCERPT),
        detail=clean_line(detail, DETAIL),
        other=other,
    )


def counterpart(says: str, path: str | None, line: int | None, excerpt: str) -> Counterpart:
    """What a proof is compared with, escaped and cut."""
    return Counterpart(
        says=clean_line(says, 200),
        path=clean_line(path, 300) if path is not None else None,
        line=line,
        excerpt=clean(excerpt, EXCERPT),
    )


def bounded(proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    """The first proofs; where there are more, the last one says how many."""
    items = tuple(proofs)
    if len(items) <= MOST:
        return items
    return (*items[: MOST - 1], Proof(detail=f"{len(items) - MOST + 1} more places"))
