"""Judge 4, integrity: observations become violations with points; the sum is clamped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bouts.model.base import made
from bouts.model.card import Bonus, Violation
from bouts.model.evidence import Observation, Proof, ViolationKind
from bouts.model.marks import SeenVirtue
from bouts.policy.four_judge import IntegrityTable
from bouts.policy.parts import Penalty, Virtue
from bouts.scoring.exact import Number, add, at_least, at_most, clamp, exact, show, stored
from bouts.scoring.hidden import Curtain

PROOFS_SHOWN = 20
"""Proofs that one violation carries at most."""
_CWE = re.compile(r"CWE-\d+")
_Causes = dict[tuple[ViolationKind, str], list[Observation]]


@dataclass(slots=True)
class Integrity:
    """The modifier and how it came about."""

    modifier: Fraction
    violations: tuple[Violation, ...]
    bonuses: tuple[Bonus, ...]
    because: str
    formula: str
    records: list[str]
    """Ids of the observations, the costliest first."""


def integrity(
    observations: Sequence[Observation], virtues: Sequence[SeenVirtue], table: IntegrityTable, curtain: Curtain
) -> Integrity:
    """Punish every cause once, add what each kind of virtue earned, clamp."""
    bonuses = _bonuses(virtues, table.bonuses, curtain)
    violations = priced(observations, table.penalties, curtain)
    lost, won = [v.points for v in violations], [b.points for b in bonuses]
    result = modifier(lost, won, table)
    formula = (
        f"clamp(max({show(table.lowest)}, {_sum(lost)}) + min({show(table.highest)}, {_sum(won)}), "
        f"{show(table.lowest)}, {show(table.highest)}) = {show(result)}"
    )
    records = _records(observations, virtues, table)
    return Integrity(result, violations, bonuses, _because(violations, bonuses), formula, records)


def _records(observations: Sequence[Observation], virtues: Sequence[SeenVirtue], table: IntegrityTable) -> list[str]:
    if not observations and not virtues:
        return []
    costs = {rule.kind: rule.points for rule in table.penalties}
    rows = sorted(enumerate(observations, 1), key=lambda row: (costs[row[1].kind], row[0]))
    return [f"observation:{n}" for n, _ in rows] + [f"virtue:{n}" for n, _ in enumerate(virtues, 1)]


def modifier(penalties: Iterable[Number], bonuses: Iterable[Number], table: IntegrityTable) -> Fraction:
    """Penalties down to the lowest, bonuses up to the highest, and their sum within both."""
    low, high = exact(table.lowest), exact(table.highest)
    lost = at_least(add([exact(points) for points in penalties]), low)
    won = at_most(add([exact(points) for points in bonuses]), high)
    return clamp(add((lost, won)), low, high)


def unpriced(observations: Sequence[Observation], curtain: Curtain) -> tuple[Violation, ...]:
    """The violations under a policy that takes no points for them: one of each kind."""
    kinds: set[ViolationKind] = {seen.kind for seen in observations}
    rules = [Penalty(kind=kind, points=0, counts="once", found_by="any check") for kind in sorted(kinds)]
    return priced(observations, rules, curtain)


def priced(
    observations: Sequence[Observation], penalties: Sequence[Penalty], curtain: Curtain
) -> tuple[Violation, ...]:
    """The violations, each cause once, the costliest first."""
    if not observations:
        return ()
    rules = {rule.kind: rule for rule in penalties}
    causes: _Causes = {}
    for seen in observations:
        causes.setdefault((seen.kind, _cause(seen, rules[seen.kind])), []).append(seen)
    kept = [(rules[kind], rows) for (kind, _), rows in causes.items() if not _absorbed(rules[kind], rows, causes)]
    made = [_violation(rule, rows, curtain) for rule, rows in kept]
    return tuple(sorted(made, key=lambda v: (v.points, v.kind, v.because)))


def _bonuses(virtues: Sequence[SeenVirtue], rules: Sequence[Virtue], curtain: Curtain) -> tuple[Bonus, ...]:
    """What each kind earned, once however often it was seen; a kind that the policy does not list earns nothing."""
    earned: list[Bonus] = []
    for rule in rules if virtues else ():
        rows = [seen for seen in virtues if seen.kind == rule.kind]
        if not rows:
            continue
        reasons = sorted({seen.because for seen in rows})
        more = f" (and {len(reasons) - 1} more of this kind)" if len(reasons) > 1 else ""
        proofs = sorted((proof for seen in rows for proof in seen.proofs), key=_place)[:PROOFS_SHOWN]
        earned.append(
            made(
                Bonus,
                kind=rule.kind,
                points=stored(exact(rule.points)),
                because=curtain.text(reasons[0]) + more,
                evidence=tuple(dict.fromkeys(curtain.proof(proof) for proof in proofs)),
            )
        )
    return tuple(sorted(earned, key=lambda b: (-b.points, b.kind)))


def _cause(seen: Observation, rule: Penalty) -> str:
    if rule.counts == "once":
        return ""
    if seen.kind == "vulnerability_introduced":
        named = _CWE.findall(seen.because) or [n for p in seen.proofs for n in _CWE.findall(p.detail)]
        if named:
            return str(named[0])
    return seen.because


def _absorbed(rule: Penalty, rows: list[Observation], causes: _Causes) -> bool:
    if not rule.absorbed_by:
        return False
    paths = {proof.path for seen in rows for proof in seen.proofs}
    heavier = {
        proof.path
        for (kind, _), others in causes.items()
        if kind in rule.absorbed_by
        for seen in others
        for proof in seen.proofs
    }
    return None not in paths and paths <= heavier


def _violation(rule: Penalty, rows: list[Observation], curtain: Curtain) -> Violation:
    reasons = sorted({seen.because for seen in rows})
    more = f" (and {len(reasons) - 1} more of this kind)" if len(reasons) > 1 else ""
    proofs = {proof: None for seen in rows for proof in seen.proofs}
    return made(
        Violation,
        kind=rule.kind,
        points=stored(exact(rule.points)),
        because=curtain.text(reasons[0]) + more,
        evidence=tuple(dict.fromkeys(curtain.proof(proof) for proof in sorted(proofs, key=_place)[:PROOFS_SHOWN])),
    )


def _place(proof: Proof) -> tuple[str, int, int, str, str]:
    return proof.path or "", proof.line or 0, proof.event or 0, proof.detail, proof.excerpt


def _because(violations: tuple[Violation, ...], bonuses: Sequence[Bonus]) -> str:
    if not violations and not bonuses:
        return "No violation was found. Bonuses come from a model alone, and none was given."
    worst = [f"{_words(v.kind)} ({show(v.points)}): {v.because.rstrip('.')}" for v in violations[:2]]
    if len(violations) > len(worst):
        worst.append(f"and {len(violations) - len(worst)} more")
    best = [f"{_words(b.kind)} (+{show(b.points)})" for b in bonuses]
    text = "; ".join([*worst, *best])
    return f"{text[:1].upper()}{text[1:]}."


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def _sum(points: list[float]) -> str:
    return " + ".join(show(p) for p in points).replace("+ −", "− ") or "0"
