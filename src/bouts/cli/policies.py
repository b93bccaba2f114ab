"""`bouts policy`."""

from __future__ import annotations

from typing import Annotated

import typer

from bouts.cli.output import print_json, print_lines, say

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="The numbers that scores are made of.\n\nExample: bouts policy show four-judge",
    )
    group.command("list", help="List the policies.\n\nExample: bouts policy list")(list_policies)
    group.command(
        "show", help="Print every number of a policy with its meaning.\n\nExample: bouts policy show four-judge"
    )(show)
    app.add_typer(group, name="policy")


def list_policies(as_json: JsonOption = False) -> None:
    """List the policies."""
    from bouts.policy.catalogue import POLICIES
    from bouts.render.terminal import table

    rows = [[p.name, p.version, p.source] for p in POLICIES.values()]
    if as_json:
        print_json(
            {
                "schema": "bouts.policies/1",
                "policies": [dict(zip(("name", "version", "source"), r, strict=True)) for r in rows],
            }
        )
        return
    print_lines(table(["name", "version", "source"], rows))


def show(
    name: Annotated[str, typer.Argument(metavar="POLICY", help="Name of the policy.")],
    markdown: Annotated[bool, typer.Option("--markdown", help="Print it as Markdown.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print every number of a policy."""
    from bouts.policy.catalogue import get, policy_digest
    from bouts.render.policy import markdown as as_markdown
    from bouts.render.policy import rows

    policy = get(name)
    if as_json:
        print_json(
            {"schema": "bouts.policy/1", "digest": policy_digest(policy), "policy": policy.model_dump(mode="json")}
        )
        return
    if markdown:
        say(as_markdown(policy))
        return
    say(f"{policy.name} {policy.version}")
    say(f"source: {policy.source}")
    say(f"digest: {policy_digest(policy)}")
    for row in rows(policy):
        say("  " * row.depth + (f"{row.name} = {row.value}" if row.value else row.name))
        if row.meaning:
            say("  " * row.depth + f"    {row.meaning}")
