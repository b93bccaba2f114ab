"""A leaderboard for a terminal of any width, and as a forest plot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bouts.render import numbers
from bouts.render.columns import GAP, Column, cells, fitted, name, wrapped
from bouts.render.pictures.forest import ForestPlot, Interval
from bouts.render.pictures.scale import around
from bouts.render.standings import words
from bouts.render.standings.boards import BoardView, RowView, TableView
from bouts.render.terminal import Span, Styled, grade
from bouts.standings.leaderboard import TableState
from bouts.standings.trajectories import Trajectory

HEADS: dict[TableState, str] = {
    "final": "FINAL: every part was judged",
    "provisional": "PROVISIONAL: a part was not judged; never mixed with final",
}
RUN_HEADS: dict[TableState, str] = {
    "final": "FINAL: latency and cost of every run are known",
    "provisional": "PROVISIONAL: the latency or cost of a run is not known; never mixed with final",
}
_LEAST_BAR, _MOST_BAR = 14, 40
"""Cells below which no interval is drawn, and at most."""
_FEW = "* rests on few challenges"
_SUCCESS = "success %: the success rates, as mean over tasks, that the data do not rule out; a narrow terminal omits it"


@dataclass(frozen=True)
class Beside:
    """What is told below the tables."""

    trajectories: Mapping[TableState, Sequence[Trajectory]]
    """By table, agent, then task; empty unless one challenge was asked for. An attempt is only held against attempts
    that were judged alike."""
    other_side: int
    """Runs on the other side of the budgets."""
    infrastructure: int
    """Runs that a fault of the platform ended."""
    anonymous: int
    """Agents left out as their model, which was asked for, is not shown."""
    entries: int
    """Place of the ledger's last entry."""
    head: str
    """Its digest."""


def lines(board: BoardView, beside: Beside, width: int, *, rated: bool = False) -> list[Styled]:
    """The whole leaderboard; `rated` with ratings, where there are any."""
    width = max(60, min(width, 140))
    made: list[Styled] = [(Span(f"leaderboard by {board.policy} {board.version}", "title"),)]
    made += wrapped(_about(board), width, "dim")
    for table in board.tables:
        if table.rows or table.state == "final":
            made += [(), *_table(table, board, width, rated=rated)]
            made += _attempts(beside.trajectories.get(table.state, ()), width)
    made += [(), *(line for note in notes(board, beside) for line in wrapped(note, width, "dim"))]
    return made


def plot(board: BoardView) -> ForestPlot:
    """Both tables as one forest plot; provisional rows stand below, their marks open."""
    provisional = board.tables[1].rows
    open_ = ("Open marks: provisional, not to be compared with final ones.",) if provisional else ()
    barred = any(row.interval for row in board.rows)
    few = (_FEW,) if any(row.few and row.interval for row in board.rows) else ()
    return ForestPlot(
        title=f"Leaderboard by {board.policy} {board.version}",
        subtitle=words.asked(board.filters, inside=board.inside),
        x_label=f"{board.figure}, {board.level} % interval" if barred else board.figure,
        rows=tuple(_interval(row, table.state == "provisional") for table in board.tables for row in table.rows),
        least=0,
        most=100,
        notes=(*open_, *few),
    )


def _interval(row: RowView, hollow: bool) -> Interval:
    bar = row.interval
    said = row.score if bar is None else f"{row.score} ({words.interval(bar, few=row.few)})"
    ranks = words.span(row.low, row.high)
    parts = [said, f"rank {row.rank if ranks == '–' else ranks}", *(["provisional"] if hollow else [])]
    return Interval(
        name=row.agent,
        value=row.value,
        low=None if bar is None else bar.low,
        high=None if bar is None else bar.high,
        said=" · ".join(parts),
        hollow=hollow,
    )


def _about(board: BoardView) -> str:
    bars = f", with {board.level} % intervals" if any(row.interval for row in board.rows) else ""
    what = words.asked(board.filters, inside=board.inside)
    return f"{board.figure}{bars}" + (f" · {what}" if what else "")


def _table(table: TableView, board: BoardView, width: int, *, rated: bool) -> list[Styled]:
    heads = RUN_HEADS if board.runs else HEADS
    head: list[Styled] = [(Span(heads[table.state], "strong" if table.state == "final" else "warn"),)]
    if not table.rows:
        return [*head, (Span("  nobody takes part", "dim"),)]
    chosen = _columns(table.rows, board, rated)
    room = width - _taken(chosen, table.rows)
    while room < 0 and any(column.head in _SPARED for column, _ in chosen):
        spared = next(head for head in _SPARED if any(column.head == head for column, _ in chosen))
        chosen = [one for one in chosen if one[0].head != spared]
        room = width - _taken(chosen, table.rows)
    columns, rows = [column for column, _ in chosen], [[cell(row) for _, cell in chosen] for row in table.rows]
    room = min(room - GAP, _MOST_BAR)
    if room >= _LEAST_BAR and any(row.interval for row in table.rows):
        axis = around([v for row in table.rows for v in _ends(row)], least=0, most=100)
        low, high = (numbers.plain(round(end, 6)) for end in axis)
        columns.append(Column(f"{low}{high.rjust(room - len(low))}"))
        for texts, row in zip(rows, table.rows, strict=True):
            texts.append(words.whisker(row.value, row.interval, axis, room))
    made = [*head, *fitted(columns, rows, width)]
    if len(table.rows) < table.agents:
        made.append((Span(f"the first {len(table.rows):,} of {words.many(table.agents, 'agent')}", "dim"),))
    if table.as_of:
        made += wrapped(f"ranks and ratings are of {table.as_of}; --fresh makes them anew", width, "warn")
    return made


