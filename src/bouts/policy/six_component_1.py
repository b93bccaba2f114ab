"""The released table of policy `six-component`, version 1.0. Every number of it is stated here once."""

from __future__ import annotations

from bouts.policy.parts import FaultRule, HiddenMeaning, HoldRule, MedianPanel, SeverityPoints, SeverityWeights
from bouts.policy.six_component import (
    AdversarialMix,
    ComponentWeights,
    DeliverableTable,
    DeliverableWeights,
    DependencyLevels,
    QualityTable,
    QualityWeights,
    SecurityTable,
    SixComponent,
    StabilityTable,
    StaticMix,
)
from bouts.policy.weaknesses_1 import WEAKNESSES_1

_PANEL = MedianPanel(spread=15, outlier=15, deduction=10)

SIX_COMPONENT_1 = SixComponent(
    version="1.0",
    title="Visible and hidden tests, code quality, deliverables, security and stability",
    source="Scoring Engine Design",
    weights=ComponentWeights(
        static=0.35, adversarial=0.15, code_quality=0.20, deliverables=0.15, security=0.10, stability=0.05
    ),
    severity_weights=SeverityWeights(critical=3, high=2, medium=1, low=0.5),
    hidden_meaning=HiddenMeaning(fails_at=0, defensive_from=80),
    code_quality=QualityTable(
        weights=QualityWeights(readability=0.25, architecture=0.25, robustness=0.25, idiomaticity=0.25),
        panel=_PANEL,
    ),
    deliverables=DeliverableTable(
        weights=DeliverableWeights(accuracy=0.40, clarity=0.25, completeness=0.20, actionability=0.15),
        panel=_PANEL,
        missing=0,
        placeholder=0,
    ),
    security=SecurityTable(
        points=SeverityPoints(critical=25, high=15, medium=5, low=1),
        weaknesses=WEAKNESSES_1,
        dependencies=DependencyLevels(critical=9, high=7, medium=4),
        critical_cap=75,
    ),
    stability=StabilityTable(crashed=0, warned=50, clean=100),
    lowest=0,
    highest=100,
    neutral=50,
    holds=(
        HoldRule(kind="severe_violation", meaning="a person looks at the proof of a severe violation before it counts"),
        HoldRule(kind="plagiarism", meaning="a reviewer confirms a similarity before it counts on a leaderboard"),
        HoldRule(kind="ambiguous_panel", meaning="three raters could not agree: the rubric may be ambiguous"),
    ),
    severe=(
        "sandbox_escape",
        "hidden_test_access",
        "hardcoded_outputs",
        "grader_tampering",
        "disabled_tests",
        "stubbed",
        "network_access",
        "plagiarism",
        "judge_manipulation",
    ),
    faults=(
        FaultRule(part="code_quality", effect="neutral", meaning="the configured models of the panel failed"),
        FaultRule(part="deliverables", effect="neutral", meaning="the configured models of the panel failed"),
        FaultRule(part="telemetry", effect="ignored", meaning="no component reads the transcript"),
        FaultRule(part="process", effect="ignored", meaning="no component judges the session"),
        FaultRule(part="strategy", effect="ignored", meaning="no component judges strategy"),
        FaultRule(
            part="integrity",
            effect="provisional",
            meaning="some automated checks could not be run; those that finished count",
        ),
        FaultRule(part="integrity_model", effect="ignored", meaning="no component gives bonuses"),
    ),
    second_hidden_run=True,
    test_seconds=10,
    static_mix=StaticMix(functionality=0.50, edge=0.30, integration=0.20),
    adversarial_mix=AdversarialMix(written=0.40, generated=0.60),
)
"""Policy `six-component` 1.0."""
