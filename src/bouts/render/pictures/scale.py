"""Axes: from values to pixels, with ticks at round numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10


@dataclass(frozen=True)
class Scale:
    """A straight axis."""

    low: float
    high: float
    start: float
    """Pixel of `low`."""
    end: float
    """Pixel of `high`."""

    def at(self, value: float) -> float:
        """The pixel of a value; what lies beyond the axis is set on its end."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * min(1.0, max(0.0, share))

    def ticks(self, most: int = 6) -> tuple[float, ...]:
        """Round values within the axis, at most `most` steps of them."""
        step = round_step((self.high - self.low) / most)
        first = ceil(self.low / step - 1e-9)
        last = floor(self.high / step + 1e-9)
        return tuple(round(step * n, 10) for n in range(first, last + 1))


def round_step(rough: float) -> float:
    """The next step of 1, 2, 2.5 or 5 times a power of ten that is not below `rough`."""
    power = 10.0 ** floor(log10(rough))
    return next(step * power for step in (1.0, 2.0, 2.5, 5.0, 10.0) if step * power >= rough * (1 - 1e-9))


def around(
    values: Iterable[float | None], *, least: float | None = None, most: float | None = None
) -> tuple[float, float]:
    """Round ends of an axis that holds all values with some air, inside `least` and `most`."""
    known = [value for value in values if value is not None]
    if not known:
        return (least if least is not None else 0.0), (most if most is not None else 1.0)
    low, high = min(known), max(known)
    spread = max(high - low, abs(high) * 0.02, 1e-6)
    step = round_step(spread * 1.1 / 5)
    low, high = floor((low - spread * 0.05) / step) * step, ceil((high + spread * 0.05) / step) * step
    if least is not None:
        low = max(low, least)
    if most is not None:
        high = min(high, most)
    return (low, high) if high > low else (low - step, high + step)


def tick(value: float) -> str:
    """A tick as it is written: with a true minus, without trailing zeros."""
    return f"{value:g}".replace("-", "−")
