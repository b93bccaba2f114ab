"""Strategies: evidence and policies of every shape."""

from __future__ import annotations

import facts
from hypothesis import strategies as st

from bouts.model.evidence import Evidence, Fault, MetricFacts, Notice, ProducedCode
from bouts.model.marks import Mark, VirtueKind
from bouts.model.run import Run
from bouts.model.session import LineRange, Session, SessionEvent, TestFailure
from bouts.policy.four_judge import FourJudge
from bouts.policy.four_judge_1 import FOUR_JUDGE_1
from bouts.policy.headline import Headline
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.policy.partial_credit import PartialCredit
from bouts.policy.partial_credit_1 import PARTIAL_CREDIT_1
from bouts.policy.six_component import SixComponent
from bouts.policy.six_component_1 import SIX_COMPONENT_1

OUTCOMES = st.sampled_from(
    ["passed", "passed", "failed", "error", "timeout", "crashed", "skipped", "missing", "duplicated"]
)
NAMES = st.integers(0, 10_000).map(lambda n: f"test_n{n}")
PATHS = st.sampled_from(["app/a.py", "app/b.py", "./app/a.py", "/work/app/a.py", "NOTES.md", "tests/test_a.py"])
KINDS = [rule.kind for rule in FOUR_JUDGE_1.integrity.penalties]
MODEL_PARTS = ("strategy.one", "process", "code_quality.one", "deliverables", "integrity_model")
VIRTUES = VirtueKind.__args__
DIMENSIONS = {
    "strategy": tuple(type(FOUR_JUDGE_1.strategy.weights).model_fields),
    "process": tuple(type(FOUR_JUDGE_1.process.weights).model_fields),
    "code_quality": tuple(type(SIX_COMPONENT_1.code_quality.weights).model_fields),
    "deliverable:notes": tuple(type(SIX_COMPONENT_1.deliverables.weights).model_fields),
}
RATERS = ("ada", "ben", "cleo")
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
        "target": draw(st.one_of(st.none(), PATHS, st.sampled_from(["ls", "rm -rf build", "rm -rf"]))),
        "tool": draw(st.sampled_from([None, "execute_code", "edit_file"])),
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
def marks(draw: st.DrawFn) -> tuple[Mark, ...]:
    """What none to three raters gave; a rater may leave out dimensions."""
    made: list[Mark] = []
    for item, dimensions in DIMENSIONS.items():
        most = 1 if item == "process" else len(RATERS)
        for position, rater in enumerate(RATERS[: draw(st.integers(0, most))], 1):
            source = draw(st.sampled_from(["model", "model", "measured"]))
            made += [
                Mark(
                    rater=rater,
                    family="some",
                    source=source,
                    item=item,
                    dimension=dimension,
                    mark=draw(st.integers(0, 200)) / 2,
                    because="it says so",
                    position=position,
                )
                for dimension in dimensions
                if draw(st.integers(0, 6))
            ]
    return tuple(made)


@st.composite
def submissions(draw: st.DrawFn):
    written = [
        facts.deliverable(
            name,
            present=draw(st.integers(0, 4)) > 0,
            placeholder=draw(st.integers(0, 4)) == 0,
            weight=draw(st.sampled_from([0.1, 1.0, 2.5])),
        )
        for name in draw(st.lists(st.sampled_from(["notes", "plan"]), unique=True))
    ]
    produced = ProducedCode(files=draw(st.integers(0, 2)), docstring=draw(st.booleans()), handling=draw(st.booleans()))
    return facts.submission(deliverables=tuple(written), produced=draw(st.one_of(st.none(), st.just(produced))))


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
            facts.finding(
                draw(st.sampled_from(facts.SEVERITIES)),
                line=n,
                cvss=draw(st.sampled_from([None, None, None, 3.1, 9.8])),
            )
            for n in range(draw(st.integers(0, 6)))
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
            for part in draw(st.lists(st.sampled_from(MODEL_PARTS), max_size=2))
            if draw(st.booleans())
        ),
        "session_state": "absent",
        "marks": draw(marks()),
        "virtues": tuple(facts.virtue(kind) for kind in draw(st.lists(st.sampled_from(VIRTUES), max_size=3))),
        "submission": draw(submissions()),
        "suites": tuple(
            facts.suite(name, warnings=draw(st.sampled_from([None, (), ("DeprecationWarning: old",)])))
            for name in ("static", "adversarial")
        ),
    }
    if draw(st.booleans()):
        changes["session"] = draw(sessions())
        changes["session_state"] = "given"
    elif draw(st.booleans()):
        changes["session_state"] = "lost"
    return facts.evidence(draw(rows_of_tests()), **changes)


Table = FourJudge | SixComponent | PartialCredit


