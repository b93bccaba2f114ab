"""Systems of linear equations with a symmetric positive definite matrix, by Cholesky's factor."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from operator import mul
from typing import NamedTuple


class Factor(NamedTuple):
    """The lower triangular factor L of L·Lᵀ."""

    lower: list[list[float]]
    """Row by row up to the diagonal."""
    upper: list[list[float]]
    """Its transpose: row by row from the diagonal on."""

    def solve(self, right: Sequence[float]) -> list[float]:
        """x with L·Lᵀ·x = right."""
        half: list[float] = []
        for row, value in zip(self.lower, right, strict=True):
            half.append((value - sum(map(mul, row, half))) / row[-1])
        found: list[float] = []
        for row, value in zip(reversed(self.upper), reversed(half), strict=True):
            # `found` runs from the last unknown backwards, as does the reversed rest of the row.
            found.append((value - sum(map(mul, reversed(row), found))) / row[0])
        return found[::-1]


def factor(matrix: Sequence[Sequence[float]]) -> Factor:
    """The factor. Raises `ValueError` where the matrix is not positive definite."""
    lower: list[list[float]] = []
    for at, row in enumerate(matrix):
        made: list[float] = []
        for other in range(at):
            above = lower[other]
            made.append((row[other] - sum(map(mul, made, above))) / above[other])
        square = row[at] - sum(map(mul, made, made))
        if square <= 0:
            raise ValueError("the matrix is not positive definite")
        made.append(sqrt(square))
        lower.append(made)
    upper = [[lower[i][at] for i in range(at, len(lower))] for at in range(len(lower))]
    return Factor(lower, upper)
