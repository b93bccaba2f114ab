"""`bouts doctor` and `bouts clean`: the machine that Bouts runs on."""

from __future__ import annotations

from typing import Annotated

import typer

from bouts.cli.output import print_json, print_lines, say

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("doctor", help=DOCTOR_HELP)(doctor)
    app.command("clean", help=CLEAN_HELP, short_help="Show what Bouts keeps here, and remove it when told to.")(clean)


DOCTOR_HELP = """Say what works on this machine, and how to mend what does not.

Exit status 0 when submissions can be run here, else 3. Explaining and verifying cards works everywhere.

Example: bouts doctor
"""
CLEAN_HELP = """Show what Bouts keeps on this machine with its size, and remove it when told to.

Cards and evidence are never removed by this command.

Examples:

  bouts clean

  bouts clean --cache --environments --left-overs
"""


def doctor(as_json: JsonOption = False) -> None:
    """Probe the machine."""
    from bouts.assemble import upkeep
    from bouts.render.terminal import Span

    report = upkeep.doctor()
    if as_json:
        print_json({"schema": "bouts.doctor/1", **report.model_dump(mode="json")})
    else:
        for item in report.items:
            print_lines(
                [
                    (
                        Span("ok    " if item.ok else "lacks ", "good" if item.ok else "bad"),
                        Span(f"{item.name}: {item.detail}"),
                    )
                ]
            )
            if not item.ok and item.remedy:
                for line in item.remedy.splitlines():
                    say(f"        {line}")
        say("")
        say(
            "submissions can be run here"
            if report.usable
            else "submissions cannot be run here; reading, explaining and verifying cards works"
        )
    if not report.usable:
        raise typer.Exit(3)


def clean(
    cache: Annotated[bool, typer.Option("--cache", help="Remove kept measurements.")] = False,
    environments: Annotated[bool, typer.Option("--environments", help="Remove installed dependencies.")] = False,
    left_overs: Annotated[bool, typer.Option("--left-overs", help="Remove what dead runs left behind.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show and remove what is kept."""
    from bouts.assemble import upkeep

    report = upkeep.clean(cache=cache, environments=environments, left_overs=left_overs)
    if as_json:
        print_json({"schema": "bouts.clean/1", "places": report})
        return
    for row in report:
        size = row["bytes"]
        say(f"{row['name']:<14} {_size(int(size)):>10}  {row['path']}{'  removed' if row['removed'] else ''}")


def _size(size: int) -> str:
    value = float(size)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
