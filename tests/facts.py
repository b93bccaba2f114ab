"""Small evidence, built by hand: what scoring tests start from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bouts.model.card import Card, EvidenceRef
from bouts.model.challenge import Suite
from bouts.model.evidence import (
    BuildFacts,
    ChallengeFacts,
    DeliverableFacts,
    EnvironmentFacts,
    Evidence,
    Finding,
    Observation,
    Proof,
    SubmissionFacts,
    SuiteFacts,
    TestFacts,
)
from bouts.model.marks import Mark, SeenVirtue
from bouts.model.records import EvidenceFile, root_digest, to_records
from bouts.model.session import LineRange, Session, SessionEvent, TestFailure
from bouts.policy.catalogue import Policy
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.scoring.card import score

REF = EvidenceRef(digest="sha256:" + "0" * 64)
ENVIRONMENT = EnvironmentFacts(
    kernel="6.1", machine="x86_64", cpu="test", python="3.11", sandbox="none", tools={"ruff": "0.12"}, rubric_digest="r"
)
SEVERITIES = ("critical", "high", "medium", "low")


def challenge(**changes: Any) -> ChallengeFacts:
    fields: dict[str, Any] = {
        "id": "seat-holds",
        "version": "1.0.0",
        "digest": "sha256:c",
        "title": "Seat holds",
        "format": "standard",
        "family": "other",
        "tier": 1,
        "time_limit_seconds": 1000.0,
        "editable": ("app/**",),
    }
    return ChallengeFacts(**{**fields, **changes})


def submission(**changes: Any) -> SubmissionFacts:
    fields: dict[str, Any] = {"agent": "someone", "digest": "sha256:s", "source": "folder", "files": 1}
    return SubmissionFacts(**{**fields, **changes})


def static(name: str, outcome: str = "passed", **changes: Any) -> TestFacts:
    return TestFacts(suite=Suite.STATIC, id=f"unit/test_a.py::{name}", outcome=outcome, **changes)


def hidden(name: str, outcome: str = "passed", severity: str = "medium", **changes: Any) -> TestFacts:
    pattern = changes.pop("pattern", "scale")
    return TestFacts(
        suite=Suite.ADVERSARIAL,
        id=f"input/test_h.py::{name}",
        outcome=outcome,
        severity=severity,
        pattern=pattern,
        **changes,
    )


def suite(kind: str, boundary: str = "calls", **changes: Any) -> SuiteFacts:
    return SuiteFacts(suite=kind, boundary=boundary, planned=1, seed=1, seconds=0.1, **changes)


def build(*failed: str) -> tuple[BuildFacts, ...]:
    checks = ("compiles", "lint", "starts", "exceptions")
    return tuple(
        BuildFacts(check=c, ok=c not in failed, detail="fine" if c not in failed else "broken") for c in checks
    )


def finding(severity: str = "medium", line: int = 3, **changes: Any) -> Finding:
    fields: dict[str, Any] = {
        "tool": "bandit",
        "rule": "B608",
        "cwe": "CWE-89",
        "severity": severity,
        "confidence": "medium",
        "path": "app/db.py",
        "line": line,
        "message": "a query is built from text",
    }
    return Finding(**{**fields, **changes})


def seen(kind: str, because: str = "it was seen", *paths: str) -> Observation:
    proofs = tuple(Proof(path=path, line=1) for path in paths) or (Proof(detail="seen"),)
    return Observation(kind=kind, because=because, proofs=proofs)


def marks(item: str, rater: str = "one", position: int = 1, **given: float) -> tuple[Mark, ...]:
    """One rater's marks for an item, by dimension."""
    families = {1: "anthropic", 2: "openai", 3: "google"}
    return tuple(
        Mark(
            rater=rater,
            family=families[position],
            item=item,
            dimension=dimension,
            mark=mark,
            because=f"{rater} says so",
            position=position,
        )
        for dimension, mark in given.items()
    )


def panel(item: str, dimensions: Iterable[str], *totals: float | None) -> tuple[Mark, ...]:
    """Three raters (one, two, three); each gives every dimension the same mark, `None` none at all."""
    names = ("one", "two", "three")
    return tuple(
        mark
        for position, (name, total) in enumerate(zip(names, totals, strict=False), 1)
        if total is not None
        for mark in marks(item, name, position, **dict.fromkeys(dimensions, total))
    )


def deliverable(name: str = "notes", **changes: Any) -> DeliverableFacts:
    fields: dict[str, Any] = {"id": name, "path": f"{name}.md", "title": name.capitalize(), "present": True}
    return DeliverableFacts(**{**fields, **changes})


def virtue(kind: str, because: str = "it was seen") -> SeenVirtue:
    return SeenVirtue(kind=kind, rater="one", because=because, proofs=(Proof(event=3),))


def evidence(tests: Iterable[TestFacts] | None = None, **changes: Any) -> Evidence:
    """A submission that is right in everything, changed where the test says so."""
    fields: dict[str, Any] = {
        "challenge": challenge(),
        "submission": submission(),
        "suites": (suite("static"), suite("adversarial")),
        "tests": tuple(tests) if tests is not None else (static("test_one"), hidden("test_two"), hidden("test_three")),
        "build": build(),
        "environment": ENVIRONMENT,
    }
    if isinstance(changes.get("session"), Session):
        fields["session_state"] = "given"
    return Evidence(**{**fields, **changes})


def card(facts: Evidence, policy: Policy = FOUR_JUDGE_1) -> Card:
    return score(facts, policy, REF)


def stored(facts: Evidence, policy: Policy = FOUR_JUDGE_1) -> tuple[Card, EvidenceFile]:
    """Card and evidence as they come back from disk."""
    records = to_records(facts)
    made = score(facts, policy, EvidenceRef(digest=root_digest(records), path="card.evidence.json.gz"))
    return Card.model_validate_json(made.model_dump_json()), EvidenceFile(records=records)


class Tape:
    """A session, written down event by event; ten seconds apart unless a time is given."""

    def __init__(self) -> None:
        self.events: list[SessionEvent] = []

    def add(self, operation: str, target: str | None = None, **changes: Any) -> Tape:
        fields: dict[str, Any] = {
            "sequence": len(self.events) + 1,
            "seconds": 10.0 * len(self.events),
            "operation": operation,
            "target": target,
        }
        ranges = changes.pop("ranges", None)
        if ranges is not None:
            changes["ranges"] = tuple(LineRange(start=a, end=b) for a, b in ranges)
        self.events.append(SessionEvent(**{**fields, **changes}))
        return self

    def test(self, passed: int, total: int = 10, failures: Sequence[str] | None = None, **changes: Any) -> Tape:
        named = None if failures is None else tuple(TestFailure(test=name) for name in failures)
        return self.add("test", passed=passed, failed=total - passed, total=total, failures=named, **changes)

    def session(self, duration: float | None = None) -> Session:
        last = max((e.seconds or 0.0 for e in self.events), default=0.0)
        return Session(
            format="native", events=tuple(self.events), duration_seconds=last if duration is None else duration
        )
