"""`bouts rescore` and `bouts diff`: cards under another policy, and what changed between two cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, width, writable

if TYPE_CHECKING:
    from bouts.model.card import Card
    from bouts.model.records import EvidenceFile
    from bouts.pipeline.rescoring import Found
    from bouts.policy.catalogue import CardPolicy

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]

RESCORE_HELP = """Score the evidence of cards by another policy, or another version of one. Nothing is run again.

A card that is rescored by its own policy comes out as it was. Folders are searched for cards. Without --out the new
card is only shown; a file that is there already is never overwritten unless told so.

Examples:

  bouts rescore card.json --policy six-component

  bouts rescore card.json --policy six-component --out six.json

  bouts rescore cards/ --policy partial-credit@1.0 --out rescored/ --json

  bouts rescore card.json --policy sql-tasks.yaml
"""
DIFF_HELP = """Say what changed between two cards and why.

The points that moved add up to the difference in final. Where the evidence of both cards lies beside them, tests are
compared one by one, hidden ones too, as the evidence is the author's; else by their counts. Policies that differ are
compared field by field.

Examples:

  bouts diff old.json new.json

  bouts diff card.json six.json --json
"""
Place = Annotated[Path, typer.Argument(metavar="CARD", help="A card as `bouts score --out` writes it.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("rescore", help=RESCORE_HELP, short_help="Score the evidence of cards by another policy.")(rescore)
    app.command("diff", help=DIFF_HELP, short_help="Say what changed between two cards and why.")(diff)


def rescore(
    places: Annotated[list[Path], typer.Argument(metavar="CARD", help="Cards, or folders with cards.")],
    policy: Annotated[str, typer.Option(metavar="NAME[@VERSION]|FILE", help="The policy, or a variant file.")],
    out: Annotated[Path | None, typer.Option(help="File for the new card; with several or a folder, a folder.")] = None,
    evidence: Annotated[
        Path | None, typer.Option("--evidence", help="The card's evidence, where it is not beside it (one card).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what is at --out.")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="Without the reason under each line.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Rescore cards; see RESCORE_HELP."""
    from bouts.cli.policies import named
    from bouts.errors import BadUsage
    from bouts.pipeline.rescoring import find_cards
    from bouts.policy.catalogue import for_cards

    if out is not None:
        writable(out, "--out")
    table = for_cards(named(policy))
    cards = find_cards(places)
    many = len(cards) > 1 or any(place.is_dir() for place in places)
    if many and evidence is not None:
        raise BadUsage("--evidence goes with one card", hint="lay the evidence beside each card")
    if not many:
        first = next(iter(cards))
        _one(first.path, table, out, evidence, overwrite=overwrite, brief=brief, as_json=as_json)
        return
    _many(cards, table, out, overwrite=overwrite, as_json=as_json)


def _one(
    path: Path,
    table: CardPolicy,
    out: Path | None,
    evidence: Path | None,
    *,
    overwrite: bool,
    brief: bool,
    as_json: bool,
) -> None:
    from bouts.render.card import view
    from bouts.render.terminal import card_lines

    old, file, new = _rescored(path, table, evidence)
    if out is not None and out.is_dir():
        out = out / path.name
    new, written = _stored(new, file, out, overwrite)
    if as_json:
        print_json(new.model_dump(mode="json"))
        return
    print_lines(card_lines(view(new), width(), detail=not brief))
    _compared(old, new)
    if out is None:
        note("not stored: name a file with --out")
    else:
        note(f"card: {out}" if written else f"card: {out} (there already)")


def _compared(old: Card, new: Card) -> None:
    from bouts.render import numbers

    before, after = (f"{c.policy.name} {c.policy.version}: {numbers.score(c.final)}" for c in (old, new))
    say(f"same evidence, nothing was run again    {before}    {after}")


