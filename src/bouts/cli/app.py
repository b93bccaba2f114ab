"""The `bouts` command: the list of its subcommands, and the one place where errors become exit statuses.

| status | meaning |
| --- | --- |
| 0 | done, also for a poor score |
| 1 | `--fail-under` was not reached |
| 2 | the user's mistake |
| 3 | a fault of ours or of the world; running again may help |
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli import (
    agents,
    cards,
    challenges,
    comparing,
    ledger,
    machine,
    policies,
    registering,
    rejudging,
    reports,
    rescoring,
    reviews,
    scoring,
    similarity,
    standings,
    transcripts,
)

if TYPE_CHECKING:
    from bouts.errors import BoutsError

INTERRUPTED = 130

app = typer.Typer(
    name="bouts",
    help="Measure how well AI coding agents do engineering: run, judge and explain.",
    epilog="Start with: bouts demo\n\n"
    "Exit status: 0 done, 1 below --fail-under, 2 your mistake, 3 a fault of ours or the world.\n\n"
    "Cards are kept in $BOUTS_HOME (~/.local/share/bouts) where no --out is given.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
for room in (
    scoring,
    cards,
    rescoring,
    rejudging,
    challenges,
    policies,
    similarity,
    transcripts,
    reports,
    standings,
    agents,
    comparing,
    reviews,
    registering,
    ledger,
    machine,
):
    room.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from bouts import __version__

        typer.echo(f"bouts {__version__}")
        raise typer.Exit


@app.callback()
def _options(  # pyright: ignore[reportUnusedFunction]
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Measure how well AI coding agents do engineering: run, judge and explain."""


def run() -> None:
    """Run the command line and exit with its status."""
    from bouts.cli.output import flush

    status = _run()
    flush()
    sys.exit(status)


def _no_empty_argument(words: list[str]) -> None:
    """An empty word would be read as the folder one is in; it is what a shell makes of a variable that is not set.

    Raises BadUsage.
    """
    from bouts.errors import BadUsage

    for before, word in zip(["", *words], words, strict=False):
        if not word and not before.startswith("-"):
            raise BadUsage(
                "an argument is empty", hint="is a variable of the shell not set? `.` is the folder you are in"
            )


def _run() -> int:
    from bouts.cli.output import print_error
    from bouts.errors import BadUsage, BoutsError, WorldError

    try:
        _no_empty_argument(sys.argv[1:])
        status = app(standalone_mode=False)
    except BoutsError as error:
        print_error(error)
        return error.exit_status
    except KeyboardInterrupt:
        status = INTERRUPTED
    except MemoryError:
        print_error(WorldError("this machine's memory is used up", hint="end other programs, or use fewer --jobs"))
        return WorldError.exit_status
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            sys.stderr.write(f"{error}\n")
            return BadUsage.exit_status
        refused = _refused(error)
        if refused is None:
            if os.environ.get("BOUTS_DEBUG"):
                raise
            refused = _of_the_world(error) or WorldError(
                f"Bouts itself failed: {type(error).__name__}: {error}",
                hint="this is a fault of Bouts; run again with BOUTS_DEBUG=1 for the details and report them",
            )
        print_error(refused)
        return refused.exit_status
    if status == INTERRUPTED:
        sys.stderr.write("interrupted\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)  # threads that still wait for a submission would hold the process up
    return status if isinstance(status, int) else 0


def _of_the_world(error: Exception) -> BoutsError | None:
    """What the machine refused, as an error of the world; `None` for what may be a mistake of ours."""
    import errno

    from bouts.errors import StoreFault

    world = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EMFILE, errno.ENOMEM)
    if not isinstance(error, OSError) or error.errno not in world:
        return None
    where = error.filename if isinstance(error.filename, str) else None
    return StoreFault(str(error.strerror), where=where, hint="make room or mend the permissions, then run again")


def _refused(error: Exception) -> BoutsError | None:
    """What the parser says of a command line that it cannot read, as an error of ours; `None` for anything else."""
    from bouts.errors import BadUsage

    tell = getattr(error, "format_message", None)
    if tell is None:
        return None
    context: Any = getattr(error, "ctx", None)
    if context is None:
        return BadUsage(str(tell()))
    usage = " ".join(context.get_usage().removeprefix("Usage:").split())
    return BadUsage(str(tell()).rstrip("."), hint=f"{usage}    (more: {context.command_path} --help)")
