"""`bouts challenges`, `workspace`, `check`, `test` and `shell`: working with a challenge package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bouts.cli.output import note, print_json, print_lines, say

if TYPE_CHECKING:
    from bouts.model.running import TestReport

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]
ChallengeArgument = Annotated[str, typer.Argument(metavar="CHALLENGE", help="Folder or name of the challenge.")]
SubmissionArgument = Annotated[
    Path | None,
    typer.Argument(metavar="SUBMISSION", help="What was handed in; the codebase as given when left out."),
]

SEPARATOR = Path("--")
"""What stands before a command; the parser hands it on, as options after it are not ours."""

CHECK_HELP = """Check a challenge package: format and components, that its reference passes, that cheap canaries fail.

With --freeze the reference is run and the test ids it reports are written to inventory.json. With --samples every
sample must get its band and violations. With --static nothing is run.

Examples:

  bouts check ./my-challenge --freeze

  bouts check seat-holds --samples --jobs 2
"""
TEST_HELP = """Run a challenge's visible tests on a submission, in the sandbox that scoring uses, and show what failed.

Examples:

  bouts test seat-holds ./my-solution

  bouts test seat-holds ./my-solution --test unit/test_holds.py::test_expiry
"""
SHELL_HELP = """Open a shell in the sandbox that a submission is tested in, or run one command there.

A command is given what stands on standard input, read to its end, up to 16 MiB; not where that is a terminal.

Examples:

  bouts shell seat-holds ./my-solution

  bouts shell seat-holds ./my-solution -- python -c "import seat_holds"
"""
WORKSPACE_HELP = """Write the workspace that an agent is given: the codebase, the visible tests and the briefing.

Example: bouts workspace seat-holds ./work
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("challenges", help="List the challenges that Bouts finds.\n\nExample: bouts challenges")(
        list_challenges
    )
    app.command("workspace", help=WORKSPACE_HELP, short_help="Write the workspace that an agent is given.")(workspace)
    app.command("check", help=CHECK_HELP, short_help="Check a challenge package that you write.")(check)
    app.command("test", help=TEST_HELP, short_help="Run the visible tests on a submission.")(test)
    app.command(
        "shell",
        help=SHELL_HELP,
        short_help="Look around in the sandbox of a submission.",
        context_settings={"allow_interspersed_args": False},
    )(shell)


def list_challenges(as_json: JsonOption = False) -> None:
    """List challenges."""
    from bouts import assemble
    from bouts.render.terminal import table

    listed = [
        {
            "id": p.manifest.id,
            "version": p.manifest.version,
            "format": p.manifest.format.value,
            "tier": p.manifest.tier,
            "summary": p.manifest.summary,
            "path": str(p.root),
        }
        for p in assemble.challenges()
    ]
    if as_json:
        print_json({"schema": "bouts.challenges/1", "challenges": listed})
        return
    rows = [[str(row[key]) for key in ("id", "version", "format", "tier", "summary")] for row in listed]
    print_lines(table(["id", "version", "format", "tier", "summary"], rows))


def workspace(
    challenge: ChallengeArgument,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to write; it must be new or empty.")],
    as_json: JsonOption = False,
) -> None:
    """Write an agent's workspace."""
    from bouts import assemble
    from bouts.challenges.staging import workspace as write

    package = assemble.challenge(challenge)
    write(package, folder)
    if as_json:
        print_json({"schema": "bouts.workspace/1", "challenge": package.manifest.id, "path": str(folder)})
        return
    say(f"workspace: {folder}")
    say(f"the agent starts from {folder / 'briefing.md'}")