def _many(cards: tuple[Found, ...], table: CardPolicy, out: Path | None, *, overwrite: bool, as_json: bool) -> None:
    from bouts.errors import BadUsage, BoutsError

    if out is not None and out.exists() and not out.is_dir():
        raise BadUsage("it must be a folder, as there are several cards", where=f"--out {out}")
    twice = {found.name for found in cards if sum(other.name == found.name for other in cards) > 1}
    if out is not None and twice:
        raise BadUsage(f"two cards are called {sorted(twice)[0]}", hint="name one folder above both instead")
    items: list[dict[str, Any]] = []
    status = 0
    for found in cards:
        row: dict[str, Any] = {"source": str(found.path), "path": None, "before": None, "card": None, "error": None}
        try:
            old, file, new = _rescored(found.path, table, None)
            place = None if out is None else out / found.name
            new, _ = _stored(new, file, place, overwrite)
            row |= {"path": place and str(place), "before": old.final, "card": new}
        except BoutsError as error:
            row["error"] = error
            status = max(status, error.exit_status)
        items.append(row)
    _print_many(items, table, out, as_json)
    if status:
        raise typer.Exit(status)


def _print_many(items: list[dict[str, Any]], table: CardPolicy, out: Path | None, as_json: bool) -> None:
    from bouts.cli.tables import Entry, comparison
    from bouts.errors import BoutsError
    from bouts.render import numbers

    if as_json:
        for row in items:
            row["card"] = row["card"] and row["card"].model_dump(mode="json")
            row["error"] = row["error"].as_dict() if isinstance(row["error"], BoutsError) else None
        print_json({"schema": "bouts.rescored/1", "policy": table.name, "version": table.version, "items": items})
        return
    entries = [Entry(row["source"], row["card"], row["error"], numbers.score(row["before"])) for row in items]
    print_lines(comparison(entries))
    note("not stored: name a folder with --out" if out is None else f"cards: {out}")


def _rescored(path: Path, table: CardPolicy, evidence: Path | None) -> tuple[Card, EvidenceFile, Card]:
    from bouts.errors import BadFile
    from bouts.pipeline.cards import load_card, load_evidence
    from bouts.pipeline.rescoring import rescore as again

    card = load_card(path)
    file = load_evidence(card, path, evidence)
    try:
        return card, file, again(card, file, table)
    except BadFile as error:
        raise BadFile(error.message, where=error.where or str(path), hint=error.hint) from error


def _stored(card: Card, file: EvidenceFile, out: Path | None, overwrite: bool) -> tuple[Card, bool]:
    from bouts.pipeline.cards import load_card, save
    from bouts.pipeline.rescoring import place

    if out is None:
        return card, False
    if not place(card, out, overwrite=overwrite):
        return load_card(out), False
    return save(card, file, out), True


def diff(
    first: Place,
    second: Annotated[Path, typer.Argument(metavar="CARD", help="The card to compare it with.")],
    as_json: JsonOption = False,
) -> None:
    """Compare two cards; see DIFF_HELP."""
    from bouts.pipeline.cards import load_card
    from bouts.render.differences import card_diff
    from bouts.scoring.differences import compare

    before, after = load_card(first), load_card(second)
    found = compare(before, after, _evidence(before, first), _evidence(after, second))
    if as_json:
        print_json({"schema": "bouts.diff/1", **found.model_dump(mode="json")})
        return
    print_lines(card_diff(found, (str(first), str(second)), width()))


def _evidence(card: Card, path: Path) -> EvidenceFile | None:
    """The evidence beside a card. One that is there but not that card's is said and left aside."""
    from bouts.errors import NotFound, UserError
    from bouts.model.records import root_digest
    from bouts.pipeline.cards import load_evidence

    try:
        file = load_evidence(card, path)
    except NotFound:
        return None
    except UserError as error:
        note(f"note: {error}")
        return None
    if root_digest(file.records) != card.evidence.digest:
        note(f"note: the evidence beside {path} is not that of the card, so it is left aside")
        return None
    return file
