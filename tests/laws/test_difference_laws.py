"""Laws of comparing two cards."""

from __future__ import annotations

import drawing
import facts
import pytest
from hypothesis import given, settings

from bouts.scoring.differences import compare, moved


@settings(max_examples=60, deadline=None)
@given(drawing.evidence(), drawing.evidence(), drawing.any_policy, drawing.any_policy)
def test_moved_points_add_up_to_the_difference(one, two, policy_one, policy_two):
    before, after = facts.card(one, policy_one), facts.card(two, policy_two)
    found = compare(before, after)
    if found.difference is not None:
        assert sum(points for _, points in moved(found)) == pytest.approx(found.difference, abs=1e-4)
    for row in found.lines:
        if row.by_score is not None:
            assert row.by_score + row.by_weight == pytest.approx(row.points, abs=2e-6)
    back = {row.key: row.points for row in compare(after, before).lines}
    assert back == pytest.approx({row.key: -row.points for row in found.lines}, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(drawing.evidence(), drawing.any_policy)
def test_a_card_does_not_differ_from_itself(evidence, policy):
    card = facts.card(evidence, policy)
    found = compare(card, card)
    assert (found.lines, found.noted, found.counts, found.policy) == ((), (), (), ())