def check(
    challenge: ChallengeArgument,
    freeze: Annotated[bool, typer.Option("--freeze", help="Write inventory.json from a run of the reference.")] = False,
    samples: Annotated[
        bool, typer.Option("--samples", help="Score every sample and hold it against expect.yaml.")
    ] = False,
    static: Annotated[bool, typer.Option("--static", help="Run nothing; only read the package.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure anew, whatever was kept.")] = False,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Submissions at the same time.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Check a package."""
    from bouts import assemble
    from bouts.cli.progress import Progress
    from bouts.errors import BadUsage
    from bouts.pipeline.checking import check as run
    from bouts.render.terminal import Span

    if static and (freeze or samples):
        raise BadUsage("--static runs nothing, so it goes with neither --freeze nor --samples")
    package = assemble.challenge(challenge)
    with assemble.world(sandboxed=not static, forking=True) as world, Progress(1) as progress:
        checks = run(
            package, world, freeze=freeze, samples=samples, static=static, fresh=fresh, jobs=jobs, progress=progress
        )
    failed = [c for c in checks if c.level == "error"]
    if as_json:
        print_json(
            {
                "schema": "bouts.check/1",
                "passed": not failed,
                "checks": [
                    {"name": c.name, "level": c.level, "message": c.message, "remedy": c.remedy} for c in checks
                ],
            }
        )
    else:
        marks = {"ok": ("ok     ", "good"), "warning": ("warning", "warn"), "error": ("error  ", "bad")}
        for c in checks:
            text, style = marks[c.level]
            print_lines([(Span(text, style), Span(f" {c.name}: {c.message}"))])
            if c.level != "ok" and c.remedy:
                say(f"         remedy: {c.remedy}")
        say("the package passes" if not failed else f"{len(failed)} of {len(checks)} checks failed")
    if failed:
        raise typer.Exit(2)


def test(
    challenge: ChallengeArgument,
    submission: SubmissionArgument = None,
    only: Annotated[
        list[str] | None, typer.Option("--test", help="Only this test; may be repeated; * matches.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run visible tests."""
    from bouts import assemble
    from bouts.cli.progress import Progress
    from bouts.errors import BadChallenge
    from bouts.pipeline.trying import run_visible
    from bouts.render.numbers import seconds
    from bouts.render.terminal import Span

    package = assemble.challenge(challenge)
    with assemble.world(forking=True) as world, Progress(1) as progress:
        tried = run_visible(package, submission, tuple(only or ()), world, progress)
    reports = [*tried.tests, *_as_rows(tried.unloaded)]
    if as_json:
        body = [r.model_dump(mode="json") for r in reports]
        print_json({"schema": "bouts.test/1", "challenge": package.manifest.id, "tests": body})
    else:
        for report in sorted(reports, key=lambda r: (r.outcome == "passed", r.id)):
            good = report.outcome == "passed"
            text = f"{report.id}  {seconds(report.seconds)}"
            print_lines([(Span(f"{report.outcome:<8} ", "good" if good else "bad"), Span(text))])
            if not good:
                for line in report.message.splitlines():
                    say(f"    {line}")
        say(f"{sum(r.outcome == 'passed' for r in reports)} of {len(tried.tests)} passed")
    if tried.unloaded and as_json:
        raise typer.Exit(2)
    if tried.unloaded:
        one = len(tried.unloaded) == 1
        what = "a test file does not load, so its" if one else "test files do not load, so their"
        raise BadChallenge(
            f"{what} tests did not run: {', '.join(tried.unloaded)}",
            where=str(package.tests / "static"),
            hint="mend the file; where only the submission lacks the name, run `bouts check --freeze` first",
        )
    if tried.faults or any(r.outcome == "infrastructure" for r in reports):
        note("\n".join(tried.faults) or "tests could not be run; run again")
        raise typer.Exit(3)


def _as_rows(unloaded: dict[str, str]) -> list[TestReport]:
    """Files that do not load, shown among the tests: the id is the file's name."""
    from bouts.model.running import TestReport

    return [
        TestReport(id=name, outcome="error", seconds=0.0, message=f"the test file does not load: {why}")
        for name, why in unloaded.items()
    ]


def shell(
    challenge: ChallengeArgument,
    submission: SubmissionArgument = None,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="After --: a command instead of a shell.")
    ] = None,
) -> None:
    """Look around in the sandbox."""
    from bouts import assemble
    from bouts.pipeline.trying import fit_shell, open_shell

    words = list(command or ())
    if submission == SEPARATOR:
        submission = None
    elif words[:1] == [str(SEPARATOR)]:
        words = words[1:]
    fit_shell(tuple(words))
    package = assemble.challenge(challenge)
    note("in the sandbox: no network, changes are lost when you leave")
    with assemble.world(forking=True) as world:
        status = open_shell(package, submission, tuple(words), world)
    raise typer.Exit(status)
