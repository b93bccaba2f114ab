"""An item analysis with what it is of."""

from __future__ import annotations

from typing import Literal

from bouts.model.base import Fact
from bouts.standings.items import ItemReport


class Itemised(Fact):
    """Item analysis of challenges, or of the tests of one."""

    kind: Literal["challenges", "tests"]
    task: str | None
    """The challenge's package, where the items are its tests; the one that was run last."""
    other_packages: int
    """Other versions of the package that there are cards of; they are left out."""
    cards: int
    """Cards that the tests' outcomes come from; 0 for challenges."""
    without_evidence: int
    """Cards left out, as their evidence is not at hand."""
    report: ItemReport
