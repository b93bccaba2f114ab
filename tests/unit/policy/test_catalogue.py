"""All released tables: their digests, their words, how they are found."""

from __future__ import annotations

import pytest

from bouts.errors import BadUsage, NotFound
from bouts.model.base import Fact
from bouts.model.describe import field_docs
from bouts.policy.beside_1 import BESIDE_1
from bouts.policy.beside_all import BESIDE_SCORES
from bouts.policy.catalogue import (
    POLICIES,
    RELEASED,
    card_policy,
    for_cards,
    get,
    policy_digest,
    second_hidden_run,
    variant,
)
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.partial_credit_1 import PARTIAL_CREDIT_1
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.policy.statistics_1 import STATISTICS_1

RELEASED_DIGESTS = {
    ("four-judge", "1.0"): "sha256:2072d61f8f2ea2a94a9dbd9ed9c7ee1b69e003ae070e91a6ec0badbe4a44397a",
    ("six-component", "1.0"): "sha256:8f1db31560c1ee148e2b4e04da8150a42e9fe9220011e6df28453ec90ef9853f",
    ("partial-credit", "1.0"): "sha256:426b7b46c82aeb14358f16351c3b12db03565bdd277f17e073dd9d023c67d3ba",
    ("headline", "2026-07-zero-success-v1"): "sha256:db00776045a079cfc476c249abcc82b4935eb19587113e573f2f35289172e0c3",
}
TABLES = (*POLICIES.values(), *BESIDE_SCORES.values())


