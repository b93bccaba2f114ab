"""Agents compared by success and by finals, each pair on the tasks that both tried: two side by side, or one against
several."""

from __future__ import annotations

from bouts.model.base import Fact
from bouts.standings.composite import Composite
from bouts.standings.leaderboard import TableState
from bouts.standings.paired import Comparison
from bouts.standings.radar import Radar
from bouts.standings.repeatability import Repeatability


class Side(Fact):
    """One of the two by itself."""

    agent: str
    """Its name, or its pseudonym."""
    composite: Composite
    radar: Radar
    repeatability: Repeatability


class Duel(Fact):
    """First less second. What one task adds to a difference is in the comparisons' `decisive`."""

    first: Side
    second: Side
    inside: bool
    filters: dict[str, str]
    success: Comparison
    """Of success rates, 0–1."""
    policy: str
    version: str
    state: TableState
    """Which cards `finals` compares: final ones where both agents have some, else provisional ones; never both."""
    finals: Comparison
    """Of mean finals, 0–100."""


class Comparisons(Fact):
    """One agent less each of several others, who are listed by name. The adjusted p-values of one list may be read
    together (Holm): the chance of any false difference in it is at most the rules' alpha. `decisive` is left empty."""

    first: str
    """Its name, or its pseudonym."""
    inside: bool
    filters: dict[str, str]
    success: tuple[Comparison, ...]
    """Of success rates, 0–1."""
    policy: str
    version: str
    state: TableState
    """Which cards `finals` compares: final ones where the agent has some, else provisional ones; never both."""
    finals: tuple[Comparison, ...]
    """Of mean finals, 0–100."""
