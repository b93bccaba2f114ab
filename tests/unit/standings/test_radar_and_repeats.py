"""The fitness radar and pass^k."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
import runs as make
from hypothesis import given
from hypothesis import strategies as st

from bouts.errors import BadUsage
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.standings.radar import radar
from bouts.standings.repeatability import pass_k, repeatability

RADAR, REPEATS = HEADLINE_2026_07.radar, HEADLINE_2026_07.repeatability


def axes(rows, weights=None):
    return {axis.key: axis for axis in radar(rows, RADAR, weights).axes}


def test_only_the_latest_100_terminal_runs_are_looked_at():
    old = [make.run(False, ended=n) for n in range(50)]
    new = [make.run(ended=100 + n) for n in range(100)]
    lost = [make.run(False, ended=500 + n, status="infrastructure") for n in range(20)]
    figures = radar([*new, *lost, *old], RADAR)
    assert figures.runs == 100
    assert figures.axes[0].value == 100
    assert radar([*new[:99], *old], RADAR).axes[0].value == 99


def test_correctness_counts_known_outcomes_alone():
    rows = [make.run(), make.run(False), make.run(None), make.run(None, status="timeout")]
    assert axes(rows)["correctness"].value == pytest.approx(100 / 3, abs=1e-6)
    nothing = axes([make.run(None)])["correctness"]
    assert (nothing.value, nothing.weight) == (None, None)


def test_latency_needs_five_runs_and_shows_its_median_before():
    rows = [make.run(latency_ms=ms) for ms in (9000, 1000, 2000, 3000)]
    four = axes(rows)["latency"]
    assert (four.value, four.raw) == (None, 2500)
    five = axes([*rows, make.run(latency_ms=5000)])["latency"]
    assert (five.value, five.raw) == (70, 3000)


def test_cost_is_the_anchors_on_the_median():
    rows = [make.run(cost_usd=cost) for cost in (0.01, 0.05, 9)]
    assert axes(rows)["cost"].value == 50
    assert axes([make.run(cost_usd=None)])["cost"].value is None


@pytest.mark.parametrize(
    ("steps", "gets"),
    [(0, 100), (5, 100), (7.5, 90), (10, 80), (15, 65), (20, 50), (30, 35), (40, 20), (60, 10), (80, 0)],
)
def test_tool_efficiency_at_between_and_beyond_its_anchors(steps, gets):
    rows = [make.run(steps=int(steps)), make.run(steps=int(steps + 0.5))]
    assert axes(rows)["tool_efficiency"].value == gets
    assert axes([make.run(steps=None)])["tool_efficiency"].value is None


def test_robustness_is_no_correctness():
    def tried(task, *outcomes):
        return [make.run(ok, task=task) for ok in outcomes]

    rows = [
        *tried("always", True, True),
        *tried("never", False, False, False),
        *tried("half", True, False),
        *tried("mostly", True, True, True, False),
        *tried("once", True),
    ]
    # 100, 100, 0 and 50 over four tasks; the fifth has one outcome.
    assert axes(rows)["robustness"].value == 62.5
    assert axes(tried("once", True))["robustness"].value is None


def test_a_missing_axis_leaves_its_weight_to_the_others():
    figures = radar([make.run(cost_usd=0.05)], RADAR)
    assert {axis.key: axis.weight for axis in figures.axes} == {
        "correctness": 0.5,
        "latency": None,
        "cost": 0.5,
        "tool_efficiency": None,
        "robustness": None,
    }
    assert figures.profile == 75
    assert radar([], RADAR).profile is None


def test_a_viewers_weights_move_the_profile_alone():
    rows = [make.run(cost_usd=0.05)]
    figures = radar(rows, RADAR, {"correctness": 1, "cost": 3})
    assert figures.profile == 62.5
    assert [axis.value for axis in figures.axes] == [axis.value for axis in radar(rows, RADAR).axes]
    assert radar(rows, RADAR, {"latency": 1}).profile is None


@pytest.mark.parametrize(
    ("weights", "said"),
    [({"speed": 1}, "no axis 'speed'"), ({"cost": -1}, "is -1"), ({"cost": float("nan")}, "is nan"), ({}, "is 0")],
)
def test_weights_that_make_no_sense(weights, said):
    with pytest.raises(BadUsage, match=said):
        radar([], RADAR, weights)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), st.integers(1, 6))
def test_pass_k_by_enumeration(counts, k):
    outcomes, successes = counts
    attempts = [True] * successes + [False] * (outcomes - successes)
    subsets = list(combinations(attempts, k))
    want = Fraction(sum(all(subset) for subset in subsets), len(subsets)) if subsets else 0
    assert pass_k(outcomes, successes, k) == want


@pytest.mark.parametrize(("outcomes", "successes", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_counts_that_cannot_be(outcomes, successes, k):
    with pytest.raises(ValueError, match="pass"):
        pass_k(outcomes, successes, k)


def test_the_report_is_the_plain_mean_over_tasks_with_enough_outcomes():
    rows = [make.run(task="a")] * 20
    rows += [make.run(ok, task="b") for ok in (True, True, False)]
    rows += [make.run(task="c"), make.run(task="c")]
    rows += [make.run(task="d"), make.run(None, task="d"), make.run(task="d"), make.run(status="infrastructure")]
    report = repeatability(rows, REPEATS)
    assert [task.task for task in report.tasks] == ["a", "b"]
    assert report.left_out == 2
    one, three, five = report.levels
    assert [level.k for level in report.levels] == [1, 3, 5]
    assert one.value == pytest.approx((1 + 2 / 3) / 2, abs=1e-6)
    assert (three.value, five.value) == (0.5, 0.5)
    assert [level.short for level in report.levels] == [0, 0, 1]


def test_no_task_with_enough_outcomes_gives_no_value():
    assert [level.value for level in repeatability([make.run()], REPEATS).levels] == [None, None, None]
