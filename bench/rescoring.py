"""What one card costs where its evidence is at hand: no reading, no writing, nothing run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from bouts.model.card import EvidenceRef
from bouts.model.evidence import Evidence
from bouts.model.marks import Mark
from bouts.model.records import from_records, to_records
from bouts.policy.catalogue import POLICIES, CardPolicy
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.headline import Headline
from bouts.policy.six_component_1 import SIX_COMPONENT_1
from bouts.scoring.card import score

CARDS, ROUNDS = 100, 15
REF = EvidenceRef(digest="sha256:" + "0" * 64)
SEVERITIES = ("critical", "high", "medium", "low")


def figures() -> Iterator[tuple[str, float, str, str]]:
    """Name, value, unit and note of each figure: milliseconds of processor time a card, the median of several rounds,
    and the ratio to checking and reading the same evidence from its records."""
    for name, evidence in (("", plain()), (" with panels", rated())):
        reading = _ms(lambda evidence=evidence: from_records(to_records(evidence)))
        for policy in POLICIES.values():
            if isinstance(policy, Headline):
                continue
            cost = _ms(lambda evidence=evidence, policy=policy: _score(evidence, policy))
            yield f"rescoring {policy.name}{name}", cost, "ms a card", f"{1000 / cost:,.0f} cards/s on one core"
            yield f"rescoring {policy.name}{name}", cost / reading, "x the time of reading its evidence", ""


def _score(evidence: Evidence, policy: CardPolicy) -> object:
    return score(evidence, policy, REF)


def _ms(work) -> float:
    work()
    rounds: list[float] = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(CARDS):
            work()
        rounds.append((time.process_time() - started) / CARDS * 1000)
    return statistics.median(rounds)


def plain() -> Evidence:
    """A usual submission: 20 visible and 40 hidden tests, some of them failing, and a session of 48 events."""
    tests = [{"suite": "static", "id": f"unit/test_a.py::test_{n}", "outcome": _outcome(n, 5)} for n in range(20)]
    tests += [
        {
            "suite": "adversarial",
            "id": f"input/test_h.py::test_h{n}",
            "outcome": _outcome(n, 7),
            "second": "passed",
            "severity": SEVERITIES[n % 4],
            "pattern": "scale",
        }
        for n in range(40)
    ]
    events = []
    for n in range(12):
        path = f"app/f{n}.py"
        events += [
            {"operation": "read", "target": path, "tool": "read_file"},
            {"operation": "edit", "target": path, "tool": "edit_file", "lines_changed": 4},
            {"operation": "run", "target": "python -m app", "tool": "execute_code"},
            {"operation": "test", "passed": min(10, n), "failed": 10 - min(10, n), "total": 10},
        ]
    for number, event in enumerate(events, 1):
        event |= {"sequence": number, "seconds": 10.0 * number}
    finding = {"tool": "bandit", "rule": "B608", "cwe": "CWE-89", "confidence": "medium", "path": "app/db.py"}
    return Evidence.model_validate(
        {
            "challenge": {
                "id": "bench",
                "version": "1.0.0",
                "digest": "sha256:c",
                "title": "Bench",
                "format": "standard",
                "family": "other",
                "tier": 1,
                "time_limit_seconds": 1000.0,
                "editable": ("app/**",),
            },
            "submission": {
                "agent": "someone",
                "digest": "sha256:s",
                "source": "folder",
                "files": 2,
                "produced": {"files": 2, "docstring": True, "handling": False},
                "deliverables": [{"id": "notes", "path": "NOTES.md", "title": "Notes", "present": True}],
            },
            "suites": [
                {"suite": s, "boundary": "calls", "planned": 1, "seed": 1, "seconds": 0.1, "warnings": []}
                for s in ("static", "adversarial")
            ],
            "tests": tests,
            "build": [
                {"check": c, "ok": c != "lint", "detail": "as it is"}
                for c in ("compiles", "lint", "starts", "exceptions")
            ],
            "findings": [
                {**finding, "severity": "medium", "line": 3, "message": "a query is built from text"},
                {**finding, "severity": "low", "line": 9, "message": "a query is built from text"},
            ],
            "session": {"format": "native", "events": events, "duration_seconds": 480.0},
            "session_state": "given",
            "environment": {
                "kernel": "6.1",
                "machine": "x86_64",
                "cpu": "bench",
                "python": "3.11",
                "sandbox": "none",
                "tools": {},
                "rubric_digest": "r",
            },
        }
    )


def rated() -> Evidence:
    """The same with three raters for every dimension that a policy has."""
    tables = {
        "strategy": FOUR_JUDGE_1.strategy.weights,
        "code_quality": SIX_COMPONENT_1.code_quality.weights,
        "deliverable:notes": SIX_COMPONENT_1.deliverables.weights,
    }
    marks = tuple(
        Mark(
            rater=rater,
            family="some",
            item=item,
            dimension=dimension,
            mark=mark,
            because="The structures fit the access patterns. One function does three things, see app/f3.py:12.",
            position=seat,
        )
        for item, weights in tables.items()
        for seat, (rater, mark) in enumerate((("ada", 72.0), ("ben", 68.0), ("cleo", 90.0)), 1)
        for dimension in type(weights).model_fields
    )
    return plain().model_copy(update={"marks": marks})


def _outcome(number: int, every: int) -> str:
    return "failed" if number % every == 0 else "passed"
