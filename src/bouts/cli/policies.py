"""`bouts policy`: the numbers that scores are made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, width

if TYPE_CHECKING:
    from bouts.pipeline.rescoring import LeftOut, Movement
    from bouts.policy.catalogue import Policy

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]

SHOW_HELP = """Print every number of a policy with its meaning, or with --markdown its whole methodology.

Examples:

  bouts policy show four-judge

  bouts policy show six-component --markdown > six-component.md

  bouts policy show headline@2026-07-zero-success-v1 --json

  bouts policy show sql-tasks.yaml
"""
DIFF_HELP = """Say in which numbers two policies differ, or with --over whose score would move and by how much.

Fields that only one of the two has are counted; --all lists them.

With --over the evidence of the named cards, and of all cards in the named folders, is scored by both policies; nothing
is run. The largest movement comes first. Cards without their evidence are named, not guessed.

Examples:

  bouts policy diff four-judge six-component

  bouts policy diff four-judge@1.0 partial-credit --over cards/

  bouts policy diff four-judge six-component --over a.json --over b.json --json

  bouts policy diff partial-credit sql-tasks.yaml --over cards/
"""
SPEC = "NAME[@VERSION]|FILE"
_NAMES = ("name", "version", "title", "source")
"""Fields that the head of a listing shows already."""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="The numbers that scores are made of.\n\nExample: bouts policy show four-judge",
    )
    group.command("list", help="List the policies.\n\nExample: bouts policy list")(list_policies)
    group.command("show", help=SHOW_HELP, short_help="Print every number of a policy with its meaning.")(show)
    group.command(
        "diff", help=DIFF_HELP, short_help="Say in which numbers two policies differ, and whose score moves."
    )(diff)
    app.add_typer(group, name="policy")


def named(spec: str) -> Policy:
    """The policy of `NAME`, `NAME@VERSION` or a variant file. Raises `NotFound` or `BadFile`."""
    from bouts.pipeline.variants import policy_named

    return policy_named(spec)


def list_policies(as_json: JsonOption = False) -> None:
    """List the policies."""
    from bouts.policy.catalogue import DEFAULT, RELEASED, policy_digest
    from bouts.render.terminal import Span, table

    found = [
        {"name": p.name, "version": p.version, "title": p.title, "source": p.source, "digest": policy_digest(p)}
        for p in RELEASED.values()
    ]
    if as_json:
        print_json({"schema": "bouts.policies/1", "default": DEFAULT, "policies": found})
        return
    rows = [[row["name"], row["version"], row["digest"].removeprefix("sha256:")[:12], row["source"]] for row in found]
    head, *lines = table(["name", "version", "digest", "source"], rows)
    print_lines([head])
    for row, line in zip(found, lines, strict=True):
        print_lines([line, (Span(f"    {row['title']}", "dim"),)])
    say(f"default: {DEFAULT}    one in full: bouts policy show NAME    as a document: --markdown")


def show(
    policy: Annotated[
        str, typer.Argument(metavar=SPEC, help="The policy, in its current or the named version, or a variant file.")
    ],
    markdown: Annotated[bool, typer.Option("--markdown", help="Print its methodology as Markdown.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print every number of a policy."""
    from bouts.errors import BadUsage
    from bouts.policy.catalogue import policy_digest
    from bouts.render.policies import tree
    from bouts.render.policy import rows
    from bouts.render.terminal import Span

    if markdown and as_json:
        raise BadUsage("--markdown and --json do not go together")
    table = named(policy)
    if as_json:
        print_json(
            {"schema": "bouts.policy/1", "digest": policy_digest(table), "policy": table.model_dump(mode="json")}
        )
        return
    if markdown:
        from bouts.render.methodology.page import page

        say(page(table).rstrip())
        return
    print_lines([(Span(f"{table.name} {table.version}", "title"),), (Span(table.title),)])
    print_lines([(Span(f"source: {table.source}    digest: {policy_digest(table)}", "dim"),), ()])
    print_lines(tree([row for row in rows(table) if row.path not in _NAMES], width()))


