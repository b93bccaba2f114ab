"""How proofs are worded and bounded."""

from __future__ import annotations

from collections.abc import Iterable

from bouts.model.evidence import Proof
from bouts.model.text import clean, clean_line

MOST = 20
"""Proofs of one observation; what is beyond is counted in the last one."""
EXCERPT = 400
DETAIL = 600


def proof(path: str | None, line: int | None, excerpt: str, detail: str) -> Proof:
    """A proof with everything escaped and cut."""
    return Proof(
        path=clean_line(path, 300) if path is not None else None,
        line=line,
        excerpt=clean(excerpt, EXCERPT),
        detail=clean(detail, DETAIL),
    )


def bounded(proofs: Iterable[Proof]) -> tuple[Proof, ...]:
    """The first proofs; where there are more, the last one says how many."""
    items = tuple(proofs)
    if len(items) <= MOST:
        return items
    return (*items[: MOST - 1], Proof(detail=f"{len(items) - MOST + 1} more places"))
