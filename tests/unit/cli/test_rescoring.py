"""`bouts rescore` and `bouts diff`."""

from __future__ import annotations

import gzip

import facts
import pytest

from bouts.pipeline.cards import load_card, load_evidence
from bouts.policy.catalogue import POLICIES
from bouts.scoring.verify import verify

ROWS = [facts.static("a"), facts.static("b", "failed", message="boom"), facts.hidden("secret", "failed", "high")]
CARD_POLICIES = [name for name in POLICIES if name != "headline"]


@pytest.fixture
def card(stored):
    return stored("card", facts.evidence(ROWS, findings=(facts.finding("critical"),)))


@pytest.mark.parametrize("name", CARD_POLICIES)
def test_rescored_and_verified(bouts, card, tmp_path, name):
    out = tmp_path / "other" / "new.json"
    ran = bouts("rescore", card, "--policy", name, "--out", out, "--json")
    assert ran.status == 0
    assert ran.fits("card")["policy"]["name"] == name
    made = load_card(out)
    assert verify(made, load_evidence(made, out), POLICIES) == ()
    assert bouts("verify", out).status == 0
    assert bouts("explain", out).status == 0


@pytest.mark.parametrize("name", CARD_POLICIES)
def test_rescoring_again_changes_nothing(bouts, card, tmp_path, name):
    out, twice = tmp_path / "new.json", tmp_path / "twice.json"
    bouts("rescore", card, "--policy", name, "--out", out)
    first = out.read_bytes()
    again = bouts("rescore", card, "--policy", name, "--out", out)
    assert again.status == 0
    assert "there already" in again.err
    assert out.read_bytes() == first
    bouts("rescore", out, "--policy", name, "--out", twice)
    assert {**load_card(twice).model_dump(), "evidence": 0} == {**load_card(out).model_dump(), "evidence": 0}


def test_its_own_policy_gives_the_card_back(bouts, card):
    before = card.read_bytes()
    made = bouts("rescore", card, "--policy", "four-judge", "--json").json
    own = load_card(card).model_dump(mode="json")
    own["evidence"] = made["evidence"] = None
    assert made == own
    assert card.read_bytes() == before


def test_nothing_is_overwritten_unless_told(bouts, card, tmp_path):
    before = card.read_bytes()
    ran = bouts("rescore", card, "--policy", "six-component", "--out", card)
    assert ran.status == 2
    assert "--overwrite" in ran.err
    assert card.read_bytes() == before
    (tmp_path / "notes.json").write_text("{}")
    assert bouts("rescore", card, "--policy", "six-component", "--out", tmp_path / "notes.json").status == 2
    told = bouts("rescore", card, "--policy", "six-component", "--out", card, "--overwrite")
    assert told.status == 0
    assert load_card(card).policy.name == "six-component"
    assert bouts("verify", card).status == 0


def test_a_cohorts_policy_says_why_not(bouts, card):
    ran = bouts("rescore", card, "--policy", "headline")
    assert ran.status == 2
    assert "all runs of an agent" in ran.err
    assert bouts("rescore", card, "--policy", "headline", "--json").fits("error")["error"]["code"] == "bad_usage"


def test_an_unknown_policy_gets_the_nearest(bouts, card):
    ran = bouts("rescore", card, "--policy", "six-componnent")
    assert (ran.status, "six-component" in ran.err) == (2, True)
    ran = bouts("rescore", card, "--policy", "six-component@9")
    assert (ran.status, "versions: 1.0" in ran.err) == (2, True)


def test_lines_that_were_not_judged_say_why(bouts, card):
    shown = bouts("rescore", card, "--policy", "six-component").out
    assert "Code quality" in shown
    assert "not judged" in shown
    assert "no model configured" in shown
    assert "Critical cap" in shown


