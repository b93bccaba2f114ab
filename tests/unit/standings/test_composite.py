"""The headline composite: anchors, consistency, cohort, rounding."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
import runs as make
from hypothesis import given
from hypothesis import strategies as st

from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.scoring.exact import exact
from bouts.scoring.interpolate import score
from bouts.standings.composite import composite, consistency
from bouts.standings.headline import headline
from bouts.standings.roots import Rooted

TABLE = HEADLINE_2026_07.composite


def made(rows):
    return composite(rows, TABLE)


@pytest.mark.parametrize(
    ("latency", "gets"),
    [
        (0, 100),
        (499, 100),
        (500, 100),
        (1250, 90),
        (2000, 80),
        (3500, 65),
        (5000, 50),
        (7500, 25),
        (10000, 0),
        (99999, 0),
    ],
)
def test_latency_at_between_and_beyond_its_anchors(latency, gets):
    assert score(TABLE.latency, Fraction(latency)) == gets
    assert made([make.run(latency_ms=latency)]).latency == gets / 100


@pytest.mark.parametrize(
    ("cost", "gets"),
    [
        (0, 100),
        (0.001, 100),
        (0.0055, 90),
        (0.01, 80),
        (0.03, 65),
        (0.05, 50),
        (0.075, 35),
        (0.1, 20),
        (0.15, 10),
        (0.2, 0),
        (7, 0),
    ],
)
def test_cost_at_between_and_beyond_its_anchors(cost, gets):
    assert score(TABLE.cost, exact(cost)) == gets
    assert made([make.run(cost_usd=cost)]).cost == gets / 100


def test_an_example_by_hand():
    # 3 of 4 succeeded; mean latency 2000 ms → 0.80; mean cost $0.05 → 0.50; under 5 runs consistency is neutral.
    rows = [
        make.run(latency_ms=1000, cost_usd=0.03),
        make.run(latency_ms=3000, cost_usd=0.07),
        make.run(latency_ms=2000, cost_usd=0.05),
        make.run(False, latency_ms=2000, cost_usd=0.05),
    ]
    figures = made(rows)
    assert figures.value == 100 * (0.40 * 0.75 + 0.30 * 0.80 + 0.30 * 0.50) == 69
    assert (figures.consistency, figures.execution, figures.provisional) == (1, 0.8, False)
    assert figures.formula == "100·(0.4·0.75 + 0.3·0.8 + 0.3·0.5) = 69"


def test_consistency_from_five_runs_on_is_one_less_the_population_deviation_over_the_mean():
    rows = [make.run(latency_ms=ms) for ms in (600, 1400) * 3]
    # Mean 1000, population deviation 400: 1 − 0.4. The latency of 1000 ms gets 100 − 20/3.
    figures = made(rows)
    assert figures.consistency == 0.6
    assert figures.execution == pytest.approx(0.6 * (100 - 20 / 3) / 100, abs=1e-6)
    assert made(rows[:4]).consistency == 1
    assert made(rows[:5]).consistency == pytest.approx(1 - (153600**0.5) / 920, abs=1e-6)


def test_consistency_is_never_below_0_and_1_where_nothing_varies():
    # Latencies of 1000, 1000, 1000, 1000 and 6000 ms: the deviation is as large as the mean.
    assert consistency(5, Fraction(2000), Fraction(2000**2), TABLE) == Rooted(Fraction(0))
    assert consistency(5, Fraction(7), Fraction(0), TABLE).half_up(6) == 1
    assert consistency(5, Fraction(0), Fraction(0), TABLE).half_up(6) == 1


def test_an_agents_own_failures_and_timeouts_count_and_infrastructure_does_not():
    rows = [make.run(), make.run(status="failed"), make.run(status="timeout"), make.run(status="infrastructure")]
    figures = made(rows)
    assert (figures.runs, figures.successes) == (3, 1)
    assert figures.success == pytest.approx(1 / 3, abs=1e-6)


def test_a_run_that_did_not_complete_cannot_have_succeeded():
    assert made([make.run(True, status="failed"), make.run(True, status="timeout")]).value == 0


def test_the_composite_is_exactly_0_when_nothing_succeeded():
    figures = made([make.run(False, latency_ms=1, cost_usd=0)] * 9)
    assert (figures.value, figures.success, figures.cost) == (0, 0, 1)
    assert "Without a success" in figures.because


def test_it_may_also_round_to_0_with_a_success():
    slow = {"latency_ms": 20000, "cost_usd": 1}
    assert made([make.run(**slow), *[make.run(False, **slow)] * 8000]).value == 0
    assert made([make.run(**slow), *[make.run(False, **slow)] * 7999]).value == 0.01


@pytest.mark.parametrize(("unknown", "value"), [("cost_usd", 100 * (0.4 + 0.3) / 0.7), ("latency_ms", 100)])
def test_an_unknown_cost_or_latency_leaves_its_weight_to_the_others_and_is_provisional(unknown, value):
    best = {"latency_ms": 500, "cost_usd": 0.001}
    figures = made([make.run(**best), make.run(**{**best, unknown: None})])
    assert figures.value == value
    assert figures.provisional
    assert "Provisional" in figures.because


def test_without_any_run_there_is_no_composite():
    figures = made([make.run(status="infrastructure")])
    assert (figures.value, figures.runs, figures.provisional) == (None, 0, False)


def test_unknown_outcomes_count_as_runs_but_not_as_successes():
    figures = made([make.run(), make.run(None)])
    assert (figures.runs, figures.success) == (2, 0.5)


@given(st.fractions(-50, 150, max_denominator=10**6), st.fractions(0, 9000, max_denominator=10**6), st.integers(0, 6))
def test_roots_are_rounded_as_by_very_many_digits(rational, radicand, places):
    with localcontext() as context:
        context.prec = 60
        root = (Decimal(radicand.numerator) / Decimal(radicand.denominator)).sqrt()
        value = Decimal(rational.numerator) / Decimal(rational.denominator) - root
        want = Fraction(((value * 10**places + Decimal("0.5")) // 1).to_integral_value())
        if value * 10**places + Decimal("0.5") < want:
            want -= 1
    assert Rooted(rational, radicand).half_up(places) == want / 10**places


@pytest.mark.parametrize(
    ("rational", "radicand", "places", "rounded"),
    [
        ("0.625", "0.25", 2, "0.13"),
        ("0.625", "0.250000000000000000000000000000000000001", 2, "0.12"),
        ("2.5", "4", 0, "1"),
        ("1.5", "4", 0, "0"),
        ("1.4", "4", 0, "-1"),
        ("3", "0", 0, "3"),
    ],
)
def test_a_half_goes_up_even_where_it_comes_from_a_root(rational, radicand, places, rounded):
    assert Rooted(Fraction(rational), Fraction(radicand)).half_up(places) == Fraction(rounded)


def test_the_three_views_come_together_and_name_their_policy():
    figures = headline([make.run(task=f"t{n % 2}", ended=n) for n in range(8)])
    assert figures.policy.version == "2026-07-zero-success-v1"
    assert figures.composite.runs == figures.radar.runs == 8
    assert [level.value for level in figures.repeatability.levels] == [1, 1, 0]
