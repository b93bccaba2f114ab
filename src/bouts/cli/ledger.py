"""`bouts ledger`: look after the ledger itself."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, say
from bouts.cli.showing import JsonOption, LedgerOption

if TYPE_CHECKING:
    from bouts.model.ledger import Verification

HELP = """Look after the ledger: every run, card and review, in entries that are only ever added.

Each entry names the digest of the one before, so an edit or a gap is found. The ledger is a SQLite file (ledger.db in
$BOUTS_HOME unless --ledger or BOUTS_LEDGER names another) or a PostgreSQL database, for which the extra `postgres` is
needed: postgresql://USER@HOST/DATABASE. Evidence lies beside the file, or where BOUTS_EVIDENCE says: a folder, or with
the extra `remote` a URL such as s3://BUCKET/FOLDER.

Examples:

  bouts ledger show

  bouts ledger verify

  bouts ledger backup weekly.tar
"""
INIT_HELP = """Make an empty ledger. Recording a run makes one by itself; this is for saying where evidence lies.

Examples:

  bouts ledger init --ledger team.db

  bouts ledger init --ledger postgresql://bouts@db/bouts --evidence s3://team/evidence
"""
SHOW_HELP = """Show what is in the ledger: entries, agents, seasons, and its head.

Note the head down somewhere else: `bouts ledger verify --head` then also finds entries that were taken off the end, or
a ledger that was written anew as a whole.

Example: bouts ledger show --json
"""
VERIFY_HELP = """Read the whole ledger and say what is not as it was written; exit status 3 if anything is.

Looks at the chain of entries, at the rows derived from them and at the evidence of every card.

Examples:

  bouts ledger verify

  bouts ledger verify --head 512:sha256:9f2c…

  bouts ledger verify --chain-only --json
"""
REBUILD_HELP = """Make everything that is derived anew from the entries. The entries themselves are not touched.

Example: bouts ledger rebuild
"""
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


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=HELP, short_help="Look after the ledger.")
    for name, text, command in (
        ("init", INIT_HELP, init),
        ("show", SHOW_HELP, show),
        ("verify", VERIFY_HELP, verify),
        ("rebuild", REBUILD_HELP, rebuild),
        ("backup", BACKUP_HELP, backup),
        ("restore", RESTORE_HELP, restore),
        ("export", EXPORT_HELP, export),
        ("import", IMPORT_HELP, import_),
    ):
        group.command(name, help=text, short_help=text.partition("\n")[0].rstrip(":"))(command)
    app.add_typer(group, name="ledger")


def init(
    evidence: Annotated[str | None, typer.Option(metavar="URL", help="Where evidence lies, for all users.")] = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a ledger; see INIT_HELP."""
    from bouts import assemble

    with assemble.ledger(ledger, create=True, evidence=evidence) as opened:
        about = {"ledger": opened.id, "place": str(opened.place), "evidence": opened.evidence_place}
    if as_json:
        print_json({"schema": "bouts.ledger-made/1", **about})
        return
    say(f"ledger {about['ledger']}: {about['place']}, evidence in {about['evidence']}")


def show(ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """Show the ledger; see SHOW_HELP."""
    from dataclasses import asdict

    from bouts import assemble

    with assemble.ledger(ledger) as opened:
        seq, head = opened.head()
        about: dict[str, Any] = {
            "ledger": opened.id,
            "place": str(opened.place),
            "created": opened.meta["created"],
            "evidence": opened.evidence_place,
            "entries": seq,
            "head": head,
            "kinds": opened.kinds(),
            "agents": [asdict(row) for row in opened.agents()],
            "seasons": [asdict(row) for row in opened.seasons()],
            "waiting": len(opened.queue()),
        }
    if as_json:
        print_json({"schema": "bouts.ledger-shown/1", **about})
        return
    say(f"ledger    {about['ledger']}  ({about['place']}, since {about['created'][:10]})")
    say(f"evidence  {about['evidence']}")
    kinds = ", ".join(f"{count} {kind}" for kind, count in about["kinds"].items())
    say(f"entries   {seq}" + (f": {kinds}" if kinds else ""))
    say(f"head      {seq}:{head}")
    if about["waiting"]:
        say(f"waiting   {about['waiting']} cards for a review: bouts review list")
    for row in about["seasons"]:
        say(f"season    {row['name']}: {row['first']} to {row['last']}")
    for row in about["agents"]:
        more = [row[key] for key in ("owner", "model", "scaffold") if row[key]]
        name = row["name"] if row["shown"] else f"{row['name']} (shown as {row['pseudonym']})"
        say(f"agent     {name}" + (f": {', '.join(more)}" if more else ""))


def verify(
    head: Annotated[
        str | None, typer.Option(metavar="N:DIGEST", help="Also that this was entry N, as noted down before.")
    ] = None,
    chain_only: Annotated[bool, typer.Option("--chain-only", help="Only the entries.")] = False,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verify the ledger; see VERIFY_HELP."""
    from bouts import assemble

    noted = _noted(head)
    with assemble.ledger(ledger) as opened:
        found = opened.verify(evidence=not chain_only, derived=not chain_only)
        if noted is not None and found.problem is None:
            there = next(iter(opened.entries(after=noted[0] - 1)), None)
            if there is None or (there.seq, there.digest) != noted:
                lost = "is not there any more" if there is None else "is another entry now"
                problem = {"problem": f"the entry that was noted down {lost}", "where": f"entry {noted[0]}"}
                found = found.model_copy(update=problem)
    if as_json:
        shown = found.model_dump(mode="json")
        print_json({"schema": "bouts.ledger-verified/1", "sound": found.sound, "found": shown})
    else:
        _print(found)
    if not found.sound:
        raise typer.Exit(3)


def _noted(head: str | None) -> tuple[int, str] | None:
    from bouts.errors import BadUsage

    if head is None:
        return None
    number, _, digest = head.partition(":")
    if not number.isdecimal() or int(number) < 1 or not digest.startswith("sha256:"):
        raise BadUsage("not a head", where=f"--head {head}", hint="`bouts ledger show` prints it: 512:sha256:…")
    return int(number), digest


def _print(found: Verification) -> None:
    if found.problem:
        say(
            f"not sound, {found.where}: {found.problem}; the {found.entries} entries before it are as they were written"
        )
        say("hint: restore a backup into a new place, bouts ledger restore BACKUP --ledger NEW")
    else:
        say(f"{found.entries} entries are as they were written; head {found.entries}:{found.head}")
    if found.derived:
        say(f"not sound, derived rows: {found.derived}")
        say("hint: bouts ledger rebuild makes them anew")
    for what, digests in (("missing", found.evidence_missing), ("damaged", found.evidence_damaged)):
        for digest in digests:
            say(f"not sound, evidence {what}: {digest}")
    if found.clock_went_back:
        note(f"note: {found.clock_went_back} entries bear an earlier time than the one before; nothing rests on it")


def rebuild(ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """Rebuild what is derived; see REBUILD_HELP."""
    from bouts import assemble

    with assemble.ledger(ledger) as opened:
        count = opened.rebuild()
    if as_json:
        print_json({"schema": "bouts.ledger-rebuilt/1", "entries": count})
        return
    say(f"everything that is derived was made anew from {count} entries")


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
