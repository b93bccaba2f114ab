"""The released table of the statistics beside scores, version 1.0."""

from __future__ import annotations

from bouts.policy.statistics import (
    ComparisonRules,
    IntervalRules,
    ItemRules,
    RankRules,
    RatingRules,
    Statistics,
)

STATISTICS_1 = Statistics(
    version="1.0",
    seed=20_260_101,
    intervals=IntervalRules(level=0.95, clusters=2, few_clusters=10, bootstrap_rounds=1999),
    comparison=ComparisonRules(flips=9999, exact_clusters=13, alpha=0.05),
    ranks=RankRules(level=0.95, rounds=1999),
    ratings=RatingRules(pseudo_wins=0.5, centre=1000, points_tenfold=400),
    items=ItemRules(
        respondents=5,
        weak_discrimination=0.20,
        easy=0.95,
        hard=0.05,
        irt_agents=20,
        irt_discrimination_spread=0.5,
        irt_difficulty_spread=2,
    ),
)
"""Statistics 1.0."""
