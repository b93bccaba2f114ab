"""`bouts review`: cards that wait for a person, what was resolved, and appeals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, width
from bouts.cli.showing import JsonOption, LedgerOption, opened, pairs

if TYPE_CHECKING:
    from bouts.model.card import Card
    from bouts.model.ledger import Added
    from bouts.model.tallied import CardRow, ReviewRow
    from bouts.pipeline.reviews import Waiting
    from bouts.ports.ledger import Ledger

HELP = """Look at cards that wait for a reviewer, resolve them, or appeal.

A card that is held is on no leaderboard until somebody resolves it. Everything that is said stays in the ledger with
name, time and reason, and the first card is kept.

Examples:

  bouts review list

  bouts review show 3f9c21ab77e0

  bouts review resolve 3f9c21ab77e0 confirm --by "Ada L."
"""
LIST_HELP = """List the cards that are held or appealed, the longest waiting first.

Example: bouts review list --json
"""
SHOW_HELP = """Show a card with every judge's output, what was said of it, and the second card beside the first.

--out also writes card and evidence into a folder, for `bouts explain` and `bouts verify`.

Examples:

  bouts review show 3f9c21ab77e0

  bouts review show 3f9c21ab77e0 --out case/
"""
RESOLVE_HELP = """Resolve a card: confirm it, adjust it, or void it.

confirm: it counts with the final that it was scored with. adjust: another final counts, either one that you name, or
the one that the card has with a line supposed otherwise (a withdrawn penalty, say), or that of a second card. void: it
never counts. To adjust or void needs a reason. The last resolution counts; the earlier ones stay on record.

Examples:

  bouts review resolve 3f9c21ab77e0 confirm --by "Ada L."

  bouts review resolve 3f9c21ab77e0 adjust --by "Ada L." --reason "the match is the given code" --what-if integrity=0

  bouts review resolve 3f9c21ab77e0 adjust --by "Ada L." --reason "judged anew" --second card.json

  bouts review resolve 3f9c21ab77e0 void --by "Ada L." --reason "copied from another agent"
"""
APPEAL_HELP = """Appeal against a card, as the owner of its agent.

Example: bouts review appeal 3f9c21ab77e0 --by "Team Blue" --reason "the network call is the challenge's own"
"""
CardArgument = Annotated[str, typer.Argument(metavar="CARD", help="A card's digest, or the first characters of it.")]
ByOption = Annotated[str, typer.Option("--by", metavar="NAME", help="Your name, which is kept.")]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, which is kept.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(
        no_args_is_help=True, rich_markup_mode=None, help=HELP, short_help="Look at cards that wait for a reviewer."
    )
    group.command("list", help=LIST_HELP, short_help="List what waits.")(list_waiting)
    group.command("show", help=SHOW_HELP, short_help="Show a card with all that was said of it.")(show)
    group.command("resolve", help=RESOLVE_HELP, short_help="Confirm, adjust or void a card.")(resolve)
    group.command("appeal", help=APPEAL_HELP, short_help="Appeal, as the owner of the agent.")(appeal)
    app.add_typer(group, name="review")


def list_waiting(ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """List what waits; see LIST_HELP."""
    from bouts.pipeline.reviews import waiting
    from bouts.render.standings.review import queue

    with opened(ledger) as reading:
        found = waiting(reading.ledger)
    if as_json:
        print_json({"schema": "bouts.review-list/1", "waiting": [_waiting(item) for item in found]})
        return
    print_lines(queue([(item.agent, item.queued) for item in found], width()))


def show(
    card: CardArgument,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write card and evidence there.")] = None,
    brief: Annotated[bool, typer.Option("--brief", help="Without the reason under each line.")] = False,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a case; see SHOW_HELP."""
    from bouts.pipeline.reviews import case, handed_out
    from bouts.render.standings import review

    with opened(ledger) as reading:
        found = case(reading.ledger, card)
    if out is not None:
        note(f"card: {handed_out(found, out)}")
    if as_json:
        print_json(
            {
                "schema": "bouts.review-case/1",
                **_row(found.agent, found.row),
                "reviews": [_review(row) for row in found.reviews],
                "first": found.card.model_dump(mode="json"),
                "second": None if found.second is None else found.second.model_dump(mode="json"),
                "difference": None if found.difference is None else found.difference.model_dump(mode="json"),
                "evidence_at_hand": found.evidence is not None,
            }
        )
        return
    lines = review.case(found.agent, found.row, found.card, found.reviews, found.difference, width(), detail=not brief)
    print_lines(lines)
    if found.evidence is None:
        note("the evidence is not at hand")


