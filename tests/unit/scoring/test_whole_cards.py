"""Whole cards, and what is said of them, exactly as before: points, formulas, reasons, flags, derivations, differences.

Rich evidence under each policy. `BLESS=1` writes the files anew; read the difference before it is committed. The sums
that are worked out by hand stand in `test_worked_cards.py`.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import facts
import pytest
import whole_evidence

from bouts.errors import BoutsError
from bouts.integrity.claims import claims_in
from bouts.model.card import Card
from bouts.model.evidence import Evidence
from bouts.model.records import EvidenceFile
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.partial_credit_1 import PARTIAL_CREDIT_1
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.scoring.differences import compare
from bouts.scoring.explain import derive
from bouts.scoring.explore import what_if
from bouts.scoring.find import walk
from bouts.scoring.process.profile import profile
from bouts.scoring.reach import to_reach

GOLDEN = Path(__file__).parents[2] / "golden" / "cards"
POLICIES = {policy.name: policy for policy in (FOUR_JUDGE_1, SIX_COMPONENT_1, PARTIAL_CREDIT_1)}
BOTH = [(name, policy) for name in whole_evidence.ALL for policy in POLICIES]
RICH = [(name, policy) for name in ("broken", "marked", "severe", "lost") for policy in POLICIES]


def same(name: str, found: Any) -> None:
    path = GOLDEN / f"{name}.json"
    if os.environ.get("BLESS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8"))


def shown(fact: Any) -> Any:
    return json.loads(fact.model_dump_json())


def stored(name: str, policy: str) -> tuple[Card, EvidenceFile]:
    return facts.stored(whole_evidence.ALL[name](), POLICIES[policy])


@cache
def evidence(name: str) -> Evidence:
    return whole_evidence.ALL[name]()


@pytest.mark.parametrize(("name", "policy"), BOTH)
def test_cards(name: str, policy: str) -> None:
    same(f"{policy}-{name}", shown(facts.card(evidence(name), POLICIES[policy])))


@pytest.mark.parametrize(("name", "policy"), RICH)
def test_derivations(name: str, policy: str) -> None:
    """Of the final and of every line: the general formula, and the one filled in with numbers."""
    card, file = stored(name, policy)
    rows = {}
    for key in (None, *(line.key for line in walk(card.lines))):
        made = derive(card, key, file)
        rows[made.key] = [made.general, made.filled, [source.id for source in made.evidence]]
    same(f"{policy}-{name}-derived", rows)


@pytest.mark.parametrize(("name", "policy"), RICH)
def test_what_it_takes(name: str, policy: str) -> None:
    card, _ = stored(name, policy)
    same(f"{policy}-{name}-to-reach", [shown(to_reach(card, target)) for target in (0, 40, 60, 75.5, 100)])


@pytest.mark.parametrize(("name", "policy"), RICH)
def test_what_would_be(name: str, policy: str) -> None:
    """Each line supposed at a low and a high score by itself, where it may be supposed."""
    card, _ = stored(name, policy)
    rows: dict[str, Any] = {}
    for line in walk(card.lines):
        for score in (-30, -5, 0, 55, 100):
            try:
                rows[f"{line.key}={score}"] = shown(what_if(card, {line.key: score}))["final"]
            except BoutsError as error:
                rows[f"{line.key}={score}"] = str(error)
    some = [line.key for line in card.lines if line.policy_weight is not None][:2]
    rows["changes"] = shown(what_if(card, dict(zip(some, (100, 20), strict=True))))
    same(f"{policy}-{name}-what-if", rows)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("before", "after"), [("marked", "broken"), ("broken", "sparse"), ("lost", "marked")])
def test_differences(before: str, after: str, policy: str) -> None:
    (card, file), (other, second) = stored(before, policy), stored(after, policy)
    same(f"{policy}-{before}-{after}-diff", shown(compare(card, other, file, second)))


def test_differences_between_policies() -> None:
    (card, file), (other, second) = stored("broken", "four-judge"), stored("broken", "six-component")
    found = shown(compare(card, other, file, second))
    assert found.pop("policy")  # every field of both tables; `bouts policy diff` has tests of its own
    same("between-policies-diff", found)


def test_the_profile_of_a_session() -> None:
    rows = profile(whole_evidence.session(), claims_in, ("app/a.py",))
    same("profile", [shown(trait) for trait in rows])
