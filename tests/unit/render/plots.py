"""Pictures to draw: plain ones, and ones that try what a picture can be broken with."""

from __future__ import annotations

from bouts.render.pictures import distribution, forest, lines, radar
from bouts.render.pictures.distribution import DistributionPlot, Scores
from bouts.render.pictures.forest import ForestPlot, Interval
from bouts.render.pictures.lines import Curve, LinePlot
from bouts.render.pictures.radar import RadarPlot, Spoke

HOSTILE = "</title><script>alert(1)</script>\x1b[2J\u202egnp.\u200b & \"quoted' ]]>"
LONG = "An agent whose name goes on and on, longer than any column has room for, and then some more"
AXES = ("Correctness", "Latency", "Cost", "Tool efficiency", "Robustness")
SAID = ("37 of 40 known outcomes passed", "median 1700 ms", "median $0.083", "median 16 steps", "8 tasks")


def radar_plot(*values: tuple[float | None, ...], names: tuple[str, ...] = ("one",)) -> RadarPlot:
    """A radar; one tuple of five values a series."""
    spokes = tuple(Spoke(a, tuple(v[i] for v in values), SAID[i]) for i, a in enumerate(AXES))
    return RadarPlot(f"Fitness radar of {names[0]}", "latest 40 runs", names, spokes)


def intervals(count: int, name: str = "agent") -> tuple[Interval, ...]:
    rows: list[Interval] = []
    for at in range(count):
        value, half = 95 - 70 * at / max(1, count), 1 + (at * 7) % 11
        low, high = value - half, min(100.0, value + half)
        rows.append(
            Interval(f"{name}-{at}", value, low, high, f"{value:.1f} [{low:.1f}, {high:.1f}]", hollow=at % 7 == 3)
        )
    return tuple(rows)


def drawn(mode: str = "light") -> dict[str, str]:
    """Pictures by name."""
    full, gaps = (92.5, 84.0, 33.3, 61.0, 100.0), (66.7, None, None, 61.0, None)
    falls = "a later attempt was worse than the one before"
    return {
        "radar": radar.draw(radar_plot(full), mode),
        "radar-null-axes": radar.draw(radar_plot(gaps, names=(LONG,)), mode),
        "radar-nothing": radar.draw(radar_plot((None,) * 5), mode),
        "radar-two": radar.draw(radar_plot(full, gaps, names=("one", LONG)), mode),
        "trajectory": lines.draw(
            LinePlot("Attempts", "one at charged-twice", "attempt", "final", ("1", "2", "3", "4"), (
                Curve("one", (60, 72, 68, 85), falls),
            )),
            mode,
        ),
        "trajectories": lines.draw(
            LinePlot("Attempts", "", "attempt", "final", tuple(map(str, range(1, 41))), (
                Curve("one", (*(40 + at for at in range(39)), None)),
                Curve(LONG, (50.0, None, 60.0, *(None for _ in range(37))), falls),
            )),
            mode,
        ),
        "repeats": lines.draw(
            LinePlot("Repeatability", "pass^k", "k", "%", ("1", "3", "5"), (Curve("one", (82.3, 61.0, 40.2)),),
                     ("all 12 tasks", "all 12 tasks", "3 of 12 tasks have fewer than 5")),
            mode,
        ),
        "forest-one": forest.draw(
            ForestPlot("Leaderboard", "four-judge 1.0", "final", intervals(1), least=0, most=100), mode
        ),
        "forest-many": forest.draw(
            ForestPlot("Leaderboard", "30 agents", "final", intervals(30, LONG[:60]), least=0, most=100), mode
        ),
        "forest-differences": forest.draw(
            ForestPlot("one − two", "", "difference", (
                Interval("charged-twice", -12.5, None, None, "−12.5"),
                Interval("all tasks", 4.2, -1.3, 9.9, "+4.2 [−1.3, +9.9]"),
                Interval("unknown", None, None, None, "–"),
            ), reference=0),
            mode,
        ),
        "forest-none": forest.draw(ForestPlot("Leaderboard", "", "final", ()), mode),
        "scores": distribution.draw(
            DistributionPlot("Scores", "four-judge 1.0", (
                Scores("one", (50.0,)), Scores(LONG, (0.0, 5.0, 70.0, 72.0, 74.0, 100.0)), Scores("none", ()),
            )),
            mode,
        ),
    }  # fmt: skip
