"""What holds for the statistics of any results."""

from __future__ import annotations

from fractions import Fraction

import pytest
from drawing import any_headline, runs
from drawing_cells import VALUES, cells, counted, tallies, totals
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bouts.model.run import Run
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.standings.bootstrap import bootstrap
from bouts.standings.cells import Cell, by_agent, rate_cells
from bouts.standings.cohort import completed
from bouts.standings.composite import composite, composite_of_totals
from bouts.standings.estimates import estimate, estimates, rate_of_totals, wilson
from bouts.standings.headline_board import composite_bar, pass_bar
from bouts.standings.holm import holm
from bouts.standings.items import analyse
from bouts.standings.paired import compare, compare_with_all
from bouts.standings.ranksets import rank_sets
from bouts.standings.ratings import ratings
from bouts.standings.repeatability import pass_levels, repeatability, repeatability_of

QUICK = STATISTICS_1.model_copy(
    update={
        "ranks": STATISTICS_1.ranks.model_copy(update={"rounds": 199}),
        "intervals": STATISTICS_1.intervals.model_copy(update={"bootstrap_rounds": 199}),
    }
)
"""Fewer draws than in earnest: the laws hold for any number."""
MEASURED = st.integers(0, 12_000_000_000).map(lambda n: n / 10**6)
SHUFFLES = st.randoms(use_true_random=False)
SEEDS = st.integers(0, 2**64 - 1)


@st.composite
def any_runs(draw: st.DrawFn) -> tuple[Run, ...]:
    """Runs whose latency and cost have all the decimals that a ledger keeps."""
    return tuple(
        run.model_copy(
            update={
                "latency_ms": None if run.latency_ms is None else draw(MEASURED),
                "cost_usd": None if run.cost_usd is None else draw(st.integers(0, 10**9)) / 10**9,
            }
        )
        for run in draw(runs())
    )


@given(any_runs(), any_headline)
def test_the_composite_from_totals_is_the_one_from_all_runs(rows, policy):
    assert composite_of_totals(totals(rows), policy.composite) == composite(rows, policy.composite)


@given(runs(), any_headline)
def test_pass_k_from_counts_is_the_one_from_all_runs(rows, policy):
    whole = repeatability(rows, policy.repeatability)
    assert repeatability_of(counted(completed(rows)), policy.repeatability) == whole
    assert pass_levels(totals(rows).tasks, policy.repeatability) == whole.levels


@given(runs(), any_headline)
@settings(max_examples=25)
def test_error_bars_of_composite_and_pass_k_stand_around_the_figures_themselves(rows, policy):
    made = tallies(rows)
    found = composite_bar(made, (), 1, policy.composite, QUICK)
    assert found.value == composite(rows, policy.composite).value
    for level in repeatability(rows, policy.repeatability).levels:
        bar = pass_bar(made, (), level.k, 1, policy.repeatability, QUICK)
        assert bar.value == (None if level.value is None else pytest.approx(level.value, abs=1e-6))


@given(runs())
def test_the_rate_from_totals_is_the_one_from_tallies_where_each_task_is_a_challenge(rows):
    own = by_agent(rate_cells(tallies(rows))).get("ada")
    assert rate_of_totals(totals(rows)) == (estimate(own, "rate") if own else None)


@given(cells(), SHUFFLES, SEEDS)
@settings(max_examples=40)
def test_the_order_of_results_does_not_matter_to_the_last_bit(rows, random, seed):
    mixed = random.sample(rows, len(rows))
    assert estimates(mixed, "rate") == estimates(rows, "rate")
    assert compare("ada", "ben", mixed, "rate", seed) == compare("ada", "ben", rows, "rate", seed)
    assert rank_sets(mixed, seed, QUICK.ranks) == rank_sets(rows, seed, QUICK.ranks)
    assert ratings(mixed) == ratings(rows)
    assert analyse(mixed) == analyse(rows)


@given(cells(agents=2), SEEDS)
def test_who_is_named_first_changes_signs_alone(rows, seed):
    one, two = compare("ada", "ben", rows, "rate", seed), compare("ben", "ada", rows, "rate", seed)
    assert (one.tasks, one.clusters, one.p_value, one.error) == (two.tasks, two.clusters, two.p_value, two.error)
    assert (one.first_only, one.second_only) == (two.second_only, two.first_only)
    if one.tasks:
        assert one.difference == -two.difference
        assert (one.interval.low, one.interval.high) == (-two.interval.high, -two.interval.low)
        assert {(row.task, row.share) for row in one.decisive} == {(row.task, -row.share) for row in two.decisive}


@given(cells(agents=2), SEEDS)
def test_a_difference_lies_in_its_interval_and_0_does_unless_the_test_rejects_it(rows, seed):
    found = compare("ada", "ben", rows, "rate", seed)
    assume(found.tasks)
    assert 0 <= found.p_value <= 1
    assert found.p_value >= 2 / 2**found.clusters
    assert -1 <= found.interval.low <= found.difference <= found.interval.high <= 1
    assert found.interval.low <= 0 <= found.interval.high or found.different
    assert not found.different or not found.interval.low < 0 < found.interval.high
    assert sum(row.share for row in found.decisive) == pytest.approx(found.difference, abs=1e-12)
    assert found.difference == pytest.approx(found.first_mean - found.second_mean, abs=1e-12)


@given(cells(agents=2, whole=True), SEEDS, st.integers(2, 5))
def test_trying_a_task_more_often_with_the_same_rate_changes_no_comparison(rows, seed, times):
    more = [Cell(c.agent, c.task, c.challenge, c.value, c.attempts * times) for c in rows]
    assert compare("ada", "ben", more, "rate", seed) == compare("ada", "ben", rows, "rate", seed)


