"""How each point came about: from the card, and down to the evidence where it is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bouts.model.base import Fact
from bouts.model.card import Card, Line
from bouts.model.records import EvidenceFile, Record
from bouts.policy.catalogue import CardPolicy
from bouts.scoring.exact import show
from bouts.scoring.explore import what_if
from bouts.scoring.find import WHOLE, find
from bouts.scoring.formulas import formula_of
from bouts.scoring.known import policy_of
from bouts.scoring.reach import to_reach

__all__ = ["Derivation", "Source", "Step", "derive", "find", "to_reach", "what_if"]

RECORDS_SHOWN = 20
"""Records that one line of a derivation carries at most."""
_HIDDEN = "suite:adversarial"
"""Record that a line names where it rests on hidden tests, whose own records no card names."""
_DIED = ("crashed", "timeout")


class Source(Fact):
    """One record of the evidence that a line rests on."""

    id: str
    body: dict[str, Any] | None
    """`None` where the evidence is not at hand."""


class Step(Fact):
    """One line below the explained one, with everything below it."""

    key: str
    label: str
    state: str
    score: float | None
    weight: float | None
    points: float | None
    because: str
    general: str
    """The formula with the policy's numbers."""
    filled: str
    """The formula with this card's numbers."""
    evidence: tuple[Source, ...]
    children: tuple[Step, ...]


class Derivation(Fact):
    """Everything that explains one line."""

    key: str
    label: str
    state: str
    score: float | None
    weight: float | None
    policy_weight: float | None
    points: float | None
    because: str
    general: str
    """The formula with the policy's numbers."""
    filled: str
    """The formula with this card's numbers."""
    children: tuple[Step, ...]
    evidence: tuple[Source, ...]


@dataclass(frozen=True)
class _Book:
    """What derivations are made from."""

    policy: CardPolicy
    challenge_format: str
    records: Mapping[str, Record]

    def formula(self, key: str) -> str:
        return formula_of(self.policy, self.challenge_format, key)


def derive(card: Card, key: str | None = None, evidence: EvidenceFile | None = None) -> Derivation:
    """Explain one line, or the final score where no key (or `final`) is given.

    Records come with their bodies, hidden tests among them, only where the evidence is given. Raises `NotFound`.
    """
    policy = policy_of(card)
    records = {record.id: record for record in evidence.records} if evidence else {}
    book = _Book(policy, card.challenge.format, records)
    if key is None or key == WHOLE:
        return Derivation(
            key=WHOLE,
            label="Final score",
            state=card.status,
            score=card.final,
            weight=None,
            policy_weight=None,
            points=card.final,
            because=card.because,
            general=book.formula(WHOLE),
            filled=_filled(card),
            children=tuple(_step(line, book) for line in card.lines),
            evidence=(),
        )
    line = find(card, key)
    return Derivation(
        key=line.key,
        label=line.label,
        state=line.state,
        score=line.score,
        weight=line.weight,
        policy_weight=line.policy_weight,
        points=line.points,
        because=line.because,
        general=book.formula(line.key),
        filled=_of_line(line),
        children=tuple(_step(child, book) for child in line.children),
        evidence=_sources(line, book.records),
    )


def _step(line: Line, book: _Book) -> Step:
    return Step(
        key=line.key,
        label=line.label,
        state=line.state,
        score=line.score,
        weight=line.weight,
        points=line.points,
        because=line.because,
        general=book.formula(line.key),
        filled=_of_line(line),
        evidence=_sources(line, book.records),
        children=tuple(_step(child, book) for child in line.children),
    )


def _of_line(line: Line) -> str:
    """A mark, a neutral score and a deduction are what they are; every other score has a formula."""
    return line.formula or ("" if line.score is None else show(line.score))


def _filled(card: Card) -> str:
    if card.final is None:
        return ""
    text = ""
    for line in card.lines:
        if line.score is None:
            continue
        term = show(line.score) if line.weight is None else f"{show(line.weight, 4)}·{show(line.score)}"
        text += f" − {term[1:]}" if term.startswith("−") else f" + {term}"
    return f"{text.removeprefix(' + ').strip()} = {show(card.final)}"


def _sources(line: Line, records: Mapping[str, Record]) -> tuple[Source, ...]:
    if not records:
        return tuple(Source(id=name, body=None) for name in line.evidence)
    names = [name for name in line.evidence if name in records]
    if _HIDDEN in names:
        names += _hidden(line.key, records)
    return tuple(Source(id=name, body=records[name].body) for name in names[:RECORDS_SHOWN])


def _hidden(key: str, records: Mapping[str, Record]) -> Iterator[str]:
    """Hidden tests that cost a line its points: those that died for stability, else all that did not pass."""
    died = key.rpartition(".")[2] == "stability"
    for name, record in records.items():
        if not name.startswith("test:adversarial/"):
            continue
        outcomes = record.body.get("outcome"), record.body.get("second")
        if any(o in _DIED for o in outcomes) if died else any(o not in ("passed", None) for o in outcomes):
            yield name
