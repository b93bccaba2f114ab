"""The table of weaknesses at its edges: what counts as what, how severe it is, and what proves one."""

from __future__ import annotations

import pytest

from bouts.policy.weaknesses import dangerous, ignored, rule_of, severity, weakness

LEVELS = ("low", "medium", "high", "critical")


@pytest.mark.parametrize(
    ("cwe", "level"),
    [
        *((f"CWE-{number}", "critical") for number in (89, 798, 287, 78, 259)),
        *((f"CWE-{number}", "high") for number in (79, 22, 502, 327, 328)),
        *((f"CWE-{number}", "medium") for number in (338, 209, 352, 330)),
    ],
)
@pytest.mark.parametrize("scanner", LEVELS)
def test_a_listed_weakness_has_its_severity_whatever_the_scanner_says(cwe, level, scanner):
    from bouts.model.challenge import Severity

    assert severity(cwe, Severity(scanner)) == level


@pytest.mark.parametrize("cwe", ["CWE-400", None, ""])
@pytest.mark.parametrize(
    ("scanner", "level"), [("low", "low"), ("medium", "medium"), ("high", "high"), ("critical", "high")]
)
def test_an_unlisted_weakness_has_the_scanners_severity_at_most_high(cwe, scanner, level):
    from bouts.model.challenge import Severity

    assert severity(cwe, Severity(scanner)) == level


@pytest.mark.parametrize(
    ("cwe", "counts_as"),
    [
        ("CWE-259", "CWE-798"),
        ("CWE-330", "CWE-338"),
        ("CWE-89", "CWE-89"),
        ("CWE-1", "CWE-1"),
        (None, None),
        ("", None),
    ],
)
def test_some_weaknesses_count_as_another(cwe, counts_as):
    assert weakness(cwe) == counts_as


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("confidence", LEVELS)
def test_proof_enough_for_a_violation(level, confidence):
    from bouts.model.challenge import Severity

    proves = level in ("high", "critical") and confidence != "low"
    assert dangerous(Severity(level), Severity(confidence)) is proves


def test_rules_of_two_scanners_share_a_row():
    assert rule_of("B608") is rule_of("S608") is not None
    assert rule_of("B999") is None
    assert [rule for rule in ("B101", "S404", "B608", "S301") if ignored(rule)] == ["B101", "S404"]
