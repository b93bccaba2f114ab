"""The released table of policy `headline`, version 2026-07-zero-success-v1. Every number of it is stated here once."""

from __future__ import annotations

from bouts.policy.headline import (
    CompositeTable,
    CompositeWeights,
    Headline,
    RadarTable,
    RadarWeights,
    RepeatabilityTable,
)
from bouts.policy.parts import Anchors

_LATENCY = ((500, 100), (2000, 80), (5000, 50), (10000, 0))
_COST = ((0.001, 100), (0.01, 80), (0.05, 50), (0.10, 20), (0.20, 0))

HEADLINE_2026_07 = Headline(
    version="2026-07-zero-success-v1",
    title="Composite of success, execution and cost over all runs of an agent; fitness radar; repeatability",
    source="How scores are built",
    composite=CompositeTable(
        weights=CompositeWeights(success=0.40, execution=0.30, cost=0.30),
        latency=Anchors(unit="ms", points=_LATENCY, meaning="mean latency of the completed runs"),
        cost=Anchors(unit="US dollars", points=_COST, meaning="mean cost of the completed runs"),
        consistency_runs=5,
        neutral_consistency=1,
        without_success=0,
        decimals=2,
    ),
    radar=RadarTable(
        runs=100,
        weights=RadarWeights(correctness=0.20, latency=0.20, cost=0.20, tool_efficiency=0.20, robustness=0.20),
        latency=Anchors(unit="ms", points=_LATENCY, meaning="median latency of the latest runs"),
        latency_runs=5,
        cost=Anchors(unit="US dollars", points=_COST, meaning="median cost of the latest runs"),
        steps=Anchors(
            unit="steps",
            points=((5, 100), (10, 80), (20, 50), (40, 20), (80, 0)),
            meaning="median number of steps of the latest runs",
        ),
        robustness_outcomes=2,
    ),
    repeatability=RepeatabilityTable(levels=(1, 3, 5), outcomes=3),
)
"""Policy `headline` 2026-07-zero-success-v1."""
