"""The shape of an agent's attempts, shown beside the score and no part of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1
from bouts.scoring.exact import exact, half_up, show

Shape = Literal["one-shot", "rising", "regression", "late-jump"]
MEANINGS: dict[Shape, str] = {
    "one-shot": "one attempt",
    "rising": "no attempt was worse than the one before",
    "regression": "a later attempt was worse than the one before",
    "late-jump": "nothing gained until the last attempt, which gained it all: this may be trial and error",
}
POINTED_OUT: frozenset[Shape] = frozenset({"regression", "late-jump"})
"""Shapes that a reader is made aware of."""


def shape(scores: Sequence[float], rules: Beside = BESIDE_1) -> Shape | None:
    """The shape of the final scores (0–100) of all attempts, in order, as they are shown; `None` with no attempt."""
    rows = [half_up(exact(score), rules.decimals) for score in scores]
    if len(rows) < 2:
        return "one-shot" if rows else None
    if any(after < before for before, after in pairwise(rows)):
        return "regression"
    flat = len(set(rows[:-1])) == 1
    if len(rows) >= rules.late_jump_attempts and flat and rows[-1] > rows[-2]:
        return "late-jump"
    return "rising"


def trajectory(scores: Sequence[float], rules: Beside = BESIDE_1) -> str:
    """`[60 → 72 → 78 → 85]`."""
    return f"[{' → '.join(show(exact(score), rules.decimals) for score in scores)}]"
