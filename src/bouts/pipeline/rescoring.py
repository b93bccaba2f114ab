"""Cards under another policy: the same evidence, nothing is run again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bouts.errors import BadFile, BadUsage, BoutsError, NotFound
from bouts.model.card import Card, EvidenceRef
from bouts.model.records import EvidenceFile, from_records, record_digest, root_digest
from bouts.pipeline.cards import MAX_CARD_BYTES, card_json, load_card, load_evidence
from bouts.policy.catalogue import CardPolicy
from bouts.scoring.card import score


@dataclass(frozen=True)
class Found:
    """A card on disk."""

    path: Path
    name: Path
    """Where it goes in a folder of results: relative to the folder that was named, or its own name."""


@dataclass(frozen=True)
class Movement:
    """One card's evidence under two policies."""

    path: Path
    before: Card
    after: Card


@dataclass(frozen=True)
class LeftOut:
    """A card that could not be compared, and why."""

    path: Path
    why: str


def rescore(card: Card, evidence: EvidenceFile, policy: CardPolicy) -> Card:
    """The card of the same evidence under another policy; under its own it comes out as it is.

    Raises `BadFile` where the evidence is not that of the card, or was edited.
    """
    if root_digest(evidence.records) != card.evidence.digest:
        raise BadFile("the evidence is not that of this card", hint="bouts verify CARD says what differs")
    edited = next((r.id for r in evidence.records if record_digest(r.id, r.body) != r.digest), None)
    if edited is not None:
        raise BadFile(f"the evidence was edited: {edited}", hint="bouts verify CARD says what differs")
    return score(from_records(evidence.records), policy, EvidenceRef(digest=card.evidence.digest))


def find_cards(paths: Sequence[Path]) -> tuple[Found, ...]:
    """The cards named, and those in the folders named. Raises `NotFound` for a folder without any."""
    found: dict[Path, Found] = {}
    for path in paths:
        rows = [Found(path, Path(path.name))] if not path.is_dir() else list(_inside(path))
        if not rows:
            raise NotFound("there is no card in this folder", where=str(path))
        for row in rows:
            found.setdefault(row.path.resolve(), row)
    return tuple(found.values())


def _inside(folder: Path) -> Iterator[Found]:
    for path in sorted(folder.rglob("*.json")):
        if path.is_file() and _is_card(path):
            yield Found(path, path.relative_to(folder))


def _is_card(path: Path) -> bool:
    """Whether a file says of itself that it is a card; other JSON may well lie beside cards."""
    try:
        if path.stat().st_size > MAX_CARD_BYTES:
            return False
        body: object = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(body, dict) and str(cast("dict[str, Any]", body).get("schema", "")).startswith("bouts.card/")


def place(card: Card, path: Path, *, overwrite: bool) -> bool:
    """Whether a card is to be written to `path`; false where it is there already. Raises `BadUsage` where something
    else is, unless that may be overwritten."""
    if not path.exists():
        return True
    if path.is_dir():
        raise BadUsage("this is a folder", where=str(path), hint="name a file for the card")
    if overwrite:
        return True
    try:
        there = load_card(path)
    except BoutsError:
        there = None
    if there is not None and _bare(there) == _bare(card):
        return False
    raise BadUsage("something else is there already", where=str(path), hint="name another file, or add --overwrite")


def _bare(card: Card) -> str:
    """The card as stored, less the place of its evidence."""
    return card_json(card.model_copy(update={"evidence": EvidenceRef(digest=card.evidence.digest)}))


def movements(
    cards: Sequence[Found], before: CardPolicy, after: CardPolicy
) -> tuple[tuple[Movement, ...], tuple[LeftOut, ...]]:
    """Each card under both policies, the largest movement first, and the cards that could not be compared."""
    moved: list[Movement] = []
    left: list[LeftOut] = []
    for found in cards:
        try:
            card = load_card(found.path)
            evidence = load_evidence(card, found.path)
            row = Movement(found.path, rescore(card, evidence, before), rescore(card, evidence, after))
        except BoutsError as error:
            left.append(LeftOut(found.path, error.message))
            continue
        if row.before.final is None or row.after.final is None:
            void = row.before if row.before.final is None else row.after
            left.append(LeftOut(found.path, f"void under {void.policy.name} {void.policy.version}"))
        else:
            moved.append(row)
    moved.sort(key=lambda row: (-abs(_by(row)), str(row.path)))
    return tuple(moved), tuple(left)


def _by(row: Movement) -> float:
    return (row.after.final or 0) - (row.before.final or 0)
