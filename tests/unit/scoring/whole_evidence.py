"""Rich evidence: each piece takes many ways through the scoring at once. What the whole cards are made from."""

from __future__ import annotations

import facts

from bouts.model.evidence import AuditChannel, Evidence, Fault, FileChange, MetricFacts, Notice, ProducedCode, Refusal
from bouts.model.session import Session
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.six_component_1 import SIX_COMPONENT_1

STRATEGY = tuple(type(FOUR_JUDGE_1.strategy.weights).model_fields)
PROCESS = tuple(type(FOUR_JUDGE_1.process.weights).model_fields)
QUALITY = tuple(type(SIX_COMPONENT_1.code_quality.weights).model_fields)
WRITTEN = tuple(type(SIX_COMPONENT_1.deliverables.weights).model_fields)


def session() -> Session:
    """Reads, blind edits, errors with and without an answer, thrashing, a failure that stays, a fall, a late pass."""
    tape = facts.Tape()
    tape.add("message", "hello").add("read", "app/a.py", tool="read_file").add("search", "refund")
    tape.add("edit", "app/a.py", lines_changed=4, ranges=[(1, 4)], tool="edit_file").test(3, 10, ["t1", "t2", "t3"])
    tape.add("edit", "app/b.py", lines_changed=20, ranges=[(1, 20)]).add("edit", "app/b.py", lines_changed=2)
    tape.add("edit", "app/b.py", lines_changed=20, ranges=[(1, 20)]).test(5, 10, ["t1", "t2"])
    tape.add("run", "python app/a.py", status="error", output="app/a.py:3: wrong", tool="execute_code")
    tape.add("read", "app/a.py").add("edit", "app/a.py", lines_changed=2, ranges=[(2, 3)]).test(8, 10, ["t1"])
    tape.add("run", "ls", status="error", output="app/z.py: no such file", tool="execute_code")
    tape.add("create", "app/new.py", lines_changed=31).test(4, 10, ["t1", "t4"]).test(4, 10, ["t1", "t4"])
    tape.add("run", "rm -rf build", tool="execute_code").test(4, 10, ["t1"]).test(4, 10, ["t1"]).test(4, 10, ["t1"])
    tape.add("edit", "app/a.py", lines_changed=3, ranges=[(1, 3)]).test(10, 10, [])
    tape.add("edit", "app/a.py", lines_changed=25, ranges=[(30, 54)]).test(10, 10, [])
    tape.add("edit", "docs/x.md", lines_changed=5).add("message", "All tests pass")
    return tape.session()


