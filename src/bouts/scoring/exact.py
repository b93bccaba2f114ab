"""Exact numbers: rationals inside, one rounding at the edge."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

PLACES = 6
"""Decimal places of stored scores and points."""
_SCALE = 10**PLACES
ZERO = Fraction(0)
ONE = Fraction(1)
HUNDRED = Fraction(100)
Number = int | float | Fraction


def exact(value: Number) -> Fraction:
    """The rational that a number's decimal digits say: 0.1 is one tenth."""
    # Fractions are not looked up, as hashing one takes long, nor found by `isinstance`, which is slow for them.
    return value if type(value) is Fraction else _exact(value)


@lru_cache(maxsize=8192)
def _exact(value: Number) -> Fraction:
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def half_up(value: Fraction, places: int = 0) -> Fraction:
    """Rounded to `places` decimals; a half goes up, towards plus infinity."""
    scale = 10**places
    scaled = value * scale
    return Fraction((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator), scale)


def stored(value: Fraction) -> float:
    """The number as a card keeps it: rounded half up to `PLACES` decimals."""
    return stored_ratio(*value.as_integer_ratio())


def ratio(top: int, bottom: int) -> float:
    """`top`/`bottom` as a card keeps it; `bottom` is above 0, and the two may have a common divisor."""
    return ((2 * top * _SCALE + bottom) // (2 * bottom)) / _SCALE


stored_ratio = lru_cache(maxsize=8192)(ratio)
"""The same for numbers that come again, as shares and marks do."""


def add(values: Iterable[Fraction]) -> Fraction:
    """The sum."""
    # One reduction to lowest terms in the end, where fractions would make one at each step; so in `dot`.
    top, bottom = 0, 1
    for value in values:
        a, b = value.as_integer_ratio()
        top, bottom = (top + a, bottom) if b == bottom else (top * b + a * bottom, bottom * b)
    return Fraction(top, bottom)


def dot(weights: Iterable[Fraction | None], values: Iterable[Fraction | None]) -> Fraction:
    """The sum of weight times value over the pairs that have both."""
    top, bottom = 0, 1
    for weight, value in zip(weights, values, strict=True):
        if weight is not None and value is not None:
            (a, b), (c, d) = weight.as_integer_ratio(), value.as_integer_ratio()
            top, bottom = top * b * d + a * c * bottom, bottom * b * d
    return Fraction(top, bottom)


def sum_of(*terms: tuple[Number, int]) -> Fraction:
    """The sum of each number times how often it counts, which may be below 0."""
    top, bottom = 0, 1
    for value, times in terms:
        a, b = exact(value).as_integer_ratio()
        top, bottom = (top + times * a, bottom) if b == bottom else (top * b + times * a * bottom, bottom * b)
    return Fraction(top, bottom)


def headline(value: Fraction) -> int:
    """Rounded half up to an integer."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def mean(values: Iterable[Fraction]) -> Fraction | None:
    """The plain mean, or `None` of nothing."""
    rows = tuple(values)
    return add(rows) / len(rows) if rows else None


def clamp(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """`value`, moved into `low` … `high`."""
    return max(low, min(high, value))


def show(value: Number, places: int = 2) -> str:
    """For sentences and formulas: rounded half up, without trailing zeros, `−` before a negative number."""
    return show_ratio(*value.as_integer_ratio(), places) if type(value) is Fraction else _shown_number(value, places)


@lru_cache(maxsize=8192)
def _shown_number(value: Number, places: int) -> str:
    return show_ratio(*exact(value).as_integer_ratio(), places)


@lru_cache(maxsize=8192)
def show_ratio(top: int, bottom: int, places: int = 2) -> str:
    """`top`/`bottom` as `show` shows it; `bottom` is above 0, and the two may have a common divisor."""
    if bottom == 1:
        return f"−{-top}" if top < 0 else str(top)
    scale = 10**places
    scaled = (2 * top * scale + bottom) // (2 * bottom)
    sign, scaled = ("−", -scaled) if scaled < 0 else ("", scaled)
    whole, part = divmod(scaled, scale)
    digits = f"{part:0{places}}".rstrip("0") if part else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"
