"""The process judge, stage 1: five dimensions from the events of the session."""

from __future__ import annotations

from bouts.model.evidence import Evidence
from bouts.policy.four_judge import FourJudge
from bouts.scoring.exact import ZERO, exact, show
from bouts.scoring.parts import Part, weighted
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


def process(share: float, policy: FourJudge, evidence: Evidence, neutral: set[str]) -> Part:
    """The process part. No transcript: unscored; lost by the platform: neutral, flagged."""
    if evidence.session_state == "lost" or "telemetry" in neutral:
        mark = exact(policy.neutral)
        because = f"Neutral {show(mark)}: the platform lost the transcript; it can be judged again once it is found."
        return Part(_KEY, _LABEL, exact(share), mark, because, "neutral", show(mark))
    if evidence.session is None:
        why = "Not judged: no transcript was handed in."
        return Part(
            _KEY, _LABEL, exact(share), None, f"{why} Its weight is shared between the other judges.", "not_judged"
        )
    trace = Trace(evidence.session, (change.path for change in evidence.submission.changes))
    table, limit = policy.process, exact(evidence.challenge.time_limit_seconds)
    children = [
        tool_use(table.weights.tool_use, table.tool_use, trace),
        error_recovery(table.weights.error_recovery, table.error_recovery, trace),
        trajectory(table.weights.trajectory, table.trajectory, trace),
        efficiency(table.weights.efficiency, table.efficiency, limit, trace),
        scope(table.weights.scope, table.scope, evidence.challenge, evidence.submission, trace),
    ]
    part = weighted(_KEY, _LABEL, exact(share), children, "")
    part.because = f"Metrics only, no model. {_worst(children)}"
    return part


def _worst(children: list[Part]) -> str:
    scored = sorted((c for c in children if c.score is not None), key=lambda c: c.share * ((c.score or ZERO) - 100))
    low = [f"{c.label.lower()} {show(c.score or ZERO, 1)}" for c in scored if (c.score or ZERO) < 100]
    return f"Points were lost to: {', '.join(low)}." if low else "Every dimension that could be measured is at 100."
