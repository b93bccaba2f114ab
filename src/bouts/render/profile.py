"""The profile of a session for people: its traits, and the events that they rest on."""

from __future__ import annotations

from collections.abc import Iterable

from bouts.integrity.claims import claims_in
from bouts.model.session import Session
from bouts.render.terminal import Span, Styled
from bouts.scoring.process import profile as profiles
from bouts.scoring.process.profile import Trait

__all__ = ["Trait", "of", "rows", "value"]


def of(session: Session, known: Iterable[str] = ()) -> tuple[Trait, ...]:
    """The traits of a session. `known` are relative paths of the submission."""
    return profiles.profile(session, claims_in, known)


def value(trait: Trait) -> str:
    """What a trait came to: a percentage, a number, yes or no, or a dash where the transcript cannot tell."""
    if trait.value is None:
        return "–"
    if trait.unit == "yes_no":
        return "yes" if trait.value else "no"
    return f"{100 * trait.value:.0f} %" if trait.unit == "share" else f"{trait.value:g}"


def rows(traits: Iterable[Trait]) -> list[Styled]:
    """The traits for a terminal, under a title."""
    made: list[Styled] = [(Span("profile", "dim"), Span("  (beside the score; no points)", "dim"))]
    for trait in traits:
        style = "dim" if trait.value is None else ""
        made.append(
            (Span(f"  {trait.label:<26}"), Span(f"{value(trait):>6}", style), Span(f"  {trait.because}", "dim"))
        )
    return made
