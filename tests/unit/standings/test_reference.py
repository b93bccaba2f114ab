"""Every statistic against what SciPy, statsmodels, choix and NumPy say of the same data, to nine decimals.

The figures stand in reference/figures.json; reference/make.py says how they were made.
"""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, log
from pathlib import Path

import pytest

from bouts.policy.statistics_1 import STATISTICS_1
from bouts.standings.bootstrap import bootstrap
from bouts.standings.cells import Cell, by_agent
from bouts.standings.distributions import normal_quantile, t_quantile, t_tail
from bouts.standings.estimates import estimates, wilson
from bouts.standings.holm import holm
from bouts.standings.irt import fit
from bouts.standings.items import analyse
from bouts.standings.paired import compare
from bouts.standings.ranksets import rank_sets
from bouts.standings.ratings import ratings

FIGURES = json.loads((Path(__file__).parent / "reference" / "figures.json").read_text(encoding="utf-8"))
CELLS = [
    Cell(row["agent"], row["task"], row["challenge"], Fraction(row["c"], row["n"]), row["n"])
    for row in FIGURES["cells"]
]


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def test_distributions():
    numbers = FIGURES["distributions"]
    for level, freedom, value in numbers["t"]:
        assert t_quantile(level, freedom) == near(value)
    for value, freedom, tail in numbers["tails"]:
        assert t_tail(value, freedom) == near(tail)
        assert t_tail(-value, freedom) == near(tail)
    for share, value in numbers["quantiles"]:
        assert normal_quantile(share) == near(value)


def test_wilsons_intervals_are_those_of_statsmodels():
    for successes, attempts, level, low, high in FIGURES["wilson"]:
        assert wilson(successes / attempts, attempts, normal_quantile((1 + level) / 2)) == near((low, high))


def test_holms_correction_is_that_of_statsmodels():
    assert holm(FIGURES["holm"]["given"]) == near(tuple(FIGURES["holm"]["adjusted"]))


def test_clustered_errors_are_those_of_a_regression_on_a_constant():
    found = estimates([Cell(c.agent, c.task, c.challenge, 100 * c.value, c.attempts) for c in CELLS], "score")
    assert set(found) == set(FIGURES["clustered"])
    for agent, row in FIGURES["clustered"].items():
        assert found[agent].value == near(100 * row["mean"])
        assert found[agent].error == near(100 * row["error"])
        assert found[agent].clusters == row["clusters"]
        assert found[agent].interval.low == near(max(0, 100 * row["low"]))
        assert found[agent].interval.high == near(min(100, 100 * row["high"]))


@pytest.mark.parametrize("row", FIGURES["paired"], ids=lambda row: f"{row['first']}-{row['second']}")
def test_paired_comparisons(row):
    """Error from a regression of the differences on a constant, p-value from all permutations of signs."""
    found = compare(row["first"], row["second"], CELLS, "rate", 1)
    assert found.exact
    assert found.tasks == row["tasks"]
    assert found.difference == near(row["difference"])
    assert found.error == near(row["error"])
    assert found.p_value == near(row["p"])


def test_rank_sets_are_those_of_counting_every_pair_in_every_round():
    found = rank_sets(CELLS, FIGURES["ranks"]["seed"])
    assert found.critical == near(FIGURES["ranks"]["critical"])
    assert {row.agent: [row.low, row.high] for row in found.rows} == FIGURES["ranks"]["sets"]
    assert len({tuple(row) for row in FIGURES["ranks"]["sets"].values()}) > 2


def test_ratings_are_those_of_choix_and_a_sandwich_made_by_hand():
    numbers = FIGURES["bradley_terry"]
    found = {row.agent: row for row in ratings(CELLS).rows}
    scale = 400 / log(10)
    for at, (strength, error, wins) in enumerate(
        zip(numbers["strengths"], numbers["errors"], numbers["wins"], strict=True)
    ):
        row = found[f"a{at}"]
        assert row.strength == near(strength)
        assert row.wins == wins
        assert row.rating == near(1000 + scale * strength)
        assert row.error == near(scale * error)
        assert row.interval.high == near(row.rating + numbers["quantile"] * scale * error)


@pytest.mark.parametrize("data", FIGURES["items"], ids=lambda data: f"{data['attempts']} attempts")
def test_difficulty_and_point_biserial_correlation(data):
    found = analyse(cells_of(data["solved"], data["attempts"])).items
    assert [row.difficulty for row in found] == near(data["difficulty"])
    for row, value in zip(found, data["discrimination"], strict=True):
        assert row.discrimination == (None if value is None else near(value))


def test_the_two_parameter_model_is_where_a_general_optimiser_finds_it():
    data = FIGURES["model"]
    found = fit(by_agent(cells_of(data["solved"], data["attempts"])), STATISTICS_1.items)
    assert found.converged
    assert [row.discrimination for row in found.items] == near(data["discrimination"])
    assert [row.difficulty for row in found.items] == near(data["difficulty"])
    assert [row.ability for row in found.agents] == near(data["ability"])
    assert [row.error for row in found.agents] == near(data["error"])


def test_the_bootstrap_is_that_of_numpy_over_the_same_draws():
    numbers = FIGURES["bootstrap"]
    clusters: dict[str, list[Fraction]] = {}
    for cell in CELLS:
        if cell.agent == numbers["agent"]:
            clusters.setdefault(cell.challenge, []).append(cell.value)

    def figure(rows):
        return sum(map(sum, rows), Fraction(0)) / sum(map(len, rows))

    found = bootstrap(clusters, figure, numbers["seed"])
    assert (found.interval.low, found.interval.high) == near((numbers["low"], numbers["high"]))
    assert found.error == near(numbers["error"])


def cells_of(solved, attempts):
    """Agents by row, items by column."""
    return [
        Cell(f"a{a:02}", f"i{i:02}", f"i{i:02}", Fraction(count, attempts), attempts)
        for a, row in enumerate(solved)
        for i, count in enumerate(row)
    ]


def test_a_strength_is_the_log_of_odds():
    """Three wins of four, with half a win each beforehand: odds of 3.5 to 1.5."""
    rows = [(1, 0), (1, 0), (1, 0), (0, 1)]
    cells = [Cell(a, f"t{n}", f"t{n}", Fraction(row[i]), 1) for n, row in enumerate(rows) for i, a in enumerate("xy")]
    x, y = ratings(cells).rows
    assert exp(x.strength - y.strength) == near(3.5 / 1.5)
