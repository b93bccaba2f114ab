"""The table of weaknesses, version 1: the same for every policy that counts security findings."""

from __future__ import annotations

from bouts.policy import weaknesses
from bouts.policy.parts import WeaknessRule, WeaknessTable

WEAKNESSES_1 = WeaknessTable(
    rules={
        number: WeaknessRule(cwe=rule.cwe, severity=rule.severity, confidence=rule.confidence)
        for number, rule in weaknesses.RULES.items()
    },
    ignored=weaknesses.IGNORED_RULES,
    same_as=weaknesses.SAME_AS,
    severities=weaknesses.SEVERITIES,
)
"""Weaknesses 1."""
