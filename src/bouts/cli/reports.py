"""`bouts report`: what a test report says, and whether that is so."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bouts.cli.output import print_json, print_lines

HELP = """Read a test report, and hold it against what was measured.

JUnit XML, TAP, CTRF, Jest's and Vitest's JSON, `go test -json` and console output are read; the format is told by the
content. A report is data of unknown truth: it moves no score. With --against, visible tests are named that it tells
otherwise than they were measured.

Examples:

  bouts report junit.xml

  bouts report junit.xml --against card.json
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("report", help=HELP, short_help="Read a test report and hold it against a card.")(report)


def report(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The report.")],
    format_name: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="junit, tap, ctrf, jest, go or log.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="CARD", help="A card whose evidence is at hand.")
    ] = None,
    evidence: Annotated[
        Path | None, typer.Option("--evidence", help="The card's evidence, where it is not beside it.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Name every test that did not pass.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")] = False,
) -> None:
    """Show a report."""
    from bouts.challenges.reading import file_bytes
    from bouts.errors import BadFile, BadUsage
    from bouts.integrity.reported import held
    from bouts.reports.collecting import BYTES
    from bouts.reports.reading import read_report

    if evidence is not None and against is None:
        raise BadUsage("--evidence goes with --against", hint="bouts report FILE --against CARD --evidence FILE")
    told = read_report(file_bytes(file, BYTES, BadFile), format_name, where=str(file))
    compared = None
    if against is not None:
        from bouts.model.records import from_records
        from bouts.pipeline.cards import load_card, load_evidence

        card = load_card(against)
        compared = held(told, from_records(load_evidence(card, against, evidence).records).tests)
    if as_json:
        body = None if compared is None else compared.model_dump(mode="json")
        print_json({"schema": "bouts.report/1", "report": told.model_dump(mode="json"), "held": body})
        return
    from bouts.render.reported import MOST, lines

    print_lines(lines(told, compared, most=None if everything else MOST))
