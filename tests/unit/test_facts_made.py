"""Facts that are made without validation are the facts that validation would have made."""

from __future__ import annotations

import facts
import pytest

from bouts.model.base import Fact, made
from bouts.model.card import Card, Flag
from bouts.policy.catalogue import POLICIES
from bouts.policy.headline import Headline
from bouts.policy.six_component_1 import SIX_COMPONENT_1

CARD_POLICIES = [policy for policy in POLICIES.values() if not isinstance(policy, Headline)]
QUALITY = tuple(type(SIX_COMPONENT_1.code_quality.weights).model_fields)


def every(value: object):
    if isinstance(value, Fact):
        yield value
        for name in type(value).model_fields:
            yield from every(getattr(value, name))
    elif isinstance(value, (tuple, list)):
        for inner in value:
            yield from every(inner)


@pytest.mark.parametrize("policy", CARD_POLICIES, ids=lambda policy: policy.name)
def test_a_card_is_complete_to_its_last_line(policy):
    tape = facts.Tape().add("run", "ls", tool="execute_code").test(3)
    card = facts.card(
        facts.evidence(
            [facts.static("test_a", "failed"), facts.hidden("test_h")],
            session=tape.session(),
            findings=(facts.finding("critical"),),
            observations=(facts.seen("plagiarism"), facts.seen("read_only_modified")),
            virtues=(facts.virtue("caught_deception"),),
            marks=facts.panel("code_quality", QUALITY, 50, 70, 90),
        ),
        policy,
    )
    for fact in every(card):
        assert list(fact.__dict__) == list(type(fact).model_fields), type(fact).__name__
    assert Card.model_validate(card.model_dump()) == card
    assert Card.model_validate_json(card.model_dump_json()) == card


def test_a_fact_that_was_made_behaves_as_any_other():
    flag = made(Flag, kind="cut", why="it was long", holds=False)
    assert flag == Flag(kind="cut", why="it was long")
    assert hash(flag) == hash(Flag(kind="cut", why="it was long"))
    assert flag.model_copy(update={"holds": True}).holds
    with pytest.raises(ValueError, match="frozen"):
        flag.kind = "other"
