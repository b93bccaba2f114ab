"""`bouts leaderboard`: agents by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import print_json, print_lines, width
from bouts.cli.showing import (
    JsonOption,
    LedgerOption,
    OutsideOption,
    PlotOption,
    PolicyOption,
    ThemeOption,
    opened,
    picture,
    versioned,
)

if TYPE_CHECKING:
    from bouts.pipeline.standings import Answer, Kind

LEADERBOARD_HELP = """Rank agents by one policy, final and provisional scores in tables of their own.

The score is the mean over tasks; ties break by fewer iterations, then by the shorter time. Held and void cards are
counted and stay out. With --policy headline agents are ranked by the composite of all their runs.

Examples:

  bouts leaderboard

  bouts leaderboard --family blacksite-debug --season spring --json

  bouts leaderboard --challenge charged-twice --policy six-component --plot board.svg
"""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("leaderboard", help=LEADERBOARD_HELP, short_help="Rank agents by one policy.")(leaderboard)


def leaderboard(
    policy: PolicyOption = "four-judge",
    challenge: Annotated[str | None, typer.Option(metavar="ID", help="Only this challenge, with trajectories.")] = None,
    family: Annotated[str | None, typer.Option(metavar="NAME", help="Only challenges of this family.")] = None,
    format_name: Annotated[str | None, typer.Option("--format", metavar="NAME", help="Only of this format.")] = None,
    language: Annotated[str | None, typer.Option(metavar="NAME", help="Only in this language.")] = None,
    season: Annotated[str | None, typer.Option(metavar="NAME", help="Only runs that ended in this season.")] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Only agents on this model.")] = None,
    outside: OutsideOption = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Make rank sets and ratings anew, however many cards there are.")
    ] = False,
    ratings: Annotated[bool, typer.Option("--ratings", help="With Bradley–Terry ratings.")] = False,
    plot: PlotOption = None,
    theme: ThemeOption = "auto",
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rank agents; see LEADERBOARD_HELP."""
    from bouts.pipeline.standings import Asked, answer
    from bouts.render.pictures import forest
    from bouts.render.standings import boards
    from bouts.render.standings import leaderboard as view

    named: dict[Kind, str | None] = {
        "challenge": challenge,
        "family": family,
        "format": format_name,
        "language": language,
        "season": season,
        "model": model,
    }
    filters: dict[Kind, str] = {key: value for key, value in named.items() if value is not None}
    drawn = picture(plot, theme)
    asked = Asked(policy=versioned(policy), filters=filters, inside=not outside, fresh=fresh)
    with opened(ledger) as reading:
        found = answer(reading, asked)
    shown = boards.view(found.board)
    drawn(lambda mode: forest.draw(view.plot(shown), mode))
    if as_json:
        print_json(_body(found))
        return
    beside = view.Beside(
        trajectories=found.trajectories,
        other_side=found.other_side,
        infrastructure=found.infrastructure,
        anonymous=found.anonymous,
        entries=found.entries,
        head=found.head,
    )
    print_lines(view.lines(shown, beside, width(), rated=ratings))


def _body(found: Answer) -> dict[str, Any]:
    return {
        "schema": "bouts.leaderboard/1",
        "leaderboard": found.board.model_dump(mode="json"),
        "trajectories": {
            state: [row.model_dump(mode="json") for row in rows] for state, rows in found.trajectories.items()
        },
        "other_side": found.other_side,
        "infrastructure": found.infrastructure,
        "anonymous": found.anonymous,
        "entries": found.entries,
        "head": found.head,
    }
