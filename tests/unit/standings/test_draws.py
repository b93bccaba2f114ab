"""Random draws: the same for ever, even, and independent of each other."""

from __future__ import annotations

from collections import Counter
from operator import getitem

import pytest

from bouts.standings.draws import resamples, sign_patterns, stream, subset_sums
from bouts.standings.linear import factor


def test_the_stream_never_changes():
    assert stream("comparison", 7, 8).hex() == "05840a9879509da8"
    assert next(resamples("bootstrap", 7, 5, 1)) == [2, 2, 1, 1, 3]


def test_purposes_and_seeds_give_different_streams():
    assert len({stream(purpose, seed, 16) for purpose in ("a", "b") for seed in (1, 2)}) == 4


def test_bits_and_places_are_even():
    patterns = list(sign_patterns("x", 1, 11, 4000))
    assert {len(pattern) for pattern in patterns} == {2}
    for bit in range(11):
        assert 1850 < sum(pattern[bit // 8] >> bit % 8 & 1 for pattern in patterns) < 2150
    places = Counter(place for draw in resamples("x", 1, 7, 2000) for place in draw)
    assert set(places) == set(range(7))
    assert all(1800 < count < 2200 for count in places.values())


@pytest.mark.parametrize("count", [1, 7, 8, 9, 17])
def test_sums_over_patterns_are_looked_up_right(count):
    values = [3**n for n in range(count)]
    tables = subset_sums(values, 0)
    for pattern in sign_patterns("x", 2, count, 50):
        chosen = [value for at, value in enumerate(values) if pattern[at // 8] >> at % 8 & 1]
        assert sum(map(getitem, tables, pattern)) == sum(chosen)


def test_equations_are_solved():
    matrix = [[4.0, 2.0, 0.5], [2.0, 5.0, 1.0], [0.5, 1.0, 3.0]]
    solution = factor(matrix).solve([1.0, -2.0, 4.0])
    assert [sum(a * x for a, x in zip(row, solution, strict=True)) for row in matrix] == pytest.approx([1, -2, 4])
    with pytest.raises(ValueError, match="positive definite"):
        factor([[1.0, 2.0], [2.0, 1.0]])
