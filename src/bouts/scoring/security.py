"""Security: what the scanners' findings cost."""

from __future__ import annotations

from bouts.model.challenge import Severity
from bouts.model.evidence import Finding
from bouts.policy.parts import SeverityPoints
from bouts.scoring.exact import ZERO, at_least, exact, show, sum_of
from bouts.scoring.hidden import safe
from bouts.scoring.parts import Part

_SHOWN = 3
_ORDER = (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM, Severity.LOW)
Rows = list[tuple[int, Finding]]
"""Findings with their numbers in the evidence."""


def security(key: str, share: float, points: SeverityPoints, rows: Rows) -> Part:
    """100 less the points of each finding, not below 0."""
    levels = [finding.severity for _, finding in rows]
    costs = [(level, exact(getattr(points, level)), levels.count(level)) for level in _ORDER]
    terms = "".join([f" − {show(cost)}·{many} {level}" for level, cost, many in costs if cost])
    score = at_least(sum_of((100, 1), *[(cost, -many) for _, cost, many in costs]), ZERO)
    return Part(
        key,
        "Security",
        exact(share),
        score,
        _findings(rows),
        formula=f"max(0, 100{terms}) = {show(score)}",
        evidence=[f"finding:{number}" for number, _ in rows],
    )


def distinct(findings: tuple[Finding, ...]) -> Rows:
    """One weakness at one line once, by its most severe finding; the most severe first."""
    rows: dict[tuple[str, str, int], tuple[int, Finding]] = {}
    for number, finding in enumerate(findings, 1):
        key = (finding.cwe or f"{finding.tool} {finding.rule}", finding.path, finding.line)
        if key not in rows or _rank(finding) < _rank(rows[key][1]):
            rows[key] = (number, finding)
    return sorted(rows.values(), key=lambda row: _rank(row[1]))


def _rank(finding: Finding) -> tuple[int, str, int, str, str]:
    return _ORDER.index(finding.severity), finding.path, finding.line, finding.tool, finding.rule


def _findings(rows: Rows) -> str:
    if not rows:
        return "The scanners found no weakness that is new against the given codebase."
    shown = [
        f"{f.severity.value} {f.cwe or 'weakness'} at {safe(f.path)}:{f.line} ({f.tool} {f.rule})"
        for _, f in rows[:_SHOWN]
    ]
    more = f", and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return f"{len(rows)} new finding{'s' if len(rows) > 1 else ''}: {', '.join(shown)}{more}."
