"""Which run a score is of, and what a told run becomes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from facts import Tape, evidence, static, stored, submission

from bouts.challenges.reading import Package
from bouts.errors import BadUsage
from bouts.model.challenge import Budget
from bouts.model.ledger import RunEntry, task_name
from bouts.pipeline.evaluate import Scored
from bouts.pipeline.registering import moment, read_lines, run_of
from bouts.standings.budgets import judged, outside

NOW = 1_800_000_000.0
DIGEST = "sha256:" + "c" * 64


def package(**budget: Any) -> Package:
    manifest = SimpleNamespace(budget=Budget(**{"minutes": 30, **budget}))
    return SimpleNamespace(digest=DIGEST, manifest=manifest)  # type: ignore[return-value]


def scored(**changes: Any) -> Scored:
    facts = evidence([static("test_one")], **changes)
    facts = facts.model_copy(update={"challenge": facts.challenge.model_copy(update={"digest": DIGEST})})
    return Scored(*stored(facts))


def a_session(**changes: Any) -> Any:
    session = Tape().add("edit", "a.py").test(10).session(120.0)
    return session.model_copy(update={"session_id": "s-1", "started": "2026-01-01T00:00:00Z", **changes})


def test_the_same_score_is_the_same_run() -> None:
    first, again = run_of(scored(), package(), NOW), run_of(scored(), package(), NOW + 99)
    assert first.run == again.run
    assert first.task == task_name("seat-holds", "1.0.0", DIGEST)
    others = [
        run_of(scored(submission=submission(digest="sha256:other")), package(), NOW),
        run_of(scored(submission=submission(agent="else")), package(), NOW),
        run_of(scored(session=a_session()), package(), NOW),
        run_of(scored(session=a_session(session_id="s-2")), package(), NOW),
        run_of(scored(), package(), NOW, "second"),
    ]
    assert len({first.run, *(run.run for run in others)}) == 6


def test_figures_come_from_session_and_manifest() -> None:
    run = run_of(
        scored(session=a_session(), submission=submission(cost_usd=0.5, iterations=2)), package(iterations=2), NOW
    )
    assert (run.latency_ms, run.seconds, run.cost_usd, run.steps, run.iterations) == (120_000.0, 120.0, 0.5, 2, 2)
    assert run.ended == 1_767_225_720.0
    assert (run.status, run.success, run.inside) == ("completed", True, True)


def test_a_session_that_ends_tomorrow_ended_now() -> None:
    assert run_of(scored(session=a_session(started="2999-01-01T00:00:00Z")), package(), NOW).ended == NOW
    assert run_of(scored(session=a_session(started="nonsenseZ")), package(), NOW).ended == NOW


def test_too_many_iterations_are_outside_the_budget() -> None:
    run = run_of(scored(submission=submission(iterations=3)), package(iterations=2), NOW)
    assert not run.inside
    assert run.outside == ("It took 3 of 2 iterations allowed.",)


def test_nobody_s_submission() -> None:
    with pytest.raises(BadUsage, match="whose"):
        run_of(scored(submission=submission(agent=None)), package(), NOW)


@pytest.mark.parametrize(
    ("spent", "limit", "broken"),
    [
        ({"latency_ms": 1_800_000.0}, {}, False),
        ({"latency_ms": 1_800_000.001}, {}, True),
        ({"tokens": 11}, {"tokens": 10}, True),
        ({"tokens": 10}, {"tokens": 10}, False),
        ({"cost_usd": 0.3}, {"cost_usd": 0.1 + 0.2}, False),
        ({"cost_usd": 0.31}, {"cost_usd": 0.3}, True),
        ({"turns": 5}, {"turns": 4}, True),
        ({}, {"tokens": 1, "turns": 1}, False),
    ],
)
def test_budgets(spent: dict[str, Any], limit: dict[str, Any], broken: bool) -> None:
    run = RunEntry(run="r", agent="a", task="t", ended=0, status="completed", **spent)
    budget = Budget(**{"minutes": 30, **limit})
    assert bool(outside(run, budget)) is broken
    assert judged(run, budget).inside is not broken
    assert judged(judged(run, budget), budget) == judged(run, budget)
    assert outside(run, None) == ()


def test_what_was_outside_stays_outside() -> None:
    run = RunEntry(run="r", agent="a", task="t", ended=0, status="completed", inside=False)
    assert not judged(run, None).inside
    over = run.model_copy(update={"inside": True, "outcome": "out_of_budget"})
    assert not judged(over, Budget(minutes=1)).inside


def test_alike_lines_are_several_runs_and_the_same_again_in_another_file() -> None:
    line = b'{"agent": "a", "task": "t"}\n'
    names = [row.run for row in read_lines([line, b"\n", line, b'{"task": "t", "agent": "a", "run": "mine"}'], "f")]
    assert len(set(names)) == 3
    assert names[2] == "mine"
    assert [row.run for row in read_lines([line, line], "g")] == names[:2]


def test_times() -> None:
    assert moment("1970-01-02") == moment("1970-01-02T00:00:00Z") == moment("1970-01-02T01:00:00+01:00") == 86_400
    assert moment(5.5) == 5.5
    with pytest.raises(BadUsage):
        moment("soon")
