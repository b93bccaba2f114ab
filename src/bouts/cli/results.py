"""What becomes of the results of `bouts score`: stored, printed, written for others, and an exit status."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, width, writable

if TYPE_CHECKING:
    from bouts.cli.batching import Work
    from bouts.model.batch import Verdict
    from bouts.pipeline.batch import Result
    from bouts.render.ci import Row


class Keeper:
    """Stores each card with its evidence, and its page where one is wanted, as soon as it is there."""

    def __init__(self, challenge_id: str, cards: Path, out: Path | None, html: Path | None, many: bool) -> None:
        from bouts.errors import BadUsage

        for option, place in (("--out", out), ("--html", html)):
            if place is not None:
                writable(place, option)
            if many and place is not None and place.exists() and not place.is_dir():
                raise BadUsage("it must be a folder, as there are several submissions", where=f"{option} {place}")
        if not many:
            self._refuse_foreign(out, html)
        self._cards = cards / challenge_id
        self._out, self._html, self._many = out, html, many

    def __call__(self, result: Result) -> None:
        """Store one result. Raises `StoreFault`."""
        from bouts.pipeline import cards

        assert result.scored is not None
        path = self._place(self._out or self._cards, result.name, ".json", own=self._out is not None)
        result.scored = result.scored.saved_as(cards.save(result.scored.card, result.scored.evidence, path))
        result.path = path
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


def results_json(results: list[Result], many: bool) -> None:
    """Print the card, or all results. Raises the error of a single submission."""
    if not many and results[0].error is not None:
        raise results[0].error
    if not many and results[0].card is not None:
        print_json(results[0].card.model_dump(mode="json"))
        return
    items: list[dict[str, Any]] = []
    for result in results:
        card = None if result.error is not None else result.card
        items.append(
            {
                "submission": str(result.item.path),
                "path": str(result.path) if result.path else None,
                "card": card.model_dump(mode="json") if card else None,
                "error": result.error.as_dict() if result.error else None,
            }
        )
    print_json({"schema": "bouts.scores/1", "items": items})


def print_results(results: list[Result], html: Path | None, many: bool, brief: bool) -> None:
    """Print the card, or a table. Raises the error of a single submission."""
    from bouts.cli.tables import Entry, comparison
    from bouts.render.card import view
    from bouts.render.terminal import card_lines

    if many:
        print_lines(comparison([Entry(r.name, r.card, r.error) for r in results]))
    else:
        result = results[0]
        if result.error is not None:
            raise result.error
        assert result.card is not None
        print_lines(card_lines(view(result.card), width(), detail=not brief))
    kept = [result.path for result in results if result.path]
    if kept:
        note(f"cards: {kept[0].parent}" if many else f"card: {kept[0]}")
    if html is not None:
        note(f"page: {html}")
    if kept and not many:
        say(f"explain it: bouts explain {kept[0]}")


def leave(results: list[Result], fail_under: float | None) -> None:
    """Exit with the status that fits: 3 when something can be run again, 2 for bad input, 1 under --fail-under."""
    errors = [r.error for r in results if r.error is not None]
    if any(e.exit_status == 3 for e in errors) or any(r.again for r in results):
        raise typer.Exit(3)
    if errors:
        raise typer.Exit(2)
    if fail_under is not None:
        from bouts.render.ci import missed

        below = [r.name for r in results if r.card is not None and missed(r.card, fail_under)]
        if below:
            note(f"below --fail-under {fail_under:g}: {', '.join(below[:5])}{' …' if len(below) > 5 else ''}")
            raise typer.Exit(1)


@dataclass(frozen=True)
class Shown:
    """How results are told, besides on standard output."""

    fail_under: float | None
    junit: Path | None
    github: bool
    brief: bool
    as_json: bool

    def check(self) -> None:
        """Say before anything is run what cannot be written. Raises `BadUsage`."""
        from bouts.errors import BadUsage
        from bouts.pipeline.files import refuse_foreign

        if self.junit is not None:
            refuse_foreign(self.junit, lambda start: b"<testsuite" in start, "JUnit report")
            if self.junit.is_dir():
                raise BadUsage("it is a folder", where=f"--junit {self.junit}", hint="name a file")
            writable(self.junit, "--junit")
        if self.github and not os.environ.get("GITHUB_STEP_SUMMARY"):
            raise BadUsage(
                "GITHUB_STEP_SUMMARY names no file",
                where="--github-summary",
                hint="GitHub sets it for each step of a job; elsewhere name a file in it",
            )

    def write(self, results: list[Result], asked: Work) -> None:
        """Write the files that were asked for. Raises `StoreFault`."""
        if self.junit is None and not self.github:
            return
        from bouts.pipeline.files import add_text, write_whole
        from bouts.render import ci

        old = {} if asked.regraded is None else {one.item.name: one.verdict for one in asked.regraded.items}
        rows = [_row(result, asked, old.get(result.name)) for result in results]
        if self.junit is not None:
            write_whole(self.junit, ci.junit(rows, self.fail_under).encode())
        if self.github:
            title = f"Bouts: {asked.package.manifest.title}"
            add_text(Path(os.environ["GITHUB_STEP_SUMMARY"]), ci.summary(rows, self.fail_under, title))


def _row(result: Result, asked: Work, before: Verdict | None) -> Row:
    from bouts.render.batches import verdict
    from bouts.render.ci import Row

    seconds = sum(one.seconds for one in result.scored.steps if not one.kept) if result.scored else 0.0
    error = "" if result.error is None else str(result.error)
    return Row(
        result.name,
        asked.package.manifest.id,
        None if result.error is not None else result.card,
        error,
        seconds,
        "" if before is None else verdict(before),
    )
