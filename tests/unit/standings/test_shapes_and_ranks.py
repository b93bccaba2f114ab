"""Shapes of attempts and tie-breaks."""

from __future__ import annotations

import pytest

from bouts.standings.ranks import Entry, rank
from bouts.standings.shapes import MEANINGS, POINTED_OUT, shape, trajectory


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([], None),
        ([85], "one-shot"),
        ([60, 72, 78, 85], "rising"),
        ([60, 85, 72, 85], "regression"),
        ([60, 60, 60, 85], "late-jump"),
        ([60, 60, 85], "late-jump"),
        ([60, 85], "rising"),
        ([60, 60, 60], "rising"),
        ([60, 61, 61, 85], "rising"),
        ([60, 60, 59.96], "rising"),
        ([60, 60, 59.94], "regression"),
        ([85, 60], "regression"),
    ],
)
def test_shapes(scores, found):
    assert shape(scores) == found


def test_regressions_and_late_jumps_are_pointed_out():
    assert {"regression", "late-jump"} == POINTED_OUT
    assert set(MEANINGS) == {"one-shot", "rising", "regression", "late-jump"}


def test_the_display():
    assert trajectory([60, 72, 78, 85]) == "[60 → 72 → 78 → 85]"
    assert trajectory([82.075]) == "[82.1]"


def ranks(*entries, **options):
    return [(row.rank, row.entry.name) for row in rank(entries, **options)]


def entry(name, final, iterations=None, seconds=None):
    return Entry(name=name, final=final, iterations=iterations, seconds=seconds)


def test_the_documents_two_agents():
    a, b = entry("a", 85, 1, 1334), entry("b", 85, 4, 2467)
    assert ranks(b, a) == [(1, "a"), (2, "b")]


def test_tie_breaks_in_their_order():
    rows = [
        entry("slow", 85, 2, 900),
        entry("fast", 85, 2, 600),
        entry("many", 85, 3, 10),
        entry("best", 85.1, 9, 9999),
    ]
    assert ranks(*rows) == [(1, "best"), (2, "fast"), (3, "slow"), (4, "many")]
    assert ranks(*rows, tie_breakers=("time", "iterations")) == [(1, "best"), (2, "many"), (3, "fast"), (4, "slow")]
    assert ranks(*rows, tie_breakers=()) == [(1, "best"), (2, "fast"), (2, "many"), (2, "slow")]


def test_what_nothing_tells_apart_shares_the_rank_and_the_next_is_skipped():
    assert ranks(entry("c", 70), entry("b", 85), entry("a", 85)) == [(1, "a"), (1, "b"), (3, "c")]


def test_ties_are_decided_on_the_shown_value():
    assert ranks(entry("a", 84.95, 3), entry("b", 85.04, 2), entry("c", 84.94, 1)) == [(1, "b"), (2, "a"), (3, "c")]


def test_what_is_not_said_is_worse_than_anything_said():
    assert ranks(entry("a", 85), entry("b", 85, 20)) == [(1, "b"), (2, "a")]