def facts_of(value: object):
    if isinstance(value, Fact):
        yield value
        for name in type(value).model_fields:
            yield from facts_of(getattr(value, name))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from facts_of(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from facts_of(inner)


def test_a_released_table_is_never_edited():
    assert {key: policy_digest(policy) for key, policy in RELEASED.items()} == RELEASED_DIGESTS
    beside = "sha256:1456a3fd7b5c2011a1363cbcb71dea9f0b1a9d5186c81976abd7eb90b6e202a0"
    assert policy_digest(BESIDE_1) == beside
    statistics = "sha256:1ff17ee23d8ade3d9c79ec88839918063ec2025f9f583303a8d268787358134d"
    assert policy_digest(STATISTICS_1) == statistics


@pytest.mark.parametrize("policy", TABLES, ids=lambda p: p.name)
def test_every_field_states_its_meaning(policy):
    for fact in facts_of(policy):
        undescribed = set(type(fact).model_fields) - {name for name, text in field_docs(type(fact)).items() if text}
        assert undescribed == set(), type(fact).__name__


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(NotFound, match="four-judge"):
        get("four-jugde")
    with pytest.raises(NotFound, match="policies: four-judge, six-component, partial-credit, headline"):
        get("zzz")
    with pytest.raises(NotFound, match=r"versions: 1\.0"):
        get("four-judge", "9.9")
    assert get("four-judge", "1.0") is FOUR_JUDGE_1


def test_the_current_version_of_a_name_is_a_released_one():
    for name, policy in POLICIES.items():
        assert RELEASED[name, policy.version] is policy


def test_headline_scores_no_single_card():
    with pytest.raises(BadUsage, match="scores all runs of an agent together") as caught:
        card_policy("headline")
    assert caught.value.exit_status == 2
    assert caught.value.hint == "for a card use four-judge or six-component or partial-credit"
    assert get("headline") is HEADLINE_2026_07
    assert for_cards(FOUR_JUDGE_1) is FOUR_JUDGE_1


def test_a_variant_has_weights_and_a_version_of_its_own():
    made = variant("sql-tasks", {"correctness": 0.3, "tool_usage": 0.25, "safety": 0.2})
    assert made.version == "1.0+sql-tasks"
    assert made.weights.model_dump() == {
        "correctness": 0.3,
        "tool_usage": 0.25,
        "code_quality": 0.15,
        "safety": 0.2,
        "efficiency": 0.1,
    }
    assert made.safety == PARTIAL_CREDIT_1.safety
    assert policy_digest(made) != policy_digest(PARTIAL_CREDIT_1)
    assert variant("other", {}, made).version == "1.0+other"


@pytest.mark.parametrize(
    ("name", "weights", "said"),
    [
        ("x", {"safety": 0.2}, "add up to 1.1"),
        ("x", {"speed": 0.2}, "no dimension is called 'speed'"),
        ("x", {"safety": -0.1, "efficiency": 0.3}, "not a share"),
        ("x", {"safety": float("nan")}, "not a share"),
        ("x", {"safety": 0.1000001, "efficiency": 0.0999999}, "more than 6 decimals"),
        ("", {}, "is no name"),
        ("a b", {}, "is no name"),
    ],
)
def test_a_wrong_variant_is_refused(name, weights, said):
    with pytest.raises(BadUsage, match=said):
        variant(name, weights)


def test_a_variant_may_rest_on_one_dimension_alone():
    others = dict.fromkeys(("tool_usage", "code_quality", "safety", "efficiency"), 0.0)
    made = variant("x1-y", {"correctness": 1.0, **others})
    assert made.weights.model_dump() == {"correctness": 1.0, **others}
    assert type(made.weights) is type(PARTIAL_CREDIT_1.weights)


@pytest.mark.parametrize(
    ("name", "weights", "message", "where", "hint"),
    [
        ("é", {}, "'é' is no name of a variant", None, "use letters, digits and dashes"),
        ("-", {}, "'-' is no name of a variant", None, "use letters, digits and dashes"),
        (
            "x",
            {"zeal": 0.1, "speed": 0.2},
            "no dimension is called 'speed'",
            None,
            "dimensions: correctness, tool_usage, code_quality, safety, efficiency",
        ),
        ("x", {"safety": 1.5}, "the weight of safety is 1.5, not a share from 0 to 1", "x", None),
        (
            "x",
            {"safety": 0.1000001, "efficiency": 0.0999999},
            "the weight of safety has more than 6 decimals",
            "x",
            "a card stores no more",
        ),
        (
            "x",
            {"safety": 0.2},
            "the weights add up to 1.1, not to 1",
            "x",
            "correctness 0.4 (kept), tool_usage 0.25 (kept), code_quality 0.15 (kept), safety 0.2, "
            "efficiency 0.1 (kept)",
        ),
        ("x", {"safety": 0.100001}, "the weights add up to 1.000001, not to 1", "x", None),
    ],
)
def test_a_refused_variant_says_where_and_what_to_do(name, weights, message, where, hint):
    with pytest.raises(BadUsage) as caught:
        variant(name, weights)
    error = caught.value
    assert (error.message, error.where) == (message, where)
    assert hint is None or error.hint == hint


def test_what_is_near_is_named_and_nothing_else():
    with pytest.raises(NotFound) as caught:
        get("partial-credits")
    assert caught.value.message == "no policy is called 'partial-credits'"
    assert caught.value.hint == "did you mean partial-credit?"
    with pytest.raises(NotFound) as caught:
        get("headline", "1.0")
    assert caught.value.message == "policy 'headline' has no version '1.0'"
    assert caught.value.hint == "versions: 2026-07-zero-success-v1"
    with pytest.raises(NotFound) as caught:
        get("zzz", "1.0")
    assert caught.value.hint == "policies: four-judge, six-component, partial-credit, headline"
    with pytest.raises(NotFound):
        card_policy("four-judge", "9.9")


def test_the_second_hidden_run_is_a_field_of_each_policy_of_cards():
    assert all(second_hidden_run(policy) for policy in (FOUR_JUDGE_1, SIX_COMPONENT_1, PARTIAL_CREDIT_1))
    objective = FOUR_JUDGE_1.objective.model_copy(update={"second_hidden_run": False})
    assert not second_hidden_run(FOUR_JUDGE_1.model_copy(update={"objective": objective}))
    assert not second_hidden_run(SIX_COMPONENT_1.model_copy(update={"second_hidden_run": False}))


def test_a_digest_is_remembered_for_its_very_table_only():
    first = policy_digest(SIX_COMPONENT_1)
    assert first.startswith("sha256:")
    assert len(first) == len("sha256:") + 64
    assert policy_digest(SIX_COMPONENT_1) == first == policy_digest(SIX_COMPONENT_1.model_copy())
    versions = {policy_digest(SIX_COMPONENT_1.model_copy(update={"version": f"v{n}"})) for n in range(200)}
    assert len(versions) == 200
    assert policy_digest(SIX_COMPONENT_1) == first
