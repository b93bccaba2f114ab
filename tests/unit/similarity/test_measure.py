"""The measure: symmetric, bounded, 1 for what is contained, and stable while submissions come in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bouts.integrity.similarity.calibration import ENOUGH, SCORE, TAIL
from bouts.integrity.similarity.measure import (
    Counts,
    Overlap,
    Weighed,
    Weights,
    likeness,
    normal,
    overlap,
    pairs_of,
)
from bouts.integrity.similarity.pairs import all_pairs
from bouts.integrity.similarity.shapes import Bag, Print, Reading, Shape, Token, bag
from bouts.integrity.similarity.winnow import RUN, WINDOW, winnow

BAGS = st.builds(
    Bag,
    st.dictionaries(st.integers(0, 40), st.integers(1, 9), max_size=30),
    st.frozensets(st.integers(100, 130), max_size=15),
)


def weighed(bags: Sequence[Bag]) -> list[Weighed]:
    counts = Counts()
    for one in bags:
        counts.add(one)
    weights = Weights(counts)
    return [weights.weigh(one) for one in bags]


@given(st.lists(BAGS, min_size=2, max_size=6))
def test_symmetric_and_bounded(bags: list[Bag]) -> None:
    one, two, *_ = weighed(bags)
    there, back = overlap(one, two), overlap(two, one)
    assert there == back
    usual = normal(pairs_of((str(n), w) for n, w in enumerate(weighed(bags))))
    like = likeness(there, usual)
    assert 0 <= like.similarity <= 1
    assert 0 <= like.percentile <= 100
    assert 0 <= there.contained <= 1


@given(st.lists(BAGS, min_size=1, max_size=6))
def test_the_same_code_is_wholly_contained_where_there_is_enough_of_it(bags: list[Bag]) -> None:
    whole = Bag(dict.fromkeys(range(1000, 1120), 1), frozenset({7}))
    items = weighed([*bags, whole, whole])
    shared = overlap(items[-1], items[-2])
    assert items[-1].mass > ENOUGH
    assert shared.contained == pytest.approx(1)
    assert likeness(shared, normal([])).similarity == 1


def test_little_code_cannot_be_told_apart() -> None:
    small = Bag({1: 1, 2: 1}, frozenset())
    items = weighed([small, small, *(Bag({n: 1}, frozenset()) for n in range(10, 30))])
    assert overlap(items[0], items[1]).contained < 0.5


@given(st.lists(BAGS, min_size=2, max_size=6), BAGS)
def test_adding_changes_earlier_pairs_by_weights_alone(bags: list[Bag], more: Bag) -> None:
    """With the weights held fixed a further submission changes nothing; what all have never gains weight."""
    counts = Counts()
    for one in bags:
        counts.add(one)
    before = Weights(counts)
    first = overlap(before.weigh(bags[0]), before.weigh(bags[1]))
    again = Counts()
    for one in bags:
        again.add(one)
    assert overlap(Weights(again).weigh(bags[0]), Weights(again).weigh(bags[1])) == first
    again.add(more)
    after = Weights(again)
    untouched = {key for key in bags[0].shapes if key not in more.shapes}
    assert all(after.of(key) >= before.of(key) for key in untouched)


@settings(max_examples=60)
@given(st.lists(BAGS, min_size=2, max_size=7))
def test_all_pairs_are_the_pairs_one_by_one(bags: list[Bag]) -> None:
    items = weighed(bags)
    found = {(a, b): shared for a, b, shared in all_pairs(enumerate(items))}
    for i in range(len(items)):
        for j in range(i):
            single = overlap(items[i], items[j])
            many = found.get((i, j), Overlap(0, 0, 0))
            assert many.contained == pytest.approx(single.contained)
            assert many.shared == pytest.approx(single.shared)
            if (i, j) in found:
                assert many.prints == pytest.approx(single.prints)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 200), st.lists(st.floats(0, 1), max_size=50))
def test_more_in_common_is_never_less_alike(low: float, high: float, prints: float, honest: list[float]) -> None:
    low, high = sorted((low, high))
    usual = normal(honest)
    less, more = (likeness(Overlap(c, 10, prints), usual) for c in (low, high))
    assert less.similarity <= more.similarity
    assert less.percentile <= more.percentile
    assert likeness(Overlap(low, 10, prints + 5), usual).similarity >= less.similarity


def test_the_threshold_is_one_honest_pair_in_a_thousand() -> None:
    assert dict(SCORE)[0.001] == 0.85
    assert [s for _, s in TAIL] == [s for s, _ in sorted(((b, a) for a, b in SCORE), reverse=True)] or len(TAIL) >= 5
    strengths = [x for x, _ in TAIL]
    assert strengths == sorted(strengths)


def test_a_task_of_like_solutions_needs_more() -> None:
    shared = Overlap(0.7, 50, 0)
    diverse, convergent = normal([0.1, 0.15, 0.2] * 100), normal([0.5, 0.6, 0.68] * 100)
    assert likeness(shared, diverse).percentile > likeness(shared, convergent).percentile


def test_a_few_copies_do_not_move_what_is_normal() -> None:
    honest = [n / 300 for n in range(100)]
    clean, mixed = normal(honest * 5), normal(honest * 5 + [1.0] * 10)
    assert mixed.median == pytest.approx(clean.median, abs=0.15)
    assert mixed.spread == pytest.approx(clean.spread, abs=0.3)


def test_pairs_of_one_agent_are_not_normal_pairs() -> None:
    items = weighed([Bag({n: 1}, frozenset()) for n in range(3)])
    assert len(pairs_of(zip(("a", "a", "b"), items, strict=True))) == 2
    assert len(pairs_of(zip((None, None, "b"), items, strict=True))) == 3


def test_given_code_is_subtracted_by_number() -> None:
    shapes = tuple(Shape(key, 1, 1) for key in (1, 1, 1, 2))
    reading = Reading("a", "python", shapes, (Print(5, 1, 1), Print(6, 1, 1)))
    left = bag([reading], Bag({1: 2, 2: 4}, frozenset({5})))
    assert left == Bag({1: 1}, frozenset({6}))


TOKENS = st.lists(st.integers(0, 50), min_size=0, max_size=80)


@given(TOKENS, TOKENS, TOKENS, st.lists(st.integers(0, 50), min_size=RUN + WINDOW - 1, max_size=40))
def test_a_long_enough_common_part_shares_a_fingerprint(
    a: list[int], b: list[int], c: list[int], part: list[int]
) -> None:
    one = winnow([Token(t, n) for n, t in enumerate([*a, *part, *b], 1)])
    two = winnow([Token(t, n) for n, t in enumerate([*c, *part], 1)])
    assert {p.key for p in one} & {p.key for p in two}


@given(TOKENS)
def test_fingerprints_lie_within_the_file(tokens: list[int]) -> None:
    found = winnow([Token(t, n) for n, t in enumerate(tokens, 1)])
    assert all(1 <= p.first < p.last <= len(tokens) for p in found)
    assert bool(found) == (len(tokens) >= RUN)


@given(contained=st.floats(0.05, 0.99), prints=st.floats(0, 50), ratio=st.floats(1, 60), more=st.floats(1.01, 5))
def test_a_larger_heap_makes_nothing_more_alike(contained, prints, ratio, more):
    usual = normal([0.1, 0.2, 0.3])
    near, far = (likeness(Overlap(contained, 40.0, prints, r), usual).strength for r in (ratio, ratio * more))
    assert far < near if ratio * more > 4.1 else far <= near


def test_what_is_wholly_contained_is_so_however_much_is_put_around_it():
    assert likeness(Overlap(1.0, 40.0, 0.0, 50.0), normal([0.1, 0.2, 0.3])).similarity == 1.0