_Cell = Callable[[RowView], str]
_SPARED = ("success %", "tasks", "of all")
"""Columns that a narrow terminal does without, rather than cut names; `--json` has them."""


def _taken(chosen: Sequence[tuple[Column, _Cell]], rows: Sequence[RowView]) -> int:
    """Cells that the columns take when nothing is cut."""
    wide = [max(cells(text) for text in (column.head, *map(cell, rows))) for column, cell in chosen]
    return sum(wide) + GAP * (len(wide) - 1)


def _columns(rows: Sequence[RowView], board: BoardView, rated: bool) -> list[tuple[Column, _Cell]]:
    """The columns that have something to say here, each with what a row says in it."""
    spans, bars = any(row.low is not None for row in rows), any(row.interval for row in rows)
    faults = any(row.solved and row.solved.infrastructure for row in rows)
    rates = any(row.success and row.success.interval for row in rows)
    levels = rows[0].levels
    made: list[tuple[bool, Column, _Cell]] = [
        (True, Column("rank", right=True), lambda row: str(row.rank)),
        (spans, Column("may be", right=True), lambda row: words.span(row.low, row.high)),
        (True, Column("agent", least=8), lambda row: name(row.agent)),
        (True, Column("score", right=True, style=grade), lambda row: row.score),
        (bars, Column("interval"), lambda row: words.interval(row.interval, few=row.few)),
        *((True, Column(f"pass^{levels[at].k}", right=True), _level(at)) for at in range(len(levels))),
        (rated and any(row.rating is not None for row in rows), Column("rating", right=True), _rating),
        (True, Column("tasks", right=True), lambda row: str(row.tasks)),
        (True, Column("solved", right=True), lambda row: _solved(row, every=False)),
        (faults, Column("of all", right=True), lambda row: _solved(row, every=True)),
        (rates, Column("success %"), _success),
    ]
    return [(column, cell) for wanted, column, cell in made if wanted]


def _level(at: int) -> _Cell:
    return lambda row: words.percent(row.levels[at].value)


def _solved(row: RowView, *, every: bool) -> str:
    solved = row.solved
    if solved is None:
        return "–"
    return f"{solved.successes}/{solved.completed + (solved.infrastructure if every else 0)}"


def _success(row: RowView) -> str:
    rate = row.success
    return "–" if rate is None else words.interval(rate.interval, few=rate.few, factor=100)


def _rating(row: RowView) -> str:
    if row.rating is None:
        return "–"
    group = f" ({row.rating_group})" if row.rating_group and row.rating_group > 1 else ""
    return f"{numbers.rounded(row.rating, 0)}{group}"


def _ends(row: RowView) -> tuple[float, ...]:
    return (row.value,) if row.interval is None else (row.value, row.interval.low, row.interval.high)


def _attempts(rows: Iterable[Trajectory], width: int) -> list[Styled]:
    made: list[Styled] = []
    for row in rows:
        if len(row.finals) > 1:
            text = f"  {name(row.agent)} {row.shown}  {words.course(row)}"
            made += wrapped(text, width, "warn" if row.pointed_out else "dim", indent=4)
    return [(Span("attempts at a task, in order", "dim"),), *made] if made else []


def notes(board: BoardView, beside: Beside) -> list[str]:
    """What a reader must know of the tables, one sentence each."""
    rows = board.rows
    ranked = any(row.low is not None for row in rows)
    side = "outside the budgets" if board.inside else "inside the budgets"
    faults = words.many(beside.infrastructure, "run")
    said = [
        (ranked, "may be: the ranks that the data do not rule out. Two agents are told apart by: bouts compare A B"),
        (bool(rows) and not (ranked or board.runs), "the ranks left open were not worked out; --fresh does it"),
        (board.runs and bool(rows), _passes(rows)),
        (any(row.success and row.success.interval for row in rows), _SUCCESS),
        (any(_starred(row) for row in rows), f"{_FEW}: the error bar is only as good as they are many"),
        (board.held > 0, f"held: {words.many(board.held, 'card')}, in no table until reviewed (bouts review list)"),
        (board.void > 0, f"void: {words.many(board.void, 'card')}, in no table"),
        (board.without > 0, f"without a figure: {words.many(board.without, 'agent')}"),
        (beside.other_side > 0, f"{side}: {words.many(beside.other_side, 'run')}, never mixed with these"),
        (beside.infrastructure > 0, f"faults of the platform: {faults}, in the denominator of all runs only"),
        (beside.anonymous > 0, f"{words.many(beside.anonymous, 'agent')} left out, as their model is not shown"),
        (bool(beside.head), f"ledger: entry {beside.entries:,}, {words.short(beside.head)}"),
    ]
    return [text for wanted, text in said if wanted]


def _starred(row: RowView) -> bool:
    return bool((row.few and row.interval) or (row.success and row.success.few and row.success.interval))


def _passes(rows: Sequence[RowView]) -> str:
    """What pass^k is, with the tasks that are too short for it."""
    said = "pass^k: how often k attempts at a task all succeed, over tasks with enough attempts"
    short: dict[int, int] = {}
    for row in rows:
        for level in row.levels:
            short[level.k] = short.get(level.k, 0) + level.short
    lacking = [f"{words.many(count, 'task')} with fewer than {k}" for k, count in short.items() if count]
    return f"{said}; counted as 0: {', '.join(lacking)}" if lacking else said
