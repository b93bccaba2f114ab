"""How each point came about: from the card, and down to the evidence where it is at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bouts.model.base import Fact
from bouts.model.card import Card, Line
from bouts.model.records import EvidenceFile, Record
from bouts.policy import catalogue
from bouts.scoring.exact import show
from bouts.scoring.explore import to_reach, what_if
from bouts.scoring.find import WHOLE, find
from bouts.scoring.formulas import general

__all__ = ["Derivation", "Source", "Step", "derive", "find", "to_reach", "what_if"]

RECORDS_SHOWN = 20
"""Records that a derivation carries at most."""


class Step(Fact):
    """One line below the explained one."""

    key: str
    label: str
    state: str
    score: float | None
    weight: float | None
    points: float | None
    because: str


class Source(Fact):
    """One record of the evidence that a line rests on."""

    id: str
    body: dict[str, Any] | None
    """`None` where the evidence is not at hand."""


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


def derive(card: Card, key: str | None = None, evidence: EvidenceFile | None = None) -> Derivation:
    """Explain one line, or the final score where no key (or `final`) is given.

    Records come with their bodies, hidden tests among them, only where the evidence is given. Raises `NotFound`.
    """
    policy = catalogue.card_policy(card.policy.name, card.policy.version)
    formulas = general(policy, card.challenge.format)
    records = {record.id: record for record in evidence.records} if evidence else {}
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
            general=formulas[WHOLE],
            filled=_filled(card),
            children=tuple(_step(line) for line in card.lines),
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
        general=formulas.get(line.key, ""),
        filled=line.formula,
        children=tuple(_step(child) for child in line.children),
        evidence=_sources(line, records),
    )


def _step(line: Line) -> Step:
    return Step(
        key=line.key,
        label=line.label,
        state=line.state,
        score=line.score,
        weight=line.weight,
        points=line.points,
        because=line.because,
    )


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
    if line.key.rpartition(".")[2] == "adversarial":
        names += [name for name, record in records.items() if _hidden_failure(name, record.body)]
    return tuple(Source(id=name, body=records[name].body) for name in names[:RECORDS_SHOWN])


def _hidden_failure(name: str, body: Mapping[str, Any]) -> bool:
    if not name.startswith("test:adversarial/"):
        return False
    return body.get("outcome") != "passed" or body.get("second", "passed") not in (None, "passed")
