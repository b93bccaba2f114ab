"""A ledger of many runs, made in bulk, and how fast it answers what a leaderboard asks."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

from rescoring import REF, plain

from bouts.adapters.stores.ledger import StoredLedger, open_ledger
from bouts.cli.main import COLLECT_AFTER
from bouts.model.ledger import ChallengeEntry, RunEntry
from bouts.model.tallied import Where
from bouts.pipeline.refining import Reading
from bouts.pipeline.standings import Asked, answer
from bouts.policy.catalogue import RELEASED
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.scoring.card import score

TASKS = 200
REPEATS = 5
AT_ONCE = 50_000
FAMILIES = ("blacksite-debug", "fog-of-war", "false-summit", "other")


def _challenges() -> list[ChallengeEntry]:
    return [
        ChallengeEntry(
            id=f"task-{n}",
            version="1.0.0",
            digest=f"sha256:{n:064x}",
            title=f"Task {n}",
            format=("sprint", "standard", "marathon")[n % 3],
            family=FAMILIES[n % 4],
            language="python",
        )
        for n in range(TASKS)
    ]


def _runs(first: int, last: int) -> Iterator[RunEntry]:
    draw = random.Random(first)
    for agent in range(first, last):
        skill = draw.random()
        for task in range(TASKS):
            for repeat in range(REPEATS):
                good = draw.random() < skill
                yield RunEntry(
                    run=f"{agent}-{task}-{repeat}",
                    agent=f"agent-{agent:04}",
                    task=f"task-{task}",
                    challenge=f"sha256:{task:064x}",
                    ended=1_767_225_600.0 + (agent * 7919 + task * 104729 + repeat * 1299709) % 15_552_000,
                    status="completed",
                    success=good,
                    latency_ms=round(1000 + draw.random() * 9000, 3),
                    cost_usd=round(draw.random() / 5, 5),
                    steps=draw.randrange(5, 80),
                    tokens=draw.randrange(10_000),
                )


def _milliseconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def fill(place: Path, agents: int) -> tuple[StoredLedger, float]:
    """A ledger with so many agents, each with 1,000 runs, and the seconds that filling it took."""
    began = time.perf_counter()
    ledger = open_ledger(str(place), create=True)
    ledger.add_challenges(_challenges())
    ledger.season("spring", "2026-03-01", "2026-05-31")
    step = max(1, AT_ONCE // (TASKS * REPEATS))
    for first in range(0, agents, step):
        ledger.add_runs(_runs(first, min(agents, first + step)))
    return ledger, time.perf_counter() - began


def with_cards(ledger: StoredLedger, agents: int) -> float:
    """Give every agent one run with a card; milliseconds of one, the median."""
    sample = score(plain(), FOUR_JUDGE_1, REF)
    draw = random.Random(0)
    times: list[float] = []
    for agent in range(agents):
        name = f"agent-{agent:04}"
        run = RunEntry(
            run=f"{agent}-carded", agent=name, task="task-7", challenge=f"sha256:{7:064x}",
            ended=1_775_000_000.0 + agent, status="completed", success=True, latency_ms=2000.5, cost_usd=0.02,
            iterations=draw.randrange(1, 4),
        )  # fmt: skip
        who = sample.submission.model_copy(update={"agent": name, "digest": f"sha256:{agent:064x}"})
        card = sample.model_copy(update={"submission": who, "final": round(draw.random() * 100, 3), "status": "final"})
        times.append(_milliseconds(partial(ledger.record, run, card)))
    return statistics.median(times)


def answers(ledger: StoredLedger) -> dict[str, float]:
    """Milliseconds of each question, the median of five."""
    asked = {
        "all runs": Where(),
        "one season": Where(season="spring"),
        "one family": Where(family="fog-of-war"),
        "one challenge": Where(challenge="task-7"),
    }
    found: dict[str, float] = {}
    for name, where in asked.items():
        found[name] = statistics.median(_milliseconds(partial(ledger.totals, where)) for _ in range(5))
        assert ledger.totals(where)
    return found


def boards(ledger: StoredLedger) -> dict[str, float]:
    """Milliseconds of a whole leaderboard, from the question to its rows, the median of seven."""
    asked = {
        "headline": ("headline", {}),
        "headline, one season": ("headline", {"season": "spring"}),
        "headline, one season, family and format": (
            "headline", {"season": "spring", "family": "fog-of-war", "format": "marathon"},
        ),
        "cards": ("four-judge", {}),
        "cards, one season": ("four-judge", {"season": "spring"}),
    }  # fmt: skip
    reading = Reading(ledger, ledger.id)
    found: dict[str, float] = {}
    gc.set_threshold(COLLECT_AFTER)
    for name, (policy, filters) in asked.items():
        version = next(version for known, version in RELEASED if known == policy)
        question = Asked((policy, version), cast("Any", filters))
        found[name] = statistics.median(_milliseconds(partial(answer, reading, question)) for _ in range(7))
    return found


def one_more(ledger: StoredLedger) -> float:
    """Milliseconds to record one run, the median of twenty."""
    times: list[float] = []
    for n in range(20):
        run = RunEntry(
            run=f"one-more-{time.time_ns()}", agent="agent-0007", task="task-7", challenge=f"sha256:{7:064x}",
            ended=1_775_000_000.0 + n, status="completed", success=True, latency_ms=2000.5, cost_usd=0.02,
        )  # fmt: skip
        times.append(_milliseconds(partial(ledger.add_runs, [run])))
    return statistics.median(times)
