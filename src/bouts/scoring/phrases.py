"""Phrases that the formulas of several policies share."""

from __future__ import annotations

from collections.abc import Mapping

from bouts.policy.parts import Anchors, MedianPanel, SeverityPoints, SeverityWeights
from bouts.scoring.exact import exact, show

STATIC = "100 · points of passed tests / points of all tests; a test passes or it does not"


def mean(weights: Mapping[str, float]) -> str:
    """`0.4·static + 0.6·build`."""
    return " + ".join(f"{show(weight, 4)}·{name.replace('_', ' ')}" for name, weight in weights.items())


def anchors(scale: Anchors) -> str:
    """A scale in words."""
    points = ", ".join(f"{show(gets)} at {show(exact(at), 4)} {scale.unit}" for at, gets in scale.points)
    return f"{points}, linear between"


def severities(w: SeverityWeights) -> str:
    """The hidden tests' score."""
    return (
        "100 · severity weight of passed tests / severity weight of all tests; weights: "
        f"critical {show(w.critical)}, high {show(w.high)}, medium {show(w.medium)}, low {show(w.low)}"
    )


def findings(s: SeverityPoints) -> str:
    """The score of security findings."""
    return (
        f"max(0, 100 − {show(s.critical)}·critical − {show(s.high)}·high "
        f"− {show(s.medium)}·medium − {show(s.low)}·low findings)"
    )


def panel(p: MedianPanel) -> str:
    """Rule R1."""
    return (
        f"three raters; spread ≤ {show(p.spread)}: median; else exactly one more than {show(p.outlier)} away from "
        f"both others: mean of those; else mean − {show(p.deduction)}, not below 0, flagged"
    )
