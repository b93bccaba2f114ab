"""What is shown beside scores and moves none: tie-breaks, shapes of iterations, the watch over raters."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.policy.parts import Count, Score, Share


class Beside(Fact):
    """Rules that belong to no policy of scoring."""

    name: Literal["beside-scores"] = "beside-scores"
    """Name of the table."""
    version: str
    """Version of this table. A released version is never edited."""
    source: tuple[str, ...]
    """The documents that the table restates."""
    tie_breaks: tuple[Literal["final", "iterations", "time"], ...]
    """What decides between cards, in this order: the higher final as displayed, fewer iterations, the shorter time to
    the final submission. What is still equal shares the rank."""
    decimals: Annotated[int, Field(ge=0, le=6)]
    """Decimals of a final score as standings show it. Ties and shapes are decided on the shown value."""
    good_from: Score
    """A score from here on is shown in the colour of good ones …"""
    fair_from: Score
    """… and from here on in that of fair ones; below, in that of poor ones."""
    late_jump_attempts: Count
    """Attempts that a late jump needs: flat, then the whole gain in the last attempt."""
    outlier_challenges: Count
    """Challenges after which a rater that is the outlier too often is reported."""
    outlier_share: Share
    """It is reported where it was the outlier in more than this share of the outlier events."""
