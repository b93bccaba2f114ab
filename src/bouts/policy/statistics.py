"""The numbers of the statistics beside scores: levels, rounds, pseudo-wins, and how much data a figure needs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.policy.parts import Count, Share


class IntervalRules(Fact):
    """Error bars of one figure."""

    level: Share
    """Confidence of every interval that is shown, 0–1."""
    clusters: Annotated[int, Field(ge=2)]
    """Challenges from which an interval is given. With fewer nothing can be said of how challenges differ."""
    few_clusters: Count
    """An interval from fewer challenges than this is marked: it rests on few."""
    bootstrap_rounds: Annotated[int, Field(ge=99)]
    """Times that challenges are drawn anew, with replacement, for figures that are no plain mean."""


class ComparisonRules(Fact):
    """The paired comparison of two agents on the tasks that both tried."""

    flips: Annotated[int, Field(ge=99)]
    """Random patterns of signs by which the difference is compared with chance."""
    exact_clusters: Annotated[int, Field(ge=1, le=16)]
    """Up to so many challenges every pattern is counted instead of some drawn at random."""
    alpha: Share
    """Chance (0–1) of calling a difference where there is none, over all comparisons that are made together."""


class RankRules(Fact):
    """Rank sets: the ranks that the data do not rule out."""

    level: Share
    """Confidence that all rank sets together hold the true ranks, 0–1."""
    rounds: Annotated[int, Field(ge=99)]
    """Random patterns of signs that give the largest difference by chance among all pairs."""


class RatingRules(Fact):
    """Bradley–Terry ratings from tasks that both agents of a pair tried."""

    pseudo_wins: Annotated[float, Field(gt=0)]
    """Wins that either agent of a pair is given before the first comparison: no rating is infinite."""
    centre: float
    """Rating in the middle of the agents."""
    points_tenfold: Annotated[float, Field(gt=0)]
    """Rating points by which an agent is ahead that wins ten times as often as it loses."""


class ItemRules(Fact):
    """Item analysis of tests and challenges."""

    respondents: Annotated[int, Field(ge=3)]
    """Agents that an item needs for a discrimination."""
    weak_discrimination: Annotated[float, Field(ge=-1, le=1)]
    """An item whose discrimination is below this hardly tells strong agents from weak ones."""
    easy: Share
    """An item that at least this share of attempts solves says little."""
    hard: Share
    """An item that at most this share of attempts solves says little."""
    irt_agents: Count
    """Agents from which the two-parameter model is fitted; it stays labelled exploratory."""
    irt_discrimination_spread: Annotated[float, Field(gt=0)]
    """Standard deviation of the prior of an item's log discrimination, centred on a discrimination of 1."""
    irt_difficulty_spread: Annotated[float, Field(gt=0)]
    """Standard deviation of the prior of an item's difficulty, centred on the middle of the abilities."""


class Statistics(Fact):
    """Every number of the statistics. None of them moves a score."""

    name: Literal["statistics"] = "statistics"
    """Name of the table."""
    version: str
    """Version of this table. A released version is never edited."""
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    """Where all random draws start: the same data give the same figures, on every machine."""
    intervals: IntervalRules
    """Error bars of one figure."""
    comparison: ComparisonRules
    """The paired comparison of two agents."""
    ranks: RankRules
    """Rank sets."""
    ratings: RatingRules
    """Bradley–Terry ratings."""
    items: ItemRules
    """Item analysis."""
