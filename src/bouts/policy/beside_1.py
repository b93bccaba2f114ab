"""The released table of what is shown beside scores, version 1.0."""

from __future__ import annotations

from bouts.policy.beside import Beside

BESIDE_1 = Beside(
    version="1.0",
    source=("Scoring Engine Design", "Four-Judge Stack"),
    tie_breaks=("final", "iterations", "time"),
    decimals=1,
    good_from=75,
    fair_from=50,
    late_jump_attempts=3,
    outlier_challenges=50,
    outlier_share=0.50,
)
"""Beside scores 1.0."""
