"""Bouts killed in the middle, two at once, and the same twice."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from whole import REFERENCE, SUBMISSIONS, TALLY, Bouts, dead_groups, descendants, objective, still_there

from bouts.pipeline.cards import load_card, load_evidence
from bouts.policy.catalogue import POLICIES
from bouts.scoring.verify import verify


def sound(card: Path) -> bool:
    """Whether a stored card agrees with the evidence beside it."""
    read = load_card(card)
    return verify(read, load_evidence(read, card), POLICIES) == ()


def wait_for(what: str, bouts: Bouts, running: subprocess.Popen[bytes]) -> dict[str, str]:
    """Until a run is so far; the processes that it then has."""
    below = descendants(running.pid)
    while running.poll() is None:
        below = descendants(running.pid)
        names = " ".join(below.values())
        cards = list((bouts.home / "cards").rglob("*.json"))
        if what == "sandbox" and "bwrap" in names:
            break
        if (what == "helper" and below) or (what == "card" and cards):
            break
        time.sleep(0.01)
    return below


@pytest.mark.parametrize(("what", "seconds"), [("helper", 0.0), ("sandbox", 0.0), ("sandbox", 0.5), ("card", 0.0)])
def test_a_killed_run_leaves_nothing_that_the_next_does_not_clear(apart: Bouts, what: str, seconds: float) -> None:
    groups = dead_groups()
    submissions = [REFERENCE, *(SUBMISSIONS / name / "submission" for name in ("naive-visible", "bad-empty"))]
    running = apart.start("score", TALLY, *submissions, "--no-second-look", "--fresh", "--jobs", "2")
    wait_for(what, apart, running)
    time.sleep(seconds)
    below = descendants(running.pid)
    assert running.poll() is None
    running.kill()
    running.wait()
    assert still_there(below) == {}
    assert apart.gone() == []
    for card in apart.home.rglob("cards/**/*.json"):
        assert sound(card), card
    # Any run clears away what dead ones left; this one needs no submission to be taken.
    after = apart("test", TALLY, REFERENCE)
    assert after.status == 0, after
    assert apart.left() == []
    assert dead_groups() - groups == set()
    assert list(apart.home.rglob("*.part")) == []


def test_an_interrupted_run_clears_up_after_itself(apart: Bouts) -> None:
    groups = dead_groups()
    running = apart.start("score", TALLY, REFERENCE, "--fresh")
    below = wait_for("sandbox", apart, running)
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 130
    assert still_there(below) == {}
    assert apart.gone() == []
    assert apart.left() == []
    assert dead_groups() - groups == set()


def test_two_at_once_and_once_more_give_the_same(bouts: Bouts, tmp_path: Path) -> None:
    submission = SUBMISSIONS / "naive-visible" / "submission"

    def run(number: int) -> float:
        card = tmp_path / f"{number}.json"
        ran = bouts("score", TALLY, submission, "--fresh", "--json", "--out", card)
        assert ran.status == 0, ran
        assert sound(card)
        return objective(json.loads(card.read_text(encoding="utf-8")))

    with ThreadPoolExecutor(2) as pool:
        scores = list(pool.map(run, range(2)))
    scores.append(run(2))
    assert len(set(scores)) == 1, scores


def test_two_at_once_may_write_the_same_card(bouts: Bouts, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    with ThreadPoolExecutor(2) as pool:
        runs = list(
            pool.map(
                lambda name: bouts("score", TALLY, SUBMISSIONS / name / "submission", "--out", card),
                ("naive-visible", "bad-empty"),
            )
        )
    assert [r.status for r in runs] == [0, 0]
    assert sound(card)
    assert len(list(tmp_path.iterdir())) == 2
