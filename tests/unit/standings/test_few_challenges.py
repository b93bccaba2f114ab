"""What the statistics say where there is little to go by, counted by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bouts.standings.cells import Cell, by_agent
from bouts.standings.estimates import estimate
from bouts.standings.items import analyse
from bouts.standings.paired import adjusted, compare, compare_with_all
from bouts.standings.ranksets import rank_sets
from bouts.standings.ratings import ratings


def row(agent, values, attempts=1):
    return [Cell(agent, f"t{n:02}", f"c{n:02}", Fraction(value), attempts) for n, value in enumerate(values)]


def duel(wins, losses=0, ties=0):
    ours = [1] * wins + [0] * losses + [0] * ties
    theirs = [0] * wins + [1] * losses + [0] * ties
    return [*row("a", ours), *row("b", theirs)]


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "p"),
    [
        (1, 0, 0, 1.0),
        (5, 0, 0, 2 / 32),
        (6, 0, 0, 2 / 64),
        # With five wins and a loss: nothing flipped, and the loss alone, give more; six other patterns give the same.
        (5, 1, 0, 2 * (1 + 1 + 5 / 2) / 64),
        # A tie doubles every pattern, and the double of what was seen counts a half.
        (5, 0, 1, 2 * (1 + 1 / 2) / 64),
        (3, 3, 0, 1.0),
        (0, 0, 4, 1.0),
    ],
)
def test_p_values_by_hand(wins, losses, ties, p):
    found = compare("a", "b", duel(wins, losses, ties), "rate", 1)
    assert found.exact
    assert found.p_value == pytest.approx(p)


def test_five_challenges_that_all_favour_one_agent_are_no_proof():
    five, six = compare("a", "b", duel(5), "rate", 1), compare("a", "b", duel(6), "rate", 1)
    assert (five.error, five.different) == (0, False)
    assert (five.interval.low, five.interval.high) == (-1, 1)
    assert six.different
    assert (six.interval.low, six.interval.high) == (1, 1)
    assert [(r.low, r.high) for r in rank_sets(duel(5), 1).rows] == [(1, 2), (1, 2)]
    assert [(r.low, r.high) for r in rank_sets(duel(6), 1).rows] == [(1, 1), (2, 2)]


def test_no_shared_task_says_nothing():
    found = compare("a", "b", [*row("a", [1]), Cell("b", "other", "other", Fraction(1), 1)], "rate", 1)
    assert (found.tasks, found.first_only, found.second_only) == (0, 1, 1)
    assert found.difference is found.p_value is found.interval is found.error is found.first_mean is None
    assert not found.different
    assert found.decisive == ()
    assert adjusted([found])[0].p_adjusted is None


def test_many_challenges_are_drawn_and_the_draws_agree_with_counting():
    """Nine of fourteen against the exact share of patterns, counted by binomial coefficients."""
    from math import comb

    found = compare("a", "b", duel(11, 3), "rate", 3)
    assert not found.exact
    exact = 2 * (sum(comb(14, k) for k in range(3)) + comb(14, 3) / 2) / 2**14
    assert found.p_value == pytest.approx(exact, abs=0.006)


def test_comparisons_with_all_are_corrected_together():
    cells = [*duel(6), *row("c", [1] * 6), *row("d", [0] * 6)]
    found = {c.second: (c.p_value, c.p_adjusted, c.different) for c in compare_with_all("a", cells, "rate", 1)}
    assert found == {
        "b": (0.03125, 0.09375, False),
        "c": (1.0, 1.0, False),
        "d": (0.03125, 0.09375, False),
    }


def test_one_challenge_has_no_error_bar_and_few_are_marked():
    one = estimate({c.task: c for c in row("a", [1])}, "rate")
    assert (one.value, one.error, one.interval, one.few) == (1, None, None, True)
    same = [Cell("a", f"t{n}", "c", Fraction(n % 2), 1) for n in range(40)]
    assert estimate({c.task: c for c in same}, "rate").interval is None
    assert not estimate({c.task: c for c in row("a", [1, 0] * 5)}, "rate").few
    with pytest.raises(ValueError, match="no tasks"):
        estimate({}, "rate")


def test_where_all_attempts_had_one_outcome_each_challenge_is_one_attempt():
    """Wilson of nothing in n attempts: from 0 to z²/(n + z²), with t of nine degrees of freedom."""
    found = estimate({c.task: c for c in row("a", [0] * 10, attempts=50)}, "rate").interval
    t = 2.2621571627982
    assert found.low == 0
    assert found.high == pytest.approx(t * t / (10 + t * t))


def test_two_cells_of_one_agent_at_one_task_are_refused():
    with pytest.raises(ValueError, match="two cells of a at t00"):
        by_agent([*row("a", [1]), *row("a", [0])])


def test_nobody_alone_and_one_challenge():
    assert rank_sets([], 1).rows == ()
    assert ratings([]).rows == ()
    (alone,) = rank_sets(row("a", [1, 0]), 1).rows
    assert (alone.low, alone.high, alone.tied_with) == (1, 1, ())
    assert ratings(row("a", [1, 0])).rows == ()
    first, second = ratings(duel(1)).rows
    assert (first.agent, first.error, first.interval) == ("a", None, None)
    assert first.rating - second.rating == pytest.approx(400 * 0.47712125472)


def test_items_are_remarked_on_and_the_model_waits_for_its_agents():
    strong = [[1, 1, 0, 0, n > 9] for n in range(20)]
    cells = [cell for n, values in enumerate(strong) for cell in row(f"a{n:02}", [int(v) for v in values])]
    # The last but one item is solved by the weak alone.
    cells = [Cell(c.agent, c.task, c.challenge, Fraction(c.agent < "a10"), 1) if c.task == "t03" else c for c in cells]
    report = analyse(cells)
    assert [item.remarks for item in report.items] == [("easy",), ("easy",), ("hard",), ("inverted",), ("inverted",)]
    assert report.why_no_model is None
    assert report.model.exploratory
    assert report.model.converged
    assert len(report.model.agents) == 20
    fewer = analyse([c for c in cells if c.agent != "a00"])
    assert (fewer.model, fewer.agents) == (None, 19)
    assert "20 agents, and there are 19" in fewer.why_no_model
