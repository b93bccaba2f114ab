"""`bouts similarity`: an index of submissions that tells copies from honest solutions of the same task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bouts.integrity.similarity.findings import Named
    from bouts.integrity.similarity.matches import Match
    from bouts.integrity.similarity.measure import Likeness

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]
IndexArgument = Annotated[Path, typer.Argument(metavar="INDEX", help="The index: one file.")]
ChallengeArgument = Annotated[str, typer.Argument(metavar="CHALLENGE", help="Folder or name of the challenge.")]
AgentOption = Annotated[
    str | None, typer.Option(help="Name of the agent; else the one in the submission's submission.yaml.")
]

ADD_HELP = """Add submissions to a similarity index, or with --known solutions that are public.

The index is one file that is made where there is none. What everybody was given, codebase and visible tests, is
subtracted; the package's reference becomes a known solution. Code of one agent that is there already is not added
twice. Several processes may add at the same time.

Examples:

  bouts similarity add index.similarity seat-holds ./a --agent "Agent 7"

  bouts similarity add index.similarity seat-holds downloads/*.py.zip --known "public repository"
"""
COMPARE_HELP = """Show what is most like a submission, side by side. The submission is not added.

Submissions of the same agent are never compared with each other.

Examples:

  bouts similarity compare index.similarity seat-holds ./a --agent "Agent 7"

  bouts similarity compare index.similarity seat-holds ./a --agent "Agent 7" --most 3 --json
"""
REPORT_HELP = """List the pairs of a task that are too much alike, or without a challenge the tasks of the index.

A pair is listed from the policy's threshold on; the later one is named first.

Examples:

  bouts similarity report index.similarity

  bouts similarity report index.similarity seat-holds --ranges --json
"""
_SHOWN = 3
"""Ranges that are shown without --json."""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Tell copies from honest solutions of a task.\n\nExample: bouts similarity report index.similarity",
    )
    group.command("add", help=ADD_HELP, short_help="Add submissions to a similarity index.")(add)
    group.command("compare", help=COMPARE_HELP, short_help="Show what is most like a submission.")(compare)
    group.command("report", help=REPORT_HELP, short_help="List the pairs that are too much alike.")(report)
    app.add_typer(group, name="similarity")


def add(
    index: IndexArgument,
    challenge: ChallengeArgument,
    submissions: Annotated[list[Path], typer.Argument(metavar="SUBMISSION", help="What was handed in.")],
    agent: AgentOption = None,
    known: Annotated[
        str | None, typer.Option(metavar="LABEL", help="They are known solutions, and this is where from.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Add submissions; see ADD_HELP."""
    from bouts import assemble
    from bouts.errors import BadUsage
    from bouts.pipeline.similarity import REFERENCE, compared, given, reference

    if agent is not None and known is not None:
        raise BadUsage("--agent and --known do not go together", hint="a known solution has no agent")
    package = assemble.challenge(challenge)
    items = [compared(package, path, agent) for path in submissions]
    if known is None:
        for path, item in zip(submissions, items, strict=True):
            if item.agent is None:
                raise BadUsage("whose submission is it?", where=str(path), hint="name the agent with --agent")
    rows: list[dict[str, Any]] = []
    with assemble.similarity(index, create=True) as opened:
        ours = reference(package)
        if ours:
            opened.add(package.manifest.id, ours, agent=None, label=REFERENCE, given=given(package))
        for item in items:
            label = item.label if known is None else f"{known}: {item.label}"
            whose = None if known is not None else item.agent
            done = opened.add(item.task, item.files, agent=whose, label=label, given=item.given)
            unread = [f"{r.path}: {r.partial}" for r in done.readings if r.partial]
            rows.append(
                {"entry": _entry(done.named), "new": done.new, "files": len(done.readings), "unread": unread[:20]}
            )
    if as_json:
        print_json({"schema": "bouts.similarity-added/1", "task": package.manifest.id, "added": rows})
        return
    for row in rows:
        say(f"{row['entry']['number']:>6}  {_shown(row['entry'])}{'' if row['new'] else '  (there already)'}")
        for line in row["unread"]:
            note(f"note: {line}")


def compare(
    index: IndexArgument,
    challenge: ChallengeArgument,
    submission: Annotated[Path, typer.Argument(metavar="SUBMISSION", help="What was handed in.")],
    agent: AgentOption = None,
    most: Annotated[int, typer.Option(min=1, max=1000, help="How many to show.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show the nearest; see COMPARE_HELP."""
    from bouts import assemble
    from bouts.pipeline.similarity import compared

    package = assemble.challenge(challenge)
    item = compared(package, submission, agent)
    with assemble.similarity(index) as opened:
        near, found, texts = opened.look(
            item.task, item.files, agent=item.agent, label=item.label, given=item.given, most=most
        )
    mine = {"number": None, "agent": item.agent, "label": item.label}
    ours = {path: data.decode("utf-8", "replace") for path, data in item.files.items()}
    rows = [_pair(mine, _entry(n.named), n.likeness) for n in near]
    if rows:
        rows[0]["ranges"] = _ranges(found, ours, texts)
    if as_json:
        print_json({"schema": "bouts.similarity-compared/1", "task": item.task, "nearest": rows})
        return
    for row in rows:
        _print(row)
    if not rows:
        say("the index has nothing of anybody else for this task")


def report(
    index: IndexArgument,
    challenge: Annotated[
        str | None, typer.Argument(metavar="[CHALLENGE]", help="Folder or name of the challenge; none: all tasks.")
    ] = None,
    at_least: Annotated[
        float | None, typer.Option(min=0, max=1, help="Similarity to list from; the policy's threshold when left out.")
    ] = None,
    ranges: Annotated[bool, typer.Option("--ranges", help="With the matched lines of both.")] = False,
    most: Annotated[int, typer.Option(min=1, max=10_000, help="How many pairs to list.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List pairs; see REPORT_HELP."""
    from bouts import assemble
    from bouts.policy.four_judge_1 import FOUR_JUDGE_1

    task = None if challenge is None else assemble.challenge(challenge).manifest.id
    least = FOUR_JUDGE_1.integrity.similarity if at_least is None else at_least
    rows: list[dict[str, Any]] = []
    with assemble.similarity(index) as opened:
        tasks = opened.tasks()
        if task is not None:
            for pair in opened.pairs(task, at_least=least, most=most):
                row = _pair(_entry(pair.later), _entry(pair.other), pair.likeness)
                if ranges:
                    row["ranges"] = _ranges(*opened.side_by_side(task, pair.later.number, pair.other.number))
                rows.append(row)
    if as_json:
        print_json({"schema": "bouts.similarity-report/1", "tasks": tasks, "pairs": rows})
        return
    if task is None:
        for name, count in tasks.items():
            say(f"{count:>6}  {name}")
        return
    for row in rows:
        _print(row)
    say(f"{len(rows)} pair{'' if len(rows) == 1 else 's'} from {least:g} on among {tasks.get(task, 0)} entries")


def _entry(named: Named) -> dict[str, Any]:
    return {"number": named.number, "agent": named.agent, "label": named.label}


def _pair(entry: dict[str, Any], other: dict[str, Any], like: Likeness) -> dict[str, Any]:
    from bouts.integrity.similarity.findings import counts
    from bouts.policy.four_judge_1 import FOUR_JUDGE_1

    table = FOUR_JUDGE_1.integrity
    return {
        "entry": entry,
        "other": other,
        "similarity": round(like.similarity, 6),
        "percentile": round(like.percentile, 6),
        "contained": round(like.overlap.contained, 6),
        "reaches": counts(like, table.similarity, table.similarity_percentile),
        "ranges": [],
    }


def _ranges(found: Iterable[Match], ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[dict[str, Any]]:
    from bouts.integrity.similarity.findings import excerpt
    from bouts.model.text import clean

    return [
        {
            "path": m.path,
            "first": m.first,
            "last": m.last,
            "excerpt": clean(excerpt(ours.get(m.path, ""), m.first, m.last), 2_000),
            "other_path": m.other_path,
            "other_first": m.other_first,
            "other_last": m.other_last,
            "other_excerpt": clean(excerpt(theirs.get(m.other_path, ""), m.other_first, m.other_last), 2_000),
        }
        for m in found
    ]


def _shown(entry: dict[str, Any]) -> str:
    return f"{entry['agent'] or 'known solution'} · {entry['label']}"


def _print(row: dict[str, Any]) -> None:
    mark = "  reaches the threshold" if row["reaches"] else ""
    say(f"{row['similarity']:.2f}  {_shown(row['entry'])}  ~  {_shown(row['other'])}{mark}")
    for one in row["ranges"][:_SHOWN]:
        for path, first, last, text in (
            (one["path"], one["first"], one["last"], one["excerpt"]),
            (one["other_path"], one["other_first"], one["other_last"], one["other_excerpt"]),
        ):
            say(f"      {path}:{first}–{last}")
            for line in text.splitlines():
                say(f"      | {line}")
        say("")