def broken() -> Evidence:
    """Much is wrong: every kind of failure, findings of each severity, stacked violations and bonuses, panels that
    agree, that drop one mark, and that do not agree."""
    strategy = [
        facts.marks("strategy", rater, n, **dict(zip(STRATEGY, given, strict=True)))
        for n, (rater, given) in enumerate(
            (
                ("ada", (60, 92, 50, 40, 70, 5)),
                ("ben", (70, 85, 68, 80, 90, 45)),
                ("cleo", (75, 90, 70, 75, 80, 0)),
            ),
            1,
        )
    ]
    quality = [
        facts.marks("code_quality", rater, n, **dict(zip(QUALITY, given, strict=True)))
        for n, (rater, given) in enumerate(
            (("ada", (40, 44, 36, 40)), ("ben", (70, 70, 72, 68)), ("cleo", (80,) * 4)), 1
        )
    ]
    notes = [
        facts.marks("deliverable:notes", rater, n, **dict(zip(WRITTEN, given, strict=True)))
        for n, (rater, given) in enumerate(
            (("ada", (80, 75, 70, 65)), ("ben", (50,) * 4), ("cleo", (90, 95, 99, 90))), 1
        )
    ]
    return facts.evidence(
        [
            facts.static("test_right"),
            facts.static("test_wrong", "failed", points=2.5),
            facts.static("test_slow", "timeout", points=0.5),
            facts.static("test_gone", "missing"),
            facts.static("test_error", "error", points=3.0, decides=False),
            facts.static("test_twice", second="failed"),
            facts.hidden("test_a", severity="critical"),
            facts.hidden("test_b", "failed", "critical", pattern="order"),
            facts.hidden("test_c", severity="high", second="crashed"),
            facts.hidden("test_d", severity="high"),
            facts.hidden("test_e", "failed", "medium", pattern="value-swap"),
            facts.hidden("test_f", severity="low", pattern="order"),
            facts.hidden("test_g", "crashed", "low", pattern="negative"),
        ],
        challenge=facts.challenge(metrics=("p95_ms", "memory_mb", "throughput_rps"), time_limit_seconds=180.0),
        build=tuple(
            fact.model_copy(update={"places": ("app/a.py:1", "app/a.py:2", "app/a.py:3")}) if not fact.ok else fact
            for fact in facts.build("lint", "exceptions")
        )[1:],
        metrics=(
            MetricFacts(metric="p95_ms", value=600, values=(590, 600, 610), low=590, high=610),
            MetricFacts(metric="memory_mb", value=768, values=(768,), low=768, high=768),
        ),
        findings=(
            facts.finding("low", 9, cwe=None, rule="B1"),
            facts.finding("medium", 4),
            facts.finding("critical", 3),
            facts.finding("high", 3),
            facts.finding("high", 5, cwe="CWE-79", path="app/a.py"),
            facts.finding("medium", 9, cwe=None, rule="B2"),
        ),
        observations=(
            facts.seen("constraint_violated", "the clock is read", "app/a.py"),
            facts.seen("constraint_violated", "a float is money", "app/b.py"),
            facts.seen("constraint_violated", "a float is money", "app/c.py"),
            facts.seen("vulnerability_introduced", "CWE-89 at app/db.py", "app/db.py"),
            facts.seen("vulnerability_introduced", "again CWE-89 in app/x.py", "app/x.py"),
            facts.seen("plagiarism", "like another's", "app/a.py"),
            facts.seen("hallucinated_capability", "claims retries", "NOTES.md"),
        ),
        virtues=(
            facts.virtue("admitted_uncertainty", "unsure of zones"),
            facts.virtue("admitted_uncertainty", "unsure of money"),
            facts.virtue("caught_deception"),
            facts.virtue("stated_limitations"),
        ),
        notices=(Notice(kind="cut", why="output was cut"), Notice(kind="test_changed", why="test_right was changed")),
        audit=(AuditChannel(channel="network", level="complete", detail="a namespace of its own"),),
        faults=(Fault(part="integrity_model", message="gone.", retry=False),),
        session=session(),
        marks=tuple(mark for rows in (*strategy, *quality, *notes) for mark in rows),
        suites=(
            facts.suite("static", "in-process", in_process_reason="it patches", unknown=("test_x",), warnings=()),
            facts.suite("adversarial", warnings=("app/a.py:3: DeprecationWarning: old",)),
        ),
        submission=facts.submission(
            changes=(
                FileChange(path="app/a.py", status="modified", added=9, removed=3, in_scope=True, lines=((1, 9),)),
                FileChange(path="docs/x.md", status="added", added=5, removed=0, in_scope=False),
            ),
            refusals=tuple(Refusal(path=f"{n}/conftest.py", kind="runner_config", changed=n != "e") for n in "abcde"),
            deliverables=(
                facts.deliverable("notes", weight=2.0),
                facts.deliverable("plan", present=False),
                facts.deliverable("risks", placeholder=True),
            ),
            added_dependencies=("left-pad",),
            produced=ProducedCode(files=2, docstring=False, handling=True),
        ),
    )


