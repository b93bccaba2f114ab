"""Numbers as people read them: rounded half up, only here, never before."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

LONG_SECONDS = 120
"""From here on a duration is shown in minutes."""


def rounded(value: float, places: int) -> Decimal:
    """`value`, read by its decimal digits, rounded half up (away from zero)."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def score(value: float | None) -> str:
    """A score to one decimal, or a dash where there is none."""
    return "–" if value is None else str(rounded(value, 1) or "0.0")


def signed(value: float | None) -> str:
    """Points with their sign, such as `+3.0`; a dash where there are none."""
    if value is None:
        return "–"
    number = rounded(value, 1)
    return f"{number:+}" if number else "0.0"


def weight(value: float | None) -> str:
    """A weight to three decimals without trailing zeros, at least two: `0.50`, `0.643`."""
    if value is None:
        return ""
    text = str(rounded(value, 3))
    return text[:-1] if text.endswith("0") else text


def seconds(value: float | None) -> str:
    """A duration for people: `12 ms`, `3.4 s`, `2 min 5 s`."""
    if value is None:
        return "–"
    if rounded(value, 3) < 1:
        return f"{rounded(value * 1000, 0)} ms"
    if rounded(value, 1) < LONG_SECONDS:
        return f"{rounded(value, 1)} s"
    whole = int(rounded(value, 0))
    return f"{whole // 60} min {whole % 60} s"


def plain(value: float) -> str:
    """A number of a policy as it is written: `0.4`, `25`, `99.9`."""
    return str(int(value)) if value == int(value) else repr(value)
