"""A re-judging runs again what the caching table does not keep, and what faults of ours had spoiled."""

from __future__ import annotations

from pathlib import Path

import facts
import pytest

from bouts.errors import NotFound
from bouts.model.evidence import Fault
from bouts.pipeline.batches import Batches
from bouts.pipeline.rejudging import MODELS, origin, rejudged
from bouts.pipeline.steps import STEPS


def fates(evidence, models=frozenset()):
    return {row.step: row.fate for row in rejudged(evidence, models)}


def test_the_caching_table() -> None:
    code = ("submission", "challenge", "environment")
    kept = {name: (rule.kept, rule.by) for name, rule in STEPS.items()}
    for name in ("first_look", "second_look", "start", "load", "scan", "tries"):
        assert kept[name] == ("always", code), name
    assert kept["process"] == ("always", ("session", "rubric"))
    assert kept["transcript"] == ("always", ("session",))
    for name in ("strategy", "code_quality", "deliverables", "integrity_model"):
        assert kept[name] == ("attempt", ()), name
    phases = {name: rule.phase for name, rule in STEPS.items()}
    assert {name for name, phase in phases.items() if phase == 2} == {
        *("transcript", "process", "strategy", "code_quality", "deliverables")
    }
    assert {name for name, phase in phases.items() if phase == 3} == {"integrity_model"}


def test_without_a_model_and_without_faults_nothing_runs_again() -> None:
    found = fates(facts.evidence())
    assert "again" not in found.values()
    assert {name for name, fate in found.items() if fate == "not configured"} == MODELS
    assert found["transcript"] == "not given"
    assert found["first_look"] == found["scan"] == "kept"


def test_with_models_the_table_decides() -> None:
    session = facts.Tape().add("read", "a").session()
    found = fates(facts.evidence(session=session), MODELS)
    assert {name for name, fate in found.items() if fate == "again"} == MODELS - {"process"}
    assert found["process"] == found["transcript"] == "kept"


@pytest.mark.parametrize(
    ("part", "again"),
    [
        ("objective.static", {"first_look", "start"}),
        ("integrity.values", {"tries"}),
        ("scanner", {"scan"}),
        ("ruff", {"scan"}),
    ],
)
def test_what_a_fault_spoiled_runs_again(part: str, again: set[str]) -> None:
    found = fates(facts.evidence(faults=(Fault(part=part, message="broke"),)))
    assert again <= {name for name, fate in found.items() if fate == "again"}
    assert "again" not in fates(facts.evidence(faults=(Fault(part=part, message="broke", retry=False),))).values()


def test_tests_that_could_not_be_run_run_again() -> None:
    assert fates(facts.evidence([facts.static("a", "infrastructure")]))["first_look"] == "again"


def test_a_card_of_no_known_batch_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="not known here"):
        origin(facts.card(facts.evidence()), Batches(tmp_path))
