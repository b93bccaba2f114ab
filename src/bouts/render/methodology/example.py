"""The evidence of the worked card: small enough to be added up by hand, with something of everything in it."""

from __future__ import annotations

from bouts.model.challenge import Boundary, Format, Pattern, Severity, Suite
from bouts.model.evidence import (
    AuditChannel,
    BuildFacts,
    ChallengeFacts,
    DeliverableFacts,
    EnvironmentFacts,
    Evidence,
    FileChange,
    Finding,
    MetricFacts,
    Observation,
    ProducedCode,
    SubmissionFacts,
    SuiteFacts,
    TestFacts,
    TestOutcome,
)
from bouts.model.marks import Mark, SeenVirtue
from bouts.model.proof import Proof
from bouts.model.session import LineRange, Operation, Session, SessionEvent, TestFailure

_VISIBLE: tuple[tuple[str, float, TestOutcome], ...] = (
    ("test_books_a_seat", 1, "passed"),
    ("test_refuses_a_taken_seat", 1, "passed"),
    ("test_hold_expires", 2, "passed"),
    ("test_cancel_frees_the_seat", 1, "failed"),
)
_HIDDEN: tuple[tuple[str, Severity, Pattern, TestOutcome], ...] = (
    ("hidden 1", Severity.CRITICAL, Pattern.CONCURRENCY, "passed"),
    ("hidden 2", Severity.CRITICAL, Pattern.ORDER, "passed"),
    ("hidden 3", Severity.HIGH, Pattern.VALUE_SWAP, "passed"),
    ("hidden 4", Severity.HIGH, Pattern.SCALE, "failed"),
    ("hidden 5", Severity.HIGH, Pattern.NEGATIVE, "passed"),
    ("hidden 6", Severity.MEDIUM, Pattern.VALUE_SWAP, "passed"),
    ("hidden 7", Severity.MEDIUM, Pattern.ORDER, "failed"),
    ("hidden 8", Severity.LOW, Pattern.INPUT_MUTATION, "passed"),
)
_EVENTS: tuple[tuple[float, Operation, str, str | None, tuple[int, int] | None], ...] = (
    (0, "read", "seats.py", "read_file", None),
    (60, "test", "pytest", "execute_code", (1, 4)),
    (150, "edit", "seats.py", "edit_file", None),
    (210, "test", "pytest", "execute_code", (2, 4)),
    (300, "edit", "seats.py", "edit_file", None),
    (360, "test", "pytest", "execute_code", (3, 4)),
    (420, "edit", "settings.py", "edit_file", None),
)
"""Seconds, operation, target, tool, and for test runs what passed of what."""
_RATERS = (("ada", "anthropic"), ("ben", "openai"), ("cleo", "google"))
_MARKS: tuple[tuple[str, str, tuple[float, float, float]], ...] = (
    ("strategy", "decomposition", (80, 84, 78)),
    ("strategy", "prioritization", (70, 75, 72)),
    ("strategy", "tradeoffs", (60, 62, 90)),
    ("strategy", "architecture", (50, 68, 70)),
    ("strategy", "communication", (85, 80, 82)),
    ("strategy", "ambiguity", (64, 70, 66)),
    ("code_quality", "readability", (70, 68, 80)),
    ("code_quality", "architecture", (72, 64, 76)),
    ("code_quality", "robustness", (66, 60, 74)),
    ("code_quality", "idiomaticity", (80, 80, 74)),
    ("deliverable:notes", "accuracy", (80, 78, 84)),
    ("deliverable:notes", "clarity", (75, 74, 80)),
    ("deliverable:notes", "completeness", (70, 72, 76)),
    ("deliverable:notes", "actionability", (65, 70, 72)),
)


