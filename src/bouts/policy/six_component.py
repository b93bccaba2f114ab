"""Policy `six-component`: tests, hidden tests, code quality, deliverables, security and stability."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.evidence import ViolationKind
from bouts.policy.parts import (
    FaultRule,
    HiddenMeaning,
    HoldRule,
    MedianPanel,
    Score,
    SeverityPoints,
    SeverityWeights,
    Share,
    WeaknessTable,
)


class ComponentWeights(Fact):
    """Shares of the final score. They add up to 1."""

    static: Share
    """Share of the visible tests."""
    adversarial: Share
    """Share of the hidden tests."""
    code_quality: Share
    """Share of code quality."""
    deliverables: Share
    """Share of the written parts."""
    security: Share
    """Share of security."""
    stability: Share
    """Share of stability."""


class QualityWeights(Fact):
    """Shares of the four dimensions in one rater's total for code quality."""

    readability: Share
    """Share of readability: names, formatting, comments that say why, clear control flow."""
    architecture: Share
    """Share of architecture: right level of abstraction, concerns apart, no duplication, testable parts."""
    robustness: Share
    """Share of robustness: validation, explicit errors, no unchecked absence, types, resources given back."""
    idiomaticity: Share
    """Share of idiomaticity: the language and its frameworks used as they are meant to be."""


class QualityTable(Fact):
    """Code quality: a panel of three raters."""

    weights: QualityWeights
    """Shares of the dimensions in a rater's total."""
    panel: MedianPanel
    """How the three raters' totals are reconciled."""


class DeliverableWeights(Fact):
    """Shares of the four dimensions in one rater's total for one deliverable."""

    accuracy: Share
    """Share of accuracy: it matches what is really there."""
    clarity: Share
    """Share of clarity: a newcomer would understand it."""
    completeness: Share
    """Share of completeness: nothing that was asked for is missing or trivial."""
    actionability: Share
    """Share of actionability: recommendations that can be carried out as they stand."""


class DeliverableTable(Fact):
    """Written parts. Their length is no criterion."""

    weights: DeliverableWeights
    """Shares of the dimensions in a rater's total."""
    panel: MedianPanel
    """How the three raters' totals for one deliverable are reconciled."""
    missing: Score
    """Score of a deliverable that was not handed in."""
    placeholder: Score
    """Score of a deliverable with nothing in it but TODO, filler or template text."""


class DependencyLevels(Fact):
    """Severity of a known-vulnerable dependency by its CVSS base score (0–10); below `medium` it is low."""

    critical: Annotated[float, Field(ge=0, le=10)]
    """Critical from this CVSS score on."""
    high: Annotated[float, Field(ge=0, le=10)]
    """High from this CVSS score on."""
    medium: Annotated[float, Field(ge=0, le=10)]
    """Medium from this CVSS score on."""


class SecurityTable(Fact):
    """Security, from the scanners' findings that are new against the given codebase."""

    points: SeverityPoints
    """What a finding costs, from 100 down to 0."""
    weaknesses: WeaknessTable
    """Which weakness a scanner's rule stands for, and its severity."""
    dependencies: DependencyLevels
    """Severity of known-vulnerable dependencies."""
    critical_cap: Score
    """With one or more critical findings the final score is at most this; the cap is a line of its own."""


class StabilityTable(Fact):
    """Stability of the run."""

    crashed: Score
    """Score where the run crashed: memory used up, segmentation fault, uncaught exception, time limit, dead worker."""
    warned: Score
    """Score where nothing crashed, but a warning was given: deprecation, unhandled rejection, leaked resource."""
    clean: Score
    """Score of a run with neither."""


class StaticMix(Fact):
    """What a static suite should be made of. Aims for authors; they move no score."""

    functionality: Share
    """Share of tests of the core feature and its contracts."""
    edge: Share
    """Share of tests of empty, boundary and missing inputs."""
    integration: Share
    """Share of tests of components together."""


class AdversarialMix(Fact):
    """What an adversarial suite should be made of. Aims for authors; they move no score."""

    written: Share
    """Share of tests written ahead, from known attack patterns."""
    generated: Share
    """Share of tests generated from reading the submitted code."""


class SixComponent(Fact):
    """The whole policy: every number that moves a score under it."""

    name: Literal["six-component"] = "six-component"
    """Name by which the policy is chosen."""
    version: str
    """Version of this table. A released version is never edited."""
    title: str
    """One line that says what the policy is."""
    source: str
    """The document that the policy restates."""
    weights: ComponentWeights
    """Shares of the six components."""
    severity_weights: SeverityWeights
    """What a hidden test counts, by severity."""
    hidden_meaning: HiddenMeaning
    """What the hidden tests' score means, in words."""
    code_quality: QualityTable
    """Code quality."""
    deliverables: DeliverableTable
    """Written parts."""
    security: SecurityTable
    """Security."""
    stability: StabilityTable
    """Stability."""
    lowest: float
    """The final score is at least this."""
    highest: float
    """The final score is at most this."""
    neutral: Score
    """Score of a panel whose configured models failed; flagged, card provisional."""
    holds: tuple[HoldRule, ...]
    """Kinds of flag that hold the card; every other kind informs only."""
    severe: tuple[ViolationKind, ...]
    """Violations that hold the card for a review. Violations cost no points under this policy."""
    faults: tuple[FaultRule, ...]
    """What a fault of ours does, by part; a part that is not listed makes the card void."""
    second_hidden_run: bool
    """Whether hidden suites run again in an environment that looks different; a test must pass in both."""
    test_seconds: Annotated[float, Field(gt=0)]
    """Limit of one test in seconds; past it that test fails. A challenge may set another limit."""
    static_mix: StaticMix
    """What a static suite should be made of."""
    adversarial_mix: AdversarialMix
    """What an adversarial suite should be made of."""
