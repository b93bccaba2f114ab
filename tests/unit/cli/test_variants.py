"""Variants of `partial-credit`: a file with the weights of one problem, wherever a policy can be named."""

from __future__ import annotations

import json

import facts
import pytest

import bouts as public
from bouts.model.session import Session, SessionEvent
from bouts.pipeline.cards import load_card, load_evidence
from bouts.policy.catalogue import POLICIES, policy_digest, variant
from bouts.scoring.verify import verify

WEIGHTS = {"correctness": 0.3, "safety": 0.2}
TEXT = """\
schema: bouts.variant/1
name: sql-tasks
weights:
  correctness: 0.30
  safety: 0.20
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sql-tasks.yaml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def card(stored):
    calls = SessionEvent(sequence=1, operation="run", target="ls -la src", tool="execute_code")
    rows = [facts.static("a"), facts.static("b", "failed")]
    return stored(
        "card", facts.evidence(rows, session=Session(format="native", events=(calls,)), session_state="given")
    )


def test_a_card_scored_by_a_variant_names_it_verifies_and_is_explained(bouts, card, file, tmp_path):
    out = tmp_path / "new.json"
    ran = bouts("rescore", card, "--policy", file, "--out", out, "--json")
    assert ran.status == 0
    made = ran.fits("card")
    assert made["policy"] == {
        "name": "partial-credit",
        "version": "1.0+sql-tasks",
        "digest": policy_digest(variant("sql-tasks", WEIGHTS)),
    }
    assert {line["key"]: line["policy_weight"] for line in made["lines"]} == {
        "correctness": 0.3,
        "tool_usage": 0.25,
        "code_quality": 0.15,
        "safety": 0.2,
        "efficiency": 0.1,
    }
    stored = load_card(out)
    assert verify(stored, load_evidence(stored, out), POLICIES) == ()
    assert bouts("verify", out).status == 0
    assert "0.3·correctness" in bouts("explain", out, "final").out


def test_the_same_in_json_and_for_programs(bouts, card, file, tmp_path):
    other = tmp_path / "sql.json"
    other.write_text(json.dumps({"name": "sql-tasks", "weights": WEIGHTS, "policy": "partial-credit@1.0"}))
    one, two = (bouts("rescore", card, "--policy", path, "--json").json for path in (file, other))
    assert one == two == public.rescore(card, str(file)).model_dump(mode="json")


def test_it_can_be_shown_and_compared(bouts, card, file):
    assert bouts("policy", "show", file, "--json").fits("policy")["policy"]["weights"]["safety"] == 0.2
    assert "0.3·correctness" in bouts("policy", "show", file, "--markdown").out
    ran = bouts("policy", "diff", "partial-credit", file)
    assert "weights.correctness  0.4 → 0.3" in ran.out
    assert ran.out.rstrip().endswith("2 fields differ")
    moved = bouts("policy", "diff", "partial-credit", file, "--over", card, "--json").fits("policy-movements")
    # Correctness 50 has a tenth less to say, safety 100 a tenth more; code quality was not judged.
    assert moved["cards"][0]["after"] - moved["cards"][0]["before"] == pytest.approx(5 / 0.85)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x\nweights: {corectness: 0.3}\n", "made.yaml:2:11: the key 'corectness' must be one of"),
        ("name: x\nweights: {correctness: 0.3}\n", "the weights add up to 0.9, not to 1"),
        ("name: x\nweights: {correctness: 0.3}\n", "hint: correctness 0.3, tool_usage 0.25 (kept)"),
        ("name: x\nweights: {correctness: -1}\n", "made.yaml:2:"),
        ("name: x\nweights: {correctness: 0.3000001, safety: 0.1999999}\n", "more than 6 decimals"),
        ("name: ../x\nweights: {correctness: 0.4}\n", "made.yaml:1:"),
        ("weights: {correctness: 0.4}\n", "the key 'name' is missing"),
        ("name: x\n", "the key 'weights' is missing"),
        ("name: x\nweights: {}\n", "made.yaml:2:"),
        ("policy: four-judge\nname: x\nweights: {correctness: 0.4}\n", "hint: only partial-credit has variants"),
        ("policy: partial-credit@9\nname: x\nweights: {correctness: 0.4}\n", "hint: versions: 1.0"),
        ("name: [x\n", "made.yaml:"),
    ],
)
def test_a_file_that_makes_no_variant_is_told_with_its_place(bouts, card, tmp_path, text, said):
    path = tmp_path / "made.yaml"
    path.write_text(text)
    for words in (("policy", "show", path), ("rescore", card, "--policy", path)):
        ran = bouts(*words)
        assert ran.status == 2
        assert said in ran.err


def test_a_file_that_is_not_there(bouts, tmp_path, monkeypatch):
    ran = bouts("policy", "show", tmp_path / "none.yaml")
    assert (ran.status, "there is no such file" in ran.err) == (2, True)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weights").write_text(TEXT)
    assert "hint: for the file of that name write ./weights" in bouts("policy", "show", "weights").err
    assert bouts("policy", "show", "./weights").status == 0
