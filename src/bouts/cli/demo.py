"""The demonstration: every sample of the example challenges, a comparison, one card, and where the pages are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from bouts.cli.output import note, print_json, print_lines, say, width, writable
from bouts.cli.progress import Clock, Progress
from bouts.render import numbers
from bouts.render.terminal import Span, Styled, table

_COST = "some ten minutes of processor time; what was scored before is kept and comes at once"


def run(*, jobs: int, fresh: bool, out: Path, as_json: bool) -> None:
    """Score all samples of all challenges that ship with Bouts; exit 3 when a sample misses its band."""
    from bouts import assemble
    from bouts.pipeline import cards
    from bouts.pipeline.files import write_whole
    from bouts.pipeline.samples import SampleScore, score_samples
    from bouts.render.card import view
    from bouts.render.html import card_page
    from bouts.render.terminal import card_lines

    clock = Clock()
    writable(out, "--out")
    scored: list[tuple[str, list[SampleScore]]] = []
    packages = assemble.challenges()
    if not as_json:
        samples = sum(len(package.samples) for package in packages)
        note(f"{samples} samples of {len(packages)} challenges, {jobs} at a time: {_COST}")
    with assemble.world(forking=True) as world:
        for package in packages:
            if not as_json:
                note(f"{package.manifest.title} ({package.manifest.id}): scoring its {len(package.samples)} samples")
            with Progress(len(package.samples), lines=not as_json) as progress:
                results = score_samples(package, world, jobs=jobs, fresh=fresh, progress=progress)
            for result in results:
                if result.scored is None:
                    continue
                path = out / package.manifest.id / f"{result.sample.name}.json"
                result.scored = result.scored.saved_as(cards.save(result.scored.card, result.scored.evidence, path))
                write_whole(path.with_suffix(".html"), card_page(result.scored.card).encode())
            scored.append((package.manifest.title, results))
    if as_json:
        _json(scored, out)
    else:
        for title, results in scored:
            say("")
            say(title)
            print_lines(_table(results))
        shown = _interesting(scored)
        if shown is not None and shown.scored is not None:
            say("")
            print_lines(card_lines(view(shown.scored.card), width()))
        say("")
        say(f"pages: {out}/<challenge>/<sample>.html    cards: the .json files beside them")
        named = "CARD" if shown is None else f"{out}/{shown.challenge}/{shown.sample.name}.json"
        say(f"done in {numbers.seconds(clock.seconds())}. Next: bouts explain {named} objective")
    if any(not r.as_expected for _, results in scored for r in results):
        raise typer.Exit(3)


def _table(results: list[Any]) -> list[Styled]:
    head = ["sample", "final", "objective", "process", "integrity", "visible", "hidden", "expected", "got"]
    rows: list[list[str]] = []
    problems: list[Styled] = []
    for result in results:
        if result.scored is None:
            rows.append([result.sample.name, *["–"] * 6, result.expected, "–"])
            problems.append((Span(f"  {result.sample.name}: {result.error}", "bad"),))
            continue
        card = result.scored.card
        lines = {line.key: line for line in card.lines}
        tests = card.tests
        integrity = lines.get("integrity")
        rows.append(
            [
                result.sample.name,
                numbers.score(card.final),
                numbers.score(lines["objective"].score if "objective" in lines else None),
                numbers.score(lines["process"].score if "process" in lines else None),
                numbers.signed(integrity.points if integrity else None),
                f"{tests.static_passed}/{tests.static_total}",
                f"{tests.adversarial_passed}/{tests.adversarial_total}",
                result.expected,
                result.got,
            ]
        )
        problems += [(Span(f"  {result.sample.name}: {problem}", "bad"),) for problem in result.problems]
    return [*table(head, rows, right=frozenset({1, 2, 3, 4, 5, 6})), *problems]


def _interesting(scored: list[tuple[str, list[Any]]]) -> Any:
    """The card to show: a cheat that was caught says most about a grader."""
    everything = [r for _, results in scored for r in results if r.scored is not None]
    cheats = [r for r in everything if r.sample.kind == "cheat"]
    return (cheats or everything or [None])[0]


def _json(scored: list[tuple[str, list[Any]]], out: Path) -> None:
    print_json(
        {
            "schema": "bouts.demo/1",
            "folder": str(out),
            "samples": [
                {
                    "challenge": result.challenge,
                    "sample": result.sample.name,
                    "as_expected": result.as_expected,
                    "expected": result.expected,
                    "got": result.got,
                    "problems": list(result.problems),
                    "card": result.scored.card.model_dump(mode="json") if result.scored else None,
                }
                for _, results in scored
                for result in results
            ],
        }
    )
