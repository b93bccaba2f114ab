"""`bouts explain --what-if` and `--to-reach` under several policies."""

from __future__ import annotations

import facts
import pytest

from bouts.model.evidence import DeliverableFacts
from bouts.model.marks import Mark
from bouts.policy.six_component_1 import SIX_COMPONENT_1

DIMENSIONS = ("readability", "architecture", "robustness", "idiomaticity")


@pytest.fixture
def card(stored):
    marks = tuple(
        Mark(rater=rater, family="f", item="code_quality", dimension=name, mark=mark, because="it is", position=seat)
        for seat, (rater, mark) in enumerate((("ada", 60.0), ("ben", 70.0), ("cleo", 75.0)), 1)
        for name in DIMENSIONS
    )
    plan = DeliverableFacts(id="plan", path="PLAN.md", title="Plan", present=False)
    suites = (facts.suite("static", warnings=()), facts.suite("adversarial", warnings=()))
    evidence = facts.evidence(
        marks=marks,
        suites=suites,
        submission=facts.submission(deliverables=(plan,)),
        findings=(facts.finding("critical"),),
    )
    return stored("six", evidence, SIX_COMPONENT_1)


def supposed(bouts, card, *pairs):
    return bouts("explain", card, *(w for pair in pairs for w in ("--what-if", pair)), "--json").fits("what-if")


def test_a_higher_mark_can_lower_the_panel(bouts, card):
    body = supposed(bouts, card, "code_quality.cleo=80", "critical_cap=0")
    rows = {row["key"]: row for row in body["changes"]}
    assert (rows["code_quality"]["before"], rows["code_quality"]["after"]) == (70, 60)
    assert rows["code_quality"]["points"] == pytest.approx(-2)
    assert rows["code_quality.deduction"]["after"] == -10
    assert rows["code_quality.ada"]["weight_after"] == pytest.approx(1 / 3, abs=1e-6)


def test_the_cap_stays_until_it_is_supposed_away(bouts, card):
    high = ("deliverables=100",)
    assert supposed(bouts, card, *high)["final"] == 75
    assert supposed(bouts, card, *high, "critical_cap=0")["final"] > 75


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("code_quality=101", "not between 0 and 100"),
        ("critical_cap=5", "5 is not 0"),
        ("code_quality.dora=5", "code_quality"),
        ("code_quality", "KEY=SCORE"),
        ("code_quality=high", "KEY=SCORE"),
        ("static=nan", "KEY=SCORE"),
    ],
)
def test_what_cannot_be_supposed(bouts, card, pair, said):
    ran = bouts("explain", card, "--what-if", pair)
    assert ran.status == 2
    assert said in ran.err


def test_things_that_do_not_go_together(bouts, card):
    words = ("explain", card, "--what-if", "code_quality.ada=5")
    assert bouts(*words, "--what-if", "code_quality=5").status == 2
    assert bouts(*words, "--what-if", "code_quality.ada=6").status == 2
    assert bouts(*words, "--to-reach", "90", "--json").status == 2
    assert bouts(*words, "--to-reach", "90").status == 0


def test_the_way_over_a_cap_begins_with_the_findings(bouts, card):
    body = bouts("explain", card, "--to-reach", "85", "--json").fits("to-reach")
    assert [step["key"] for step in body["steps"]] == ["critical_cap", "deliverables.plan"]
    ran = bouts("explain", card, "--to-reach", "85")
    assert "no critical finding may be left" in ran.out


def test_a_panel_is_raised_as_a_whole(bouts, card):
    body = bouts("explain", card, "--to-reach", "100", "--json").fits("to-reach")
    keys = [step["key"] for step in body["steps"]]
    assert "code_quality" in keys
    assert not [key for key in keys if key.startswith("code_quality.")]


def test_lines_that_only_follow_are_left_out_of_the_text(bouts, stored):
    card = stored("four", facts.evidence())
    shown = bouts("explain", card, "--what-if", "strategy=80").out
    assert "objective: 98.1, weight 0.90 → 0.643" in shown
    assert "objective.static" not in shown
    keys = [row["key"] for row in supposed(bouts, card, "strategy=80")["changes"]]
    assert "objective.static" in keys


def test_a_raters_mark_down_to_the_evidence(bouts, card):
    ran = bouts("explain", card, "code_quality.ada")
    assert "0.25·60 + 0.25·60 + 0.25·60 + 0.25·60 = 60" in ran.out
    assert "evidence mark:code_quality.readability/ada" in ran.out
    body = bouts("explain", card, "code_quality", "--json").fits("derivation")
    (line,) = body["lines"]
    (first, *_) = line["children"]
    assert first["children"][0]["evidence"][0]["body"]["mark"] == 60