def resolve(
    card: CardArgument,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="confirm, adjust or void.")],
    by: ByOption,
    reason: ReasonOption = "",
    final: Annotated[float | None, typer.Option(metavar="NUMBER", help="adjust: the final that counts.")] = None,
    what_if: Annotated[
        list[str] | None, typer.Option("--what-if", metavar="KEY=SCORE", help="adjust: a line, supposed otherwise.")
    ] = None,
    second: Annotated[
        Path | None, typer.Option(metavar="CARD", help="adjust: a second card, its evidence beside it.")
    ] = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resolve a card; see RESOLVE_HELP."""
    from bouts.errors import BadUsage
    from bouts.pipeline import reviews

    brought = {"--final": final, "--what-if": what_if, "--second": second}
    if action not in ("confirm", "adjust", "void"):
        raise BadUsage(f"{action!r} is no resolution", hint="confirm, adjust or void")
    with opened(ledger) as reading:
        if action == "adjust":
            beside, evidence = (None, None) if second is None else _second(second)
            supposed = pairs("--what-if", what_if, "KEY=SCORE", "integrity=0") if what_if else None
            added = reviews.adjust(
                reading.ledger,
                card,
                by=by,
                reason=reason,
                final=final,
                supposed=supposed,
                second=beside,
                evidence=evidence,
            )
        else:
            extra = next((option for option, value in brought.items() if value is not None), None)
            if extra is not None:
                raise BadUsage(f"{extra} goes with adjust", where=action)
            made = reviews.confirm if action == "confirm" else reviews.void
            added = made(reading.ledger, card, by=by, reason=reason)
        _tell(reading.ledger, card, added, as_json)


def appeal(
    card: CardArgument,
    by: ByOption,
    reason: ReasonOption,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Appeal; see APPEAL_HELP."""
    from bouts.pipeline import reviews

    with opened(ledger) as reading:
        added = reviews.appeal(reading.ledger, card, by=by, reason=reason)
        _tell(reading.ledger, card, added, as_json)


def _second(path: Path) -> tuple[Card, bytes | None]:
    """A second card, verified, with the bytes of its evidence. Raises `BadUsage` where the two do not agree."""
    from bouts.errors import BadUsage
    from bouts.pipeline import cards
    from bouts.policy.catalogue import POLICIES
    from bouts.scoring.verify import verify

    card = cards.load_card(path)
    file = cards.load_evidence(card, path)
    problems = verify(card, file, POLICIES)
    if problems:
        raise BadUsage(f"it does not agree with its evidence: {problems[0].what}", where=f"{path}: {problems[0].where}")
    beside = path.with_name(Path(card.evidence.path or "").name or cards.evidence_name(card, path))
    return card, beside.read_bytes()


def _tell(ledger: Ledger, card: str, added: Added, as_json: bool) -> None:
    from bouts.pipeline.reviews import case
    from bouts.render import numbers
    from bouts.render.standings.words import short

    found = case(ledger, card)
    if as_json:
        body = {"entry": added.seq, "new": added.new, **_row(found.agent, found.row)}
        reviews = [_review(row) for row in found.reviews]
        print_json({"schema": "bouts.reviewed/1", **body, "reviews": reviews})
        return
    said = found.reviews[-1]
    again = "" if added.new else " (it was there already)"
    say(f"{said.action} of card {short(found.row.card)} by {said.by}: entry {added.seq}{again}")
    counted = found.second_row or found.row
    waits = "; an appeal waits for an answer" if found.row.appealed else ""
    say(f"it counts as {counted.state}, final {numbers.score(counted.final)}{waits}")


def _waiting(item: Waiting) -> dict[str, Any]:
    queued = item.queued
    return {
        **_row(item.agent, queued.card),
        "since": queued.since,
        "why": list(queued.why),
        "reviews": [_review(row) for row in queued.reviews],
    }


def _row(agent: str, row: CardRow) -> dict[str, Any]:
    return {
        "card": row.card,
        "agent": agent,
        "task": row.task,
        "attempt": row.attempt,
        "policy": row.policy,
        "version": row.version,
        "status": row.status,
        "state": row.state,
        "outcome": row.outcome,
        "final": row.final,
        "appealed": row.appealed,
        "replaced_by": row.replaced_by,
        "recorded": row.time,
    }


def _review(row: ReviewRow) -> dict[str, Any]:
    return {
        "entry": row.seq,
        "time": row.time,
        "action": row.action,
        "by": row.by,
        "reason": row.reason,
        "second": row.second,
        "final": row.final,
    }
