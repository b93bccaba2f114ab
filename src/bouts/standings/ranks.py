"""Ranks with their tie-breaks: the higher final as shown, fewer iterations, the shorter time; else a shared rank."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from bouts.model.base import Fact, made
from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1

TieBreak = Literal["iterations", "time"]


class Entry(Fact):
    """One card that takes part. Void and held cards do not."""

    name: str
    final: float
    """0–100."""
    iterations: float | None = None
    """How often the work was handed in; over several cards, the mean."""
    seconds: float | None = None
    """Time to the final submission, in seconds; over several cards, the mean."""


class Ranked(Fact):
    """An entry with its rank."""

    rank: int
    """From 1; entries that nothing tells apart share it, and the next rank is skipped for each of them."""
    entry: Entry


def rank(
    entries: Sequence[Entry], rules: Beside = BESIDE_1, tie_breakers: Sequence[TieBreak] | None = None
) -> tuple[Ranked, ...]:
    """Entries by rank; those of one rank by name. `tie_breakers` are a challenge's own, after the final score.

    What an entry does not say counts as worse than anything said, so that nobody gains by keeping it back.
    """
    breaks = [rule for rule in rules.tie_breaks if rule != "final"] if tie_breakers is None else list(tie_breakers)

    def key(entry: Entry) -> tuple[int | tuple[bool, float], ...]:
        values = {"iterations": entry.iterations, "time": entry.seconds}
        said = [values[rule] for rule in breaks]
        # In units of the last place shown. A float's digits are read as everywhere else, but not into a fraction: of
        # a thousand entries that takes longer than all else here.
        shown = int(Decimal(repr(entry.final)).scaleb(rules.decimals).to_integral_value(ROUND_HALF_UP))
        return (-shown, *[(v is None, v or 0.0) for v in said])

    rows = sorted(((key(entry), entry.name, entry) for entry in entries), key=lambda row: row[:2])
    ranked: list[Ranked] = []
    for number, (value, _, entry) in enumerate(rows, 1):
        shared = number > 1 and rows[number - 2][0] == value
        ranked.append(made(Ranked, rank=ranked[-1].rank if shared else number, entry=entry))
    return tuple(ranked)
