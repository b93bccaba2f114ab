"""What the commands about standings share: options, an open ledger, and pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bouts.cli.output import note

if TYPE_CHECKING:
    from bouts.pipeline.refining import Reading
    from bouts.pipeline.standings import Kind
    from bouts.render.pictures.theme import Theme

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")]
LedgerOption = Annotated[
    str | None,
    typer.Option("--ledger", metavar="URL", help="The ledger: a file or URL; else $BOUTS_LEDGER, else yours."),
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Also draw a picture: an .svg or .png file.")
]
ThemeOption = Annotated[
    str, typer.Option("--theme", metavar="NAME", help="Of the picture: auto (the reader's system), light or dark.")
]
PolicyOption = Annotated[
    str, typer.Option("--policy", metavar="NAME[@VERSION]", help="Whose scores (`bouts policy list`).")
]
OutsideOption = Annotated[
    bool, typer.Option("--outside", help="Runs that did not keep to the challenges' budgets, not those that did.")
]
ChallengeOption = Annotated[str | None, typer.Option(metavar="ID", help="Only this challenge.")]
FamilyOption = Annotated[str | None, typer.Option(metavar="NAME", help="Only challenges of this family.")]
FormatOption = Annotated[str | None, typer.Option("--format", metavar="NAME", help="Only of this format.")]
LanguageOption = Annotated[str | None, typer.Option(metavar="NAME", help="Only in this language.")]
SeasonOption = Annotated[str | None, typer.Option(metavar="NAME", help="Only runs that ended in this season.")]
Draw = Callable[[Callable[["Theme"], str]], None]


@contextmanager
def opened(place: str | None) -> Generator[Reading]:
    """The ledger, with a cache for what takes long."""
    from datetime import UTC, datetime

    from bouts import assemble
    from bouts.pipeline.cache import Cache
    from bouts.pipeline.refining import Reading

    with assemble.ledger(place) as ledger:
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        yield Reading(ledger, ledger.id, Cache(assemble.settings().cache), now)


def filters(**named: str | None) -> dict[Kind, str]:
    """What was asked for by the options of these names."""
    from bouts.pipeline.standings import KINDS

    return {kind: value for kind in KINDS if (value := named.get(kind)) is not None}


def refuse_kind(kind: str, kinds: tuple[str, ...], of: str) -> None:
    """Raise `BadUsage` for a picture that there is not."""
    from bouts.errors import BadUsage

    if kind not in kinds:
        raise BadUsage(f"there is no picture {kind!r} of {of}", hint=f"pictures: {', '.join(kinds)}")


def picture(place: Path | None, theme: str) -> Draw:
    """What draws a picture into a place, or nothing where none was named; a place that cannot be is refused now, before
    anything is worked out."""
    from bouts.errors import BadUsage

    if theme not in ("auto", "light", "dark"):
        raise BadUsage("a theme is auto, light or dark", where=f"--theme {theme}")
    if place is None:
        return lambda _: None
    from bouts.pipeline.pictures import refuse_place, write_picture

    refuse_place(place)

    def draw(made: Callable[[Theme], str]) -> None:
        write_picture(place, made(theme))
        note(f"picture: {place}")

    return draw


def versioned(spec: str) -> tuple[str, str]:
    """Name and version of `NAME[@VERSION]`. Raises `NotFound`."""
    from bouts.policy.catalogue import get

    name, sign, version = spec.partition("@")
    found = get(name, version if sign else None)
    return found.name, found.version


def pairs(option: str, texts: list[str], shape: str, example: str) -> dict[str, float]:
    """The numbers of texts of a shape such as `KEY=SCORE`, several of which may stand in one text, between commas.
    Raises `BadUsage`."""
    from bouts.errors import BadUsage

    found: dict[str, float] = {}
    for part in ",".join(texts).split(","):
        key, sign, value = part.strip().partition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not sign or not math.isfinite(number):
            raise BadUsage(f"{part!r} is not {shape}", where=option, hint=f"for example {option} {example}")
        if key in found:
            raise BadUsage(f"{key} was given twice", where=option)
        found[key] = number
    return found
