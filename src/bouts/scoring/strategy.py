"""Judge 3, strategy: a panel of three models, reconciled dimension by dimension."""

from __future__ import annotations

from bouts.policy.four_judge import FourJudge
from bouts.scoring.case import Case
from bouts.scoring.exact import ZERO, exact, show, wholes
from bouts.scoring.parts import Part, weighted

_KEY, _LABEL = "strategy", "Strategy judge"
_DIMENSIONS = {
    "decomposition": "Decomposition",
    "prioritization": "Prioritization",
    "tradeoffs": "Tradeoff handling",
    "architecture": "Architecture",
    "communication": "Communication",
    "ambiguity": "Ambiguity handling",
}
_NO_MODEL = "Not judged: no model configured."


def strategy(share: float, policy: FourJudge, case: Case) -> Part:
    """The strategy part. No marks: unscored; configured models that failed: neutral, flagged."""
    if "strategy" in case.trouble.neutral:
        mark = exact(policy.neutral)
        because = f"Neutral {show(mark)}: the configured models failed; it can be judged again."
        return Part(_KEY, _LABEL, exact(share), mark, because, "neutral", show(mark))
    table, panels = policy.strategy, case.panels
    shares: dict[str, float] = table.weights.model_dump()
    if not panels.raters("strategy"):
        children = [
            Part(f"{_KEY}.{name}", label, exact(shares[name]), None, _NO_MODEL, "not_judged")
            for name, label in _DIMENSIONS.items()
        ]
        because = f"{_NO_MODEL} Its weight is shared between the other judges in proportion."
        return Part(_KEY, _LABEL, exact(share), None, because, "not_judged", children=children)
    children = [
        panels.part(
            f"{_KEY}.{name}",
            label,
            shares[name],
            panels.marks_for("strategy", name, f"{_KEY}.{name}"),
            table.panel,
            "strategy",
        )
        for name, label in _DIMENSIONS.items()
    ]
    part = weighted(_KEY, _LABEL, exact(share), children, "")
    part.because = _said(len(panels.raters("strategy")), children)
    if part.score is None:
        part.state = "not_judged"
    return part


def _said(raters: int, children: list[Part]) -> str:
    marked = [child for child in children if child.score is not None]
    if not marked:
        return "Not judged: no rater gave a mark for any dimension."
    marks, _ = wholes([child.score or ZERO for child in marked])
    *_, low = min((mark, child.key, child) for mark, child in zip(marks, marked, strict=True))
    missing = [child.label.lower() for child in children if child.score is None]
    without = f" Not judged: {', '.join(missing)}." if missing else ""
    panel = "One rater" if raters == 1 else f"A panel of {raters}"
    return f"{panel}; lowest: {low.label.lower()} {show(low.score or 0, 1)}.{without}"
