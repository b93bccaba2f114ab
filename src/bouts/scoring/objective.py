"""Judge 1, objective: visible tests, hidden tests, build health, performance and security. No model takes part."""

from __future__ import annotations

from bouts.model.challenge import Severity
from bouts.model.evidence import BuildCheckName, BuildFacts, ChallengeFacts, Evidence, Finding, MetricFacts
from bouts.policy.four_judge import ObjectiveTable
from bouts.policy.parts import SeverityPoints
from bouts.scoring import interpolate
from bouts.scoring.exact import HUNDRED, ZERO, exact, mean, show
from bouts.scoring.hidden import safe
from bouts.scoring.parts import Part, weighted
from bouts.scoring.suites import Tally, adversarial, static

_SHOWN = 3
_BUILD_LABELS: dict[BuildCheckName, str] = {
    "compiles": "compiles",
    "lint": "lints clean",
    "starts": "starts",
    "exceptions": "no unhandled exception",
}
_ORDER = (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM, Severity.LOW)


def objective(share: float, table: ObjectiveTable, evidence: Evidence, tally: Tally) -> Part:
    """The objective part with its children."""
    weights, halves = table.weights, table.halves
    both = weighted(
        "objective.performance_security",
        "Performance and security",
        exact(weights.performance_security),
        [
            performance(halves.performance, table, evidence.challenge, evidence.metrics),
            security(halves.security, table.security, evidence.findings),
        ],
        "",
    )
    both.because = f"{both.children[0].because} {both.children[1].because}"
    children = [
        static("objective.static", weights.static, tally),
        adversarial("objective.adversarial", weights.adversarial, table.severity_weights, tally),
        build_health(weights.build, table, evidence.build),
        both,
    ]
    return weighted("objective", "Objective judge", exact(share), children, _summary(children))


def _summary(children: list[Part]) -> str:
    scored = [part for part in children if part.score is not None]
    lost = sorted(scored, key=lambda part: part.share * ((part.score or ZERO) - part.reach))
    worst = [f"{part.label.lower()} {show(part.score or ZERO, 1)}" for part in lost if (part.score or 0) < part.reach]
    if not worst:
        return "Every part that applies is at its best."
    return f"Points were lost to: {', '.join(worst)}."


def build_health(share: float, table: ObjectiveTable, facts: tuple[BuildFacts, ...]) -> Part:
    """The checks that hold, each with its points; a check that is missing adds nothing."""
    known = {fact.check: fact for fact in facts}
    score, terms, failed = ZERO, list[str](), list[str]()
    evidence = list[str]()
    for check, label in _BUILD_LABELS.items():
        points, fact = exact(getattr(table.build, check)), known.get(check)
        ok = fact is not None and fact.ok
        terms.append(f"{show(points)}·{int(ok)} {label}")
        if ok:
            score += points
        else:
            detail = "was not checked" if fact is None else safe(fact.detail)
            failed.append(f"{label}: {detail}{_places(fact)}")
        if fact is not None:
            evidence.insert(0 if not ok else len(evidence), f"build:{check}")
    because = (
        f"Failed: {'; '.join(failed)}." if failed else "It compiles, lints clean, starts, and no exception escaped."
    )
    return Part(
        "objective.build",
        "Build health",
        exact(share),
        score,
        because,
        formula=f"{' + '.join(terms)} = {show(score)}",
        evidence=evidence,
    )


def _places(fact: BuildFacts | None) -> str:
    if fact is None or not fact.places:
        return ""
    return f" ({', '.join(safe(place, 120) for place in fact.places[:2])})"


def performance(share: float, table: ObjectiveTable, challenge: ChallengeFacts, facts: tuple[MetricFacts, ...]) -> Part:
    """Mean over the declared metrics, 0 for one that could not be measured; neutral where none is declared."""
    key, label = "objective.performance_security.performance", "Performance"
    if not challenge.metrics:
        neutral = exact(table.performance_neutral)
        because = f"The challenge declares no performance metric, so this half stays at {show(neutral)}."
        return Part(key, label, exact(share), neutral, because, "neutral", f"{show(neutral)}", reach=neutral)
    known = {fact.metric: fact for fact in facts}
    scores, said = list[tuple[str, str]](), list[str]()
    values = [ZERO for _ in challenge.metrics]
    for number, metric in enumerate(challenge.metrics):
        anchors, fact = table.performance[metric], known.get(metric)
        if fact is None:
            said.append(f"{anchors.meaning} could not be measured: 0")
        else:
            values[number] = interpolate.score(anchors, exact(fact.value))
            said.append(f"{anchors.meaning} {show(fact.value)} {anchors.unit}: {show(values[number], 1)}")
        scores.append((metric, show(values[number])))
    score = mean(values) or ZERO
    return Part(
        key,
        label,
        exact(share),
        score,
        f"{_capital('; '.join(said))}.",
        formula=f"mean of {', '.join(f'{value} ({name})' for name, value in scores)} = {show(score)}",
        evidence=[f"metric:{metric}" for metric in challenge.metrics if metric in known],
    )


def security(share: float, points: SeverityPoints, findings: tuple[Finding, ...]) -> Part:
    """100 less the points of each finding, not below 0. One weakness at one line counts once."""
    rows = _distinct(findings)
    counts = {level: sum(1 for _, finding in rows if finding.severity is level) for level in _ORDER}
    costs = {level: exact(getattr(points, level.value)) for level in _ORDER}
    loss = sum((costs[level] * counts[level] for level in _ORDER), ZERO)
    terms = "".join(f" − {show(costs[level])}·{counts[level]} {level.value}" for level in _ORDER if costs[level])
    score = max(ZERO, HUNDRED - loss)
    return Part(
        "objective.performance_security.security",
        "Security",
        exact(share),
        score,
        _findings(rows),
        formula=f"max(0, 100{terms}) = {show(score)}",
        evidence=[f"finding:{number}" for number, _ in rows],
    )


def _distinct(findings: tuple[Finding, ...]) -> list[tuple[int, Finding]]:
    rows: dict[tuple[str, str, int], tuple[int, Finding]] = {}
    for number, finding in enumerate(findings, 1):
        key = (finding.cwe or f"{finding.tool} {finding.rule}", finding.path, finding.line)
        if key not in rows or _rank(finding) < _rank(rows[key][1]):
            rows[key] = (number, finding)
    return sorted(rows.values(), key=lambda row: _rank(row[1]))


def _rank(finding: Finding) -> tuple[int, str, int, str, str]:
    return _ORDER.index(finding.severity), finding.path, finding.line, finding.tool, finding.rule


def _findings(rows: list[tuple[int, Finding]]) -> str:
    if not rows:
        return "The scanners found no weakness that is new against the given codebase."
    shown = [
        f"{f.severity.value} {f.cwe or 'weakness'} at {safe(f.path)}:{f.line} ({f.tool} {f.rule})"
        for _, f in rows[:_SHOWN]
    ]
    more = f", and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return f"{len(rows)} new finding{'s' if len(rows) > 1 else ''}: {', '.join(shown)}{more}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
