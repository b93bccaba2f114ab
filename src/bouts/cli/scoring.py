"""`bouts score` and `bouts demo`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bouts.cli.output import note

if TYPE_CHECKING:
    from bouts.cli.batching import Work
    from bouts.cli.results import Shown
    from bouts.pipeline.evaluate import Options

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]

SCORE_HELP = """Score one submission, or many, to a challenge.

CHALLENGE is a folder or the name of a challenge that ships with Bouts (`bouts challenges`). A submission is a folder
(the whole workspace or only the changed files), a .zip, .tar.gz or .patch file. The agent's session is found in it by
its content; --transcript names another, as FILE or, of several sessions in one file, FILE#SAMPLE.

A run whose agent is known, by --agent or the submission's submission.yaml, is recorded in the ledger with its card and
evidence; the same submission of the same session is the same run, unless --run tells attempts apart.

The same command again goes on where it was interrupted. Exit status: 0 done, also for a poor score; 1 a final is below
--fail-under; 2 your mistake, such as a submission that cannot be taken; 3 a fault of ours or of the world, where
running again may help. Of several the gravest counts: 3, then 2, then 1.

Examples:

  bouts score seat-holds ./my-solution

  bouts score ./challenges/seat-holds a/ b.zip c.patch --jobs 2 --out cards/ --json

  bouts score seat-holds ./my-solution --agent "Agent 7" --transcript session.json --html card.html

  bouts score seat-holds submissions/* --batch nightly --plan

  bouts score --resume nightly

  bouts score --regrade nightly

  bouts score seat-holds attempt-1/ --agent "Agent 7" --ledger team.db --run job-991

  bouts score seat-holds ./my-solution --fail-under 60 --junit report.xml --github-summary
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    from bouts.cli import batching

    app.command("score", help=SCORE_HELP)(score)
    app.command("demo", help="Score all samples of the example challenges and show a card.\n\nExample: bouts demo")(
        demo
    )
    batching.register(app)


def score(
    challenge: Annotated[
        str | None, typer.Argument(metavar="CHALLENGE", help="Folder or name of the challenge.")
    ] = None,
    submissions: Annotated[
        list[Path] | None, typer.Argument(metavar="SUBMISSION...", help="What was handed in.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Name of the agent (one submission).")] = None,
    transcript: Annotated[
        Path | None, typer.Option(metavar="FILE[#SAMPLE]", help="The agent's session (one submission).")
    ] = None,
    policy: Annotated[
        str,
        typer.Option(metavar="NAME[@VERSION]|FILE", help="Scoring policy (`bouts policy list`), or a variant file."),
    ] = "four-judge",
    out: Annotated[Path | None, typer.Option(help="Card file; with several submissions a folder.")] = None,
    html: Annotated[Path | None, typer.Option(help="Also write the card as one HTML file (several: a folder).")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Submissions at the same time.")] = 1,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure anew, whatever was kept.")] = False,
    second_look: Annotated[
        bool, typer.Option("--second-look/--no-second-look", help="Run hidden tests again where all looks different.")
    ] = True,
    offline: Annotated[bool, typer.Option("--offline", help="Use no model and no network.")] = False,
    similarity: Annotated[
        Path | None, typer.Option(metavar="INDEX", help="Add to this similarity index, and say what is a copy.")
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say what would be reused or run, why, and what it would cost.")
    ] = False,
    batch: Annotated[str | None, typer.Option(metavar="NAME", help="Give this batch a name.")] = None,
    resume: Annotated[str | None, typer.Option(metavar="NAME", help="Go on with a batch (`bouts batches`).")] = None,
    regrade: Annotated[
        str | None, typer.Option(metavar="NAME", help="Score a batch anew, and print old and new verdicts.")
    ] = None,
    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="URL", help="Record in this ledger; else, of a known agent, in yours."),
    ] = None,
    no_ledger: Annotated[bool, typer.Option("--no-ledger", help="Record nothing.")] = False,
    run: Annotated[
        str | None, typer.Option("--run", metavar="ID", help="Tells attempts apart that are alike in all files.")
    ] = None,
    fail_under: Annotated[float | None, typer.Option(help="Exit with 1 when a final is below this.")] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the results as JUnit XML.")] = None,
    github_summary: Annotated[
        bool, typer.Option("--github-summary", help="Also add a table to the file that GITHUB_STEP_SUMMARY names.")
    ] = False,
    brief: Annotated[bool, typer.Option("--brief", help="Without the reason under each line.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Score submissions; see SCORE_HELP."""
    from bouts.cli import batching
    from bouts.cli.results import Shown
    from bouts.errors import BadUsage
    from bouts.model.batch import BatchOptions
    from bouts.pipeline.variants import is_file

    if fail_under is not None and not math.isfinite(fail_under):
        raise BadUsage("it must be a number", where=f"--fail-under {fail_under}")
    if no_ledger and (ledger or run):
        raise BadUsage("--no-ledger does not go with --ledger or --run")
    options = BatchOptions(
        policy=str(Path(policy).absolute()) if is_file(policy) else policy,
        fresh=fresh,
        second_look=second_look,
        offline=offline,
        similarity=batching.whole(similarity),
        out=batching.whole(out),
        html=batching.whole(html),
        record=not no_ledger,
        ledger=ledger if ledger is None or "://" in ledger else batching.whole(Path(ledger)),
        run=run,
    )
    asked = batching.work(
        challenge,
        submissions or (),
        options,
        agent=agent,
        transcript=transcript,
        batch=batch,
        resume=resume,
        regrade=regrade,
    )
    shown = Shown(fail_under=fail_under, junit=junit, github=github_summary, brief=brief, as_json=as_json)
    shown.check()
    if plan:
        _plan(asked, jobs, as_json=as_json)
    else:
        _score(asked, jobs, shown)


def _plan(asked: Work, jobs: int, *, as_json: bool) -> None:
    from bouts import assemble
    from bouts.cli import batching
    from bouts.pipeline.batches import Batches

    with assemble.world(sandboxed=False) as world:
        options = _options(asked, similar=False)
        batching.print_plan(asked, Batches(world.settings.batches), world, options, jobs, as_json=as_json)


def _score(asked: Work, jobs: int, shown: Shown) -> None:
    from bouts import assemble
    from bouts.cli import batching
    from bouts.cli.progress import Progress
    from bouts.cli.recording import recorded
    from bouts.cli.results import Keeper, leave, print_results, results_json
    from bouts.pipeline.batch import evaluate_many
    from bouts.pipeline.batches import Batches
    from bouts.pipeline.recording import Recording

    options = _options(asked, similar=True)
    out, html = (None if place is None else Path(place) for place in (asked.options.out, asked.options.html))
    with assemble.world(forking=True) as world, Progress(len(asked.items), lines=asked.many) as progress:
        keeper = Keeper(asked.package.manifest.id, world.settings.cards, out, html, asked.many)
        with (
            recorded(asked, keeper) as (keep, listener),
            batching.opened(asked, Batches(world.settings.batches), world, listener) as batch,
        ):
            record = Recording(batch.state, asked.package, world, batch.tell)
            try:
                results = evaluate_many(
                    asked.package,
                    asked.items,
                    options,
                    world,
                    jobs=jobs,
                    progress=progress,
                    keep=keep,
                    record=record,
                )
            except KeyboardInterrupt:
                note(f"{batch.now().summary}; go on with: bouts score --resume {batch.state.head.name}")
                raise
            if asked.regraded is not None:
                batching.print_regraded(asked, batch, results, as_json=shown.as_json)
    shown.write(results, asked)
    if asked.regraded is None:
        if shown.as_json:
            results_json(results, asked.many)
        else:
            print_results(results, html, asked.many, shown.brief)
    leave(results, shown.fail_under)


def _options(asked: Work, *, similar: bool) -> Options:
    from bouts import assemble
    from bouts.pipeline.evaluate import Options
    from bouts.pipeline.variants import card_policy_named

    given = asked.options
    return Options(
        policy=card_policy_named(given.policy),
        fresh=given.fresh,
        offline=given.offline,
        second_look=None if given.second_look else False,
        similar=assemble.similar(Path(given.similarity)) if similar and given.similarity is not None else None,
    )


def demo(
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Submissions at the same time.")] = 2,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure anew, whatever was kept.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for cards and pages.")] = Path("out/demo"),
    as_json: JsonOption = False,
) -> None:
    """Score every sample of the example challenges."""
    from bouts.cli.demo import run

    run(jobs=jobs, fresh=fresh, out=out, as_json=as_json)