def evidence() -> Evidence:
    """The facts."""
    return Evidence(
        challenge=ChallengeFacts(
            id="seat-booking",
            version="1.0.0",
            digest="sha256:example",
            title="Seat booking",
            format=Format.STANDARD,
            family="other",
            tier=2,
            time_limit_seconds=1200,
            editable=("seats.py",),
            metrics=("p95_ms",),
        ),
        submission=_submission(),
        suites=tuple(
            SuiteFacts(
                suite=suite, boundary=Boundary.CALLS, planned=many, seed=1, seconds=1, second_look=look, warnings=()
            )
            for suite, many, look in ((Suite.STATIC, len(_VISIBLE), False), (Suite.ADVERSARIAL, len(_HIDDEN), True))
        ),
        tests=(*_visible(), *_hidden()),
        build=(
            BuildFacts(check="compiles", ok=True, detail="every file compiles"),
            BuildFacts(check="lint", ok=False, detail="1 new violation", places=("seats.py:3: F401 unused import",)),
            BuildFacts(check="starts", ok=True, detail="the modules import"),
            BuildFacts(check="exceptions", ok=True, detail="none escaped"),
        ),
        metrics=(MetricFacts(metric="p95_ms", value=600, values=(590, 600, 640), low=590, high=640),),
        findings=(
            Finding(
                tool="bandit",
                rule="B311",
                cwe="CWE-338",
                severity=Severity.MEDIUM,
                confidence=Severity.HIGH,
                path="seats.py",
                line=12,
                message="random numbers are predictable",
            ),
        ),
        observations=(
            Observation(
                kind="read_only_modified",
                because="settings.py is read-only and was changed",
                proofs=(Proof(path="settings.py", detail="1 line differs"),),
            ),
        ),
        audit=tuple(
            AuditChannel(channel=name, level="complete", detail="watched") for name in ("network", "files", "memory")
        ),
        session=_session(),
        session_state="given",
        marks=_marks(),
        virtues=(
            SeenVirtue(
                kind="admitted_uncertainty",
                rater="ada",
                because="it says that daylight saving was not looked at",
                proofs=(Proof(path="NOTES.md", line=9, excerpt="Not checked: daylight saving."),),
            ),
        ),
        environment=EnvironmentFacts(
            kernel="example",
            machine="example",
            cpu="example",
            python="example",
            sandbox="example",
            tools={},
            rubric_digest="sha256:example",
        ),
    )


def _submission() -> SubmissionFacts:
    return SubmissionFacts(
        agent="example",
        digest="sha256:example",
        source="folder",
        files=2,
        changes=(
            FileChange(path="seats.py", status="modified", added=20, removed=6, in_scope=True),
            FileChange(path="settings.py", status="modified", added=1, removed=1, in_scope=False),
        ),
        deliverables=(DeliverableFacts(id="notes", path="NOTES.md", title="Notes", present=True, words=180),),
        added_dependencies=(),
        produced=ProducedCode(files=2, docstring=True, handling=False),
    )


def _visible() -> tuple[TestFacts, ...]:
    return tuple(
        TestFacts(suite=Suite.STATIC, id=f"unit/test_seats.py::{name}", outcome=outcome, points=points)
        for name, points, outcome in _VISIBLE
    )


def _hidden() -> tuple[TestFacts, ...]:
    return tuple(
        TestFacts(suite=Suite.ADVERSARIAL, id=name, outcome=outcome, severity=severity, pattern=pattern, second=outcome)
        for name, severity, pattern, outcome in _HIDDEN
    )


def _session() -> Session:
    events: list[SessionEvent] = []
    for number, (seconds, operation, target, tool, counts) in enumerate(_EVENTS, 1):
        fields: dict[str, object] = {}
        if counts is not None:
            passed, total = counts
            failing = [name for name, _, _ in _VISIBLE][-(total - passed) :]
            fields = {
                "passed": passed,
                "failed": total - passed,
                "total": total,
                "status": "error",
                "failures": tuple(TestFailure(test=name) for name in failing),
                "output": "seats.py: the tests fail",
            }
        if operation == "edit":
            fields = {"lines_changed": 4, "ranges": (LineRange(start=10 * number, end=10 * number + 3),)}
        events.append(
            SessionEvent.model_validate(
                {
                    "sequence": number,
                    "seconds": seconds,
                    "operation": operation,
                    "target": target,
                    "tool": tool,
                    **fields,
                }
            )
        )
    return Session(format="native", events=tuple(events), duration_seconds=480)


def _marks() -> tuple[Mark, ...]:
    return tuple(
        Mark(
            rater=rater,
            family=family,
            item=item,
            dimension=dimension,
            mark=marks[seat - 1],
            because="See the example.",
            position=seat,
        )
        for item, dimension, marks in _MARKS
        for seat, (rater, family) in enumerate(_RATERS, 1)
    )
