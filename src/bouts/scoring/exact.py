"""Exact numbers: rationals inside, one rounding at the edge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from operator import attrgetter

PLACES = 6
"""Decimal places of stored scores and points."""
_SCALE = 10**PLACES
ZERO = Fraction(0)
ONE = Fraction(1)
HUNDRED = Fraction(100)
Number = int | float | Fraction
_new = object.__new__
_set_top, _set_bottom = (Fraction.__dict__[slot].__set__ for slot in ("_numerator", "_denominator"))

# A card takes some hundred fractions apart and puts dozens together. The two functions below do what
# `as_integer_ratio` and `Fraction(top, bottom)` do, without a call of Python for each; a test holds them to those.
ratio_of: Callable[[Fraction], tuple[int, int]] = attrgetter("_numerator", "_denominator")
"""Top and bottom of a fraction in lowest terms."""


def rational(top: int, bottom: int) -> Fraction:
    """`top`/`bottom` in lowest terms; `bottom` is above 0."""
    common = gcd(top, bottom)
    made = _new(Fraction)
    _set_top(made, top // common)
    _set_bottom(made, bottom // common)
    return made


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
    top, bottom = ratio_of(value)
    return stored_ratio(top, bottom)


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
        a, b = ratio_of(value)
        top, bottom = (top + a, bottom) if b == bottom else (top * b + a * bottom, bottom * b)
    return rational(top, bottom)


def dot(weights: Iterable[Fraction | None], values: Iterable[Fraction | None]) -> Fraction:
    """The sum of weight times value over the pairs that have both."""
    top, bottom = 0, 1
    for weight, value in zip(weights, values, strict=True):
        if weight is not None and value is not None:
            (a, b), (c, d) = ratio_of(weight), ratio_of(value)
            top, bottom = top * b * d + a * c * bottom, bottom * b * d
    return rational(top, bottom)


def sum_of(*terms: tuple[Number, int]) -> Fraction:
    """The sum of each number times how often it counts, which may be below 0."""
    top, bottom = 0, 1
    for value, times in terms:
        a, b = ratio_of(exact(value))
        top, bottom = (top + times * a, bottom) if b == bottom else (top * b + times * a * bottom, bottom * b)
    return rational(top, bottom)


def wholes(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """The values in the largest unit in which all are whole, and how many of it make 1: exact, and quick to compare."""
    ratios = [ratio_of(value) for value in values]
    unit = lcm(*[bottom for _, bottom in ratios])
    return [top * (unit // bottom) for top, bottom in ratios], unit


def less(left: Fraction, right: Fraction) -> bool:
    """Whether `left` is below `right`; the operator does the same at five times the cost."""
    (a, b), (c, d) = ratio_of(left), ratio_of(right)
    return a * d < c * b


def product(left: Fraction, right: Fraction) -> Fraction:
    """The product; the operator does the same at twice the cost."""
    (a, b), (c, d) = ratio_of(left), ratio_of(right)
    return rational(a * c, b * d)


def headline(value: Fraction) -> int:
    """Rounded half up to an integer."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def mean(values: Iterable[Fraction]) -> Fraction | None:
    """The plain mean, or `None` of nothing."""
    rows = tuple(values)
    if not rows:
        return None
    top, bottom = ratio_of(add(rows))
    return rational(top, bottom * len(rows))


def clamp(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """`value`, moved into `low` … `high`."""
    return at_most(at_least(value, low), high)


def at_least(value: Fraction, low: Fraction) -> Fraction:
    """The greater of the two."""
    return low if less(value, low) else value


def at_most(value: Fraction, high: Fraction) -> Fraction:
    """The lesser of the two."""
    return high if less(high, value) else value


def show(value: Number, places: int = 2) -> str:
    """For sentences and formulas: rounded half up, without trailing zeros, `−` before a negative number."""
    if type(value) is not Fraction:
        return _shown_number(value, places)
    top, bottom = ratio_of(value)
    return show_ratio(top, bottom, places)


@lru_cache(maxsize=8192)
def _shown_number(value: Number, places: int) -> str:
    return show_ratio(*ratio_of(exact(value)), places)


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
