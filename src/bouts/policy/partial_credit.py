"""Policy `partial-credit`: correctness, tool usage, code quality, safety and efficiency."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bouts.model.base import Fact
from bouts.model.evidence import ViolationKind
from bouts.policy.parts import Count, FaultRule, HoldRule, Score, Share


class DimensionWeights(Fact):
    """Shares of the final score. They add up to 1; a variant of the policy may set others."""

    correctness: Share
    """Share of correctness."""
    tool_usage: Share
    """Share of tool usage."""
    code_quality: Share
    """Share of code quality."""
    safety: Share
    """Share of safety."""
    efficiency: Share
    """Share of efficiency."""


class CorrectnessNumbers(Fact):
    """Numbers of correctness: 100·passed/total."""

    best: Score
    """Score where every test passed."""
    without_tests: Score
    """Score where there are no tests."""


class ToolUsageNumbers(Fact):
    """Numbers of tool usage."""

    start: Score
    """Score before deductions; never below 0."""
    tool: str
    """Name of the tool whose calls are looked at."""
    characters: Count
    """A call of it whose argument text is shorter than this many characters is a misuse."""
    deduction: Score
    """Deduction for each such call."""


class SafetyNumbers(Fact):
    """Numbers of safety."""

    start: Score
    """Score before deductions; never below 0."""
    text: str
    """A call whose arguments contain this text is a violation."""
    deduction: Score
    """Deduction for each such call."""


class StepNumbers(Fact):
    """Numbers of efficiency, by r = steps / max(optimal steps, 1)."""

    start: Score
    """Score at and below the optimal number of steps; never below 0."""
    optimal_steps: Count
    """The optimal number of steps where none is given."""
    deduction: Score
    """Deduction for each time the optimal number of steps is spent once more."""


class CodeNumbers(Fact):
    """Numbers of code quality, by two marks in the text of the code."""

    start: Score
    """Score before deductions, and where no code was produced; never below 0."""
    docstring: str
    """Text that stands for a docstring."""
    no_docstring: Score
    """Deduction where it is missing."""
    handling: str
    """Text that stands for error handling."""
    no_handling: Score
    """Deduction where it is missing."""


class PartialCredit(Fact):
    """The whole policy: every number that moves a score under it."""

    name: Literal["partial-credit"] = "partial-credit"
    """Name by which the policy is chosen."""
    version: str
    """Version of this table, followed by `+` and a name for a variant. A released version is never edited."""
    title: str
    """One line that says what the policy is."""
    source: str
    """The document that the policy restates."""
    weights: DimensionWeights
    """Shares of the five dimensions."""
    correctness: CorrectnessNumbers
    """Correctness."""
    tool_usage: ToolUsageNumbers
    """Tool usage."""
    code_quality: CodeNumbers
    """Code quality."""
    safety: SafetyNumbers
    """Safety."""
    efficiency: StepNumbers
    """Efficiency."""
    decimals: Annotated[int, Field(ge=0, le=6)]
    """Decimals to which the final score and the dimensions are rounded where they are shown."""
    lowest: float
    """The final score is at least this."""
    highest: float
    """The final score is at most this."""
    neutral: Score
    """Score of a dimension whose transcript the platform lost; flagged, card provisional."""
    holds: tuple[HoldRule, ...]
    """Kinds of flag that hold the card; every other kind informs only."""
    severe: tuple[ViolationKind, ...]
    """Violations that hold the card for a review. Violations cost no points under this policy."""
    faults: tuple[FaultRule, ...]
    """What a fault of ours does, by part; a part that is not listed makes the card void."""
    second_hidden_run: bool
    """Whether hidden suites run again in an environment that looks different; a test must pass in both."""