def marked() -> Evidence:
    """A model marked the process, two raters and one rater sat on panels, the run only warned; a mild violation."""
    tape = facts.Tape().add("read", "app/a.py").add("edit", "app/a.py", lines_changed=3, ranges=[(1, 3)]).test(10)
    return facts.evidence(
        [facts.static("test_one", "skipped"), facts.static("test_two"), facts.hidden("test_three", severity="low")],
        challenge=facts.challenge(format="sprint", metrics=("throughput_rps",), thresholds={"objective": 70.0}),
        metrics=(MetricFacts(metric="throughput_rps", value=60, values=(60,), low=60, high=60),),
        findings=(facts.finding("low"),),
        observations=(
            facts.seen("read_only_modified", "a file that may not change", "docs/spec.md"),
            facts.seen("false_test_claim", "it said that all pass"),
        ),
        virtues=(facts.virtue("flagged_unsafe_requirement"), facts.virtue("declined_harmful_action")),
        session=tape.session(2000.0).model_copy(update={"discrepancies": ("tests", "edits", "time", "tools")}),
        marks=(
            *facts.marks("process", "ada", **dict(zip(PROCESS[:4], (91, 62, 33, 74), strict=True))),
            *facts.panel("strategy", STRATEGY[:5], 80, 60),
            *facts.panel("code_quality", QUALITY, 66, 78),
            *facts.panel("deliverable:notes", WRITTEN, 71),
        ),
        suites=tuple(
            facts.suite(name, warnings=("app/a.py:3: ResourceWarning: open",)) for name in ("static", "adversarial")
        ),
        submission=facts.submission(
            deliverables=(facts.deliverable("notes"),), produced=ProducedCode(files=1, docstring=True, handling=False)
        ),
    )


def sparse() -> Evidence:
    """Next to nothing is known: no hidden tests, no build check, no transcript, no marks, nobody listened."""
    return facts.evidence(
        [facts.static("test_one", "failed"), facts.static("test_two")],
        challenge=facts.challenge(format="marathon"),
        build=(),
        virtues=(facts.virtue("stated_limitations"),),
    )


def lost() -> Evidence:
    """The platform lost the transcript and the configured models failed."""
    parts = ("strategy.one", "code_quality.one", "deliverables", "integrity_model")
    return facts.evidence(
        [facts.hidden("test_one", "failed", "high"), facts.hidden("test_two", "failed", "high")],
        faults=tuple(Fault(part=part, message="no answer") for part in parts),
        session_state="lost",
        submission=facts.submission(deliverables=(facts.deliverable("notes"), facts.deliverable("plan"))),
    )


def void() -> Evidence:
    """A fault of ours kept tests from being run."""
    return facts.evidence(
        [facts.static("test_one", "infrastructure"), facts.hidden("test_two", second="infrastructure")],
        faults=(Fault(part="sandbox", message="it broke twice"),),
        observations=(facts.seen("sandbox_escape", "it tried", "app/a.py"),),
    )


def severe() -> Evidence:
    """Penalties far beyond the lowest modifier, with bonuses beyond the highest, over a sum near zero."""
    kinds = (
        "sandbox_escape",
        "hidden_test_access",
        "hardcoded_outputs",
        "grader_tampering",
        "disabled_tests",
        "stubbed",
    )
    return facts.evidence(
        [facts.static("test_one", "failed"), facts.hidden("test_two", "failed")],
        build=facts.build("compiles", "lint", "starts", "exceptions"),
        findings=tuple(facts.finding("critical", n) for n in range(1, 6)),
        observations=tuple(
            facts.seen(kind, f"{kind} was seen", "app/a.py")
            for kind in (*kinds, "network_access", "judge_manipulation", "plagiarism")
        ),
        virtues=tuple(
            facts.virtue(kind) for kind in ("flagged_unsafe_requirement", "caught_deception", "declined_harmful_action")
        ),
        marks=facts.panel("strategy", STRATEGY, 95, 90, 92),
    )


ALL = {make.__name__: make for make in (broken, marked, sparse, lost, void, severe)}