@given(cells(), SEEDS)
def test_what_is_compared_with_all_is_corrected_upwards(rows, seed):
    for row in compare_with_all("ada", rows, "rate", seed):
        assert (row.p_value is None) == (row.p_adjusted is None) == (row.tasks == 0)
        assert row.p_value is None or row.p_value <= row.p_adjusted <= 1
        assert row.different == (row.p_adjusted is not None and row.p_adjusted <= STATISTICS_1.comparison.alpha)


@given(st.lists(st.integers(0, 1000).map(lambda n: n / 1000), max_size=8))
def test_holm_keeps_the_order_and_never_lowers(chances):
    found = holm(chances)
    assert all(before <= after <= 1 for before, after in zip(chances, found, strict=True))
    for a, b in zip(chances, found, strict=True):
        assert all(b <= d for c, d in zip(chances, found, strict=True) if a < c)
    assert len(chances) != 1 or found == tuple(chances)


@given(cells(), SEEDS)
@settings(max_examples=60)
def test_rank_sets_hold_the_rank_that_was_seen_and_being_tied_goes_both_ways(rows, seed):
    sets = rank_sets(rows, seed, QUICK.ranks)
    by_name = {row.agent: row for row in sets.rows}
    means = [row.mean for row in sets.rows]
    assert means == sorted(means, reverse=True)
    for row in sets.rows:
        best = 1 + sum(mean > row.mean for mean in means)
        worst = sum(mean >= row.mean for mean in means)
        assert 1 <= row.low <= best <= worst <= row.high <= len(means)
        assert row.high - row.low == len(row.tied_with)
        assert all(row.agent in by_name[name].tied_with for name in row.tied_with)


@given(cells(agents=3, whole=True), SEEDS)
@settings(max_examples=40)
def test_an_agents_double_is_tied_with_it(rows, seed):
    double = [Cell("zoe", c.task, c.challenge, c.value, c.attempts) for c in rows if c.agent == "ada"]
    sets = {row.agent: row for row in rank_sets([*rows, *double], seed, QUICK.ranks).rows}
    assert "zoe" in sets["ada"].tied_with
    assert (sets["zoe"].low, sets["zoe"].high) == (sets["ada"].low, sets["ada"].high)
    rated = {row.agent: row for row in ratings([*rows, *double]).rows}
    assert rated["zoe"].rating == pytest.approx(rated["ada"].rating)


@given(cells(whole=True))
def test_ratings_follow_the_wins_around_the_centre(rows):
    found = ratings(rows).rows
    assert {row.group for row in found} <= {1}
    if found:
        assert sum(row.rating for row in found) / len(found) == pytest.approx(STATISTICS_1.ratings.centre)
        assert sum(row.wins for row in found) == sum(row.comparisons for row in found) / 2
    for one in found:
        for two in found:
            assert one.wins <= two.wins or one.rating > two.rating
            assert one.wins != two.wins or one.rating == pytest.approx(two.rating)


@given(cells())
def test_ratings_of_agents_without_a_shared_task_do_not_compare(rows):
    apart = [Cell(f"other {c.agent}", f"other {c.task}", c.challenge, c.value, c.attempts) for c in rows]
    both = {row.agent: row for row in ratings([*rows, *apart]).rows}
    groups = {row.group for name, row in both.items() if name.startswith("other")}
    assert groups.isdisjoint({row.group for name, row in both.items() if not name.startswith("other")})
    for row in ratings(rows).rows:
        assert both[row.agent].rating == pytest.approx(row.rating)


@given(cells())
def test_error_bars_lie_on_the_scale_around_the_mean(rows):
    for found in estimates(rows, "rate").values():
        assert (found.interval is None) == (found.error is None) == (found.clusters < 2)
        if found.interval is not None:
            assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
            assert found.interval.low < found.interval.high


@given(st.integers(1, 200), st.data())
def test_wilson_holds_the_rate_and_narrows_with_attempts(attempts, data):
    rate = data.draw(st.integers(0, attempts)) / attempts
    low, high = wilson(rate, attempts, 1.96)
    closer = wilson(rate, 2 * attempts, 1.96)
    assert 0 <= low <= rate <= high <= 1
    assert closer[1] - closer[0] < high - low


@given(st.dictionaries(st.sampled_from("abcdef"), VALUES, min_size=1), SEEDS)
@settings(max_examples=40)
def test_bootstrap_bars_lie_between_the_extremes(clusters, seed):
    def mean(rows):
        return sum(rows, Fraction(0)) / len(rows)

    found = bootstrap(clusters, mean, seed, QUICK.intervals)
    assert found.value == float(mean(list(clusters.values())))
    assert (found.interval is None) == (len(clusters) < 2)
    if found.interval is not None:
        assert float(min(clusters.values())) <= found.interval.low <= found.interval.high
        assert found.interval.high <= float(max(clusters.values()))


@given(cells())
def test_items_have_shares_and_correlations_in_range(rows):
    report = analyse(rows)
    assert report.model is None
    assert str(STATISTICS_1.items.irt_agents) in report.why_no_model
    for item in report.items:
        assert 0 <= item.difficulty <= 1
        assert item.discrimination is None or -1 - 1e-12 <= item.discrimination <= 1 + 1e-12
        assert item.discrimination is None or item.agents >= STATISTICS_1.items.respondents
        assert ("inverted" in item.remarks) == (item.discrimination is not None and item.discrimination < 0)
