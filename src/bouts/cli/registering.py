"""`bouts register`: agents, seasons, and runs that were made elsewhere."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import print_json, say
from bouts.cli.showing import JsonOption, LedgerOption

if TYPE_CHECKING:
    from bouts.ports.ledger import Ledger

AgentOption = Annotated[str, typer.Option("--agent", metavar="NAME", help="Whose run it is.")]

RUN_HELP = """Register one run that Bouts did not score.

A run of status failed or timeout is the agent's own failure; infrastructure is a fault of the platform and counts as no
zero. Given again with the same --run, nothing changes; other figures need --replace, and the earlier ones stay in the
ledger. Runs that bouts score measures are recorded by it.

Examples:

  bouts register run --agent "Agent 7" --task parser-42 --success --latency-ms 61000 --cost-usd 0.31 --steps 24

  bouts register run --agent "Agent 7" --challenge seat-holds --status timeout --run job-991 --ended 2026-03-31T18:00Z
"""
RUNS_HELP = """Register many runs, one line of JSON each (`-` reads standard input).

Every line is looked at before anything is recorded; the first that is wrong is named. Lines have the fields of
docs/reference/run.schema.json: agent, task or challenge, and what is known of run, ended, status, success, latency_ms,
cost_usd, steps, tokens, turns, iterations, seconds, family, format, language. The same file again changes nothing; of
lines without `run` that are alike, each counts.

Examples:

  bouts register runs nightly.jsonl

  echo '{"agent": "Agent 7", "task": "parser-42", "success": true}' | bouts register runs -
"""
AGENT_HELP = """Make an agent, or change what is said of it; what is not named stays as it is.

An agent that is not shown appears under a pseudonym, always the same, that cannot be guessed from its name. The owner
may appeal in its name.

Examples:

  bouts register agent "Agent 7" --owner "Team Blue" --model small-model --scaffold mini-loop

  bouts register agent "Agent 7" --anonymous
"""
SEASON_HELP = """Make or change a season: a named range of dates, both included, in UTC.

Example: bouts register season 2026-spring --from 2026-03-01 --to 2026-05-31
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Tell the ledger of agents, seasons, and runs made elsewhere.\n\nExample: bouts register runs a.jsonl",
    )
    group.command("run", help=RUN_HELP, short_help="Register one run that Bouts did not score.")(run)
    group.command("runs", help=RUNS_HELP, short_help="Register many runs, one line of JSON each.")(runs)
    group.command("agent", help=AGENT_HELP, short_help="Make an agent, or change what is said of it.")(agent)
    group.command("season", help=SEASON_HELP, short_help="Make or change a season.")(season)
    app.add_typer(group, name="register")


