"""Progress of long work on standard error: a live display on a terminal; elsewhere nothing, or a line an item."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

from bouts.cli.output import note
from bouts.render import numbers

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class Progress:
    """Shows what each item is at. Thread-safe. Where standard error is no terminal it is silent or, with `lines`, tells
    of each item that is done, so that a log shows that work goes on."""

    def __init__(self, items: int, *, lines: bool = False) -> None:
        self._items = items
        self._lines = lines
        self._done = 0
        self._clock = Clock()
        self._lock = threading.Lock()
        self._live: RichProgress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._all: TaskID | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Rich

            self._live = Rich(
                TextColumn("{task.description}"),
                BarColumn(24),
                MofNCompleteColumn(),
                TextColumn("{task.fields[what]}"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._live.start()
            if self._items > 1:
                self._all = self._live.add_task("submissions", total=self._items, what="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def step(self, item: str, what: str, done: int, total: int) -> None:
        """`item` is at `done` of `total` of the part `what`."""
        if self._live is None:
            return
        with self._lock:
            task = self._tasks.get(item)
            if task is None:
                task = self._tasks[item] = self._live.add_task(item[:32], total=total or None, what=what)
            self._live.update(task, completed=done, total=total or None, what=what)

    def finish(self, item: str, result: str = "") -> None:
        """`item` is done, with this in a few words."""
        if self._live is None:
            if self._lines:
                with self._lock:
                    self._done += 1
                    took = numbers.seconds(self._clock.seconds())
                    note(f"  {self._done} of {self._items}: {item}{': ' if result else ''}{result} (after {took})")
            return
        with self._lock:
            task = self._tasks.pop(item, None)
            if task is not None:
                self._live.remove_task(task)
            if self._all is not None:
                self._live.advance(self._all)

    def leave(self, item: str) -> None:
        """`item` is over, and none of those that are counted."""
        with self._lock:
            task = self._tasks.pop(item, None)
            if self._live is not None and task is not None:
                self._live.remove_task(task)


class Clock:
    """Wall time since it was made, in seconds; for people, never for scores."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def seconds(self) -> float:
        """Seconds so far."""
        return time.monotonic() - self._start
