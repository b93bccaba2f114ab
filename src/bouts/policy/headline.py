"""Policy `headline`: the composite of all runs of an agent, the fitness radar, and repeatability. Never blended."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.policy.parts import Anchors, Count, Score, Share


class CompositeWeights(Fact):
    """Shares of the composite."""

    success: Share
    """Share of the success rate."""
    execution: Share
    """Share of execution: latency times consistency."""
    cost: Share
    """Share of the mean cost."""


class CompositeTable(Fact):
    """The headline composite, over all completed runs."""

    weights: CompositeWeights
    """Shares of its three inputs, each between 0 and 1."""
    latency: Anchors
    """Scale of the mean latency."""
    cost: Anchors
    """Scale of the mean cost."""
    consistency_runs: Count
    """Completed runs from which consistency is max(0, 1 − standard deviation / mean) of the latencies (population)."""
    neutral_consistency: Share
    """Consistency below that number of runs."""
    without_success: Score
    """The composite where no completed run succeeded."""
    decimals: Annotated[int, Field(ge=0, le=6)]
    """Decimals to which the composite is rounded, half up."""


class RadarWeights(Fact):
    """A viewer's weights, which never move the composite. An axis without a value is dropped, the rest renormalised."""

    correctness: Share
    """Share of correctness."""
    latency: Share
    """Share of latency."""
    cost: Share
    """Share of cost."""
    tool_efficiency: Share
    """Share of tool efficiency."""
    robustness: Share
    """Share of robustness."""


class RadarTable(Fact):
    """The fitness radar: five axes, each 0–100 or none."""

    runs: Count
    """Latest terminal runs (completed, failed or timeout) that are looked at."""
    weights: RadarWeights
    """Weights where the viewer sets none."""
    latency: Anchors
    """Scale of the median latency."""
    latency_runs: Count
    """Runs with a latency below which the axis is none; the median itself is still shown."""
    cost: Anchors
    """Scale of the median cost."""
    steps: Anchors
    """Scale of the median number of steps."""
    robustness_outcomes: Count
    """Known outcomes that a task needs to count for robustness: the mean over tasks of 100·|2·share passed − 1|."""


class RepeatabilityTable(Fact):
    """Repeatability: pass^k = C(c, k) / C(n, k) for c successes in n outcomes of a task."""

    levels: Annotated[tuple[int, ...], Field(min_length=1)]
    """The values of k."""
    outcomes: Count
    """Outcomes that a task needs to take part; the aggregate is the plain mean over tasks."""


class Headline(Fact):
    """The whole policy. It scores the runs of an agent, never one submission by itself."""

    name: Literal["headline"] = "headline"
    """Name by which the policy is chosen."""
    version: str
    """Version of this table. A released version is never edited."""
    title: str
    """One line that says what the policy is."""
    source: str
    """The document that the policy restates."""
    composite: CompositeTable
    """The composite."""
    radar: RadarTable
    """The fitness radar."""
    repeatability: RepeatabilityTable
    """Repeatability."""
