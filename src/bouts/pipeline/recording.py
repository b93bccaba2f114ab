"""A batch while it runs: what is done already stays, and what becomes of each item is written down at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bouts.challenges.reading import Package
from bouts.errors import BoutsError
from bouts.model.batch import BatchItem, BatchState, verdict_of
from bouts.model.card import Card
from bouts.model.records import digest
from bouts.pipeline.cards import load_card
from bouts.pipeline.keys import environment
from bouts.pipeline.world import World

if TYPE_CHECKING:
    from bouts.pipeline.evaluate import Scored


class Tell(Protocol):
    """Writes down that something happened."""

    def __call__(self, event: str, item: str | None = None, **data: Any) -> None:
        """`event` happened, to `item` if it is about one."""
        ...


MOST_FILES = 20_000
"""Files of a submission whose sizes and times are looked at."""


@dataclass(frozen=True)
class Known:
    """A card that was stored before the batch was interrupted."""

    card: Card
    path: Path


class Recording:
    """Writes down how far a batch is. Thread-safe."""

    def __init__(self, state: BatchState, package: Package, world: World, tell: Tell) -> None:
        self._state, self._tell = state, tell
        self._grader = world.grader
        self._environment = environment(world, package)
        self._states = {one.item.name: one for one in state.items}

    @property
    def attempt(self) -> str:
        """Tells this batch from every other."""
        return self._state.head.attempt

    def known(self, name: str) -> Known | None:
        """The card of an item that is done, where it still stands and the submission is the same. One that running
        again may complete is done again."""
        state = self._states[name]
        verdict = state.verdict
        if state.state != "done" or verdict is None or verdict.card is None or verdict.again:
            return None
        if state.mark != mark_of(state.item):
            return None
        path = Path(verdict.card)
        try:
            card = load_card(path)
        except BoutsError:
            return None
        if card.evidence.digest != verdict.evidence or not path.with_name(card.evidence.path or "").is_file():
            return None
        return Known(card, path)

    def started(self, name: str) -> None:
        """An item begins. Raises `StoreFault`."""
        self._tell("started", name, mark=mark_of(self._states[name].item))

    def done(self, name: str, scored: Scored, path: Path | None) -> None:
        """An item has a card, which is stored. Raises `StoreFault`."""
        verdict = verdict_of(
            scored.card,
            grader=self._grader,
            environment=self._environment,
            path=None if path is None else str(path.absolute()),
            again=scored.again,
            seconds={one.name: round(one.seconds, 4) for one in scored.steps},
        )
        self._tell("done", name, verdict=verdict.model_dump(mode="json", exclude_defaults=True))

    def failed(self, name: str, error: BoutsError) -> None:
        """An item has no card. Raises `StoreFault`."""
        self._tell("failed", name, error=error.as_dict())

    def finished(self) -> None:
        """The batch is over. Raises `StoreFault`."""
        self._tell("finished")


def mark_of(item: BatchItem) -> str:
    """Tells whether a submission or its transcript was changed: names, sizes and times of its files."""
    rows: list[tuple[str, int, int]] = []
    for place in (item.path, item.transcript):
        if place is not None:
            rows += _rows(place)
    return digest(rows)[7:23]


def _rows(place: str) -> list[tuple[str, int, int]]:
    rows: list[tuple[str, int, int]] = []
    waiting = [place]
    while waiting and len(rows) < MOST_FILES:
        here = waiting.pop()
        try:
            status = os.lstat(here)
            rows.append((here, status.st_size, status.st_mtime_ns))
            if os.path.isdir(here) and not os.path.islink(here):  # noqa: PTH112, PTH114
                waiting += sorted(entry.path for entry in os.scandir(here))
        except OSError:
            rows.append((here, -1, -1))
    return rows
