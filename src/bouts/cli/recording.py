"""What `bouts score` tells the ledger. Nothing of a database is loaded where no agent is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from bouts.cli.output import note

if TYPE_CHECKING:
    from bouts.cli.batching import Work
    from bouts.cli.results import Keeper
    from bouts.model.ledger import Recorded
    from bouts.pipeline.batch import Result
    from bouts.ports import Ledger

Keep = Callable[["Result"], None]


@contextmanager
def recorded(asked: Work, keeper: Keeper) -> Generator[Keep]:
    """What stores a result, and records it once its card is stored. A ledger that was asked for is opened now, so that
    what is wrong with it is told before anything runs."""
    given = asked.options
    if not given.record:
        yield keeper
        return
    from bouts import assemble
    from bouts.pipeline.registering import Registrar

    with ExitStack() as end:
        places: list[str] = []

        def opened() -> Ledger:
            ledger = assemble.open_ledger(given.ledger, create=True)
            end.callback(ledger.close)
            places.append(str(ledger.place))
            return ledger

        registrar = Registrar(opened, asked.package, time.time, label=given.run, asked=given.ledger is not None)
        if given.ledger is not None or any(item.agent for item in asked.items):
            registrar.open()

        def keep(result: Result) -> None:
            keeper(result)
            assert result.scored is not None and result.path is not None
            registrar.record(result.scored, result.path)

        yield keep
        _tell(registrar.recorded, places)


def _tell(done: list[Recorded], places: list[str]) -> None:
    if not done:
        return
    new = sum(one.run.new for one in done)
    known = f", {len(done) - new} of them there already" if len(done) - new else ""
    over = sum(not one.inside for one in done)
    apart = f"; {over} outside the budgets, kept apart" if over else ""
    note(f"recorded: {len(done)} run{'' if len(done) == 1 else 's'} in {places[0]}{known}{apart}")
