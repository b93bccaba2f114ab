"""A ledger on disk with agents, runs and cards: what the commands about standings start from."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import facts

from bouts.adapters.stores.ledger import StoredLedger, open_ledger
from bouts.model.card import Card, Flag
from bouts.model.ledger import ChallengeEntry, RunEntry, task_name

START = 1_780_000_000.0
"""A moment in 2026; runs end an hour apart from there."""


def card_of(final: float | None, status: str = "final", *, solved: bool | None = None, **changes: Any) -> Card:
    """A card with a final and a status that a test wants."""
    made, _ = facts.stored(facts.evidence())
    held = (Flag(kind="judges_disagree", why="objective and strategy tell different stories", holds=True),)
    good = (final or 0) >= 80 if solved is None else solved
    return made.model_copy(
        update={
            "final": final,
            "headline": None if final is None else round(final),
            "status": status,
            "outcome": "infrastructure" if status == "void" else "solved" if good else "failed",
            "flags": held if status == "held" else (),
            **changes,
        }
    )


@dataclass
class Book:
    """A ledger that is being filled."""

    path: Path
    ledger: StoredLedger = field(init=False)
    hours: int = 0

    def __post_init__(self) -> None:
        self.ledger = open_ledger(str(self.path), create=True)

    def run(
        self,
        agent: str,
        challenge: str = "seat-holds",
        final: float | None = 80.0,
        status: str = "final",
        *,
        ended: str = "completed",
        solved: bool | None = None,
        evidence: bytes | None = None,
        ended_at: float | None = None,
        **changes: Any,
    ) -> str:
        """Record a run with its card; the card's digest."""
        self.hours += 1
        about = {k: changes.pop(k) for k in ("family", "format", "language") if k in changes}
        entry = ChallengeEntry(
            id=challenge, version="1.0.0", digest="sha256:" + challenge.encode().hex()[:4].ljust(64, "0"),
            title=challenge, **{"family": "other", "format": "standard", "language": "python", **about},
        )  # fmt: skip
        card = card_of(final, status, solved=solved)
        card = card.model_copy(update={"challenge": card.challenge.model_copy(update={"id": challenge})})
        fields: dict[str, Any] = {
            "run": f"{agent}-{self.hours}",
            "agent": agent,
            "task": task_name(challenge, "1.0.0", entry.digest),
            "challenge": entry.digest,
            "ended": START + 3600.0 * self.hours if ended_at is None else ended_at,
            "status": ended,
            "success": None if ended != "completed" else card.outcome == "solved",
            "outcome": card.outcome,
            "latency_ms": 1500.0,
            "cost_usd": 0.02,
            "steps": 12,
            "iterations": 2,
            "seconds": 600.0,
        }
        fields.update(changes)
        recorded = self.ledger.record(RunEntry(**fields), card, evidence, entry)
        assert recorded.card is not None
        return recorded.card.key


TASKS = ("seat-holds", "charged-twice", "word-tally", "line-sum", "small-counter", "late-mail")


def filled(path: Path) -> Book:
    """Three agents at six tasks, one of them anonymous; a held, a void and some provisional cards."""
    book = Book(path)
    book.ledger.agent("alpha", owner="ada", model="model-a", scaffold="loop")
    book.ledger.agent("beta", owner="bob", model="model-b")
    book.ledger.agent("shy", owner="eve", model="model-a", shown=False)
    for at, task in enumerate(TASKS):
        book.run("alpha", task, 90.0 - at)
        book.run("beta", task, 60.0 + 3 * at)
        book.run("shy", task, 75.0 - 2 * at)
    book.run("alpha", "seat-holds", 84.0)
    book.run("beta", "seat-holds", 71.5, "provisional")
    book.run("beta", "charged-twice", 95.0, "held")
    book.run("shy", "charged-twice", None, "void", ended="infrastructure")
    return book
