"""One agent for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from bouts.render import numbers
from bouts.render.columns import Column, fitted, name, wrapped
from bouts.render.pictures.distribution import bins
from bouts.render.standings import words
from bouts.render.terminal import Span, Styled, grade
from bouts.standings.agent import AgentFigures, PastRun, PolicyScores
from bouts.standings.estimates import Estimate
from bouts.standings.radar import Axis

_BAR = 16
_FEW = "* the error bar rests on few challenges"


def lines(found: AgentFigures, width: int) -> list[Styled]:
    """The whole page of an agent."""
    width = max(60, min(width, 120))
    made: list[Styled] = [(Span(name(found.agent), "title"), Span(_about(found), "dim"))]
    made += [(), *_composite(found, width), (), *_radar(found, width), (), *_repeats(found, width)]
    if found.scores:
        made += [(), *_scores(found.scores, width)]
    titles = words.tasks([*(row.task for row in found.trajectories), *(row.task for row in found.history)])
    moved = [row for row in found.trajectories if len(row.finals) > 1]
    if moved:
        made += [(), (Span("attempts", "strong"), Span(f"  {found.policy} {found.version}", "dim"))]
        for row in moved:
            style = "warn" if row.pointed_out else ""
            made += wrapped(f"  {name(titles[row.task])} {row.shown}  {words.course(row)}", width, style, 4)
    if found.seasons:
        made += [(), (Span("seasons", "strong"),), *_seasons(found, width)]
    if found.history:
        made += [(), (Span("latest runs", "strong"), Span(f"  {len(found.history)} of {found.runs:,}", "dim"))]
        made += _history(found.history, titles, width)
    notes = [_FEW] if _few(found) else []
    if found.other_side:
        side = "outside" if found.inside else "inside"
        notes.append(f"{words.many(found.other_side, 'run')} {side} the budgets, never mixed with these")
    return [*made, *([()] if notes else []), *(line for note in notes for line in wrapped(note, width, "dim"))]


def _about(found: AgentFigures) -> str:
    parts = [name(part) for part in (found.model, found.scaffold) if part]
    asked = words.asked({"season": found.season} if found.season else {}, inside=found.inside)
    parts += [asked] if asked else []
    return f"  {' · '.join(parts)}" if parts else ""


def _composite(found: AgentFigures, width: int) -> list[Styled]:
    composite, bar = found.headline.composite, found.composite_bar
    value = words.composite(composite.value)
    state = "no figure yet" if composite.value is None else "provisional" if composite.provisional else "final"
    ends = f"  {words.interval(bar.interval, few=bar.few)}" if bar.interval else ""
    made: list[Styled] = [
        (
            Span("composite ", "strong"),
            Span(f"{value:>7}", grade(value)),
            Span(ends),
            Span(f"  {state}", "good" if state == "final" else "warn"),
            Span(f"  {found.headline.policy.name} {found.headline.policy.version}", "dim"),
        )
    ]
    made += wrapped(composite.because, width, "", 2, first=2)
    if "=" in composite.formula:
        made += wrapped(composite.formula, width, "dim", 2, first=2)
    measured = [
        *([f"mean latency {numbers.seconds(composite.mean_latency_ms / 1000)}"] if composite.mean_latency_ms else []),
        *([f"mean cost ${composite.mean_cost_usd:,.4f}"] if composite.mean_cost_usd is not None else []),
        *([f"consistency {numbers.weight(composite.consistency)}"] if composite.consistency is not None else []),
    ]
    solved = found.solved
    if solved.infrastructure:
        every = solved.completed + solved.infrastructure
        faults = words.many(solved.infrastructure, "fault")
        measured.append(f"solved {solved.successes} of all {every} runs, {faults} of the platform among them")
    return made + (wrapped(" · ".join(measured), width, "dim", 2, first=2) if measured else [])


def _radar(found: AgentFigures, width: int) -> list[Styled]:
    radar = found.headline.radar
    profile = f"  weighted mean {numbers.score(radar.profile)}" if radar.profile is not None else ""
    head = f"  latest {words.many(radar.runs, 'run')}{profile}; moves no score"
    return [(Span("radar", "strong"), Span(head, "dim")), *(line for axis in radar.axes for line in _axis(axis, width))]


def _axis(axis: Axis, width: int) -> list[Styled]:
    empty = axis.value is None
    bar = " " * _BAR if axis.value is None else words.bar(axis.value, 0, 100, _BAR)
    weight = f"× {numbers.weight(axis.weight)}" if axis.weight is not None else ""
    score = numbers.score(axis.value)
    head: Styled = (
        Span(f"  {axis.label:<16}"),
        Span(bar, "" if empty else grade(score)),
        Span(f" {score:>5} "),
        Span(f"{weight:<8}", "dim"),
    )
    used = 2 + 16 + _BAR + 7 + 8
    because = textwrap.wrap(axis.because, max(24, width - used), break_on_hyphens=False)
    rest: list[Styled] = [(Span(" " * used), Span(line, "dim")) for line in because[1:]]
    return [(*head, Span(because[0] if because else "", "dim")), *rest]


def _repeats(found: AgentFigures, width: int) -> list[Styled]:
    repeats = found.headline.repeatability
    bars = {row.k: row.bar for row in found.pass_bars}
    taken = words.many(len(repeats.tasks), "task")
    head = f"  over {taken} with attempts enough" + (f"; {repeats.left_out} with too few" if repeats.left_out else "")
    made: list[Styled] = [(Span("repeatability", "strong"), Span(head, "dim"))]
    if found.success is not None:
        made.append(_rate(found.success, width))
    for level in repeats.levels:
        share = "–" if level.value is None else words.percent(level.value)
        bar = " " * _BAR if level.value is None else words.bar(level.value, 0, 1, _BAR)
        found_bar = bars.get(level.k)
        ends = ""
        if found_bar is not None and found_bar.interval is not None:
            ends = f"  {words.interval(found_bar.interval, few=found_bar.few, factor=100)}"
        short = f"  {words.many(level.short, 'task')} with fewer than {level.k} counted 0" if level.short else ""
        made.append((Span(f"  {f'pass^{level.k}':<16}"), Span(bar), Span(f" {share:>7}{ends}"), Span(short, "warn")))
    return made


def _rate(rate: Estimate, width: int) -> Styled:
    ends = f"  {words.interval(rate.interval, few=rate.few, factor=100)}" if rate.interval else ""
    text = f"  {'success rate':<16}{words.bar(rate.value, 0, 1, _BAR)} {words.percent(rate.value):>7}{ends}"
    over = f"  over {words.many(rate.tasks, 'task')} of {words.many(rate.clusters, 'challenge')}"
    return (Span(text), Span(over if len(text) + len(over) <= width else "", "dim"))


def _scores(rows: Sequence[PolicyScores], width: int) -> list[Styled]:
    columns = (
        Column("scores by policy", least=12),
        Column("state"),
        Column("score", right=True, style=grade),
        Column("interval"),
        Column("tasks", right=True),
        Column("cards", right=True),
        Column("distribution"),
    )
    cells = [
        [
            f"{row.policy} {row.version}",
            row.state,
            numbers.score(row.estimate.value) if row.estimate else "–",
            words.interval(row.estimate.interval, few=row.estimate.few) if row.estimate else "–",
            str(row.estimate.tasks) if row.estimate else "–",
            str(row.cards),
            f"▕{words.spark(bins(row.finals))}▏" if row.finals else "",
        ]
        for row in rows
    ]
    made = fitted(columns, cells, width)
    if any(len(row.finals) > 1 for row in rows):
        made.append((Span("  distribution: 0 to 100, a column each five points", "dim"),))
    return made


def _seasons(found: AgentFigures, width: int) -> list[Styled]:
    columns = (Column("season", least=8), Column("days"), Column("composite", right=True), Column("solved", right=True))
    cells = [
        [
            name(row.season),
            f"{row.first} – {row.last}",
            words.composite(row.composite.value),
            f"{row.composite.successes}/{row.composite.runs}",
        ]
        for row in found.seasons
    ]
    return fitted(columns, cells, width, 2)


def _history(rows: Sequence[PastRun], titles: Mapping[str, str], width: int) -> list[Styled]:
    columns = (
        Column("ended (UTC)"),
        Column("task", least=12),
        Column("n", right=True),
        Column("outcome"),
        Column("score", right=True, style=grade),
        Column("state"),
        Column("card"),
    )
    cells = [
        [
            row.ended,
            name(titles[row.task]),
            str(row.attempt),
            outcome(row),
            numbers.score(row.final),
            row.state or "–",
            "–" if row.card is None else words.short(row.card),
        ]
        for row in rows
    ]
    return fitted(columns, cells, width, 2)


def outcome(row: PastRun) -> str:
    """What came of a run, in a word."""
    if row.outcome is not None:
        return row.outcome.replace("_", " ")
    if row.status == "completed":
        return {True: "solved", False: "not solved", None: "unknown"}[row.success]
    return row.status


def _few(found: AgentFigures) -> bool:
    bars = [found.composite_bar, *(row.bar for row in found.pass_bars), *([found.success] if found.success else [])]
    scores = [row.estimate for row in found.scores if row.estimate and row.estimate.interval]
    return any(bar.few and bar.interval for bar in bars) or any(row.few for row in scores)
