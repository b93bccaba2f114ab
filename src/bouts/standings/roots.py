"""Square roots without rounding errors: a number is rounded by deciding exactly on which side of a half it lies."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from bouts.scoring.exact import product, ratio_of


class Rooted(NamedTuple):
    """The number `rational − √radicand`; with a radicand of 0 it is rational."""

    rational: Fraction
    radicand: Fraction = Fraction(0)
    """Not below 0."""

    def times(self, factor: Fraction) -> Rooted:
        """The number times a factor that is not below 0."""
        return Rooted(product(self.rational, factor), product(self.radicand, product(factor, factor)))

    def plus(self, other: Fraction) -> Rooted:
        """The number and a rational."""
        return Rooted(self.rational + other, self.radicand)

    def half_up(self, places: int) -> Fraction:
        """Rounded to `places` decimals; a half goes up, towards plus infinity."""
        scale = 10**places
        (a, b), (c, d) = ratio_of(self.rational), ratio_of(self.radicand)
        # scale·(a/b − √(c/d)) + 1/2 = (p − √q)/(2·b·d) in whole numbers, and m is at most that where √q ≤ p − 2·b·d·m,
        # which is so where the next whole number from √q on is.
        p, q = (2 * scale * a + b) * d, 4 * b * b * scale * scale * c * d
        above = isqrt(q - 1) + 1 if q else 0
        return Fraction((p - above) // (2 * b * d), scale)
