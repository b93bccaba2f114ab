"""Normal and Student's t distribution, to about 13 digits, from the standard library alone.

Student's t by the regularised incomplete beta function with Lentz's continued fraction (Press et al., *Numerical
Recipes*, 3rd ed., section 6.4); its quantile by Newton steps that a bracket keeps in bounds.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, lgamma, log, pi

_TINY = 1e-300
_CLOSE = 1e-16
_STEPS = 500


def normal_quantile(share: float) -> float:
    """The value that a standard normal one does not exceed with chance `share`, 0 < share < 1."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)


def t_tail(t: float, freedom: float) -> float:
    """The chance (0–1) that Student's t with `freedom` > 0 degrees lies further from 0 than `t`, on either side."""
    if t in (inf, -inf):
        return 0.0
    return beta_share(freedom / 2, 0.5, freedom / (freedom + t * t))


@lru_cache(maxsize=1024)
def t_quantile(level: float, freedom: float) -> float:
    """The value t for which −t … t holds the share `level` (0 < level < 1) of Student's t with `freedom` degrees."""
    tail = 1 - level
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > tail:
        low, high = high, 2 * high
    guess = min(max(normal_quantile(1 - tail / 2), low), high)
    size = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * pi) / 2
    for _ in range(_STEPS):
        miss = t_tail(guess, freedom) - tail
        low, high = (guess, high) if miss > 0 else (low, guess)
        slope = 2 * exp(size - (freedom + 1) / 2 * log(1 + guess * guess / freedom))
        step = guess + miss / slope
        after = step if low < step < high else (low + high) / 2
        if abs(after - guess) <= 4 * _CLOSE * abs(after):
            return after
        guess = after
    return guess


def beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b) for a, b > 0 and 0 ≤ x ≤ 1."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _kept(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / _kept(1 + even * d), _kept(1 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / _kept(1 + odd * d), _kept(1 + odd / c)
        value *= d * c
        if abs(d * c - 1) < _CLOSE * 10:
            break
    return value


def _kept(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
