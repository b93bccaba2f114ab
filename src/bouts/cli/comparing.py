"""`bouts compare` and `bouts items`: what tells agents apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bouts.cli import showing
from bouts.cli.output import print_json, print_lines, width

if TYPE_CHECKING:
    from bouts.render.pictures.theme import Theme
    from bouts.standings.duel import Comparisons, Duel

COMPARE_HELP = """Compare two agents on the tasks that both tried, and show the tasks that make the difference.

Success rates and finals are paired by task, errors clustered by challenge. Whether two agents are told apart is decided
by an exact test; of few challenges nothing follows. With several agents B, or none for all that there are, A is
compared with each of them, and p-values are adjusted so that they may be read together (Holm).

Examples:

  bouts compare "Agent 7" "Agent 9"

  bouts compare "Agent 7" "Agent 9" --policy six-component --season spring --json

  bouts compare "Agent 7" "Agent 9" --plot differences.svg

  bouts compare "Agent 7"
"""
ITEMS_HELP = """Say how hard challenges or tests are, and whether they tell strong agents from weak ones.

Without CHALLENGE the items are challenges, solved or not. With it they are the tests of that challenge, hidden ones
too, as far as the evidence of its cards is at hand: that list is its author's.

Examples:

  bouts items

  bouts items charged-twice

  bouts items --season spring --json
"""
PICTURES = ("differences", "radar", "pass-k")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("compare", help=COMPARE_HELP, short_help="Compare agents on the tasks that both tried.")(compare)
    app.command("items", help=ITEMS_HELP, short_help="Say what challenges or tests tell of agents.")(items)


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="An agent, by name or pseudonym.")],
    others: Annotated[
        list[str] | None, typer.Argument(metavar="[B]...", help="Whom to compare it with; none: everybody.")
    ] = None,
    policy: showing.PolicyOption = "four-judge",
    challenge: showing.ChallengeOption = None,
    family: showing.FamilyOption = None,
    format_name: showing.FormatOption = None,
    language: showing.LanguageOption = None,
    season: showing.SeasonOption = None,
    outside: showing.OutsideOption = False,
    everything: Annotated[bool, typer.Option("--all", help="Show every task that makes a difference.")] = False,
    plot: showing.PlotOption = None,
    kind: Annotated[
        str, typer.Option("--picture", metavar="KIND", help="Which one: differences, radar or pass-k.")
    ] = "differences",
    theme: showing.ThemeOption = "auto",
    ledger: showing.LedgerOption = None,
    as_json: showing.JsonOption = False,
) -> None:
    """Compare two agents; see COMPARE_HELP."""
    from bouts.pipeline.comparing import against, duel
    from bouts.pipeline.standings import Asked
    from bouts.render.standings import duel as view

    several = len(others or ()) != 1
    showing.refuse_kind(kind, PICTURES[:1] if several else PICTURES, "several agents" if several else "two agents")
    asked = showing.filters(challenge=challenge, family=family, format=format_name, language=language, season=season)
    drawn = showing.picture(plot, theme)
    question = Asked(policy=showing.versioned(policy), filters=asked, inside=not outside)
    with showing.opened(ledger) as reading:
        if others is None or several:
            _against(against(reading, first, others or (), question), drawn, as_json=as_json)
            return
        found = duel(reading, first, others[0], question)
    drawn(lambda mode: _drawing(found, kind, mode))
    if as_json:
        print_json({"schema": "bouts.compare/1", **found.model_dump(mode="json")})
        return
    print_lines(view.lines(found, width(), most=None if everything else view.MOST_TASKS))


def _against(found: Comparisons, drawn: showing.Draw, *, as_json: bool) -> None:
    from bouts.render.pictures import forest
    from bouts.render.standings import several as view

    drawn(lambda mode: forest.draw(view.plot(found), mode))
    if as_json:
        print_json({"schema": "bouts.comparisons/1", **found.model_dump(mode="json")})
        return
    print_lines(view.lines(found, width()))


def _drawing(found: Duel, kind: str, mode: Theme) -> str:
    from bouts.render.pictures import forest, lines, radar
    from bouts.render.standings import duel as view
    from bouts.render.standings import plots

    sides = (found.first, found.second)
    if kind == "radar":
        return radar.draw(plots.radar({side.agent: side.radar for side in sides}), mode)
    if kind == "pass-k":
        return lines.draw(plots.repeats({side.agent: side.repeatability for side in sides}), mode)
    return forest.draw(view.plot(found), mode)


def items(
    challenge: Annotated[
        str | None, typer.Argument(metavar="[CHALLENGE]", help="Id of a challenge; none: all challenges.")
    ] = None,
    policy: Annotated[
        str | None, typer.Option("--policy", metavar="NAME[@VERSION]", help="Only the cards of this policy.")
    ] = None,
    season: showing.SeasonOption = None,
    outside: showing.OutsideOption = False,
    plot: showing.PlotOption = None,
    theme: showing.ThemeOption = "auto",
    ledger: showing.LedgerOption = None,
    as_json: showing.JsonOption = False,
) -> None:
    """Analyse items; see ITEMS_HELP."""
    from bouts.pipeline.items import of_challenges, of_tests
    from bouts.render.pictures import forest
    from bouts.render.standings import items as view

    drawn = showing.picture(plot, theme)
    named = None if policy is None else showing.versioned(policy)
    with showing.opened(ledger) as reading:
        if challenge is None:
            found = of_challenges(reading.ledger, season=season, inside=not outside)
        else:
            found = of_tests(reading.ledger, challenge, policy=named, season=season, inside=not outside)
    drawn(lambda mode: forest.draw(view.plot(found), mode))
    if as_json:
        print_json({"schema": "bouts.items/1", **found.model_dump(mode="json")})
        return
    print_lines(view.lines(found, width()))
