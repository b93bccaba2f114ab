"""How an agent's finals at a task went from attempt to attempt; shown beside the score and no part of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bouts.model.base import Fact
from bouts.model.tallied import CardRow
from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1
from bouts.standings.shapes import MEANINGS, POINTED_OUT, Shape, shape, trajectory


class Trajectory(Fact):
    """The attempts of one agent at one task, in their order."""

    agent: str
    task: str
    finals: tuple[float, ...]
    """0–100, the first attempt first."""
    shown: str
    """`[60 → 72 → 78 → 85]`."""
    shape: Shape
    meaning: str
    """What the shape is."""
    pointed_out: bool
    """Whether a reader is made aware of it."""


def trajectories(
    cards: Iterable[CardRow], titles: Mapping[str, str] | None = None, rules: Beside = BESIDE_1
) -> tuple[Trajectory, ...]:
    """By agent and task, of the cards that were given and have a final. `titles` are what agents are called."""
    found: dict[tuple[str, str], list[CardRow]] = {}
    for row in cards:
        if row.final is not None:
            found.setdefault((row.agent, row.task), []).append(row)
    made: list[Trajectory] = []
    for (agent, task), rows in sorted(found.items()):
        ordered = sorted(rows, key=lambda r: (r.attempt, r.ended, r.seq))
        finals = [row.final for row in ordered if row.final is not None]
        name = (titles or {}).get(agent, agent)
        seen = shape(finals, rules)
        assert seen is not None
        made.append(
            Trajectory(
                agent=name,
                task=task,
                finals=tuple(finals),
                shown=trajectory(finals, rules),
                shape=seen,
                meaning=MEANINGS[seen],
                pointed_out=seen in POINTED_OUT,
            )
        )
    return tuple(made)
