"""Policies as flat lists of named values."""

from __future__ import annotations

import pytest

from bouts.errors import NotFound
from bouts.policy.catalogue import POLICIES
from bouts.policy.fields import changed, field, fields
from bouts.policy.four_judge_1 import FOUR_JUDGE_1


@pytest.mark.parametrize("policy", POLICIES.values(), ids=list(POLICIES))
def test_paths_are_unique_and_lead_back(policy):
    rows = list(fields(policy))
    assert len(rows) > 20
    assert len({row.path for row in rows}) == len(rows)
    for row in rows[:: max(1, len(rows) // 40)]:
        assert field(policy, row.path) == row.value
    assert all(row.meaning for row in rows)


def test_one_value_by_its_path():
    assert field(FOUR_JUDGE_1, "objective.weights.static") == 0.4
    assert field(FOUR_JUDGE_1, "integrity.penalties.stubbed.points") == -15
    assert field(FOUR_JUDGE_1, "objective.performance.p95_ms.points[1][0]") == 1000
    for path in (
        "objective.weights",
        "objective.weights.statics",
        "objective.performance.p95_ms.points[9]",
        "lowest[0]",
    ):
        with pytest.raises(NotFound):
            field(FOUR_JUDGE_1, path)


def test_what_differs():
    assert changed(FOUR_JUDGE_1, FOUR_JUDGE_1) == ()
    weights = FOUR_JUDGE_1.objective.weights.model_copy(update={"static": 0.45})
    objective = FOUR_JUDGE_1.objective.model_copy(update={"weights": weights, "lint_rules": {"go": ("vet",)}})
    other = FOUR_JUDGE_1.model_copy(update={"objective": objective, "bonuses": ()})
    rows = {row.path: (row.before, row.after, row.change) for row in changed(FOUR_JUDGE_1, other)}
    assert rows == {
        "objective.weights.static": (0.4, 0.45, "changed"),
        "objective.lint_rules.python": (("E4", "E7", "E9", "F"), None, "removed"),
        "objective.lint_rules.go": (None, ("vet",), "added"),
    }


def test_comparing_the_other_way_round_swaps_the_sides():
    one, two = POLICIES["four-judge"], POLICIES["partial-credit"]
    there = {(r.path, r.before, r.after) for r in changed(one, two)}
    back = {(r.path, r.after, r.before) for r in changed(two, one)}
    assert there == back
