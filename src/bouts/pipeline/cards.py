"""Cards and their evidence on disk: two files side by side, each whole or absent."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import zlib
from pathlib import Path

from pydantic import ValidationError

from bouts.errors import BadFile, BadUsage, NotFound, StoreFault
from bouts.model.card import Card
from bouts.model.records import EvidenceFile
from bouts.model.text import clean_line
from bouts.pipeline.files import PART, clear_parts, holding, refuse_foreign, write_whole

_ENDING = ".evidence.json.gz"
MAX_CARD_BYTES = 16 << 20
MAX_EVIDENCE_BYTES = 256 << 20
"""Bytes after decompression."""


def evidence_name(card: Card, card_path: Path) -> str:
    """The name of the evidence file beside a card. It differs between scorings, so that a card that is written again
    never stands, not for a moment and not after a crash, beside evidence that is not its own."""
    return f"{_stem(card_path)}.{card.evidence.digest.removeprefix('sha256:')[:8]}{_ENDING}"


def save(card: Card, evidence: EvidenceFile, path: Path) -> Card:
    """Write evidence, then card; returns the card with the evidence's path in it. Raises `StoreFault`, and
    `BadUsage` where something stands there that is no card.

    Evidence of an earlier card at this place goes with that card.
    """
    refuse_foreign_card(path, folder=False)
    name = evidence_name(card, path)
    placed = card.model_copy(update={"evidence": card.evidence.model_copy(update={"path": name})})
    body = json.dumps(
        {"schema": evidence.schema_, "records": [r.model_dump(mode="json") for r in evidence.records]},
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    packed = gzip.compress(body.encode(), 9, mtime=0)
    with holding(path.parent) as alone:
        place = path.with_name(name)
        known = place.exists()
        write_whole(place, packed)
        try:
            write_whole(path, card_json(placed).encode())
        except StoreFault:
            if not known:
                place.unlink(missing_ok=True)
            raise
        if alone:
            _tidy(path, name)
    return placed


def refuse_foreign_card(path: Path, *, folder: bool = True) -> None:
    """Keep what is no card from being replaced by one. Raises `BadUsage`; with `folder`, a folder is allowed."""
    if path.exists() and not path.is_file() and not (folder and path.is_dir()):
        raise BadUsage("a card is a regular file, with its evidence beside it", where=str(path), hint="name a file")
    refuse_foreign(path, lambda start: b"bouts.card/" in start, "card")


def reap(cards: Path) -> None:
    """Remove what writers that died left half-written in the folders of challenges; nothing while somebody writes."""
    for folder in cards.iterdir() if cards.is_dir() else ():
        clear_parts(folder)


def _stem(card_path: Path) -> str:
    return card_path.name.removesuffix(".json")


def _tidy(card_path: Path, evidence: str) -> None:
    """Remove evidence of earlier cards at this place, and what writers that died left half-written."""
    stem = re.escape(_stem(card_path))
    old = re.compile(rf"{stem}\.[0-9a-f]{{8}}{re.escape(_ENDING)}|\.{stem}\..*{re.escape(PART)}")
    with contextlib.suppress(OSError):
        for path in card_path.parent.iterdir():
            if path.name != evidence and old.fullmatch(path.name):
                path.unlink(missing_ok=True)


def card_json(card: Card) -> str:
    """The card as stored: what is empty is left out, what is `null` is not."""
    body = {"schema": card.schema_, **card.model_dump(mode="json", exclude_defaults=True)}
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"


def load_card(path: Path) -> Card:
    """Read a card. Raises `NotFound` or `BadFile`, naming the first place that is wrong."""
    data = _read(path, MAX_CARD_BYTES, "card")
    _one_meaning(data, path)
    try:
        return Card.model_validate_json(data, strict=True)
    except ValidationError as error:
        raise BadFile(f"not a score card: {_first(error)}", where=str(path)) from error


def load_evidence(card: Card, card_path: Path, given: Path | None = None) -> EvidenceFile:
    """Read the evidence of a card, from `given` or from beside the card. Raises `NotFound` or `BadFile`."""
    path = given or card_path.with_name(
        Path(card.evidence.path).name if card.evidence.path else evidence_name(card, card_path)
    )
    if not path.exists():
        raise NotFound(
            "the card's evidence is not here",
            where=str(path),
            hint="name it with --evidence, or fetch it beside the card",
        )
    return evidence_of(_read(path, MAX_EVIDENCE_BYTES, "evidence"), path)


def evidence_of(data: bytes, path: Path) -> EvidenceFile:
    """The evidence in a file's bytes; `path` says where they come from. Raises `BadFile`."""
    if data[:2] == b"\x1f\x8b":
        data = _inflate(data, path)
    _one_meaning(data, path)
    try:
        return EvidenceFile.model_validate_json(data, strict=True)
    except ValidationError as error:
        raise BadFile(f"not an evidence file: {_first(error)}", where=str(path)) from error


def _inflate(data: bytes, path: Path) -> bytes:
    try:
        engine = zlib.decompressobj(wbits=31)
        plain = engine.decompress(data, MAX_EVIDENCE_BYTES + 1)
    except zlib.error as error:
        raise BadFile(f"damaged: {error}", where=str(path)) from error
    if len(plain) > MAX_EVIDENCE_BYTES:
        raise BadFile(f"more than {MAX_EVIDENCE_BYTES >> 20} MB after decompression", where=str(path))
    if not engine.eof:
        raise BadFile("damaged: the file ends too early", where=str(path))
    if engine.unused_data:
        raise BadFile(
            "damaged: something follows its end, which other readers may take for a part of it", where=str(path)
        )
    return plain


def _one_meaning(data: bytes, path: Path) -> None:
    """Refuse JSON that readers understand differently: which of two equal keys counts depends on who reads."""

    def single(pairs: list[tuple[str, object]]) -> None:
        if len({key for key, _ in pairs}) != len(pairs):
            names = [key for key, _ in pairs]
            twice = next(key for key in names if names.count(key) > 1)
            raise BadFile(f"the key {clean_line(twice, 60)!r} stands twice in one object", where=str(path))

    # What is no JSON at all is told where the file is read, with its place.
    with contextlib.suppress(ValueError, RecursionError):
        json.loads(data, object_pairs_hook=single)


def _read(path: Path, limit: int, what: str) -> bytes:
    try:
        if not path.exists():
            raise NotFound(f"no such {what}", where=str(path))
        if not path.is_file():
            raise BadFile(f"not a file, so no {what}", where=str(path))
        if path.stat().st_size > limit:
            raise BadFile(f"larger than {limit >> 20} MB, so no {what}", where=str(path))
        return path.read_bytes()
    except OSError as error:
        raise BadFile(f"the {what} cannot be read: {error.strerror}", where=str(path)) from error


def _first(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else problem["msg"]