@st.composite
def four_judge(draw: st.DrawFn) -> FourJudge:
    """The released table with other numbers. Shares need not add up to 1: the laws hold for any table."""
    table = FOUR_JUDGE_1
    objective = table.objective.model_copy(
        update={
            "weights": shares(draw, table.objective.weights),
            "halves": shares(draw, table.objective.halves),
            "severity_weights": severities(draw),
        }
    )
    strategy = {"weights": shares(draw, table.strategy.weights), "panel": panels(draw, table.strategy.panel)}
    lowest, highest = -draw(st.integers(0, 40)), draw(st.integers(0, 20))
    integrity = table.integrity.model_copy(update={"lowest": float(lowest), "highest": float(highest)})
    return table.model_copy(
        update={
            "version": "0.0-drawn",
            "formats": {name: shares(draw, weights) for name, weights in table.formats.items()},
            "objective": objective,
            "process": table.process.model_copy(update={"weights": shares(draw, table.process.weights)}),
            "strategy": table.strategy.model_copy(update=strategy),
            "integrity": integrity,
        }
    )


@st.composite
def six_component(draw: st.DrawFn) -> SixComponent:
    """The same of six-component."""
    table = SIX_COMPONENT_1
    rated = {
        name: part.model_copy(update={"weights": shares(draw, part.weights), "panel": panels(draw, part.panel)})
        for name, part in (("code_quality", table.code_quality), ("deliverables", table.deliverables))
    }
    points = table.security.points.model_copy(update={n: float(draw(st.integers(0, 40))) for n in facts.SEVERITIES})
    security = {"points": points, "critical_cap": float(draw(st.integers(0, 100)))}
    return table.model_copy(
        update={
            "version": "0.0-drawn",
            "weights": shares(draw, table.weights),
            "severity_weights": severities(draw),
            "security": table.security.model_copy(update=security),
            **rated,
        }
    )


@st.composite
def partial_credit(draw: st.DrawFn) -> PartialCredit:
    """The same of partial-credit."""
    table = PARTIAL_CREDIT_1
    steps = {"optimal_steps": draw(st.integers(1, 9)), "deduction": float(draw(st.integers(0, 60)))}
    safety = {"deduction": float(draw(st.integers(0, 60)))}
    return table.model_copy(
        update={
            "version": "0.0-drawn",
            "weights": shares(draw, table.weights),
            "efficiency": table.efficiency.model_copy(update=steps),
            "safety": table.safety.model_copy(update=safety),
        }
    )


@st.composite
def headline(draw: st.DrawFn) -> Headline:
    """The same of headline."""
    table = HEADLINE_2026_07
    composite = {
        "weights": shares(draw, table.composite.weights),
        "consistency_runs": draw(st.integers(1, 8)),
        "decimals": draw(st.integers(0, 4)),
    }
    radar = {"weights": table.radar.weights, "runs": draw(st.integers(1, 20))}
    repeats = {
        "levels": tuple(sorted(draw(st.sets(st.integers(1, 7), min_size=1)))),
        "outcomes": draw(st.integers(1, 5)),
    }
    return table.model_copy(
        update={
            "version": "0.0-drawn",
            "composite": table.composite.model_copy(update=composite),
            "radar": table.radar.model_copy(update=radar),
            "repeatability": table.repeatability.model_copy(update=repeats),
        }
    )


@st.composite
def runs(draw: st.DrawFn, status=st.sampled_from(["completed", "completed", "failed", "timeout", "infrastructure"])):
    """Runs of one agent."""
    return tuple(
        Run(
            task=draw(st.sampled_from("abc")),
            ended=float(draw(st.integers(0, 30))),
            status=draw(status),
            success=draw(st.sampled_from([True, True, False, None])),
            latency_ms=draw(st.one_of(st.none(), st.integers(0, 12_000).map(float), st.just(900.0))),
            cost_usd=draw(st.one_of(st.just(0.02), st.sampled_from([None, 0.0, 0.001, 0.07, 3.0]))),
            steps=draw(st.one_of(st.none(), st.integers(0, 90))),
        )
        for _ in range(draw(st.integers(0, 14)))
    )


def shares(draw: st.DrawFn, model):
    """A table of weights with other weights."""
    return model.model_copy(update={name: draw(SHARES) for name in type(model).model_fields})


def severities(draw: st.DrawFn):
    """Weights of severities, in their order or not."""
    weights = {name: draw(st.integers(0, 8)) / 2 for name in facts.SEVERITIES}
    return FOUR_JUDGE_1.objective.severity_weights.model_copy(update=weights)


def panels(draw: st.DrawFn, rule):
    """A panel rule with other limits."""
    names = [name for name in type(rule).model_fields if name != "rule"]
    return rule.model_copy(update={name: float(draw(st.integers(0, 40))) for name in names})


any_four_judge = st.one_of(st.just(FOUR_JUDGE_1), four_judge())
any_policy: st.SearchStrategy[Table] = st.one_of(
    any_four_judge,
    st.just(SIX_COMPONENT_1),
    six_component(),
    st.just(PARTIAL_CREDIT_1),
    partial_credit(),
)
released = st.sampled_from([FOUR_JUDGE_1, SIX_COMPONENT_1, PARTIAL_CREDIT_1])
any_headline = st.one_of(st.just(HEADLINE_2026_07), headline())
