"""From a ledger to a badge."""

from __future__ import annotations

from datetime import UTC, datetime

from bouts.errors import BadUsage
from bouts.model.tallied import AgentRow, Where
from bouts.pipeline.agents import known
from bouts.pipeline.refining import Reading
from bouts.pipeline.standings import Asked, answer
from bouts.policy.headline_2026_07 import HEADLINE_2026_07
from bouts.render.badge import PLAIN, Badge, badge, graded
from bouts.render.standings import words
from bouts.render.standings.boards import view

_DAY = 86_400.0
_FIGURES = ("headline", "rank", *(f"pass^{k}" for k in HEADLINE_2026_07.repeatability.levels))


def made(
    reading: Reading,
    name: str,
    figure: str,
    policy: tuple[str, str],
    *,
    season: str | None = None,
    stale_after: int = 90,
    label: str | None = None,
    now: float | None = None,
) -> Badge:
    """The badge of an agent's figure. `now` is the time in seconds since 1970; a figure whose last run ended more than
    `stale_after` days before is stale. A season that is over never gets stale.

    Raises `NotFound` for an unknown agent or season, `BadUsage` for an unknown figure.
    """
    if figure not in _FIGURES:
        raise BadUsage(f"there is no badge of {figure!r}", hint=f"figures: {', '.join(_FIGURES)}")
    agent = known(reading.ledger, name)
    text, colour, states = _figure(reading, agent, figure, policy, season)
    if season is None:
        states = (*states, *_stale(reading, agent, stale_after, now))
    return badge(label or figure, text, colour, states, about=agent.title)


def _figure(
    reading: Reading, agent: AgentRow, figure: str, policy: tuple[str, str], season: str | None
) -> tuple[str | None, str, tuple[str, ...]]:
    """Text, colour and state."""
    if figure == "rank":
        return _rank(reading, agent, policy, season)
    figures = next(iter(reading.ledger.run_figures(Where(agents=(agent.name,), season=season))), None)
    if figures is None:
        return None, PLAIN, ()
    if figure == "headline":
        composite = figures.composite
        if composite.value is None:
            return None, PLAIN, ()
        return (
            words.composite(composite.value),
            graded(composite.value),
            ("provisional",) if composite.provisional else (),
        )
    level = next(level for level in figures.levels if f"pass^{level.k}" == figure)
    if level.value is None:
        return None, PLAIN, ()
    short = (f"{words.many(level.short, 'task')} short",) if level.short else ()
    return words.percent(level.value), graded(100 * level.value), short


def _rank(
    reading: Reading, agent: AgentRow, policy: tuple[str, str], season: str | None
) -> tuple[str | None, str, tuple[str, ...]]:
    """The ranks that are not ruled out, in the table of final cards, else in that of provisional ones."""
    asked = Asked(policy=policy, filters={} if season is None else {"season": season})
    for table in view(answer(reading, asked).board).tables:
        for row in table.rows:
            if row.agent == agent.title:
                span = words.span(row.low, row.high)
                text = f"{row.rank if span == '–' else span} of {len(table.rows)}"
                return text, PLAIN, () if table.state == "final" else ("provisional",)
    return None, PLAIN, ()


def _stale(reading: Reading, agent: AgentRow, days: int, now: float | None) -> tuple[str, ...]:
    last = reading.ledger.runs(Where(agents=(agent.name,)), last=1)
    if not last:
        return ()
    moment = datetime.now(UTC).timestamp() if now is None else now
    if moment - last[-1].ended <= days * _DAY:
        return ()
    return (f"stale since {datetime.fromtimestamp(last[-1].ended + days * _DAY, UTC).strftime('%Y-%m-%d')}",)
