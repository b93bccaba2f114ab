"""Both kinds of leaderboard as rows of one kind: by the finals of cards, and by the composite of all runs."""

from __future__ import annotations

from dataclasses import dataclass

from bouts.render import numbers
from bouts.render.standings import words
from bouts.standings.estimates import Estimate, Interval
from bouts.standings.headline_board import HeadlineBoard, HeadlineStanding
from bouts.standings.leaderboard import Leaderboard, Standing, TableState
from bouts.standings.repeatability import PassLevel
from bouts.standings.solved import Solved


@dataclass(frozen=True)
class RowView:
    """One agent."""

    rank: int
    low: int | None
    """Best rank that the data do not rule out."""
    high: int | None
    agent: str
    value: float
    score: str
    interval: Interval | None
    few: bool
    """Whether the interval rests on few challenges."""
    levels: tuple[PassLevel, ...]
    rating: float | None
    rating_group: int | None
    tasks: int
    solved: Solved | None
    success: Estimate | None


@dataclass(frozen=True)
class TableView:
    """One table."""

    state: TableState
    rows: tuple[RowView, ...]
    agents: int
    """How many take part, shown or not."""
    as_of: str


@dataclass(frozen=True)
class BoardView:
    """A whole leaderboard."""

    policy: str
    version: str
    figure: str
    """What the score is."""
    runs: bool
    """Whether it rests on runs, and pass^k stands beside, instead of on cards."""
    inside: bool
    filters: dict[str, str]
    tables: tuple[TableView, ...]
    """Final, then provisional."""
    held: int
    void: int
    without: int
    """Agents that have no figure."""
    level: str
    """Confidence of the intervals, in percent."""

    @property
    def rows(self) -> tuple[RowView, ...]:
        """All rows."""
        return tuple(row for table in self.tables for row in table.rows)


def view(board: Leaderboard | HeadlineBoard) -> BoardView:
    """The view of a leaderboard."""
    runs = isinstance(board, HeadlineBoard)
    tables = tuple(
        TableView(table.state, tuple(map(_row, table.rows)), table.agents, getattr(table, "as_of", ""))
        for table in (board.final, board.provisional)
    )
    return BoardView(
        policy=board.policy,
        version=board.version,
        figure="composite of all runs" if runs else "mean final over tasks",
        runs=runs,
        inside=board.inside,
        filters=board.filters,
        tables=tables,
        held=0 if runs else board.held,
        void=0 if runs else board.void,
        without=board.without if runs else 0,
        level=numbers.plain(round(100 * board.level, 3)),
    )


def _row(row: Standing | HeadlineStanding) -> RowView:
    if isinstance(row, HeadlineStanding):
        value = row.composite.value or 0.0
        bar = row.bar
        return RowView(
            rank=row.rank,
            low=None,
            high=None,
            agent=row.agent,
            value=value,
            score=words.composite(value),
            interval=bar.interval if bar else None,
            few=bar is not None and bar.few,
            levels=row.levels,
            rating=None,
            rating_group=None,
            tasks=row.tasks,
            solved=row.solved,
            success=row.success,
        )
    return RowView(
        rank=row.rank,
        low=row.rank_low,
        high=row.rank_high,
        agent=row.agent,
        value=row.score,
        score=numbers.score(row.score),
        interval=row.interval,
        few=row.few,
        levels=(),
        rating=row.rating,
        rating_group=row.rating_group,
        tasks=row.tasks,
        solved=row.solved,
        success=row.success,
    )
