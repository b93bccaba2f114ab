"""The public names: there, and what they promise."""

from __future__ import annotations

import facts
import pytest

import bouts
from bouts.errors import BadFile, BadUsage, NotFound
from bouts.pipeline.cards import save
from bouts.policy.catalogue import variant

NAMES = ["evaluate", "read_challenge", "read_transcript", "rescore", "score_submission"]


def test_every_public_name_is_there():
    assert sorted(bouts.__all__) == sorted(["__version__", *NAMES])
    assert set(bouts.__all__) <= set(dir(bouts))
    assert all(callable(getattr(bouts, name)) for name in NAMES)
    with pytest.raises(AttributeError, match="no attribute 'score_everything'"):
        _ = bouts.score_everything


def test_a_stored_card_is_rescored_from_its_evidence(tmp_path):
    card, evidence = facts.stored(facts.evidence())
    save(card, evidence, tmp_path / "card.json")
    other = bouts.rescore(tmp_path / "card.json", "six-component")
    assert (other.policy.name, other.evidence.digest) == ("six-component", card.evidence.digest)
    assert bouts.rescore(tmp_path / "card.json", "four-judge").final == card.final
    made = variant("strict", {"correctness": 0.6, "tool_usage": 0.05})
    assert bouts.rescore(tmp_path / "card.json", made).policy.version == "1.0+strict"
    with pytest.raises(BadUsage, match="scores all runs of an agent together"):
        bouts.rescore(tmp_path / "card.json", "headline")
    with pytest.raises(NotFound):
        bouts.rescore(tmp_path / "card.json", "six-component", evidence=tmp_path / "none")


def test_evaluate_refuses_a_policy_for_cohorts_before_anything_runs(tmp_path):
    with pytest.raises(BadUsage, match="scores all runs of an agent together"):
        bouts.evaluate("no-such-challenge", tmp_path, policy="headline")


def test_a_transcript_of_no_known_format_is_refused(tmp_path):
    path = tmp_path / "transcript.json"
    path.write_text("[]")
    with pytest.raises(BadFile):
        bouts.read_transcript(path)
