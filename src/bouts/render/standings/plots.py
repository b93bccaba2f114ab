"""The data of one agent's pictures, and of two agents'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bouts.render import numbers
from bouts.render.columns import name
from bouts.render.pictures.distribution import DistributionPlot, Scores
from bouts.render.pictures.lines import Curve, LinePlot
from bouts.render.pictures.radar import RadarPlot, Spoke
from bouts.render.pictures.theme import MOST_SERIES
from bouts.render.standings import words
from bouts.standings.agent import AgentFigures
from bouts.standings.leaderboard import TableState
from bouts.standings.radar import AXES, Axis, Radar
from bouts.standings.repeatability import Repeatability
from bouts.standings.trajectories import Trajectory


def radar(found: Mapping[str, Radar]) -> RadarPlot:
    """The radars of one to four agents, by name."""
    rows = list(found.items())[:MOST_SERIES]
    axes = [{axis.key: axis for axis in one.axes} for _, one in rows]
    spokes = tuple(
        Spoke(label, tuple(row[key].value for row in axes), _measured(axes[0][key])) for key, label in AXES.items()
    )
    names = " and ".join(name(title) for title, _ in rows)
    runs = " and ".join(words.many(one.runs, "run") for _, one in rows)
    return RadarPlot(
        title=f"Fitness radar of {names}",
        subtitle=f"latest {runs}; a diagnosis that moves no score",
        names=tuple(title for title, _ in rows),
        spokes=spokes,
    )


def _measured(axis: Axis) -> str:
    if axis.raw is None or axis.unit == "%":
        return axis.because.partition(";")[0].removesuffix(".")
    amount = f"${axis.raw:,.4f}" if axis.unit == "US dollars" else f"{numbers.plain(round(axis.raw, 1))} {axis.unit}"
    return f"median {amount}" if axis.value is not None else f"median {amount}, of too few runs"


def repeats(found: Mapping[str, Repeatability]) -> LinePlot:
    """pass^k of one to four agents, by name, with the tasks that are too short."""
    rows = list(found.items())[:MOST_SERIES]
    levels = rows[0][1].levels
    short = [[one.levels[at].short for _, one in rows] for at in range(len(levels))]
    below = [f"{_numbers(counts)} short" if any(counts) else "" for counts in short]
    curves = tuple(
        Curve(title, tuple(None if level.value is None else 100 * level.value for level in one.levels))
        for title, one in rows
    )
    tasks = _numbers([len(one.tasks) for _, one in rows])
    lacking = ("Short: tasks with fewer than k attempts, which count 0.",) if any(below) else ()
    return LinePlot(
        title=f"Repeatability of {' and '.join(name(title) for title, _ in rows)}",
        subtitle=f"pass^k: how often k attempts at a task all succeed, over {tasks} tasks",
        x_label="k",
        y_label="%",
        steps=tuple(str(level.k) for level in levels),
        curves=curves,
        below=tuple(below) if any(below) else (),
        notes=lacking,
    )


def _numbers(values: Sequence[int]) -> str:
    return " and ".join(map(str, values))


def attempts(rows: Sequence[Trajectory], title: str, *, by_task: bool) -> LinePlot:
    """The longest trajectories, at most four; one agent's by task, or one task's by agent."""
    kept = sorted(rows, key=lambda row: (-len(row.finals), row.task, row.agent))[:MOST_SERIES]
    titles = words.tasks(row.task for row in kept)
    longest = max((len(row.finals) for row in kept), default=0)
    curves = tuple(
        Curve(
            titles[row.task] if by_task else row.agent,
            tuple(row.finals) + (None,) * (longest - len(row.finals)),
            words.course(row) if row.pointed_out else "",
        )
        for row in kept
    )
    left = len(rows) - len(kept)
    return LinePlot(
        title=title,
        subtitle="finals from attempt to attempt; no part of any score",
        x_label="attempt",
        y_label="final",
        steps=tuple(str(at + 1) for at in range(longest)),
        curves=curves,
        notes=(f"The {left} shorter ones are left out.",) if left else (),
    )


def scores(found: AgentFigures) -> DistributionPlot:
    """One agent's finals by policy and state."""
    rows = tuple(Scores(f"{row.policy} {row.version}, {row.state}", row.finals) for row in found.scores if row.finals)
    return DistributionPlot(title=f"Scores of {name(found.agent)}", subtitle="", rows=rows)


def board_scores(
    finals: Mapping[TableState, Mapping[str, Sequence[float]]], title: str, subtitle: str
) -> DistributionPlot:
    """Finals by agent, final cards first."""
    rows = tuple(
        Scores(agent if state == "final" else f"{agent} (provisional)", tuple(values))
        for state, agents in finals.items()
        for agent, values in agents.items()
    )
    return DistributionPlot(title=title, subtitle=subtitle, rows=rows)
