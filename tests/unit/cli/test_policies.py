"""`bouts policy`."""

from __future__ import annotations

import facts
import pytest

from bouts.policy.catalogue import POLICIES, RELEASED
from bouts.render.methodology.page import page


def test_the_list_has_every_released_table(bouts):
    ran = bouts("policy", "list")
    body = bouts("policy", "list", "--json").fits("policies")
    assert [(p["name"], p["version"]) for p in body["policies"]] == list(RELEASED)
    for row in body["policies"]:
        assert row["name"] in ran.out
        assert row["title"] in ran.out
        assert row["digest"].removeprefix("sha256:")[:12] in ran.out
        assert row["source"] in ran.out


@pytest.mark.parametrize("name", POLICIES)
def test_one_policy_three_ways(bouts, name):
    policy = POLICIES[name]
    assert bouts("policy", "show", name, "--json").fits("policy")["policy"]["version"] == policy.version
    assert bouts("policy", "show", name, "--markdown").out == page(policy)
    shown = bouts("policy", "show", f"{name}@{policy.version}")
    assert shown.status == 0
    assert all(len(line) <= 100 for line in shown.out.splitlines() if "digest" not in line)


def test_wrong_names_and_versions(bouts):
    for words, hint in (
        (("show", "four-juge"), "four-judge"),
        (("show", "four-judge@7"), "versions: 1.0"),
        (("show", "four-judge", "--json", "--markdown"), "do not go together"),
        (("diff", "four-judge", "nonsense"), "policies:"),
        (("diff", "four-judge", "six-component", "x.json"), "--over"),
    ):
        ran = bouts("policy", *words)
        assert ran.status == 2, words
        assert hint in ran.err + ran.out, words


def test_field_by_field(bouts):
    assert "the two are the same" in bouts("policy", "diff", "four-judge", "four-judge@1.0").out
    ran = bouts("policy", "diff", "four-judge", "six-component")
    assert "faults.telemetry.effect  neutral → ignored" in ran.out
    assert "only in the first: formats (9)" in ran.out
    every = bouts("policy", "diff", "four-judge", "six-component", "--all").out
    assert "objective.weights.static  0.4 → (absent)" in every
    body = bouts("policy", "diff", "four-judge", "six-component", "--json").fits("policy-diff")
    assert {row["change"] for row in body["fields"]} == {"added", "removed", "changed"}


@pytest.fixture
def cards(stored, tmp_path):
    rows = [facts.static("a"), facts.static("b", "failed"), facts.hidden("c", "failed", "high")]
    stored("cards/low", facts.evidence(rows))
    stored("cards/high", facts.evidence())
    stored("cards/cheat", facts.evidence(observations=(facts.seen("stubbed"),)))
    next((tmp_path / "cards").glob("high.*.gz")).unlink()
    return tmp_path / "cards"


def test_whose_score_would_move(bouts, cards):
    ran = bouts("policy", "diff", "four-judge", "six-component", "--over", cards)
    assert ran.status == 0
    assert f"left out: {cards / 'high.json'}: the card's evidence is not here" in ran.err
    body = bouts("policy", "diff", "four-judge", "six-component", "--over", cards, "--json").fits("policy-movements")
    moves = [abs(card["difference"]) for card in body["cards"]]
    assert len(moves) == 2
    assert moves == sorted(moves, reverse=True)
    for card in body["cards"]:
        assert card["after"] - card["before"] == pytest.approx(card["difference"], abs=1e-5)
        assert sum(term["points"] for term in card["terms"]) == pytest.approx(card["difference"], abs=1e-4)
    assert [row["path"] for row in body["left_out"]] == [str(cards / "high.json")]


def test_several_cards_behind_one_option(bouts, cards):
    words = ("policy", "diff", "four-judge", "partial-credit", "--over", cards / "low.json", cards / "cheat.json")
    assert len(bouts(*words, "--json").fits("policy-movements")["cards"]) == 2


def test_the_same_policy_moves_nobody(bouts, cards):
    assert "0 of 2 scores move" in bouts("policy", "diff", "four-judge", "four-judge", "--over", cards).out


def test_no_card_can_be_compared(bouts, cards, tmp_path):
    assert bouts("policy", "diff", "four-judge", "headline", "--over", cards).status == 2
    assert bouts("policy", "diff", "four-judge", "six-component", "--over", cards / "high.json").status == 2
    assert bouts("policy", "diff", "four-judge", "six-component", "--over", tmp_path / "nowhere").status == 2


def test_cards_that_are_not_there_beside_others(bouts, cards, tmp_path):
    nowhere = tmp_path / "nowhere"
    ran = bouts("policy", "diff", "four-judge", "six-component", "--over", cards, "--over", nowhere)
    assert (ran.status, ran.out) == (2, "")
    assert str(nowhere) in ran.err
