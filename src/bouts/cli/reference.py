"""The command reference and the schemas of what commands print, as documents."""

from __future__ import annotations

from typing import Any

from typer.main import get_command

_VARIABLES = """## Environment variables

| variable | meaning | default |
| --- | --- | --- |
| `BOUTS_HOME` | cards, evidence, measurements, dependencies | `$XDG_DATA_HOME/bouts`, else `~/.local/share/bouts` |
| `BOUTS_SCRATCH` | staged submissions while they are tested | a private folder under the system's temporary folder |
| `BOUTS_LEDGER` | the ledger: a file, or a URL of PostgreSQL | `ledger.db` in the home |
| `BOUTS_EVIDENCE` | folder or URL for evidence, where a ledger does not say it itself | beside the ledger's file |
| `BOUTS_CHALLENGES` | folders with challenges, separated by `:` | the examples that ship with Bouts |
| `NO_COLOR`, `FORCE_COLOR` | colours of the output | coloured on a terminal |
| `BOUTS_DEBUG` | shows where a fault of Bouts itself came from | not set |

Without `--out` a card goes to `$BOUTS_HOME/cards/CHALLENGE/NAME.json`, with its evidence beside it.
"""


def output_schemas() -> dict[str, dict[str, Any]]:
    """JSON Schema (2020-12) by name, of everything that `--json` prints and of the evidence file."""
    from bouts.cli.schemas import OUTPUTS
    from bouts.model.describe import json_schema
    from bouts.model.records import EvidenceFile

    made: dict[str, dict[str, Any]] = {}
    for name, shape in {**OUTPUTS, "evidence": EvidenceFile}.items():
        schema = json_schema(shape, "serialization")
        made[name] = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return made


def command_reference() -> str:
    """Every command with its help, as Markdown."""
    from bouts.cli.app import app

    root = get_command(app)
    parts = ["# Commands", "", "Generated from the commands' own help.", "", _VARIABLES]
    for path, command in _walk(root, ("bouts",)):
        context = command.make_context(" ".join(path), [], resilient_parsing=True)
        context.max_content_width = 110
        parts += [f"## `{' '.join(path)}`", "", "```text", command.get_help(context).rstrip(), "```", ""]
    return "\n".join(parts)


def first_page() -> str:
    """What `bouts --help` prints."""
    from bouts.cli.app import app

    command = get_command(app)
    context = command.make_context("bouts", [], resilient_parsing=True)
    context.terminal_width = 100
    return command.get_help(context).rstrip() + "\n"


def _walk(command: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = [(path, command)]
    for name, child in sorted(getattr(command, "commands", {}).items()):
        found += _walk(child, (*path, name))
    return found
