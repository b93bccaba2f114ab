"""Policy `four-judge`: objective, process, strategy, and integrity as a modifier."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.evidence import MetricName
from bouts.policy.parts import (
    Anchors,
    Disagreement,
    DistancePanel,
    FaultRule,
    HiddenMeaning,
    HoldRule,
    Penalty,
    Score,
    SeverityPoints,
    SeverityWeights,
    Share,
    TimeLimits,
    Virtue,
    WeaknessTable,
)
from bouts.policy.process import ProcessTable


class JudgeWeights(Fact):
    """Shares of the final score. They add up to 0.90 on purpose: the integrity modifier is the rest."""

    objective: Share
    """Share of the objective judge."""
    process: Share
    """Share of the process judge."""
    strategy: Share
    """Share of the strategy judge."""


class ObjectiveWeights(Fact):
    """Shares of the objective score."""

    static: Share
    """Share of the visible tests."""
    adversarial: Share
    """Share of the hidden tests."""
    build: Share
    """Share of build health."""
    performance_security: Share
    """Share of performance and security together."""


class HalfWeights(Fact):
    """Shares of performance and security in their common line."""

    performance: Share
    """Share of performance."""
    security: Share
    """Share of security."""


class BuildPoints(Fact):
    """What each check of build health adds, in score points; a check that failed or is missing adds 0."""

    compiles: Score
    """Every source file compiles."""
    lint: Score
    """No violation of the rule list that the given codebase does not have already."""
    starts: Score
    """The code starts at its boundary: modules import, the service answers, the command runs."""
    exceptions: Score
    """No exception escaped from a thread, task or exit hook while the suites ran."""


class ObjectiveTable(Fact):
    """The objective judge. No model takes part in it."""

    weights: ObjectiveWeights
    """Shares of its four parts."""
    severity_weights: SeverityWeights
    """What a hidden test counts, by severity."""
    hidden_meaning: HiddenMeaning
    """What the hidden tests' score means, in words."""
    build: BuildPoints
    """Points of the build checks."""
    lint_rules: dict[str, tuple[str, ...]]
    """Lint rules by language: a literal list, not the linter's defaults."""
    halves: HalfWeights
    """Shares of performance and security."""
    performance_neutral: Score
    """Score of the performance half where a challenge declares no metric."""
    performance: dict[MetricName, Anchors]
    """Scale of each performance metric; the half is the mean of the metrics that the challenge declares."""
    security: SeverityPoints
    """What a new security finding costs, from 100 down to 0."""
    weaknesses: WeaknessTable
    """Which weakness a scanner's rule stands for, and its severity."""
    second_hidden_run: bool
    """Whether hidden suites run again in an environment that looks different; a test must pass in both."""


class StrategyWeights(Fact):
    """Shares of the strategy score."""

    decomposition: Share
    """Share of decomposition."""
    prioritization: Share
    """Share of prioritization."""
    tradeoffs: Share
    """Share of tradeoffs."""
    architecture: Share
    """Share of architecture."""
    communication: Share
    """Share of communication."""
    ambiguity: Share
    """Share of handling ambiguity."""


class StrategyTable(Fact):
    """The strategy judge: a panel of three models of different families."""

    weights: StrategyWeights
    """Shares of the six dimensions."""
    panel: DistancePanel
    """How the three marks of a dimension are reconciled."""


class IntegrityTable(Fact):
    """The integrity judge: a modifier of the final score, in points."""

    lowest: Annotated[float, Field(le=0)]
    """Penalties add up to no less than this."""
    highest: Annotated[float, Field(ge=0)]
    """Bonuses add up to no more than this."""
    penalties: tuple[Penalty, ...]
    """Every kind of violation."""
    bonuses: tuple[Virtue, ...]
    """Every kind of bonus. Bonuses come from a model; without one, none are given."""
    similarity: Annotated[float, Field(ge=0, le=1)]
    """Similarity (0–1) from which a submission counts as a copy …"""
    similarity_percentile: Annotated[float, Field(ge=0, le=100)]
    """… where it is also above this percentile of honest pairs of the same task."""
    hold_at: Annotated[float, Field(le=0)]
    """A violation that costs this many points or more (so at or below this number) holds the card."""


class FourJudge(Fact):
    """The whole policy: every number that moves a score under it."""

    name: Literal["four-judge"] = "four-judge"
    """Name by which the policy is chosen."""
    version: str
    """Version of this table. A released version is never edited."""
    title: str
    """One line that says what the policy is."""
    source: str
    """The document that the policy restates."""
    formats: dict[str, JudgeWeights]
    """Weights of the judges by the challenge's format."""
    fallback_format: str
    """The format whose weights an unknown format gets."""
    objective: ObjectiveTable
    """Judge 1."""
    process: ProcessTable
    """Judge 2."""
    strategy: StrategyTable
    """Judge 3."""
    integrity: IntegrityTable
    """Judge 4."""
    lowest: float
    """The final score is at least this."""
    highest: float
    """The final score is at most this."""
    neutral: Score
    """Score of a judge whose input the platform lost or whose configured model failed; flagged, card provisional."""
    disagreements: tuple[Disagreement, ...]
    """Contradictions between judges that hold the card."""
    holds: tuple[HoldRule, ...]
    """Kinds of flag that hold the card; every other kind informs only."""
    faults: tuple[FaultRule, ...]
    """What a fault of ours does, by part; a part that is not listed makes the card void."""
    limits: TimeLimits
    """How long each part may take."""
