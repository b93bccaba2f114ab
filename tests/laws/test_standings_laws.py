"""What holds for every agent's runs and every table of headline."""

from __future__ import annotations

import itertools

from drawing import any_headline, runs
from hypothesis import assume, given
from hypothesis import strategies as st

from bouts.scoring.exact import exact, half_up
from bouts.standings.cohort import completed, outcome
from bouts.standings.headline import headline
from bouts.standings.radar import AXES
from bouts.standings.ranks import Entry, rank
from bouts.standings.repeatability import pass_k
from bouts.standings.shapes import shape

ENTRIES = st.builds(
    Entry,
    name=st.text("abcdef", min_size=1, max_size=3),
    final=st.integers(0, 2000).map(lambda n: n / 20),
    iterations=st.one_of(st.none(), st.integers(1, 4)),
    seconds=st.one_of(st.none(), st.integers(0, 5).map(float)),
)


@given(st.integers(0, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), st.integers(1, 29))
def test_pass_k_falls_with_k(counts, k):
    outcomes, successes = counts
    more, fewer = pass_k(outcomes, successes, k), pass_k(outcomes, successes, k + 1)
    assert 0 <= fewer <= more <= 1
    assert pass_k(outcomes, successes, 1) * outcomes == successes


@given(runs(), any_headline)
def test_the_report_falls_with_k_too(rows, policy):
    levels = headline(rows, policy).repeatability.levels
    values = [level.value for level in levels if level.value is not None]
    assert values == sorted(values, reverse=True)
    assert [level.short for level in levels] == sorted(level.short for level in levels)


@given(runs(), any_headline)
def test_the_composite_lies_between_0_and_100_times_the_weights_and_is_0_without_success(rows, policy):
    found = headline(rows, policy).composite
    weights = policy.composite.weights.model_dump().values()
    if not completed(rows):
        assert found.value is None
    elif not any(outcome(run) for run in completed(rows)):
        assert found.value == 0
    elif found.value is not None:
        assert 0 <= found.value <= float(half_up(100 * sum(exact(w) for w in weights), policy.composite.decimals))


@given(runs(), any_headline, st.data())
def test_a_viewers_weights_never_move_the_composite_nor_an_axis(rows, policy, data):
    weights = {key: data.draw(st.integers(0, 5), label=key) for key in AXES}
    assume(any(weights.values()))
    plain, viewed = headline(rows, policy), headline(rows, policy, weights)
    assert viewed.composite == plain.composite
    assert viewed.repeatability == plain.repeatability
    assert [axis.value for axis in viewed.radar.axes] == [axis.value for axis in plain.radar.axes]


@given(runs(), any_headline, st.randoms(use_true_random=False))
def test_the_order_of_runs_does_not_matter(rows, policy, random):
    # Where runs that ended at one moment straddle the window of the radar, their order decides; so each has its moment.
    apart = [run.model_copy(update={"ended": float(n)}) for n, run in enumerate(rows)]
    assert headline(random.sample(apart, len(apart)), policy) == headline(apart, policy)


@given(runs(), runs(st.just("infrastructure")), any_headline)
def test_faults_of_the_platform_change_nothing(rows, faults, policy):
    assert headline((*rows, *faults), policy) == headline(rows, policy)


@given(runs(), any_headline)
def test_every_axis_lies_between_0_and_100_and_the_weights_of_the_known_ones_add_up(rows, policy):
    found = headline(rows, policy).radar
    known = [axis for axis in found.axes if axis.value is not None]
    assert all(0 <= axis.value <= 100 for axis in known)
    assert all(axis.weight is None for axis in found.axes if axis.value is None)
    if known:
        assert abs(sum(axis.weight for axis in known) - 1) < 1e-5
        assert min(a.value for a in known) - 1e-5 <= found.profile <= max(a.value for a in known) + 1e-5


@given(runs(), any_headline, st.data())
def test_one_more_success_never_lowers_the_composite(rows, policy, data):
    failed = [i for i, run in enumerate(rows) if run.status == "completed" and not run.success]
    assume(failed)
    at = data.draw(st.sampled_from(failed))
    better = [run.model_copy(update={"success": True}) if i == at else run for i, run in enumerate(rows)]
    before, after = headline(rows, policy).composite.value, headline(better, policy).composite.value
    assert after is None or before is None or after >= before


@given(st.lists(ENTRIES, max_size=8), st.randoms(use_true_random=False))
def test_ranks_do_not_depend_on_the_order_and_follow_the_shown_finals(entries, random):
    ranked = rank(entries)
    assert rank(random.sample(entries, len(entries))) == ranked
    shown = [half_up(exact(row.entry.final), 1) for row in ranked]
    assert shown == sorted(shown, reverse=True)
    for at, row in enumerate(ranked):
        assert row.rank == (at + 1 if not at or ranked[at - 1].rank != row.rank else ranked[at - 1].rank)


@given(st.lists(st.integers(0, 100), min_size=1, max_size=6))
def test_every_row_of_attempts_has_one_shape(scores):
    found = shape(scores)
    falls = any(b < a for a, b in itertools.pairwise(scores))
    assert (found == "regression") == falls
    assert (found == "one-shot") == (len(scores) == 1)
    if found == "late-jump":
        assert len(scores) >= 3
        assert len(set(scores[:-1])) == 1
