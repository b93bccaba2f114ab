"""The document *How scores are built*: each published figure comes out of runs, and out of totals alone."""

from __future__ import annotations

import sys
from math import comb
from pathlib import Path

import pytest
import runs as make

from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.standings.composite import composite, composite_of_totals
from bouts.standings.radar import radar
from bouts.standings.repeatability import pass_levels, repeatability

sys.path.insert(0, str(Path(__file__).parents[2] / "laws"))
from drawing_cells import totals

TABLE = HEADLINE_2026_07
LATENCY = {500: 100, 2000: 80, 5000: 50, 10_000: 0}
COST = {0.001: 100, 0.01: 80, 0.05: 50, 0.1: 20, 0.2: 0}


def both(rows):
    """The composite from runs, which must be the one from totals."""
    found = composite(rows, TABLE.composite)
    assert composite_of_totals(totals(tuple(rows)), TABLE.composite) == found
    return found.value


def test_the_policys_version():
    assert TABLE.version == "2026-07-zero-success-v1"


@pytest.mark.parametrize(("ms", "score"), LATENCY.items())
def test_latency_anchors(ms, score):
    rows = [make.run(latency_ms=float(ms), cost_usd=0.2)]
    assert both(rows) == pytest.approx(40 + 0.3 * score)
    axis = next(a for a in radar([make.run(latency_ms=float(ms))] * 5, TABLE.radar).axes if a.key == "latency")
    assert axis.value == score


@pytest.mark.parametrize(("usd", "score"), COST.items())
def test_cost_anchors(usd, score):
    assert both([make.run(latency_ms=10_000.0, cost_usd=usd)]) == pytest.approx(40 + 0.3 * score)
    axis = next(a for a in radar([make.run(cost_usd=usd)], TABLE.radar).axes if a.key == "cost")
    assert axis.value == score


def test_forty_thirty_thirty():
    best, slow = {"latency_ms": 500.0, "cost_usd": 0.001}, {"latency_ms": 10_000.0, "cost_usd": 0.001}
    assert both([make.run(**best)]) == 100
    assert both([make.run(**best), make.run(False, **best)]) == 80
    assert both([make.run(**slow)]) == 70
    assert both([make.run(latency_ms=500.0, cost_usd=0.2)]) == 70


def test_consistency_is_neutral_below_five_completed_runs():
    uneven = [make.run(latency_ms=ms, cost_usd=0.001) for ms in (100.0, 900.0, 100.0, 900.0)]
    assert both(uneven) == 100
    # Mean 500, deviation 357.77…: consistency 0.2844….
    assert both([*uneven, make.run(latency_ms=500.0, cost_usd=0.001)]) == pytest.approx(
        70 + 30 * (1 - 0.128**0.5 * 2), abs=0.005
    )


def test_no_success_means_0_and_one_keeps_the_formula():
    fast = {"latency_ms": 500.0, "cost_usd": 0.001}
    assert both([make.run(False, **fast)] * 4) == 0
    assert both([make.run(**fast), *[make.run(False, **fast)] * 3]) == 70


def test_all_completed_runs_count_and_faults_of_the_infrastructure_do_not():
    fast = {"latency_ms": 500.0, "cost_usd": 0.001}
    rows = [make.run(**fast), make.run(False, status="timeout", **fast)]
    assert both(rows) == 80
    assert both([*rows, make.run(None, status="infrastructure", **fast)]) == 80


def test_the_radar_takes_the_latest_100_terminal_runs_and_drops_axes_without_evidence():
    old = [make.run(False, ended=float(n)) for n in range(50)]
    new = [make.run(True, ended=float(n)) for n in range(50, 150)]
    found = radar([*old, *new], TABLE.radar)
    axes = {axis.key: axis for axis in found.axes}
    assert (found.runs, axes["correctness"].value, axes["robustness"].value) == (100, 100, 100)
    assert axes["tool_efficiency"].value is None
    assert {axis.weight for axis in found.axes if axis.value is not None} == {0.25}


def test_pass_k_of_the_document():
    rows = [make.run(n < 3, task="a") for n in range(5)] + [make.run(True, task="b") for _ in range(3)]
    rows += [make.run(True, task="short") for _ in range(2)]
    found = repeatability(rows, TABLE.repeatability)
    expected = [(comb(3, k) / comb(5, k) + (comb(3, k) / comb(3, k) if k <= 3 else 0)) / 2 for k in (1, 3, 5)]
    assert [level.k for level in found.levels] == [1, 3, 5]
    assert [level.value for level in found.levels] == pytest.approx(expected, abs=1e-6)
    assert (found.left_out, len(found.tasks)) == (1, 2)
    assert pass_levels(totals(tuple(rows)).tasks, TABLE.repeatability) == found.levels
