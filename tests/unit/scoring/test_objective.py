"""The objective judge."""

from __future__ import annotations

from fractions import Fraction

import facts
import pytest

from bouts.model.evidence import MetricFacts
from bouts.scoring.find import find
from bouts.scoring.parts import Part, dearest


def line(key, tests=None, **changes):
    return find(facts.card(facts.evidence(tests, **changes)), key)


def metric(name, value):
    return MetricFacts(metric=name, value=value, values=(value,), low=value, high=value)


def test_static_counts_points_of_passed_tests():
    rows = [facts.static("test_a", points=3), facts.static("test_b", "failed"), facts.static("test_c", points=0.5)]
    found = line("objective.static", rows)
    assert found.score == pytest.approx(100 * 3.5 / 4.5, abs=1e-6)
    assert found.formula == "100·3.5/4.5 = 77.78"
    assert "2 of 3 visible tests passed, worth 3.5 of 4.5 points" in found.because


@pytest.mark.parametrize("outcome", ["failed", "error", "timeout", "crashed", "skipped", "missing", "duplicated"])
def test_whatever_did_not_pass_has_failed(outcome):
    found = line("objective.static", [facts.static("test_a"), facts.static("test_b", outcome)])
    assert found.score == 50
    how = "" if outcome == "failed" else f" ({outcome})"
    assert found.because.endswith(f"Failed: test_b{how}.")
    assert found.evidence == ("test:static/unit/test_a.py::test_b",)


def test_the_costliest_failures_come_first_and_the_list_is_short():
    rows = [facts.static(f"test_{n:02}", "failed", points=1 + (n == 7)) for n in range(30)]
    found = line("objective.static", rows)
    assert found.because.endswith("Failed: test_07, test_00, test_01, test_02, and 26 more.")
    assert len(found.evidence) == 20


def test_adversarial_weighs_by_severity():
    rows = [
        facts.hidden("test_a", "passed", "critical"),
        facts.hidden("test_b", "failed", "high", pattern="order"),
        facts.hidden("test_c", "failed", "medium"),
        facts.hidden("test_d", "passed", "low"),
    ]
    found = line("objective.adversarial", rows)
    assert found.score == pytest.approx(100 * 3.5 / 6.5, abs=1e-6)
    assert "2 of 4 hidden tests passed" in found.because
    assert "Failed: 1 of 1 high, 1 of 1 medium; by pattern: scale 1 of 3, order 1 of 1." in found.because
    assert found.evidence == ("suite:adversarial",)


def test_a_hidden_test_must_pass_in_both_looks():
    rows = [facts.hidden("test_a", second="failed"), facts.hidden("test_b", second="passed")]
    card = facts.card(facts.evidence(rows))
    assert find(card, "objective.adversarial").score == 50
    assert [f.kind for f in card.flags if f.kind == "looks_differ"]
    assert card.status != "held"


@pytest.mark.parametrize(("passed", "words"), [(0, "within days"), (8, "defensive programming"), (5, "")])
def test_what_the_adversarial_score_means(passed, words):
    rows = [facts.hidden(f"test_{n}", "passed" if n < passed else "failed") for n in range(10)]
    because = line("objective.adversarial", rows).because
    assert words in because
    assert words or "programming" not in because


def test_a_challenge_without_hidden_tests_leaves_their_weight_to_the_others():
    card = facts.card(facts.evidence([facts.static("test_a")]))
    found = find(card, "objective.adversarial")
    assert (found.score, found.points, found.weight, found.state) == (None, None, None, "not_applicable")
    assert find(card, "objective.static").weight == pytest.approx(0.4 / 0.7, abs=1e-6)


@pytest.mark.parametrize(
    ("failed", "score"), [((), 100), (("lint",), 80), (("lint", "exceptions"), 60), (("compiles", "starts"), 40)]
)
def test_build_health(failed, score):
    assert line("objective.build", build=facts.build(*failed)).score == score


def test_a_check_that_is_missing_adds_nothing_and_says_so():
    found = line("objective.build", build=facts.build()[:2])
    assert found.score == 50
    assert "starts: was not checked" in found.because


def test_performance_is_neutral_where_nothing_is_declared():
    found = line("objective.performance_security.performance")
    assert (found.score, found.state) == (75, "neutral")


def test_performance_is_the_mean_of_the_declared_metrics_and_0_for_an_unmeasured_one():
    challenge = facts.challenge(metrics=("p95_ms", "memory_mb", "throughput_rps"))
    metrics = (metric("p95_ms", 600.0), metric("memory_mb", 512.0))
    found = line("objective.performance_security.performance", challenge=challenge, metrics=metrics)
    assert found.score == pytest.approx((75 + 50 + 0) / 3, abs=1e-6)
    assert "could not be measured: 0" in found.because
    assert found.evidence == ("metric:p95_ms", "metric:memory_mb")


@pytest.mark.parametrize(
    ("severities", "score"),
    [((), 100), (("critical",), 75), (("high", "medium"), 87), (("low",) * 4, 100), (("critical",) * 5, 0)],
)
def test_security(severities, score):
    findings = tuple(facts.finding(s, n) for n, s in enumerate(severities))
    assert line("objective.performance_security.security", findings=findings).score == score


def test_one_weakness_at_one_line_counts_once():
    twice = (facts.finding("medium"), facts.finding("high", tool="ruff", rule="S608"))
    found = line("objective.performance_security.security", findings=twice)
    assert found.score == 90
    assert found.evidence == ("finding:2",)


def test_text_from_a_submission_cannot_steer_a_terminal():
    found = line("objective.performance_security.security", findings=(facts.finding(path="app/\x1b[2Ja.py"),))
    assert "\x1b" not in found.because


def test_what_was_lost_is_told_the_costliest_first():
    reach = Fraction(90)
    parts = [
        Part("a", "A", Fraction(1, 10), Fraction(50), ""),
        Part("b", "B", Fraction(1, 2), Fraction(80), ""),
        Part("c", "C", Fraction(1, 5), Fraction(75), "", reach=Fraction(75)),
        Part("d", "D", Fraction(1, 10), Fraction(50), ""),
        Part("e", "E", Fraction(1, 10), None, ""),
        Part("f", "F", Fraction(1, 3), Fraction(100), ""),
    ]
    # b lost 0.5·20, a and d 0.1·50 each; c is at what it could reach, e has no score, f is at its best
    assert [part.key for part in dearest(parts)] == ["b", "a", "d"]
    assert [part.key for part in dearest(parts, reach)] == ["b", "a", "d", "c"]
    assert dearest([]) == []
