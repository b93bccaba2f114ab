"""Figures of standings as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bouts.render import numbers
from bouts.render.columns import name
from bouts.render.terminal import EMPTY, FULL
from bouts.standings.estimates import Interval
from bouts.standings.trajectories import Trajectory

SHORT = 12
"""Characters of a digest that name a card."""


def interval(bar: Interval | None, *, few: bool = False, factor: float = 1) -> str:
    """`79.1–88.0`, with an asterisk where it rests on few challenges; a dash where there is none."""
    if bar is None:
        return "–"
    return f"{numbers.score(bar.low * factor)}–{numbers.score(bar.high * factor)}{'*' if few else ''}"


def difference(bar: Interval | None, factor: float = 1) -> str:
    """`[−1.3, +9.9]`; a dash where there is none."""
    if bar is None:
        return "–"
    return f"[{true(numbers.signed(bar.low * factor))}, {true(numbers.signed(bar.high * factor))}]"


def true(text: str) -> str:
    """A signed number with a true minus."""
    return text.replace("-", "−")


def span(low: int | None, high: int | None) -> str:
    """The ranks that are not ruled out: `2–4`, `1`, or a dash."""
    if low is None or high is None:
        return "–"
    return str(low) if low == high else f"{low}–{high}"


def percent(share: float | None) -> str:
    """A share (0–1) in percent to one decimal; a dash where there is none."""
    return "–" if share is None else f"{numbers.score(100 * share)} %"


def composite(value: float | None) -> str:
    """A composite to two decimals; a dash where there is none."""
    return "–" if value is None else str(numbers.rounded(value, 2))


def short(digest: str) -> str:
    """The beginning of a digest."""
    return digest.removeprefix("sha256:")[:SHORT]


def asked(filters: Mapping[str, str], *, inside: bool) -> str:
    """What was asked for: filters, and the side of the budgets."""
    said = [f"{key} {name(value)}" for key, value in filters.items()]
    return " · ".join([*said, *([] if inside else ["runs outside the challenges' budgets"])])


def course(row: Trajectory) -> str:
    """How a trajectory went, with what that means where it is pointed out."""
    return f"{row.shape}: {row.meaning}" if row.pointed_out else row.shape


def many(count: int, one: str, several: str = "") -> str:
    """`1 card`, `3 cards`."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def tasks(names: Iterable[str]) -> dict[str, str]:
    """What tasks are called: without the digest of their package, where that leaves them apart."""
    found: dict[str, list[str]] = {}
    for task in dict.fromkeys(names):
        head, sign, rest = task.partition("+")
        _, mark, instance = rest.partition("#")
        found.setdefault(f"{head}{mark}{instance}" if sign else task, []).append(task)
    return {task: short if len(rows) == 1 else task for short, rows in found.items() for task in rows}


def chance(value: float | None) -> str:
    """A p-value: `p = 0.031`, `p < 0.001`."""
    if value is None:
        return "–"
    return "p < 0.001" if value < 0.001 else f"p = {numbers.rounded(value, 3)}"


def bar(value: float, low: float, high: float, cells: int) -> str:
    """Where a value lies between two ends, in so many cells of blocks."""
    share = min(1.0, max(0.0, (value - low) / (high - low)))
    full = round(share * cells)
    return FULL * full + EMPTY * (cells - full)


def whisker(value: float | None, ends: Interval | None, axis: tuple[float, float], cells: int) -> str:
    """A value and its interval as one row of a forest plot: `  ├──●──┤  `."""
    low, high = axis
    if value is None or cells < 1 or high <= low:
        return " " * max(0, cells)

    def at(number: float) -> int:
        return min(cells - 1, max(0, round((number - low) / (high - low) * (cells - 1))))

    row = [" "] * cells
    if ends is not None:
        for place in range(at(ends.low), at(ends.high) + 1):
            row[place] = "─"
        row[at(ends.low)], row[at(ends.high)] = "├", "┤"
    row[at(value)] = "●"
    return "".join(row)


_LEVELS = "▁▂▃▄▅▆▇█"


def spark(counts: Sequence[int]) -> str:
    """Counts as a row of bars, the highest one full; a blank where there is nothing."""
    top = max(counts, default=0)
    return "".join(" " if not count else _LEVELS[max(0, -(-count * 8 // top) - 1)] for count in counts)
