"""`bouts ledger`: look after the ledger itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli import ledger_files as files
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


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=HELP, short_help="Look after the ledger.")
    for name, text, command in (
        ("init", INIT_HELP, init),
        ("show", SHOW_HELP, show),
        ("verify", VERIFY_HELP, verify),
        ("rebuild", REBUILD_HELP, rebuild),
        ("backup", files.BACKUP_HELP, files.backup),
        ("restore", files.RESTORE_HELP, files.restore),
        ("export", files.EXPORT_HELP, files.export),
        ("import", files.IMPORT_HELP, files.import_),
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
