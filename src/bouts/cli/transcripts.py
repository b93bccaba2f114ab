"""`bouts transcript`: what an agent's session was, whatever agent wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, writable

if TYPE_CHECKING:
    from bouts.model.session import Session
    from bouts.scoring.process.compared import Compared
    from bouts.scoring.process.profile import Trait

HELP = """Show an agent's session: what it is, timeline, phases, test runs, profile, cost, and what could not be read.

The format is told by the content of the file. `bouts transcript --formats` lists the known ones.

Examples:

  bouts transcript session.jsonl

  bouts transcript session.jsonl --html session.html

  bouts transcript session.jsonl --beside cards/

  bouts transcript log.eval --sample 3_epoch_1 --write native --out session.json
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("transcript", help=HELP, short_help="Show an agent's session.")(transcript)


def transcript(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The transcript.")] = None,
    format_name: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="Read it as this format, whatever it looks like.")
    ] = None,
    sample: Annotated[str | None, typer.Option(metavar="NAME", help="One of several sessions in the file.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show the whole timeline.")] = False,
    beside: Annotated[
        list[Path] | None,
        typer.Option(metavar="CARD", help="Compare the profile with the sessions of these cards of one challenge."),
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="PAGE", help="Write a page with a picture instead.")] = None,
    write: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="Write the session out instead: native or atif.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where --write writes; standard output if not.")
    ] = None,
    formats: Annotated[bool, typer.Option("--formats", help="List the known formats and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")] = False,
) -> None:
    """Show a session."""
    from bouts import assemble
    from bouts.errors import BadUsage

    if formats:
        _formats(as_json)
        return
    if file is None:
        raise BadUsage("no transcript was named", hint="bouts transcript FILE    (known formats: --formats)")
    if out is not None and write is None:
        raise BadUsage("--out goes with --write", hint="--write native, or --write atif")
    session = assemble.transcript(file, format_name, sample)
    if write is not None and beside:
        raise BadUsage("--beside does not go with --write", hint="it compares what is shown")
    others = _compared(session, beside) if beside else None
    if write is not None:
        _write(assemble.written_transcript(session, write), out)
    elif html is not None:
        from bouts.pipeline.files import write_page
        from bouts.render.html import session_page

        write_page(writable(html, "--html"), session_page(session, others))
        note(f"page: {html}")
    elif as_json:
        print_json(_body(session, others))
    else:
        from bouts.render.session import lines

        print_lines(lines(session, others, most=None if everything else 60))


def _formats(as_json: bool) -> None:
    from bouts import assemble
    from bouts.render.terminal import table

    known = assemble.transcript_formats()
    if as_json:
        rows = [{"name": name, "title": title} for name, title in known.items()]
        print_json({"schema": "bouts.transcript-formats/1", "formats": rows})
        return
    print_lines(table(["format", "written by"], [[name, title] for name, title in known.items()]))


def _compared(session: Session, places: list[Path]) -> Compared:
    """The session's profile beside those of cards. Raises `BadUsage` where the cards are of several challenges."""
    from bouts.errors import BadUsage
    from bouts.pipeline import cards
    from bouts.pipeline.rescoring import find_cards
    from bouts.render.profile import card_profile, of
    from bouts.scoring.process.compared import Compared, compared

    known: set[str] = set()
    profiles: list[tuple[Trait, ...] | None] = []
    for found in find_cards(places):
        card = cards.load_card(found.path)
        known.add(card.challenge.id)
        # A session that was scored before is not compared with itself.
        traits, same = card_profile(cards.load_evidence(card, found.path), session)
        profiles += [] if same else [traits]
    if len(known) > 1:
        names = ", ".join(sorted(known))
        raise BadUsage(f"the cards are of several challenges: {names}", hint="name cards of one challenge")
    told = [traits for traits in profiles if traits is not None]
    return Compared(
        challenge=known.pop(), sessions=len(told), without=len(profiles) - len(told), traits=compared(of(session), told)
    )


def _body(session: Session, others: Compared | None) -> dict[str, Any]:
    from bouts.render.profile import of
    from bouts.scoring.process.phases import stretches

    return {
        "schema": "bouts.transcript/1",
        "session": session.model_dump(mode="json"),
        "calls": None if session.cut else session.calls,
        "phases": None if session.cut else [row._asdict() for row in stretches(session.events)],
        "profile": [trait.model_dump(mode="json") for trait in of(session)],
        "compared": None if others is None else others.model_dump(mode="json"),
    }


def _write(body: dict[str, Any], out: Path | None) -> None:
    import json

    text = json.dumps(body, indent=1, ensure_ascii=False)
    if out is None:
        say(text)
        return
    _save(out, text + "\n")
    note(f"written: {out}")


def _save(path: Path, text: str) -> None:
    """Write the file whole. A file that is there is somebody's, and stays, unless it is this very one."""
    from bouts.pipeline.files import refuse_foreign, write_whole

    data = text.encode("utf-8", "backslashreplace")
    refuse_foreign(writable(path, "--out"), data.startswith, "copy of this session")
    write_whole(path, data)
