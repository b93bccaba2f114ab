"""Many comparisons at once: Holm's (1979) step-down correction, which holds whatever the comparisons share."""

from __future__ import annotations

from collections.abc import Sequence


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """p-values (0–1) that may be read together, in the order of the given ones: the k-th smallest of m is multiplied by
    m − k + 1, kept from falling below a smaller one's, and cut at 1."""
    adjusted = [0.0] * len(chances)
    highest = 0.0
    for place, at in enumerate(sorted(range(len(chances)), key=lambda i: (chances[i], i))):
        highest = max(highest, min(1.0, (len(chances) - place) * chances[at]))
        adjusted[at] = highest
    return tuple(adjusted)
