"""`bouts ledger backup`, `restore`, `export` and `import`: a ledger as a file."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, Annotated

import typer

from bouts.cli.output import note, print_json, say
from bouts.cli.showing import JsonOption, LedgerOption

BACKUP_HELP = """Write entries and evidence into one file, while others go on writing.

The file holds the secret behind pseudonyms: only its owner can read it, and it should stay so.

Examples:

  bouts ledger backup weekly.tar

  bouts ledger backup entries.tar --no-evidence --ledger postgresql://bouts@db/bouts
"""
RESTORE_HELP = """Make a ledger from a backup, entry for entry. Between SQLite and PostgreSQL, too.

Examples:

  bouts ledger restore weekly.tar --ledger restored.db

  bouts ledger restore weekly.tar --ledger postgresql://bouts@db/bouts
"""
EXPORT_HELP = """Write every entry as a line of JSON (`-` prints them; a name ending in .gz is packed).

With --runs the runs as they count now, for other programs: as JSON lines, or as a table where the name ends in .parquet
(extra `parquet`). Names of anonymous agents are in it.

Examples:

  bouts ledger export ledger.jsonl.gz

  bouts ledger export runs.parquet --runs
"""
IMPORT_HELP = """Take in the entries of an export. What is there already is passed over; an edited export is refused.

Evidence is not in an export: copy the evidence folder, too, or use backup and restore.

Example: bouts ledger import colleague.jsonl.gz
"""
FileArgument = Annotated[Path, typer.Argument(metavar="FILE")]


def backup(
    file: FileArgument,
    evidence: Annotated[bool, typer.Option("--evidence/--no-evidence", help="With the evidence of cards.")] = True,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Back the ledger up; see BACKUP_HELP."""
    from bouts import assemble

    with assemble.ledger(ledger) as opened:
        done = assemble.ledger_files().backup(opened, file, evidence=evidence)
    if as_json:
        print_json({"schema": "bouts.ledger-moved/1", "file": str(file), **done._asdict()})
    else:
        say(f"{done.entries} entries and {done.evidence} files of evidence in {file}")
        if done.missing:
            note(
                f"note: {done.missing} files of evidence are missing or damaged and not in it; see bouts ledger verify"
            )


def restore(file: FileArgument, ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """Restore a ledger; see RESTORE_HELP."""
    from bouts import assemble

    place = ledger or assemble.settings().ledger
    done = assemble.ledger_files().restore(file, place, partial(assemble.open_ledger, create=True))
    if as_json:
        print_json({"schema": "bouts.ledger-moved/1", "file": str(file), **done._asdict()})
        return
    say(f"{done.entries} entries and {done.evidence} files of evidence restored")


def export(
    file: FileArgument,
    runs: Annotated[bool, typer.Option("--runs", help="The runs as they count now, without anything else.")] = False,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Export the ledger; see EXPORT_HELP."""
    from bouts import assemble
    from bouts.errors import BadUsage

    if file.suffix == ".parquet" and not runs:
        raise BadUsage("a Parquet file holds runs alone", where=str(file), hint="add --runs, or name a .jsonl file")
    files = assemble.ledger_files()
    with assemble.ledger(ledger) as opened:
        if file.suffix == ".parquet":
            count = files.write_parquet(files.all_runs(opened), file)
        else:
            lines = files.run_lines(opened) if runs else files.export_lines(opened)
            if str(file) == "-":
                for line in lines:
                    say(line.decode("utf-8", "replace").rstrip("\n"))
                return
            count = files.copy_out(lines, file) - (0 if runs else 1)
    if as_json:
        print_json({"schema": "bouts.ledger-exported/1", "file": str(file), "rows": count})
        return
    say(f"{count} {'runs' if runs else 'entries'} in {file}")


def import_(file: FileArgument, ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """Import into the ledger; see IMPORT_HELP."""
    from bouts import assemble

    with lines_of(file) as lines, assemble.ledger(ledger, create=True) as opened:
        done = assemble.ledger_files().import_lines(opened, lines, str(file))
    if as_json:
        print_json({"schema": "bouts.ledger-moved/1", "file": str(file), **done._asdict()})
        return
    say(f"{done.entries} entries read, {done.new} of them new")


def lines_of(file: Path) -> AbstractContextManager[IO[bytes]]:
    """The lines of a file, unpacked; `-` is standard input."""
    import sys

    from bouts import assemble

    return nullcontext(sys.stdin.buffer) if str(file) == "-" else assemble.ledger_files().reading_file(file)
