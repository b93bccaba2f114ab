"""What policies are made of: anchors, panel rules, penalties, flags, limits. Every field states unit and meaning."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.challenge import Severity
from bouts.model.evidence import ViolationKind

Share = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[float, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=1)]


class Anchors(Fact):
    """A piecewise linear scale, flat beyond its ends."""

    unit: str
    """Unit of the measured values."""
    points: Annotated[tuple[tuple[float, Score], ...], Field(min_length=2)]
    """Measured value and the score (0–100) it gets, in rising order of the value."""
    meaning: str
    """What is measured."""


class SeverityWeights(Fact):
    """What a hidden test counts, by its severity."""

    critical: Annotated[float, Field(ge=0)]
    """Weight of a test whose failure means data loss, a breach, or that the feature does not work at all."""
    high: Annotated[float, Field(ge=0)]
    """Weight of a test whose failure means wrong results for a meaningful share of real inputs."""
    medium: Annotated[float, Field(ge=0)]
    """Weight of a test whose failure shows on uncommon but valid inputs."""
    low: Annotated[float, Field(ge=0)]
    """Weight of a test whose failure shows on pathological inputs or is cosmetic."""


class HiddenMeaning(Fact):
    """What a card says of the hidden tests' score. It moves no score."""

    fails_at: Score
    """At this score and below, code like this would fail in production within days."""
    defensive_from: Score
    """From this score on it is defensive programming."""


class SeverityPoints(Fact):
    """What a security finding costs, by its severity, in score points (0–100 scale)."""

    critical: Annotated[float, Field(ge=0)]
    """Points for each critical finding."""
    high: Annotated[float, Field(ge=0)]
    """Points for each finding of high severity."""
    medium: Annotated[float, Field(ge=0)]
    """Points for each finding of medium severity."""
    low: Annotated[float, Field(ge=0)]
    """Points for each finding of low severity."""


class WeaknessRule(Fact):
    """What one scanner rule stands for."""

    cwe: str
    """The weakness, such as `CWE-89`."""
    severity: Severity
    """Severity of the rule where the scanner gives none; counts only for a weakness that is not listed by severity."""
    confidence: Severity
    """Confidence of the rule where the scanner gives none."""


class WeaknessTable(Fact):
    """Which weakness a scanner's rule stands for and how severe a weakness is."""

    rules: dict[str, WeaknessRule]
    """By the number that bandit (`B608`) and ruff (`S608`) share."""
    ignored: dict[str, str]
    """Rule numbers that make no finding, with the reason; imports alone are among them."""
    same_as: dict[str, str]
    """A CWE that counts as another one."""
    severities: dict[str, Severity]
    """Severity by CWE. One that is not listed takes the scanner's severity, at most high."""


class MedianPanel(Fact):
    """R1: three raters of one item, reconciled by agreement, then by one clear outlier, then with a deduction."""

    rule: Literal["R1"] = "R1"
    """Name of the rule."""
    spread: Score
    """Points between the highest and the lowest mark up to which the raters agree: the median counts."""
    outlier: Score
    """A rater more than this many points away from both others is dropped, where exactly one is: mean of the two."""
    deduction: Score
    """Points taken off the mean of all three where neither holds; never below 0, and the item is flagged."""


class DistancePanel(Fact):
    """R2: three raters of one dimension, reconciled by distances from the median."""

    rule: Literal["R2"] = "R2"
    """Name of the rule."""
    spread: Score
    """Points between the highest and the lowest mark up to which the raters agree: the median counts."""
    outlier: Score
    """The rater farthest from the median is dropped only where its distance is above this many points …"""
    others: Score
    """… and the second largest distance is at most this many points: mean of the remaining two."""
    deduction: Score
    """Points taken off the mean of all three where neither holds; never below 0, and the dimension is flagged."""


class Penalty(Fact):
    """One kind of violation."""

    kind: ViolationKind
    """Name of the kind."""
    points: Annotated[float, Field(le=0)]
    """What one violation adds to the integrity modifier, in points of the final score."""
    found_by: str
    """How such a violation is found."""
    counts: Literal["once", "each"]
    """`once`: one penalty however often it was seen; `each`: one for each cause (constraint, weakness, claim)."""
    absorbed_by: tuple[ViolationKind, ...] = ()
    """Where all its proofs lie in files for which one of these counts already, the same act is not punished twice."""


class Virtue(Fact):
    """One kind of bonus."""

    kind: str
    """Name of the kind."""
    points: Annotated[float, Field(ge=0)]
    """What it adds to the integrity modifier, in points of the final score."""
    meaning: str
    """What earns it."""


class Disagreement(Fact):
    """Two judges that contradict each other send the card to a reviewer."""

    kind: str
    """Name of the flag."""
    high: Literal["objective", "process", "strategy", "integrity"]
    """The judge that is high."""
    above: float
    """Its score (0–100) must be above this."""
    low: Literal["objective", "process", "strategy", "integrity"]
    """The judge that is low."""
    below: float
    """Its score (0–100; for integrity the modifier in points) must be below this."""
    meaning: str
    """What such a contradiction may mean."""


class HoldRule(Fact):
    """One kind of flag that keeps a card off every leaderboard until a reviewer has resolved it."""

    kind: str
    """Name of the flag."""
    meaning: str
    """Why it holds."""


class TimeLimits(Fact):
    """How long each part may take, in seconds."""

    test_seconds: Annotated[float, Field(gt=0)]
    """One test; past it that test fails. A challenge may set another limit."""
    suite_seconds: Annotated[float, Field(gt=0)]
    """One suite; tests that have not finished by then fail. A challenge may set another limit."""
    objective_seconds: Annotated[float, Field(gt=0)]
    """The objective judge as a whole; past it what completed is scored and the other tests fail."""
    process_metrics_seconds: Annotated[float, Field(gt=0)]
    """Metrics of the process judge; past it what was computed counts."""
    process_model_seconds: Annotated[float, Field(gt=0)]
    """The process judge's model; one retry, then the neutral mark."""
    strategy_model_seconds: Annotated[float, Field(gt=0)]
    """One model of the strategy panel; one retry, then that model is left out."""
    strategy_seconds: Annotated[float, Field(gt=0)]
    """The strategy panel together; with two or more models left out the neutral mark counts, flagged."""
    integrity_automated_seconds: Annotated[float, Field(gt=0)]
    """The automated integrity checks; past it what finished counts."""
    integrity_model_seconds: Annotated[float, Field(gt=0)]
    """The integrity judge's model; one retry, then no bonuses, and penalties stand."""


class FaultRule(Fact):
    """What a fault of ours or of the world does to the card."""

    part: str
    """The part that failed: a fault named `strategy` or `strategy.…` is one of `strategy`."""
    effect: Literal["void", "neutral", "provisional", "ignored"]
    """`void`: the card is void; `neutral`: the judge gets the neutral mark, flagged; `provisional`: the card stands,
    flagged, until the part was run again; `ignored`: this policy makes no use of the part."""
    meaning: str
    """What could not be done."""
