"""Square roots without rounding errors: a number is rounded by deciding exactly on which side of a half it lies."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import NamedTuple


class Rooted(NamedTuple):
    """The number `rational − √radicand`; with a radicand of 0 it is rational."""

    rational: Fraction
    radicand: Fraction = Fraction(0)
    """Not below 0."""

    def times(self, factor: Fraction) -> Rooted:
        """The number times a factor that is not below 0."""
        return Rooted(self.rational * factor, self.radicand * factor * factor)

    def plus(self, other: Fraction) -> Rooted:
        """The number and a rational."""
        return Rooted(self.rational + other, self.radicand)

    def half_up(self, places: int) -> Fraction:
        """Rounded to `places` decimals; a half goes up, towards plus infinity."""
        scale = 10**places
        return Fraction(_floor(self.times(Fraction(scale)).plus(Fraction(1, 2))), scale)


def _floor(number: Rooted) -> int:
    """The largest whole number that is not above `rational − √radicand`."""
    top, radicand = number
    # √(n/d) = √(n·d)/d, and isqrt is off by less than 1: the guess is off by at most 2.
    root = Fraction(isqrt(radicand.numerator * radicand.denominator), radicand.denominator)
    guess = (top - root).__floor__() + 1
    while not _at_most(guess, top, radicand):
        guess -= 1
    return guess


def _at_most(whole: int, top: Fraction, radicand: Fraction) -> bool:
    """Whether `whole` ≤ top − √radicand."""
    room = top - whole
    return room >= 0 and radicand <= room * room