def run(
    agent: AgentOption,
    task: Annotated[str | None, typer.Option(help="The task, by any name that all its runs share.")] = None,
    challenge: Annotated[str | None, typer.Option(help="Or a challenge package: its name or folder.")] = None,
    run: Annotated[str | None, typer.Option(metavar="ID", help="What tells this run from every other.")] = None,
    ended: Annotated[str | None, typer.Option(metavar="TIME", help="When it ended; now, where left out.")] = None,
    status: Annotated[str, typer.Option(help="completed, failed, timeout or infrastructure.")] = "completed",
    success: Annotated[bool | None, typer.Option("--success/--no-success", help="Whether the task was solved.")] = None,
    latency_ms: Annotated[float | None, typer.Option(min=0, help="Wall-clock time in milliseconds.")] = None,
    cost_usd: Annotated[float | None, typer.Option(min=0, help="Cost in US dollars.")] = None,
    steps: Annotated[int | None, typer.Option(min=0, help="Steps that the agent took.")] = None,
    tokens: Annotated[int | None, typer.Option(min=0, help="Tokens in and out together.")] = None,
    turns: Annotated[int | None, typer.Option(min=0, help="Turns of the model.")] = None,
    iterations: Annotated[int | None, typer.Option(min=0, help="How often the work was handed in.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Time to the final submission, in seconds.")] = None,
    outside: Annotated[bool, typer.Option("--outside", help="It did not keep to the task's budgets.")] = False,
    family: Annotated[str | None, typer.Option(help="Family of the task, for filters.")] = None,
    language: Annotated[str | None, typer.Option(help="Language of the task, for filters.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Correct a run that is there.")] = False,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Register a run; see RUN_HELP."""
    import secrets

    from bouts.pipeline.registering import line_of

    told = {
        "agent": agent, "task": task, "challenge": challenge, "run": run or secrets.token_hex(16), "ended": ended,
        "status": status, "success": success, "latency_ms": latency_ms, "cost_usd": cost_usd, "steps": steps,
        "tokens": tokens, "turns": turns, "iterations": iterations, "seconds": seconds, "family": family,
        "language": language, "inside": not outside,
    }  # fmt: skip
    _register([line_of(told)], "the run", ledger, replace=replace, as_json=as_json)


def runs(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Lines of JSON, also packed as .gz; - reads them.")],
    replace: Annotated[bool, typer.Option("--replace", help="Correct runs that are there.")] = False,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Register runs; see RUNS_HELP."""
    from bouts.cli.ledger_files import lines_of

    with lines_of(file) as lines:
        # Read twice: nothing is recorded of a file that has a line that is wrong.
        rows = list(lines) if str(file) == "-" else lines
        source = "standard input" if str(file) == "-" else file.name
        _register(rows, source, ledger, replace=replace, as_json=as_json)


def _register(lines: Any, source: str, place: str | None, *, replace: bool, as_json: bool) -> None:
    from bouts import assemble
    from bouts.pipeline.registering import Registered, checked, read_lines
    from bouts.pipeline.registering import register as record

    made = Registered(assemble.challenge, source[:200], time.time())
    count = checked(read_lines(lines, source), made, source)
    if hasattr(lines, "seek"):
        lines.seek(0)
    with assemble.ledger(place, create=True) as ledger:
        told, new = record(ledger, read_lines(lines, source), made, replace=replace)
        at = str(ledger.place)
    assert told == count
    if as_json:
        print_json({"schema": "bouts.registered/1", "ledger": at, "runs": told, "new": new})
        return
    known = f", {told - new} of them there already" if told - new else ""
    say(f"{told} run{'' if told == 1 else 's'} in {at}{known}")


def agent(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The agent.")],
    owner: Annotated[str | None, typer.Option(help="Who may appeal in its name.")] = None,
    model: Annotated[str | None, typer.Option(help="The model behind it.")] = None,
    scaffold: Annotated[str | None, typer.Option(help="The scaffold around the model.")] = None,
    shown: Annotated[bool | None, typer.Option("--shown/--anonymous", help="Whether standings show its name.")] = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make or change an agent; see AGENT_HELP."""
    from dataclasses import asdict

    from bouts import assemble

    _fits(name, owner, model, scaffold)
    with assemble.ledger(ledger, create=True) as opened:
        row = opened.agent(name, owner=owner, model=model, scaffold=scaffold, shown=shown)
    if as_json:
        print_json({"schema": "bouts.agent-registered/1", **asdict(row)})
        return
    said = [
        f"{what} {value}"
        for what, value in (("owner", row.owner), ("model", row.model), ("scaffold", row.scaffold))
        if value
    ]
    say(f"{row.name}: {', '.join(said) or 'nothing more is said of it'}; shown as {row.title}")


def season(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The season.")],
    first: Annotated[str, typer.Option("--from", metavar="DATE", help="Its first day, such as 2026-03-01.")],
    last: Annotated[str, typer.Option("--to", metavar="DATE", help="Its last day.")],
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make or change a season; see SEASON_HELP."""
    from dataclasses import asdict
    from datetime import date

    from bouts import assemble
    from bouts.errors import BadUsage

    _fits(name)
    days: list[date] = []
    for option, day in (("--from", first), ("--to", last)):
        try:
            days.append(date.fromisoformat(day))
        except ValueError as error:
            raise BadUsage(f"not a date: {error}", where=f"{option} {day}", hint="write 2026-03-01") from error
    begins, ends = days
    if ends < begins:
        raise BadUsage("a season ends before it begins", where=f"--from {first} --to {last}")
    with assemble.ledger(ledger, create=True) as opened:
        row = opened.season(name, begins.isoformat(), ends.isoformat())
        count = _runs_in(opened, name)
    if as_json:
        print_json({"schema": "bouts.season-registered/1", **asdict(row), "runs": count})
        return
    say(f"{row.name}: {row.first} to {row.last}, {count} runs so far")


def _runs_in(ledger: Ledger, season: str) -> int:
    from bouts.model.tallied import Where

    both = (ledger.totals(Where(season=season, inside=inside)) for inside in (True, False))
    return sum(row.completed + row.infrastructure for rows in both for row in rows)


def _fits(*names: str | None) -> None:
    """Raise `BadUsage` for a name that cannot be one."""
    from bouts.errors import BadUsage

    for name in names:
        if name is not None and not (0 < len(name) <= 100 and name.isprintable()):
            hint = "1 to 100 characters that can be printed"
            raise BadUsage("not a name", where=repr(name)[:120], hint=hint)
