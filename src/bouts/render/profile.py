"""The profile of a session for people: its traits, and the events that they rest on."""

from __future__ import annotations

from collections.abc import Iterable

from bouts.integrity.claims import claims_in
from bouts.model.records import EvidenceFile, from_records
from bouts.model.session import Session
from bouts.render.terminal import Span, Styled, table
from bouts.scoring.process import profile as profiles
from bouts.scoring.process.compared import Compared, Spread
from bouts.scoring.process.profile import Trait


def of(session: Session, known: Iterable[str] = ()) -> tuple[Trait, ...]:
    """The traits of a session. `known` are relative paths of the submission."""
    return profiles.profile(session, claims_in, known)


def card_profile(file: EvidenceFile, own: Session | None = None) -> tuple[tuple[Trait, ...] | None, bool]:
    """Traits of the session that the evidence of a card holds, if it holds one, and whether that is `own`."""
    evidence = from_records(file.records)
    if evidence.session is None:
        return None, False
    traits = of(evidence.session, (change.path for change in evidence.submission.changes))
    return traits, evidence.session == own


def value(trait: Trait | Spread) -> str:
    """What a trait came to: a percentage, a number, yes or no, or a dash where the transcript cannot tell."""
    if trait.value is None:
        return "–"
    if trait.unit == "yes_no":
        return "yes" if trait.value else "no"
    return _number(trait.value, trait.unit)


def _number(number: float, unit: str) -> str:
    return f"{100 * number:.0f} %" if unit == "share" else f"{number:g}"


def spread(trait: Spread) -> str:
    """What a trait is in the other sessions: from the lowest over the median to the highest, or how many say yes."""
    if trait.lowest is None or trait.median is None or trait.highest is None:
        return "not known of any"
    told = f"of {trait.known}"
    if trait.unit == "yes_no":
        return f"yes in {trait.yes} {told}"
    low, middle, high = (_number(n, trait.unit) for n in (trait.lowest, trait.median, trait.highest))
    return f"{low} · {middle} · {high} {told}"


def compared_rows(made: Compared) -> list[Styled]:
    """The profile beside those of other sessions, for a terminal."""
    many = "1 other session" if made.sessions == 1 else f"{made.sessions} other sessions"
    title = f"  (with {many} on {made.challenge}; no points, no rank)"
    rows = [[trait.label, value(trait), spread(trait)] for trait in made.traits]
    head = ["trait", "here", "there: lowest · median · highest"]
    without = f"; {made.without} cards without a session" if made.without else ""
    return [(Span("compared", "dim"), Span(title + without, "dim")), *table(head, rows, right=frozenset({1}))]


def rows(traits: Iterable[Trait]) -> list[Styled]:
    """The traits for a terminal, under a title."""
    made: list[Styled] = [(Span("profile", "dim"), Span("  (beside the score; no points)", "dim"))]
    for trait in traits:
        style = "dim" if trait.value is None else ""
        made.append(
            (Span(f"  {trait.label:<26}"), Span(f"{value(trait):>6}", style), Span(f"  {trait.because}", "dim"))
        )
    return made
