"""Strategies: evidence and policies of every shape."""

from __future__ import annotations

import facts
from hypothesis import strategies as st

from bouts.model.evidence import Evidence, Fault, MetricFacts, Notice
from bouts.model.session import LineRange, Session, SessionEvent, TestFailure
from bouts.policy.four_judge import FourJudge
from bouts.policy.four_judge_1 import FOUR_JUDGE_1

OUTCOMES = st.sampled_from(
    ["passed", "passed", "failed", "error", "timeout", "crashed", "skipped", "missing", "duplicated"]
)
NAMES = st.integers(0, 10_000).map(lambda n: f"test_n{n}")
PATHS = st.sampled_from(["app/a.py", "app/b.py", "./app/a.py", "/work/app/a.py", "NOTES.md", "tests/test_a.py"])
KINDS = [rule.kind for rule in FOUR_JUDGE_1.integrity.penalties]
SHARES = st.integers(0, 100).map(lambda n: n / 100)


@st.composite
def rows_of_tests(draw: st.DrawFn):
    names = draw(st.lists(NAMES, max_size=12, unique=True))
    rows = []
    for name in names:
        outcome, second = draw(OUTCOMES), draw(st.one_of(st.none(), OUTCOMES))
        if draw(st.booleans()):
            points = draw(st.sampled_from([0.1, 0.5, 1.0, 2.5, 3.0]))
            rows.append(facts.static(name, outcome, points=points, decides=draw(st.booleans())))
        else:
            severity = draw(st.sampled_from(facts.SEVERITIES))
            pattern = draw(st.sampled_from(["scale", "order", "value-swap"]))
            rows.append(facts.hidden(name, outcome, severity, pattern=pattern, second=second))
    return tuple(rows)


@st.composite
def events(draw: st.DrawFn, number: int):
    operation = draw(st.sampled_from(["read", "edit", "create", "search", "run", "test", "test", "message", "other"]))
    fields: dict[str, object] = {
        "target": draw(st.one_of(st.none(), PATHS)),
        "status": draw(st.sampled_from(["ok", "error", "unknown"])),
        "output": draw(st.sampled_from([None, "app/a.py:3: wrong", "tests/test_a.py failed", ""])),
        "lines_changed": draw(st.one_of(st.none(), st.integers(0, 80))),
    }
    if operation == "test" and draw(st.booleans()):
        total = draw(st.integers(0, 6))
        passed = draw(st.integers(0, total))
        names = draw(st.one_of(st.none(), st.just([f"test_{n}" for n in range(total - passed)])))
        fields |= {"passed": passed, "failed": total - passed, "total": total}
        fields["failures"] = None if names is None else tuple(TestFailure(test=name) for name in names)
    if operation == "edit" and draw(st.booleans()):
        start = draw(st.integers(1, 30))
        fields["ranges"] = (LineRange(start=start, end=start + draw(st.integers(0, 10))),)
    seconds = draw(st.one_of(st.none(), st.just(10.0 * number)))
    return SessionEvent(sequence=number, seconds=seconds, operation=operation, **fields)


@st.composite
def sessions(draw: st.DrawFn):
    rows = tuple(draw(events(n)) for n in range(1, draw(st.integers(0, 14)) + 1))
    return Session(
        format="native", events=rows, duration_seconds=draw(st.one_of(st.none(), st.integers(0, 2000).map(float)))
    )


@st.composite
def evidence(draw: st.DrawFn) -> Evidence:
    declared = draw(st.lists(st.sampled_from(["p95_ms", "memory_mb", "throughput_rps"]), unique=True))
    metrics = [
        MetricFacts(metric=name, value=value, values=(value,), low=value, high=value)
        for name in declared
        if (value := draw(st.floats(0, 6000))) is not None and draw(st.booleans())
    ]
    changes: dict[str, object] = {
        "challenge": facts.challenge(
            format=draw(st.sampled_from(["sprint", "standard", "marathon"])), metrics=declared
        ),
        "build": tuple(
            b for b in facts.build(*draw(st.lists(st.sampled_from(["lint", "starts"])))) if draw(st.booleans())
        ),
        "metrics": tuple(metrics),
        "findings": tuple(
            facts.finding(draw(st.sampled_from(facts.SEVERITIES)), line=n) for n in range(draw(st.integers(0, 6)))
        ),
        "observations": tuple(
            facts.seen(kind, f"reason {n}", "app/a.py")
            for n, kind in enumerate(draw(st.lists(st.sampled_from(KINDS), max_size=4)))
        ),
        "notices": tuple(
            Notice(kind=kind, why=f"why {n}")
            for n, kind in enumerate(draw(st.lists(st.sampled_from(["cut", "test_changed"]), max_size=2)))
        ),
        "faults": tuple(
            Fault(part=part, message="gone")
            for part in draw(st.lists(st.sampled_from(["strategy.one", "integrity_model"]), max_size=2))
        ),
        "session_state": "absent",
    }
    if draw(st.booleans()):
        changes["session"] = draw(sessions())
        changes["session_state"] = "given"
    elif draw(st.booleans()):
        changes["session_state"] = "lost"
    return facts.evidence(draw(rows_of_tests()), **changes)


@st.composite
def policies(draw: st.DrawFn) -> FourJudge:
    """The released table with other numbers. Shares need not add up to 1: the laws hold for any table."""
    table = FOUR_JUDGE_1

    def shares(model):
        return model.model_copy(update={name: draw(SHARES) for name in type(model).model_fields})

    formats = {name: shares(weights) for name, weights in table.formats.items()}
    severities = {name: draw(st.integers(0, 8)) / 2 for name in facts.SEVERITIES}
    objective = table.objective.model_copy(
        update={
            "weights": shares(table.objective.weights),
            "halves": shares(table.objective.halves),
            "severity_weights": table.objective.severity_weights.model_copy(update=severities),
        }
    )
    process = table.process.model_copy(update={"weights": shares(table.process.weights)})
    lowest, highest = -draw(st.integers(0, 40)), draw(st.integers(0, 20))
    integrity = table.integrity.model_copy(update={"lowest": float(lowest), "highest": float(highest)})
    return table.model_copy(
        update={
            "version": "0.0-drawn",
            "formats": formats,
            "objective": objective,
            "process": process,
            "integrity": integrity,
        }
    )


any_policy = st.one_of(st.just(FOUR_JUDGE_1), policies())
