"""`bouts explain` and `bouts verify`: what a card says, and whether it is true."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, width, writable
from bouts.cli.showing import pairs

if TYPE_CHECKING:
    from bouts.model.card import Card
    from bouts.model.records import EvidenceFile
    from bouts.scoring.explore import Change

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]
EvidenceOption = Annotated[
    Path | None, typer.Option("--evidence", help="The card's evidence, where it is not beside it.")
]
CardArgument = Annotated[Path, typer.Argument(metavar="CARD", help="A card as `bouts score --out` writes it.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("explain", help=EXPLAIN_HELP, short_help="Show how each point of a card came about.")(explain)
    app.command("verify", help=VERIFY_HELP)(verify)


EXPLAIN_HELP = """Show how each point of a card came about, down to the evidence where that is at hand.

Examples:

  bouts explain card.json

  bouts explain card.json objective.static

  bouts explain card.json --what-if objective.adversarial=90 --what-if process=80

  bouts explain card.json --to-reach 75

  bouts explain card.json --html card.html
"""
VERIFY_HELP = """Recompute a card from its evidence and compare every number.

Exit status 0 when all agrees, 3 with the records and lines that differ, 2 when a file cannot be read.

Example: bouts verify card.json
"""


def explain(
    card_path: CardArgument,
    key: Annotated[str | None, typer.Argument(metavar="KEY", help="Key of one line, such as objective.static.")] = None,
    what_if: Annotated[
        list[str] | None, typer.Option("--what-if", metavar="KEY=SCORE", help="Suppose this score.")
    ] = None,
    to_reach: Annotated[float | None, typer.Option(help="Which lines would lift the final to this.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the card as one HTML file instead.")] = None,
    evidence: EvidenceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain a card."""
    from bouts.errors import NotFound
    from bouts.pipeline import cards
    from bouts.pipeline.files import write_page
    from bouts.render.card import view
    from bouts.render.html import card_page
    from bouts.render.terminal import card_lines

    card = cards.load_card(card_path)
    if html is not None:
        write_page(writable(html, "--html"), card_page(card))
        note(f"page: {html}")
        return
    if what_if or to_reach is not None:
        _suppose(card, what_if or [], to_reach, as_json)
        return
    try:
        file = cards.load_evidence(card, card_path, evidence)
    except NotFound:
        file = None
    if key is None and not as_json:
        print_lines(card_lines(view(card), width()))
        say("one line in depth: bouts explain CARD KEY    keys: " + ", ".join(line.key for line in card.lines))
        return
    _derive(card, key, file, as_json)


def verify(card_path: CardArgument, evidence: EvidenceOption = None, as_json: JsonOption = False) -> None:
    """Verify a card."""
    from bouts.pipeline import cards
    from bouts.policy.catalogue import POLICIES
    from bouts.scoring.verify import verify as check

    card = cards.load_card(card_path)
    problems = check(card, cards.load_evidence(card, card_path, evidence), POLICIES)
    if as_json:
        print_json(
            {
                "schema": "bouts.verification/1",
                "agrees": not problems,
                "problems": [{"where": p.where, "what": p.what} for p in problems],
                "authenticity": "not established: this card is not signed and not from a ledger",
            }
        )
    elif problems:
        say(f"{card_path}: does not agree with its evidence")
        for problem in problems:
            say(f"  {problem.where}: {problem.what}")
    else:
        say(f"{card_path}: every record and every line agrees")
        say("authenticity: not established, as the card is not signed and not from a ledger")
    if problems:
        raise typer.Exit(3)


def _suppose(card: Card, what_if: list[str], to_reach: float | None, as_json: bool) -> None:
    from bouts.errors import BadUsage
    from bouts.render import numbers
    from bouts.scoring.explain import to_reach as reach
    from bouts.scoring.explain import what_if as suppose

    if what_if and to_reach is not None and as_json:
        raise BadUsage("--what-if and --to-reach give two documents", hint="with --json use one of them")
    if what_if:
        answer = suppose(card, pairs("--what-if", what_if, "KEY=SCORE", "objective.static=90"))
        if as_json:
            print_json({"schema": "bouts.what-if/1", **answer.model_dump(mode="json")})
            return
        say(f"final {numbers.score(card.final)} → {numbers.score(answer.final)}")
        for change in answer.changes:
            # Lines whose own score and weight stay the same follow the one above them; --json has them all.
            if (change.before, change.weight_before) != (change.after, change.weight_after):
                say(f"  {change.key}: {_moved(change)}  ({numbers.signed(change.points)} points)")
    if to_reach is not None:
        plan = reach(card, to_reach)
        if as_json:
            print_json({"schema": "bouts.to-reach/1", **plan.model_dump(mode="json")})
            return
        say(plan.because)
        for step in plan.steps:
            what = step.how or f"{numbers.score(step.before)} → {numbers.score(step.after)}"
            say(f"  {step.key}: {what}  ({numbers.signed(step.points)} points)")


def _moved(change: Change) -> str:
    from bouts.render import numbers

    scores = numbers.score(change.before), numbers.score(change.after)
    if scores[0] != scores[1] or change.weight_before == change.weight_after:
        return f"{scores[0]} → {scores[1]}"
    weights = (numbers.weight(w) or "–" for w in (change.weight_before, change.weight_after))
    return f"{scores[0]}, weight {' → '.join(weights)}"


def _derive(card: Card, key: str | None, file: EvidenceFile | None, as_json: bool) -> None:
    from bouts.render.derivation import lines
    from bouts.render.profile import card_profile
    from bouts.scoring.explain import derive

    keys = [key] if key else [line.key for line in card.lines]
    derivations = [derive(card, k, file) for k in keys]
    traits = card_profile(file)[0] if file is not None and any(d.key == "process" for d in derivations) else None
    if as_json:
        body: list[dict[str, Any]] = [d.model_dump(mode="json") for d in derivations]
        shown = None if traits is None else [trait.model_dump(mode="json") for trait in traits]
        print_json(
            {
                "schema": "bouts.derivation/1",
                "lines": body,
                "evidence_at_hand": file is not None,
                "profile": shown,
            }
        )
        return
    for derivation in derivations:
        print_lines(lines(derivation, width()))
    if traits is not None:
        from bouts.render.profile import rows

        print_lines(rows(traits))
    if file is None:
        note("the evidence is not at hand, so this stops at the card (name it with --evidence)")