def diff(
    before: Annotated[str, typer.Argument(metavar=SPEC, help="A policy.")],
    after: Annotated[str, typer.Argument(metavar=SPEC, help="The policy to compare it with.")],
    over: Annotated[
        list[Path] | None, typer.Option("--over", metavar="CARDS", help="A card, or a folder with cards; repeatable.")
    ] = None,
    more: Annotated[list[Path] | None, typer.Argument(metavar="CARDS", help="Further cards for --over.")] = None,
    every: Annotated[bool, typer.Option("--all", help="List each field that only one of the two has, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare two policies; see DIFF_HELP."""
    from bouts.errors import BadUsage
    from bouts.policy.fields import changed
    from bouts.render.differences import fields
    from bouts.render.terminal import Span

    one, two = named(before), named(after)
    if more and not over:
        raise BadUsage("cards were named without --over", where=str(more[0]), hint="put --over before them")
    if over:
        _over(one, two, [*over, *(more or [])], as_json)
        return
    rows = changed(one, two)
    if as_json:
        body = [
            {"path": c.path, "before": c.before, "after": c.after, "change": c.change, "meaning": c.meaning}
            for c in rows
        ]
        print_json({"schema": "bouts.policy-diff/1", "before": _ref(one), "after": _ref(two), "fields": body})
        return
    print_lines([(Span(f"{one.name} {one.version} → {two.name} {two.version}", "title"),)])
    shown = [row for row in rows if row.path not in _NAMES]
    print_lines(fields(shown, width(), one_sided=every))
    many = "1 field differs" if len(shown) == 1 else f"{len(shown)} fields differ"
    say(many if shown else "no number differs" if rows else "the two are the same")


def _ref(policy: Policy) -> dict[str, str]:
    from bouts.policy.catalogue import policy_digest

    return {"name": policy.name, "version": policy.version, "digest": policy_digest(policy)}


def _over(one: Policy, two: Policy, places: list[Path], as_json: bool) -> None:
    from bouts.errors import NotFound
    from bouts.pipeline.rescoring import find_cards, movements
    from bouts.policy.catalogue import for_cards

    for place in places:
        if not place.exists():
            raise NotFound("there is no such card or folder", where=str(place))
    before, after = for_cards(one), for_cards(two)
    moved, left = movements(find_cards(places), before, after)
    if not moved:
        raise NotFound(
            f"none of the {len(left)} cards can be scored anew: {left[0].why}",
            where=str(left[0].path),
            hint="lay each card's evidence beside it",
        )
    if as_json:
        print_json(
            {
                "schema": "bouts.policy-movements/1",
                "before": _ref(one),
                "after": _ref(two),
                "cards": [_row(row) for row in moved],
                "left_out": [{"path": str(row.path), "why": row.why} for row in left],
            }
        )
        return
    _print_over(moved, left, (f"{one.name} {one.version}", f"{two.name} {two.version}"))


def _row(row: Movement) -> dict[str, Any]:
    from bouts.scoring.differences import compare, moved

    found = compare(row.before, row.after)
    terms = moved(found)
    return {
        "path": str(row.path),
        "agent": row.before.submission.agent,
        "challenge": row.before.challenge.id,
        "before": row.before.final,
        "after": row.after.final,
        "difference": found.difference,
        "status_before": row.before.status,
        "status_after": row.after.status,
        "outcome": row.after.outcome,
        "terms": [{"key": key, "points": points} for key, points in terms],
    }


def _print_over(moved: tuple[Movement, ...], left: tuple[LeftOut, ...], names: tuple[str, str]) -> None:
    from bouts.render import numbers
    from bouts.render.policies import Moved, movements

    rows: list[Moved] = []
    for found in (_row(row) for row in moved):
        terms: list[dict[str, Any]] = found["terms"]
        most = max(terms, key=lambda term: abs(term["points"]), default=None)
        largest = f"{most['key']} {numbers.signed(most['points'])}" if most else ""
        named = {k: found[k] for k in ("path", "before", "after", "difference", "status_before", "status_after")}
        rows.append(Moved(**named, agent=found["agent"] or "unnamed", largest=largest))
    print_lines(movements(rows, names))
    still = sum(1 for row in rows if not row.difference)
    say(f"{len(rows) - still} of {len(rows)} scores move; same evidence, nothing was run")
    for row in left:
        note(f"left out: {row.path}: {row.why}")
