"""What scoring under any policy has in common: one evidence made ready, and the card in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bouts.model.base import made
from bouts.model.card import Bonus, Card, ChallengeRef, EvidenceRef, Flag, Line, PolicyRef, SubmissionRef, Violation
from bouts.model.evidence import Evidence
from bouts.policy.catalogue import CardPolicy, policy_digest
from bouts.scoring import status as state
from bouts.scoring.exact import clamp, dot, exact, headline, show, stored
from bouts.scoring.hidden import Curtain
from bouts.scoring.panels import Panels
from bouts.scoring.parts import Part, additive, effective, lines
from bouts.scoring.suites import Tally, counts, tally


@dataclass(slots=True)
class Case:
    """One evidence under one policy, with what several steps need."""

    evidence: Evidence
    counted: Tally
    curtain: Curtain
    trouble: state.Faults
    holds: frozenset[str]
    """Kinds of flag that hold the card."""
    panels: Panels


def case_of(evidence: Evidence, policy: CardPolicy) -> Case:
    """The evidence made ready. Raises `BadFile` for marks that no panel can have given."""
    counted = tally(evidence.tests)
    curtain = Curtain(counted.static, counted.adversarial)
    return Case(
        evidence,
        counted,
        curtain,
        state.faults(evidence, policy.faults, counted, curtain),
        frozenset(rule.kind for rule in policy.holds),
        Panels(evidence.marks, curtain),
    )


def total(parts: Sequence[Part]) -> Fraction:
    """The sum of the parts by their effective weights."""
    return dot(effective(parts), [part.score for part in parts])


def attainable(parts: Sequence[Part], policy: CardPolicy) -> Fraction:
    """The final with every applicable line at its best and no bonus."""
    return within(dot(effective(parts), [part.reach for part in parts]), policy)


def within(value: Fraction, policy: CardPolicy) -> Fraction:
    """The value, moved into the range of final scores."""
    return clamp(value, exact(policy.lowest), exact(policy.highest))


def clamp_line(raw: Fraction, policy: CardPolicy) -> list[Line]:
    """A line for what moves the sum into the range of final scores; none where it lies within."""
    final = within(raw, policy)
    if final == raw:
        return []
    because = f"The sum is {show(raw)}; a final score lies between {show(policy.lowest)} and {show(policy.highest)}."
    return [additive("clamp", "Clamp", final - raw, because, formula=f"{show(final)} − {show(raw)}")]


def missing(parts: Sequence[Part], case: Case) -> list[str]:
    """What keeps a card from being final, one phrase each."""
    rows = [
        f"{part.label.lower()}: {part.because.partition('. ')[0].rstrip('.').lower()}"
        for part in parts
        if part.state == "neutral" or (part.score is None and part.state != "not_applicable")
    ]
    rows += [
        f"{part.label.lower()}: {child.label.lower()} not judged"
        for part in parts
        if part.score is not None
        for child in part.children
        if child.state == "not_judged"
    ]
    return rows + case.panels.provisional + case.trouble.provisional


def neutral_flags(parts: Sequence[Part]) -> list[Flag]:
    """Flags of the parts that got the neutral mark."""
    return [
        made(Flag, kind="neutral", why=f"{part.label}: {part.because}", holds=False)
        for part in parts
        if part.state == "neutral"
    ]


def unjudged(parts: Sequence[tuple[str, str, float]]) -> tuple[Line, ...]:
    """The lines of a void card: key, label and share of each part."""
    why = "Not judged: the card is void."
    return lines([Part(key, label, exact(share), None, why, "not_judged") for key, label, share in parts])


@dataclass(slots=True)
class Sheet:
    """What a policy made of a case."""

    final: Fraction
    attainable: Fraction
    lines: tuple[Line, ...]
    flags: tuple[Flag, ...]
    missing: list[str]
    violations: tuple[Violation, ...]
    bonuses: tuple[Bonus, ...] = ()


def card(case: Case, policy: CardPolicy, sheet: Sheet, evidence_ref: EvidenceRef) -> Card:
    """The card: void where a fault of ours leaves nothing to be said."""
    evidence = case.evidence
    status, because = state.status(case.trouble.void, sheet.flags, sheet.missing)
    void = status == "void"
    c, s = evidence.challenge, evidence.submission
    return made(
        Card,
        schema_="bouts.card/1",
        outcome=state.outcome(evidence, case.counted, sheet.violations, void=void),
        challenge=made(
            ChallengeRef,
            id=c.id,
            version=c.version,
            digest=c.digest,
            title=c.title,
            format=c.format.value,
            family=c.family,
            tier=c.tier,
        ),
        submission=made(SubmissionRef, agent=s.agent, digest=s.digest),
        policy=made(PolicyRef, name=policy.name, version=policy.version, digest=policy_digest(policy)),
        status=status,
        because=because,
        final=None if void else stored(sheet.final),
        headline=None if void else headline(sheet.final),
        attainable=None if void else stored(sheet.attainable),
        lines=sheet.lines,
        tests=counts(case.counted),
        flags=sheet.flags,
        violations=sheet.violations,
        bonuses=sheet.bonuses,
        audit={channel.channel: channel.level for channel in evidence.audit},
        environment=evidence.environment,
        evidence=evidence_ref,
    )
