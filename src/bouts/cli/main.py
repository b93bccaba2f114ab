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
from typing import Annotated

import typer

from bouts.cli import cards, challenges, machine, policies, scoring

app = typer.Typer(
    name="bouts",
    help="Measure how well AI coding agents do engineering: run, judge and explain.",
    epilog="Start with: bouts demo    Exit status: 0 done, 2 your mistake, 3 a fault of ours or the world.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
for room in (scoring, cards, challenges, policies, machine):
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


def main() -> None:
    """Run the command line and exit with its status."""
    from bouts.errors import BoutsError

    try:
        app()
    except BoutsError as error:
        from bouts.cli.output import print_error

        print_error(error)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    except MemoryError:
        sys.stderr.write("error: this machine's memory is used up\n")
        sys.exit(3)
    except Exception as error:
        if os.environ.get("BOUTS_DEBUG"):
            raise
        sys.stderr.write(
            f"error: Bouts itself failed: {type(error).__name__}: {error}\n"
            "hint: this is a fault of Bouts; run again with BOUTS_DEBUG=1 for the details and report them\n"
        )
        sys.exit(3)
