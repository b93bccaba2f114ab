"""`bouts leaderboard`: agents by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli import showing
from bouts.cli.output import note, print_json, print_lines, width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bouts.pipeline.standings import Answer
    from bouts.render.pictures.theme import Theme
    from bouts.render.standings.boards import BoardView
    from bouts.standings.leaderboard import TableState

LEADERBOARD_HELP = """Rank agents by one policy, final and provisional scores in tables of their own.

The score is the mean over tasks; ties break by fewer iterations, then by the shorter time. Held and void cards are
counted and stay out. With --policy headline agents are ranked by the composite of all their runs.

Examples:

  bouts leaderboard

  bouts leaderboard --family blacksite-debug --season spring --top 10 --json

  bouts leaderboard --challenge charged-twice --policy six-component --plot board.svg
"""


PICTURES = ("intervals", "scores", "attempts")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("leaderboard", help=LEADERBOARD_HELP, short_help="Rank agents by one policy.")(leaderboard)


def leaderboard(
    policy: showing.PolicyOption = "four-judge",
    challenge: Annotated[str | None, typer.Option(metavar="ID", help="Only this challenge, with trajectories.")] = None,
    family: showing.FamilyOption = None,
    format_name: showing.FormatOption = None,
    language: showing.LanguageOption = None,
    season: showing.SeasonOption = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Only agents on this model.")] = None,
    outside: showing.OutsideOption = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Make rank sets and ratings anew, however many cards there are.")
    ] = False,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Only the first N rows of each table.")
    ] = None,
    ratings: Annotated[bool, typer.Option("--ratings", help="With Bradley–Terry ratings.")] = False,
    plot: showing.PlotOption = None,
    kind: Annotated[
        str, typer.Option("--picture", metavar="KIND", help="Which one: intervals, scores or attempts.")
    ] = "intervals",
    theme: showing.ThemeOption = "auto",
    ledger: showing.LedgerOption = None,
    as_json: showing.JsonOption = False,
) -> None:
    """Rank agents; see LEADERBOARD_HELP."""
    from bouts.pipeline.standings import Asked, answer, finals
    from bouts.render.standings import boards
    from bouts.render.standings import leaderboard as view

    _refuse(kind, challenge, policy)
    drawn = showing.picture(plot, theme)
    named = showing.filters(
        challenge=challenge, family=family, format=format_name, language=language, season=season, model=model
    )
    asked = Asked(policy=showing.versioned(policy), filters=named, inside=not outside, fresh=fresh, top=top)
    with showing.opened(ledger) as reading:
        found = answer(reading, asked)
        scores = finals(reading, asked) if plot is not None and kind == "scores" else {}
    shown = boards.view(found.board)
    drawn(lambda mode: _drawing(kind, shown, found, scores, mode))
    if as_json:
        print_json(_body(found))
        return
    print_lines(view.lines(shown, found.beside, width(), rated=ratings))
    if not shown.rows and found.completed and not shown.runs:
        note(f"{found.completed} run(s) without such a card: `bouts leaderboard --policy headline` ranks runs")


def _refuse(kind: str, challenge: str | None, policy: str) -> None:
    """Raise `BadUsage` for a picture that there is not."""
    from bouts.errors import BadUsage

    showing.refuse_kind(kind, PICTURES, "a leaderboard")
    if kind == "attempts" and challenge is None:
        raise BadUsage("attempts are drawn of one challenge", hint="--challenge ID")
    if kind != "intervals" and policy.partition("@")[0] == "headline":
        raise BadUsage(f"there is no picture {kind!r} of composites", hint="choose a policy that scores cards")


def _drawing(
    kind: str,
    board: BoardView,
    found: Answer,
    scores: Mapping[TableState, Mapping[str, Sequence[float]]],
    mode: Theme,
) -> str:
    from bouts.render.pictures import distribution, forest, lines
    from bouts.render.standings import leaderboard as view
    from bouts.render.standings import plots, words

    if kind == "intervals":
        return forest.draw(view.plot(board), mode)
    named = f"by {board.policy} {board.version}"
    if kind == "scores":
        asked = words.asked(board.filters, inside=board.inside)
        return distribution.draw(plots.board_scores(scores, f"Scores {named}", asked), mode)
    told = found.beside.trajectories
    state = "final" if told.get("final") else "provisional"
    title = f"Attempts at {board.filters['challenge']} {named}, {state} cards"
    return lines.draw(plots.attempts(told.get(state, ()), title, by_task=False), mode)


def _body(found: Answer) -> dict[str, Any]:
    beside = found.beside
    return {
        "schema": "bouts.leaderboard/1",
        "leaderboard": found.board.model_dump(mode="json"),
        "trajectories": {
            state: [row.model_dump(mode="json") for row in rows] for state, rows in beside.trajectories.items()
        },
        "other_side": beside.other_side,
        "infrastructure": beside.infrastructure,
        "anonymous": beside.anonymous,
        "entries": beside.entries,
        "head": beside.head,
    }
