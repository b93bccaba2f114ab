"""Worked examples that several policies share. Each is computed by the scoring functions when the page is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from bouts.policy.parts import Anchors, DistancePanel, MedianPanel, SeverityPoints, SeverityWeights
from bouts.render.methodology.markdown import section, table, text
from bouts.scoring import interpolate
from bouts.scoring.exact import HUNDRED, ZERO, Number, exact, show
from bouts.scoring.parts import Part, weighted
from bouts.scoring.reconcile import Verdict, r1, r2

MARKS = ((72, 68, 76), (40, 70, 80), (50, 70, 90), (70, 80, 90), (50, 68, 70), (60, 70, 75), (60, 70, 80))
"""Marks of three raters; the last two rows show that the rules are not monotonic."""
TWO, ONE = ((70, 80), (50, 80)), ((64,),)
_RATERS: tuple[str, ...] = ("A", "B", "C")


def mean(weights: Mapping[str, float], scores: Mapping[str, Number | None]) -> tuple[str, Fraction | None]:
    """The weighted mean as it is written out on a card, and its exact value."""
    parts = [
        Part(name, name, exact(weights[name]), None if score is None else exact(score), "")
        for name, score in scores.items()
    ]
    made = weighted("", "", Fraction(1), parts, "")
    return made.formula, made.score


def anchors(*scales: Anchors) -> list[str]:
    """Each scale at its points, between them and beyond them."""
    out: list[str] = []
    for scale in scales:
        values = [exact(at) for at, _ in scale.points]
        between = [(a + b) / 2 for a, b in pairwise(values)]
        shown = sorted({*values, *between, values[0] / 2, values[-1] * 2})
        known = dict(zip(values, scale.points, strict=True))
        rows = [
            (
                f"{show(value, 4)} {scale.unit}",
                show(interpolate.score(scale, value)),
                "stated" if value in known else "beyond the ends" if _outside(value, values) else "on the line between",
            )
            for value in shown
        ]
        out += [f"*{scale.meaning[:1].upper()}{scale.meaning[1:]}*", "", *table(("measured", "score", ""), rows)]
    return out


def _outside(value: Fraction, values: Sequence[Fraction]) -> bool:
    return value < values[0] or value > values[-1]


def verdicts(rule: MedianPanel | DistancePanel) -> list[str]:
    """What the rule makes of some marks, with the mark's own words."""
    rows = [(", ".join(str(m) for m in marks), *_verdict(rule, marks)) for marks in (*MARKS, *TWO, *ONE)]
    return table(("marks", "result", "how"), rows)


def _judge(rule: MedianPanel | DistancePanel, marks: Sequence[int]) -> Verdict:
    named = dict(zip(_RATERS, marks, strict=False))
    return r1(named, rule) if isinstance(rule, MedianPanel) else r2(named, rule)


def _verdict(rule: MedianPanel | DistancePanel, marks: Sequence[int]) -> tuple[str, str]:
    found = _judge(rule, marks)
    mark = "none" if found.mark is None else show(found.mark)
    return f"{mark}{', flagged' if found.flagged else ''}", found.because


def not_monotonic(rule: MedianPanel | DistancePanel) -> list[str]:
    """The rule's known oddity, with the example computed."""
    lower, higher = MARKS[-2], MARKS[-1]
    one, two = (_judge(rule, marks).mark for marks in (lower, higher))
    low, high = (", ".join(str(m) for m in marks) for marks in (lower, higher))
    return section(
        f"{rule.rule} is knowingly not monotonic",
        text(
            f"A higher mark of one rater can lower the result: **{low} → {show(one or ZERO)}, but "
            f"{low.rpartition(', ')[0]}, "
            f"{high.rpartition(', ')[2]} → {show(two or ZERO)}**. In the first row the three agree and the median "
            "counts; in "
            "the second they no longer agree, none is a clear outlier, and the mean is reduced. This is kept: a "
            "panel that "
            "disagrees is a sign of an ambiguous rubric, and a reduced mark that a person looks at is safer than a "
            "generous one that nobody does. For the same reason no law of Bouts says that a higher mark never lowers a "
            "score of a panel."
        ),
        level=3,
    )


def panel(rule: MedianPanel | DistancePanel) -> list[str]:
    """A panel's rule in words, with examples and its oddity."""
    spread, off = show(rule.spread), show(rule.deduction)
    away = (
        f"exactly one rater is more than {show(rule.outlier)} away from both others: it is dropped, and the mean of "
        "the "
        "other two counts. The drop is logged."
        if isinstance(rule, MedianPanel)
        else f"the largest distance from the median is more than {show(rule.outlier)} and the second largest at most "
        f"{show(rule.others)}: that rater is dropped, and the mean of the other two counts. The drop is logged."
    )
    steps = [
        f"1. The marks lie within {spread} points: the median counts.",
        f"2. Else, {away}",
        f"3. Else the mean less {off}, not below 0, and the item is flagged for a person: the rubric may be ambiguous.",
        "",
        f"With two raters left: within {spread} points their mean, else the mean less {off}, flagged. With one left "
        "its mark "
        "stands, flagged. A weight that the rater left without a mark goes to the dimensions that it marked.",
        "",
    ]
    return section(f"Rule {rule.rule}: three raters become one mark", steps, verdicts(rule), level=3) + not_monotonic(
        rule
    )


def findings(points: SeverityPoints) -> list[str]:
    """Security scores for some findings."""
    rows: list[tuple[str, str]] = []
    for critical, high, medium, low in (
        (0, 0, 0, 0),
        (0, 0, 1, 0),
        (1, 0, 1, 0),
        (2, 0, 0, 0),
        (0, 2, 3, 4),
        (5, 0, 0, 0),
    ):
        pairs = ((critical, points.critical), (high, points.high), (medium, points.medium), (low, points.low))
        lost = sum((exact(cost) * many for many, cost in pairs), ZERO)
        said = ", ".join(f"{n} {name}" for n, name in zip((critical, high, medium, low), _LEVELS, strict=True) if n)
        rows.append((said or "none", f"max(0, 100 − {show(lost)}) = {show(max(ZERO, HUNDRED - lost))}"))
    return [
        *text(
            "Only findings that are new against the given codebase count, and one weakness (its CWE, or the scanner's "
            "rule where it has none) at one line counts once, by its most severe finding."
        ),
        *table(("new findings", "security"), rows),
    ]


_LEVELS = ("critical", "high", "medium", "low")


def hidden(weights: SeverityWeights) -> list[str]:
    """The hidden tests' score for one mixture."""
    tests, failed = (2, 4, 5, 2), (0, 2, 1, 2)
    costs = [exact(getattr(weights, name)) for name in _LEVELS]
    total = sum((cost * many for cost, many in zip(costs, tests, strict=True)), ZERO)
    lost = sum((cost * many for cost, many in zip(costs, failed, strict=True)), ZERO)
    rows = [
        (name, show(cost), str(many), str(many - bad), f"{show(cost)}·{many - bad} of {show(cost)}·{many}")
        for name, cost, many, bad in zip(_LEVELS, costs, tests, failed, strict=True)
    ]
    score = HUNDRED * (total - lost) / total if total else ZERO
    return [
        *table(("severity", "weight", "tests", "passed", "weighted points"), rows),
        *text(f"100·{show(total - lost)}/{show(total)} = **{show(score)}**"),
    ]
