"""Runs and cards to put into ledgers."""

from __future__ import annotations

import random
from typing import Any

from facts import evidence, hidden, seen, static, stored, submission

from bouts.model.card import Card
from bouts.model.ledger import ChallengeEntry, RunEntry, task_name
from bouts.model.records import EvidenceFile

DIGEST = "sha256:" + "c" * 64
JANUARY = 1_767_225_600.0
DAY = 86_400.0
TASK = task_name("seat-holds", "1.0.0", DIGEST)


def run(name: str = "one", **changes: Any) -> RunEntry:
    fields: dict[str, Any] = {
        "run": name,
        "agent": "someone",
        "task": TASK,
        "challenge": DIGEST,
        "ended": JANUARY,
        "status": "completed",
        "success": True,
        "latency_ms": 1500.1,
        "cost_usd": 0.0123,
        "steps": 12,
        "tokens": 9_000,
        "iterations": 2,
        "seconds": 1.5001,
    }
    return RunEntry(**{**fields, **changes})


def challenge(**changes: Any) -> ChallengeEntry:
    fields: dict[str, Any] = {
        "id": "seat-holds",
        "version": "1.0.0",
        "digest": DIGEST,
        "title": "Seat holds",
        "format": "standard",
        "family": "other",
        "language": "python",
        "tier": 1,
    }
    return ChallengeEntry(**{**fields, **changes})


def card(*, passed: int = 3, agent: str = "someone", held: bool = False, **changes: Any) -> tuple[Card, EvidenceFile]:
    """A card; of three tests so many passed. A held one has a violation of −20."""
    tests = [static("test_one"), hidden("test_two"), hidden("test_three")]
    tests = [t if n < passed else t.model_copy(update={"outcome": "failed"}) for n, t in enumerate(tests)]
    observations = (seen("hardcoded_outputs", "literals", "a.py"),) if held else ()
    return stored(evidence(tests, submission=submission(agent=agent, **changes), observations=observations))


def many(number: int, seed: int = 1, **changes: Any) -> list[RunEntry]:
    """Runs of all kinds, by a few agents at a few tasks."""
    draw = random.Random(seed)
    rows: list[RunEntry] = []
    for n in range(number):
        status = draw.choices(("completed", "failed", "timeout", "infrastructure"), (7, 1, 1, 1))[0]
        known = status == "completed" and draw.random() < 0.9
        rows.append(
            run(
                f"{seed}-{n}",
                agent=f"agent {draw.randrange(4)}",
                task=f"task {draw.randrange(6)}",
                challenge=None,
                ended=JANUARY + draw.random() * 90 * DAY,
                status=status,
                success=draw.random() < 0.6 if known else None,
                latency_ms=draw.choice((None, draw.random() * 10_000)),
                cost_usd=draw.choice((None, draw.random() / 10)),
                steps=draw.choice((None, draw.randrange(100))),
                tokens=draw.choice((None, draw.randrange(10**6))),
                inside=draw.random() < 0.9,
                **changes,
            )
        )
    return rows
