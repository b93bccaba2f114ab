"""`bouts score` and `bouts demo`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, width

if TYPE_CHECKING:
    from bouts.pipeline.batch import Result

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]

SCORE_HELP = """Score one submission, or many, to a challenge.

CHALLENGE is a folder or the name of a challenge that ships with Bouts (`bouts challenges`). A submission is a folder
(the whole workspace or only the changed files), a .zip, .tar.gz or .patch file. A transcript.json beside the code is
read as the agent's session.

Examples:

  bouts score seat-holds ./my-solution

  bouts score ./challenges/seat-holds a/ b.zip c.patch --jobs 2 --out cards/ --json

  bouts score seat-holds ./my-solution --agent "Agent 7" --transcript session.json --html card.html

  bouts score seat-holds ./my-solution --policy six-component
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("score", help=SCORE_HELP)(score)
    app.command("demo", help="Score all samples of the example challenges and show a card.\n\nExample: bouts demo")(
        demo
    )


def score(
    challenge: Annotated[str, typer.Argument(metavar="CHALLENGE", help="Folder or name of the challenge.")],
    submissions: Annotated[list[Path], typer.Argument(metavar="SUBMISSION", help="What was handed in.")],
    agent: Annotated[str | None, typer.Option(help="Name of the agent (one submission).")] = None,
    transcript: Annotated[Path | None, typer.Option(help="The agent's session (one submission).")] = None,
    policy: Annotated[str, typer.Option(help="Scoring policy (`bouts policy list`).")] = "four-judge",
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
    fail_under: Annotated[float | None, typer.Option(help="Exit with 1 when a final is below this.")] = None,
    brief: Annotated[bool, typer.Option("--brief", help="Without the reason under each line.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Score submissions; see SCORE_HELP."""
    from bouts import assemble
    from bouts.cli.progress import Progress
    from bouts.errors import BadUsage
    from bouts.pipeline.batch import Item, evaluate_many
    from bouts.pipeline.evaluate import Options
    from bouts.policy.catalogue import card_policy

    if fail_under is not None and not math.isfinite(fail_under):
        raise BadUsage("it must be a number", where=f"--fail-under {fail_under}")
    many = len(submissions) > 1
    if many and (agent or transcript):
        raise BadUsage("--agent and --transcript go with one submission", hint="put them into each submission.yaml")
    package = assemble.challenge(challenge)
    options = Options(
        policy=card_policy(policy).name,
        fresh=fresh,
        offline=offline,
        second_look=None if second_look else False,
        similar=None if similarity is None else assemble.similar(similarity),
    )
    items = tuple(Item(path=path, agent=agent, transcript=transcript) for path in submissions)
    with assemble.world(forking=True) as world, Progress(len(items)) as progress:
        keeper = Keeper(package.manifest.id, world.settings.cards, out, html, many)
        results = evaluate_many(package, items, options, world, jobs=jobs, progress=progress, keep=keeper)
    paths = [keeper.paths.get(result.name) for result in results]
    if as_json:
        _print_json(results, paths, many)
    else:
        _print(results, paths, html, many, brief)
    _leave(results, fail_under)


def demo(
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Submissions at the same time.")] = 2,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure anew, whatever was kept.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for cards and pages.")] = Path("out/demo"),
    as_json: JsonOption = False,
) -> None:
    """Score every sample of the example challenges."""
    from bouts.cli.demo import run

    run(jobs=jobs, fresh=fresh, out=out, as_json=as_json)


class Keeper:
    """Stores each card with its evidence, and its page where one is wanted, as soon as it is there."""

    def __init__(self, challenge_id: str, cards: Path, out: Path | None, html: Path | None, many: bool) -> None:
        from bouts.errors import BadUsage

        for option, place in (("--out", out), ("--html", html)):
            if many and place is not None and place.exists() and not place.is_dir():
                raise BadUsage("it must be a folder, as there are several submissions", where=f"{option} {place}")
        if not many:
            self._refuse_foreign(out, html)
        self._cards = cards / challenge_id
        self._out, self._html, self._many = out, html, many
        self.paths: dict[str, Path] = {}
        """Where each card lies, by the name of its result."""

    def __call__(self, result: Result) -> None:
        """Store one result. Raises `StoreFault`."""
        from bouts.pipeline import cards

        assert result.scored is not None
        path = self._place(self._out or self._cards, result.name, ".json", own=self._out is not None)
        result.scored = result.scored.saved_as(cards.save(result.scored.card, result.scored.evidence, path))
        self.paths[result.name] = path
        if self._html is not None:
            from bouts.pipeline.files import write_page
            from bouts.render.html import card_page

            page = self._place(self._html, result.name, ".html", own=True)
            write_page(page, card_page(result.scored.card))

    @staticmethod
    def _refuse_foreign(out: Path | None, html: Path | None) -> None:
        """Say before anything is run that a place is taken."""
        from bouts.pipeline import cards, files

        if out is not None:
            cards.refuse_foreign_card(out)
        if html is not None:
            files.refuse_foreign(html, files.is_page, "page of Bouts")

    def _place(self, place: Path, name: str, ending: str, *, own: bool) -> Path:
        """A file in a folder; the place itself where it was named for a single submission and is no folder."""
        return place if own and not self._many and not place.is_dir() else place / f"{name}{ending}"


def _print_json(results: list[Result], paths: list[Path | None], many: bool) -> None:
    if not many and results[0].scored is not None:
        print_json(results[0].scored.card.model_dump(mode="json"))
        return
    if not many and results[0].error is not None:
        raise results[0].error
    items: list[dict[str, Any]] = []
    for result, path in zip(results, paths, strict=True):
        items.append(
            {
                "submission": str(result.item.path),
                "path": str(path) if path else None,
                "card": result.scored.card.model_dump(mode="json") if result.scored else None,
                "error": result.error.as_dict() if result.error else None,
            }
        )
    print_json({"schema": "bouts.scores/1", "items": items})


def _print(results: list[Result], paths: list[Path | None], html: Path | None, many: bool, brief: bool) -> None:
    from bouts.cli.tables import Entry, comparison
    from bouts.render.card import view
    from bouts.render.terminal import card_lines

    if many:
        print_lines(comparison([Entry(r.name, r.scored.card if r.scored else None, r.error) for r in results]))
    else:
        result = results[0]
        if result.error is not None:
            raise result.error
        assert result.scored is not None
        print_lines(card_lines(view(result.scored.card), width(), detail=not brief))
    kept = [path for path in paths if path]
    if kept:
        note(f"cards: {kept[0].parent}" if many else f"card: {kept[0]}")
    if html is not None:
        note(f"page: {html}")
    if kept and not many:
        say(f"explain it: bouts explain {kept[0]}")


def _leave(results: list[Result], fail_under: float | None) -> None:
    """Exit with the status that fits: 3 when something can be run again, 2 for bad input, 1 under --fail-under."""
    errors = [r.error for r in results if r.error is not None]
    if any(e.exit_status == 3 for e in errors) or any(r.scored and r.scored.again for r in results):
        raise typer.Exit(3)
    if errors:
        raise typer.Exit(2)
    if fail_under is not None and any(
        r.scored and (r.scored.card.final is None or r.scored.card.final < fail_under) for r in results
    ):
        raise typer.Exit(1)
