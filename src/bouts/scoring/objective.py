"""Judge 1, objective: visible tests, hidden tests, build health, performance and security. No model takes part."""

from __future__ import annotations

from fractions import Fraction

from bouts.model.evidence import BuildCheckName, BuildFacts, ChallengeFacts, Evidence, MetricFacts
from bouts.policy.four_judge import ObjectiveTable
from bouts.scoring import interpolate
from bouts.scoring.exact import ZERO, add, exact, mean, show
from bouts.scoring.hidden import safe
from bouts.scoring.parts import Part, dearest, weighted
from bouts.scoring.security import distinct, security
from bouts.scoring.suites import Tally, adversarial, static

_SECURITY = "objective.performance_security.security"
_BUILD_LABELS: dict[BuildCheckName, str] = {
    "compiles": "compiles",
    "lint": "lints clean",
    "starts": "starts",
    "exceptions": "no unhandled exception",
}


def objective(share: float, table: ObjectiveTable, evidence: Evidence, tally: Tally) -> Part:
    """The objective part with its children."""
    weights, halves = table.weights, table.halves
    both = weighted(
        "objective.performance_security",
        "Performance and security",
        exact(weights.performance_security),
        [
            performance(halves.performance, table, evidence.challenge, evidence.metrics),
            security(_SECURITY, halves.security, table.security, distinct(evidence.findings)),
        ],
        "",
    )
    both.because = f"{both.children[0].because} {both.children[1].because}"
    children = [
        static("objective.static", weights.static, tally),
        adversarial("objective.adversarial", weights.adversarial, table.severity_weights, table.hidden_meaning, tally),
        build_health(weights.build, table, evidence.build),
        both,
    ]
    return weighted("objective", "Objective judge", exact(share), children, _summary(children))


def _summary(children: list[Part]) -> str:
    worst = [f"{part.label.lower()} {show(part.score or ZERO, 1)}" for part in dearest(children)]
    if not worst:
        return "Every part that applies is at its best."
    return f"Points were lost to: {', '.join(worst)}."


def build_health(share: float, table: ObjectiveTable, facts: tuple[BuildFacts, ...]) -> Part:
    """The checks that hold, each with its points; a check that is missing adds nothing."""
    known = {fact.check: fact for fact in facts}
    won, terms, failed = list[Fraction](), list[str](), list[str]()
    evidence = list[str]()
    for check, label in _BUILD_LABELS.items():
        points, fact = exact(getattr(table.build, check)), known.get(check)
        ok = fact is not None and fact.ok
        terms.append(f"{show(points)}·{int(ok)} {label}")
        if ok:
            won.append(points)
        else:
            detail = "was not checked" if fact is None else safe(fact.detail)
            failed.append(f"{label}: {detail}{_places(fact)}")
        if fact is not None:
            evidence.insert(0 if not ok else len(evidence), f"build:{check}")
    score = add(won)
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


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
