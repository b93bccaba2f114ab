"""The process judge: five dimensions, measured from the session's events, or marked by a model that saw the metrics."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from bouts.errors import BadFile
from bouts.policy.four_judge import FourJudge
from bouts.scoring.case import Case
from bouts.scoring.exact import HUNDRED, ZERO, exact, show
from bouts.scoring.parts import Part, dearest, weighted
from bouts.scoring.process.efficiency import efficiency
from bouts.scoring.process.recovery import error_recovery
from bouts.scoring.process.scope import scope
from bouts.scoring.process.tool_use import tool_use
from bouts.scoring.process.trace import Trace
from bouts.scoring.process.trajectory import trajectory

_KEY, _LABEL = "process", "Process judge"
LABELS = {
    "tool_use": "Tool use",
    "error_recovery": "Error recovery",
    "trajectory": "Iteration trajectory",
    "efficiency": "Efficiency",
    "scope": "Scope management",
}


def process(share: float, policy: FourJudge, case: Case) -> Part:
    """The process part. No transcript, or one whose end was left out: unscored; lost by the platform, or the model
    failed: neutral, flagged."""
    evidence, neutral = case.evidence, case.trouble.neutral
    if evidence.session_state == "lost" or "telemetry" in neutral:
        return _neutral(share, policy, "the platform lost the transcript; it can be judged again once it is found")
    if _KEY in neutral:
        return _neutral(share, policy, "the configured model failed; it can be judged again")
    if evidence.session is None:
        return _not_judged(share, "no transcript was handed in")
    if (cut := evidence.session.cut) is not None:
        return _not_judged(share, f"{cut}, and what came after them cannot be known")
    trace = Trace(evidence.session, (change.path for change in evidence.submission.changes))
    table, limit = policy.process, exact(evidence.challenge.time_limit_seconds)
    measured = [
        tool_use(table.weights.tool_use, table.tool_use, trace),
        error_recovery(table.weights.error_recovery, table.error_recovery, trace),
        trajectory(table.weights.trajectory, table.trajectory, trace),
        efficiency(table.weights.efficiency, table.efficiency, limit, trace),
        scope(table.weights.scope, table.scope, evidence.challenge, evidence.submission, trace),
    ]
    children = [_marked(part, case) for part in measured]
    part = weighted(_KEY, _LABEL, exact(share), children, "")
    part.because = f"{_by_whom(measured, children)} {_worst(children)}"
    if part.score is None:
        part.state = "not_judged"
    return part


def _not_judged(share: float, why: str) -> Part:
    because = f"Not judged: {why}. Its weight is shared between the other judges."
    return Part(_KEY, _LABEL, exact(share), None, because, "not_judged")


def _neutral(share: float, policy: FourJudge, why: str) -> Part:
    mark = exact(policy.neutral)
    return Part(_KEY, _LABEL, exact(share), mark, f"Neutral {show(mark)}: {why}.", "neutral", show(mark))


def _marked(measured: Part, case: Case) -> Part:
    """The model's mark for a dimension, with the measured score beside it; what was measured where it gave none."""
    raters = case.panels.marks_for(_KEY, measured.key.rpartition(".")[2], measured.key)
    if not raters:
        return measured
    if len(raters) > 1:
        raise BadFile(f"{len(raters)} raters marked {measured.key}; the process judge is one model", where="evidence")
    model = raters[0]
    model.share = Fraction(1)
    said = "" if measured.score is None else f" The metrics alone give {show(measured.score, 1)}."
    metrics = replace(measured, key=f"{measured.key}.metrics", label="Metrics", share=ZERO)
    return Part(
        measured.key,
        measured.label,
        measured.share,
        model.score,
        f"{model.because}{said}",
        "measured",
        f"the model's mark = {show(model.score or ZERO)}",
        [*model.evidence, *measured.evidence],
        [model, metrics],
        weights=[Fraction(1), None if metrics.score is None else ZERO],
    )


def _by_whom(measured: list[Part], children: list[Part]) -> str:
    alone = [
        part.label.lower()
        for part, child in zip(measured, children, strict=True)
        if child is part and part.score is not None
    ]
    if all(child is part for part, child in zip(measured, children, strict=True)):
        return "Metrics only, no model."
    return "Marked by a model that saw the metrics." + (f" Metrics only: {', '.join(alone)}." if alone else "")


def _worst(children: list[Part]) -> str:
    low = [f"{child.label.lower()} {show(child.score or ZERO, 1)}" for child in dearest(children, HUNDRED)]
    return f"Points were lost to: {', '.join(low)}." if low else "Every dimension that could be measured is at 100."
