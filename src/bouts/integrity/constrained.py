"""Declared constraints that are not kept: one observation for each constraint, with its places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bouts.integrity.proofs import PACKAGE, bounded, counterpart, proof
from bouts.model.constraints import Constraint
from bouts.model.evidence import Observation, Proof
from bouts.model.scanning import BrokenConstraint
from bouts.model.text import clean_line


def constraint_violations(
    constraints: Sequence[Constraint], broken: Iterable[BrokenConstraint]
) -> tuple[Observation, ...]:
    """Each constraint counts once, however many places break it."""
    places: dict[int, list[Proof]] = {}
    for item in broken:
        other = None
        if item.given_line is not None:
            other = counterpart(PACKAGE, item.path, item.given_line, item.given_excerpt)
        found = proof(item.path, item.line, item.excerpt, item.detail, other=other)
        places.setdefault(item.constraint, []).append(found)
    return tuple(
        Observation(
            kind="constraint_violated",
            because=clean_line(f"not kept: {constraints[number].says}", 300),
            proofs=bounded(proofs),
        )
        for number, proofs in sorted(places.items())
        if number < len(constraints)
    )
