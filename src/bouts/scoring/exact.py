"""Exact numbers: rationals inside, one rounding at the edge."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

PLACES = 6
"""Decimal places of stored scores and points."""
_SCALE = 10**PLACES
ZERO = Fraction(0)
HUNDRED = Fraction(100)
Number = int | float | Fraction


@lru_cache(maxsize=8192)
def exact(value: Number) -> Fraction:
    """The rational that a number's decimal digits say: 0.1 is one tenth."""
    return Fraction(value) if isinstance(value, (int, Fraction)) else Fraction(repr(value))


def half_up(value: Fraction, places: int = 0) -> Fraction:
    """Rounded to `places` decimals; a half goes up, towards plus infinity."""
    scale = 10**places
    scaled = value * scale
    return Fraction((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator), scale)


def stored(value: Fraction) -> float:
    """The number as a card keeps it: rounded half up to `PLACES` decimals."""
    top, bottom = value.numerator * _SCALE, value.denominator
    return ((2 * top + bottom) // (2 * bottom)) / _SCALE


def headline(value: Fraction) -> int:
    """Rounded half up to an integer."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def mean(values: Iterable[Fraction]) -> Fraction | None:
    """The plain mean, or `None` of nothing."""
    rows = tuple(values)
    return sum(rows, ZERO) / len(rows) if rows else None


def clamp(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """`value`, moved into `low` … `high`."""
    return max(low, min(high, value))


def show(value: Number, places: int = 2) -> str:
    """For sentences and formulas: rounded half up, without trailing zeros, `−` before a negative number."""
    number = value if isinstance(value, Fraction) else exact(value)
    scale = 10**places
    top, bottom = number.numerator * scale, number.denominator
    scaled = (2 * top + bottom) // (2 * bottom)
    sign, scaled = ("−", -scaled) if scaled < 0 else ("", scaled)
    whole, part = divmod(scaled, scale)
    digits = f"{part:0{places}}".rstrip("0") if part else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"
