"""`bouts rejudge`: run again only what is not kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say

if TYPE_CHECKING:
    from bouts.model.card import Card
    from bouts.pipeline.batch import Result
    from bouts.pipeline.rejudging import Judged

REJUDGE_HELP = """Judge a card again: run only what is not kept.

Kept for ever are tests, scans and integrity checks (by submission, challenge and environment) and the process judge (by
session and rubric). Not kept are the strategy panel, the panels on code quality and deliverables, and the integrity
judge's model; where no model is configured there is nothing of these to run. What a fault of ours had spoiled is never
kept, so it is run again, and the card is replaced. `bouts rescore` scores the same evidence by another policy.

Examples:

  bouts rejudge card.json

  bouts rejudge card.json --plan --json
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("rejudge", help=REJUDGE_HELP, short_help="Judge a card again: run only what is not kept.")(rejudge)


def rejudge(
    place: Annotated[Path, typer.Argument(metavar="CARD", help="A card as `bouts score --out` writes it.")],
    evidence: Annotated[
        Path | None, typer.Option("--evidence", help="The card's evidence, where it is not beside it.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would be run again.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")] = False,
) -> None:
    """Judge a card again; see REJUDGE_HELP."""
    from bouts import assemble
    from bouts.model.records import from_records
    from bouts.pipeline.batches import Batches
    from bouts.pipeline.cards import load_card, load_evidence
    from bouts.pipeline.rejudging import origin, rejudged
    from bouts.pipeline.rescoring import rescore
    from bouts.scoring.known import policy_of

    card = load_card(place)
    file = load_evidence(card, place, evidence)
    rescore(card, file, policy_of(card))  # refuses evidence that is not the card's
    rows = rejudged(from_records(file.records))
    again = [row for row in rows if row.fate == "again"]
    if plan or not again:
        _print(place, card, rows, None, as_json)
        return
    came = origin(card, Batches(assemble.settings().batches))
    result = _run(place, card, came.item, came.challenge, came.challenge_digest)
    if result.error is not None:
        raise result.error
    _print(place, card, rows, result, as_json)
    if result.again:
        raise typer.Exit(3)


def _run(place: Path, card: Card, item: Any, challenge: str, digest: str) -> Result:
    from bouts import assemble
    from bouts.cli.progress import Progress
    from bouts.errors import BadUsage
    from bouts.pipeline import cards
    from bouts.pipeline.batch import Item, evaluate_many
    from bouts.pipeline.evaluate import Options
    from bouts.scoring.known import policy_of

    package = assemble.challenge(challenge)
    if package.digest != digest or digest != card.challenge.digest:
        raise BadUsage(
            "the challenge was changed since", where=str(place), hint="score the submission anew: bouts score …"
        )
    off = any(flag.kind == "second_look_off" for flag in card.flags)
    options = Options(policy=policy_of(card), second_look=False if off else None)
    one = Item(Path(item.path), item.agent, None if item.transcript is None else Path(item.transcript))

    def keep(result: Result) -> None:
        assert result.scored is not None
        if result.scored.card.submission.digest != card.submission.digest:
            raise BadUsage("the submission was changed since", where=item.path, hint="bouts score scores the new one")
        result.scored = result.scored.saved_as(cards.save(result.scored.card, result.scored.evidence, place))
        result.path = place

    with assemble.world(forking=True) as world, Progress(1) as progress:
        (result,) = evaluate_many(package, (one,), options, world, jobs=1, progress=progress, keep=keep)
    return result


def _print(place: Path, card: Card, rows: tuple[Judged, ...], result: Result | None, as_json: bool) -> None:
    from bouts.pipeline.steps import STEPS
    from bouts.render import numbers
    from bouts.render.terminal import table

    new = None if result is None else result.card
    if as_json:
        print_json(
            {
                "schema": "bouts.rejudged/1",
                "path": str(place),
                "steps": [{"step": row.step, "fate": row.fate, "why": row.why} for row in rows],
                "before": {"outcome": card.outcome, "status": card.status, "final": card.final},
                "card": None if new is None else new.model_dump(mode="json"),
            }
        )
        return
    print_lines(table(["step", "", "why"], [[STEPS[row.step].title, row.fate, row.why] for row in rows]))
    if new is not None:
        was, now = (f"{one.outcome}, {one.status}, {numbers.score(one.final)}" for one in (card, new))
        say(f"{was} → {now}")
        note(f"card: {place}")
    elif any(row.fate == "again" for row in rows):
        say("Without --plan the steps marked `again` are run, and the card is replaced.")
    else:
        say("Nothing to run again: what was measured is kept, and no model is configured. The card stands as it is.")
