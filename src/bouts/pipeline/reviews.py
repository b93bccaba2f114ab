"""The review queue: what waits, one case with all that was said, resolutions and appeals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bouts.errors import BadUsage, BoutsError, NotFound
from bouts.model.card import Card
from bouts.model.ledger import Added, ReviewAction, ReviewEntry
from bouts.model.records import EvidenceFile
from bouts.model.tallied import AgentRow, CardRow, Queued, ReviewRow
from bouts.pipeline.cards import evidence_of, save
from bouts.ports.ledger import Ledger
from bouts.render.standings.words import short
from bouts.scoring.differences import CardDiff, compare
from bouts.scoring.explain import what_if


@dataclass(frozen=True)
class Waiting:
    """A card that waits for a reviewer."""

    agent: str
    """Name or pseudonym."""
    queued: Queued


@dataclass(frozen=True)
class Case:
    """One card with all that was said of it."""

    agent: str
    """Name or pseudonym."""
    row: CardRow
    card: Card
    reviews: tuple[ReviewRow, ...]
    second: Card | None
    """The card that counts instead, where a review brought one."""
    second_row: CardRow | None
    difference: CardDiff | None
    """From the first to the second."""
    evidence: EvidenceFile | None
    """`None` where it is not at hand."""


def waiting(ledger: Ledger) -> tuple[Waiting, ...]:
    """Everything that waits, the longest waiting first."""
    titles = {agent.name: agent.title for agent in ledger.agents()}
    return tuple(Waiting(titles.get(item.card.agent, item.card.agent), item) for item in ledger.queue())


def case(ledger: Ledger, digest: str) -> Case:
    """A card by its digest or the first characters of it. Raises `NotFound`."""
    row, card = ledger.card(digest)
    agent = _agent(ledger, row)
    said = ledger.reviews(row.card)
    evidence = _evidence(ledger, row)
    second = second_row = difference = None
    if row.replaced_by is not None:
        second_row, second = ledger.card(row.replaced_by)
        difference = compare(card, second, evidence, _evidence(ledger, second_row))
    return Case(
        agent=row.agent if agent is None else agent.title,
        row=row,
        card=card,
        reviews=said,
        second=second,
        second_row=second_row,
        difference=difference,
        evidence=evidence,
    )


def handed_out(found: Case, folder: Path) -> Path:
    """Write card and evidence into a folder, for `bouts explain` and `bouts verify`; the card's path.

    Raises `NotFound` where the evidence is not at hand, `BadUsage` for a place that is taken, and `StoreFault`.
    """
    if found.evidence is None:
        raise NotFound("the card's evidence is not at hand", where=found.row.card[:23])
    if not folder.absolute().parent.is_dir():
        raise BadUsage("there is no such folder", where=str(folder.absolute().parent), hint="make it first")
    path = folder / f"{short(found.row.card)}.json"
    save(found.card, found.evidence, path)
    return path


def confirm(ledger: Ledger, digest: str, *, by: str, reason: str = "") -> Added:
    """The card counts as it is."""
    return _reviewed(ledger, digest, "confirm", by, reason)


def void(ledger: Ledger, digest: str, *, by: str, reason: str) -> Added:
    """The card never counts."""
    return _reviewed(ledger, digest, "void", by, reason)


def adjust(
    ledger: Ledger,
    digest: str,
    *,
    by: str,
    reason: str,
    final: float | None = None,
    supposed: dict[str, float] | None = None,
    second: Card | None = None,
    evidence: bytes | None = None,
) -> Added:
    """Another final counts: one that is named, the one that the card has with some lines supposed otherwise, or that of
    a second card. Raises `BadUsage` unless exactly one of the three is given."""
    if sum(part is not None for part in (final, supposed, second)) != 1:
        raise BadUsage(
            "an adjustment brings one of: a final, lines supposed otherwise, a second card",
            hint="--final NUMBER, --what-if KEY=SCORE, or --second CARD",
        )
    if supposed is not None:
        _, card = ledger.card(digest)
        final = what_if(card, supposed).final
        reason = f"{reason} (supposed: {', '.join(f'{key} = {value:g}' for key, value in supposed.items())})"
    return _reviewed(ledger, digest, "adjust", by, reason, second, evidence, final)


def appeal(ledger: Ledger, digest: str, *, by: str, reason: str) -> Added:
    """The owner of the card's agent asks for a review. Raises `BadUsage` for anybody else."""
    row, _ = ledger.card(digest)
    agent = _agent(ledger, row)
    if agent is None or agent.owner is None:
        raise BadUsage(
            "the agent has no owner, and only its owner may appeal",
            where=row.card[:23],
            hint='bouts register agent NAME --owner "WHO"',
        )
    if agent.owner != by:
        raise BadUsage(f"only the owner of the agent may appeal, and that is not {by!r}", where=row.card[:23])
    return _reviewed(ledger, digest, "appeal", by, reason)


def _reviewed(
    ledger: Ledger,
    digest: str,
    action: ReviewAction,
    by: str,
    reason: str,
    second: Card | None = None,
    evidence: bytes | None = None,
    final: float | None = None,
) -> Added:
    """Record what was said. Raises `BadUsage` for a name, reason or final that a ledger does not take."""
    try:
        ReviewEntry(card="sha256:" + "0" * 64, action=action, by=by, reason=reason, final=final)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        option = {"by": "--by", "reason": "--reason", "final": "--final"}.get(str(first["loc"][0]), "")
        raise BadUsage(first["msg"], where=option) from error
    return ledger.review(digest, action, by=by, reason=reason, second=second, evidence=evidence, final=final)


def _agent(ledger: Ledger, row: CardRow) -> AgentRow | None:
    return next((one for one in ledger.agents() if one.name == row.agent), None)


def _evidence(ledger: Ledger, row: CardRow) -> EvidenceFile | None:
    if row.evidence is None:
        return None
    try:
        return evidence_of(ledger.evidence(row.evidence), Path(row.evidence))
    except BoutsError:
        return None