def test_folders_of_cards(bouts, stored, tmp_path):
    for name in ("in/a", "in/deep/b"):
        stored(name, facts.evidence(ROWS))
    lonely = stored("in/c", facts.evidence(ROWS))
    next(lonely.parent.glob("c.*.gz")).unlink()
    (tmp_path / "in" / "settings.json").write_text('{"schema": "something/1"}')
    (tmp_path / "in" / "broken.json").write_text("{")
    out = tmp_path / "out"
    ran = bouts("rescore", tmp_path / "in", "--policy", "partial-credit", "--out", out, "--json")
    assert ran.status == 2
    items = ran.fits("rescored")["items"]
    assert [bool(item["card"]) for item in items] == [True, False, True]
    assert "evidence is not here" in items[1]["error"]["message"]
    assert load_card(out / "deep" / "b.json").policy.name == "partial-credit"
    shown = bouts("rescore", tmp_path / "in", "--policy", "partial-credit")
    assert "before" in shown.out.splitlines()[0]
    assert "correctness" in shown.out.splitlines()[0]


def test_two_cards_of_one_name_do_not_land_on_each_other(bouts, stored, tmp_path):
    one, two = stored("x/card", facts.evidence(ROWS)), stored("y/card", facts.evidence(ROWS))
    ran = bouts("rescore", one, two, "--policy", "four-judge", "--out", tmp_path / "out")
    assert ran.status == 2
    assert not (tmp_path / "out").exists()


def test_foreign_evidence_is_refused(bouts, card, stored, tmp_path):
    other = stored("other", facts.evidence())
    foreign = next(tmp_path.glob("other.*.gz"))
    ran = bouts("rescore", card, "--policy", "six-component", "--evidence", foreign)
    assert (ran.status, "not that of this card" in ran.err) == (2, True)
    assert bouts("rescore", tmp_path / "nothing.json", "--policy", "six-component").status == 2
    assert bouts("rescore", other.parent / "empty", "--policy", "six-component").status == 2


def test_edited_evidence_is_not_scored_anew(bouts, card, tmp_path):
    (evidence,) = tmp_path.glob("card.*.gz")
    text = gzip.decompress(evidence.read_bytes())
    assert b'"outcome":"failed"' in text
    evidence.write_bytes(gzip.compress(text.replace(b'"outcome":"failed"', b'"outcome":"passed"')))
    ran = bouts("rescore", card, "--policy", "six-component")
    assert (ran.status, "the evidence was edited: test:" in ran.err) == (2, True)


def test_two_cards_compared(bouts, card, stored):
    rows = [facts.static("a"), facts.static("b"), facts.hidden("secret", "failed", "high")]
    other = stored("other", facts.evidence(rows, observations=(facts.seen("stubbed"),)))
    ran = bouts("diff", card, other)
    assert ran.status == 0
    for text in ("objective.static", "failed → passed", "violation stubbed", "visible: 1 of 2 → 2 of 2", "(integrity)"):
        assert text in ran.out
    body = bouts("diff", card, other, "--json").fits("diff")
    moved = sum(row["points"] for row in body["lines"] if row["depth"] == 0)
    assert moved == pytest.approx(body["difference"], abs=1e-4)


def test_hidden_tests_are_named_only_where_the_evidence_of_both_is(bouts, card, stored):
    other = stored("other", facts.evidence([facts.static("a"), facts.hidden("secret", "passed", "high")]))
    assert "secret" in bouts("diff", card, other).out
    next(other.parent.glob("other.*.gz")).unlink()
    ran = bouts("diff", card, other)
    assert "secret" not in ran.out
    assert "by their counts only" in ran.out
    assert "secret" not in bouts("diff", card, other, "--json").out


def test_the_same_card_under_two_policies(bouts, card, tmp_path):
    out = tmp_path / "six.json"
    bouts("rescore", card, "--policy", "six-component", "--out", out)
    ran = bouts("diff", card, out)
    assert "the same submission, the same evidence" in ran.out
    assert "policy: four-judge 1.0 → six-component 1.0" in ran.out
    body = bouts("diff", card, out, "--json").fits("diff")
    assert body["same_evidence"] is True
    assert len(body["policy"]) > 100
    assert sum(r["points"] for r in body["lines"] if r["depth"] == 0) == pytest.approx(body["difference"], abs=1e-4)


def test_a_card_and_itself(bouts, card):
    assert "no line of the sum differs" in bouts("diff", card, card).out


def test_what_is_no_card(bouts, card, tmp_path):
    (tmp_path / "x.json").write_text("[]")
    assert bouts("diff", card, tmp_path / "x.json").status == 2
    assert bouts("diff", card, tmp_path / "gone.json").status == 2
