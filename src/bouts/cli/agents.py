"""`bouts agent` and `bouts badge`: one agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli import showing
from bouts.cli.output import note, print_json, print_lines, say, width

if TYPE_CHECKING:
    from bouts.render.pictures.theme import Theme
    from bouts.standings.agent import AgentFigures

AGENT_HELP = """Show one agent: composite, fitness radar, repeatability, scores by policy, attempts and latest runs.

The composite rests on all runs and is never moved by anything here. The radar is a diagnosis of the latest runs;
--weights are yours, for its mean alone: correctness, latency, cost, tool_efficiency, robustness. An axis that you do
not name gets none.

Examples:

  bouts agent "Agent 7"

  bouts agent "Agent 7" --weights correctness=3 --weights cost=1

  bouts agent "Agent 7" --plot radar.svg

  bouts agent "Agent 7" --plot attempts.png --picture attempts --policy six-component
"""
BADGE_HELP = """Make a badge of an agent: its composite, pass^k or rank.

Without --out the badge is printed as SVG; a file ending in .json, and --json, give what the endpoint of a badge service
returns. A figure that is provisional, or whose last run is older than --stale-after days, says so and loses its colour.

Examples:

  bouts badge "Agent 7" --out headline.svg

  bouts badge "Agent 7" --of pass^3 --out pass3.json

  bouts badge "Agent 7" --of rank --policy six-component --json
"""
PICTURES = ("radar", "attempts", "pass-k", "scores")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("agent", help=AGENT_HELP, short_help="Show one agent.")(agent)
    app.command("badge", help=BADGE_HELP, short_help="Make a badge of an agent.")(badge)


NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The agent, by name or pseudonym.")]


def agent(
    name: NameArgument,
    policy: showing.PolicyOption = "four-judge",
    weights: Annotated[
        list[str] | None, typer.Option("--weights", metavar="AXIS=NUMBER", help="Your weight of a radar's axis.")
    ] = None,
    season: showing.SeasonOption = None,
    outside: showing.OutsideOption = False,
    runs: Annotated[int, typer.Option(min=0, max=10_000, help="How many of the latest runs to list.")] = 10,
    plot: showing.PlotOption = None,
    kind: Annotated[
        str, typer.Option("--picture", metavar="KIND", help="Which one: radar, attempts, pass-k or scores.")
    ] = "radar",
    theme: showing.ThemeOption = "auto",
    ledger: showing.LedgerOption = None,
    as_json: showing.JsonOption = False,
) -> None:
    """Show an agent; see AGENT_HELP."""
    from bouts.pipeline.agents import figures
    from bouts.render.standings.agent import lines

    showing.refuse_kind(kind, PICTURES, "an agent")
    drawn = showing.picture(plot, theme)
    with showing.opened(ledger) as reading:
        found = figures(
            reading,
            name,
            showing.versioned(policy),
            weights=showing.pairs("--weights", weights, "AXIS=NUMBER", "correctness=2,cost=1") if weights else None,
            season=season,
            inside=not outside,
            last=runs,
        )
    drawn(lambda mode: _drawing(found, kind, mode))
    if as_json:
        print_json({"schema": "bouts.agent/1", **found.model_dump(mode="json")})
        return
    print_lines(lines(found, width()))


def _drawing(found: AgentFigures, kind: str, mode: Theme) -> str:
    from bouts.render.pictures import distribution, radar
    from bouts.render.pictures import lines as curves
    from bouts.render.standings import plots

    if kind == "radar":
        return radar.draw(plots.radar({found.agent: found.headline.radar}), mode)
    if kind == "pass-k":
        return curves.draw(plots.repeats({found.agent: found.headline.repeatability}), mode)
    if kind == "scores":
        return distribution.draw(plots.scores(found), mode)
    title = f"Attempts of {found.agent} by {found.policy} {found.version}, {found.trajectory_state} cards"
    return curves.draw(plots.attempts(found.trajectories, title, by_task=True), mode)


def badge(
    name: NameArgument,
    figure: Annotated[
        str, typer.Option("--of", metavar="FIGURE", help="headline, rank, or pass^1, pass^3, pass^5.")
    ] = "headline",
    policy: Annotated[str, typer.Option("--policy", metavar="NAME[@VERSION]", help="Of the rank.")] = "four-judge",
    season: showing.SeasonOption = None,
    stale_after: Annotated[int, typer.Option(min=1, metavar="DAYS", help="Days after the last run.")] = 90,
    label: Annotated[str | None, typer.Option(metavar="TEXT", help="What stands at the left.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="An .svg or .json file.")] = None,
    ledger: showing.LedgerOption = None,
    as_json: showing.JsonOption = False,
) -> None:
    """Make a badge; see BADGE_HELP."""
    import json

    from bouts.pipeline.badges import made
    from bouts.pipeline.pictures import refuse_badge, write_badge
    from bouts.render import badge as badges

    if out is not None:
        refuse_badge(out)
    with showing.opened(ledger) as reading:
        found = made(
            reading, name, figure, showing.versioned(policy), season=season, stale_after=stale_after, label=label
        )
    answer: dict[str, Any] = badges.endpoint(found)
    if out is not None:
        write_badge(out, badges.draw(found), json.dumps(answer, ensure_ascii=False) + "\n")
        note(f"badge: {out}")
    if as_json:
        print_json(answer)
    elif out is None:
        say(badges.draw(found).rstrip())
    else:
        say(found.whole)
