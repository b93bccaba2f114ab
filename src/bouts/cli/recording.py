"""What `bouts score` tells the ledger. Nothing of a database is loaded where no agent is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from bouts.cli.output import note

if TYPE_CHECKING:
    from bouts.cli.batching import Work
    from bouts.cli.results import Keeper
    from bouts.model.ledger import Recorded
    from bouts.pipeline.batch import Result
    from bouts.pipeline.batches import Listener
    from bouts.ports.ledger import Ledger

Keep = Callable[["Result"], None]
TOLD = frozenset({"planned", "done", "failed", "finished"})
"""Events of a batch that the ledger keeps."""


@contextmanager
def recorded(asked: Work, keeper: Keeper) -> Generator[tuple[Keep, Listener | None]]:
    """What stores a result, and records it once its card is stored; and what tells the ledger of the batch. A ledger
    that was asked for is opened now, so that what is wrong with it is told before anything runs."""
    given = asked.options
    if not given.record:
        yield keeper, None
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
        wanted = given.ledger is not None or any(item.agent for item in asked.items)
        listener = _listener(registrar.open()) if wanted else None

        def keep(result: Result) -> None:
            keeper(result)
            assert result.scored is not None and result.path is not None
            registrar.record(result.scored, result.path)

        yield keep, listener
        _tell(registrar.recorded, places)


def _listener(ledger: Ledger) -> Listener:
    """Tells a ledger of a batch; where files lie on this machine is nothing that it keeps."""
    from bouts.model.ledger import BatchEntry

    def tell(batch: str, event: str, item: str | None, data: Mapping[str, Any]) -> None:
        if event in TOLD:
            ledger.append(BatchEntry(batch=batch, event=event, item=item, data=_without_places(data)))

    return tell


def _without_places(data: Mapping[str, Any]) -> dict[str, Any]:
    kept = {"attempt", "challenge_id", "challenge_version", "challenge_digest", "grader", "regrades"}
    made: dict[str, Any] = {}
    for name, value in data.items():
        if name == "head":
            made |= {key: value[key] for key in sorted(kept)}
            made |= {"policy": value["options"]["policy"].rpartition("/")[2]}
            made |= {"items": [one["name"] for one in value["items"]]}
        elif name == "verdict":
            made["verdict"] = {key: one for key, one in value.items() if key != "card"}
        elif name == "error":
            made["error"] = value["code"]
    return made


def _tell(done: list[Recorded], places: list[str]) -> None:
    if not done:
        return
    new = sum(one.run.new for one in done)
    known = f", {len(done) - new} of them there already" if len(done) - new else ""
    over = sum(not one.inside for one in done)
    apart = f"; {over} outside the budgets, kept apart" if over else ""
    note(f"recorded: {len(done)} run{'' if len(done) == 1 else 's'} in {places[0]}{known}{apart}")
