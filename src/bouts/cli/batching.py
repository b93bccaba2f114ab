"""What `bouts score` is asked to do: a new batch, one to go on with, or one to score anew; and `bouts batches`."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bouts.cli.output import note, print_json, print_lines

if TYPE_CHECKING:
    from bouts.challenges.reading import Package
    from bouts.model.batch import BatchOptions, BatchState
    from bouts.pipeline.batch import Item, Result
    from bouts.pipeline.batches import Batch, Batches, Listener
    from bouts.pipeline.world import World

BATCHES_HELP = """List batches, or show how far one is.

Without a name: every batch that is known here, the latest first. With one: each of its items, and what became of it.

Examples:

  bouts batches

  bouts batches nightly --json
"""
LISTED = 50


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("batches", help=BATCHES_HELP)(list_batches)


@dataclass(frozen=True)
class Work:
    """What is to be scored, and how."""

    package: Package
    items: tuple[Item, ...]
    options: BatchOptions
    name: str
    """Of the batch; what another batch may be called as well, unless a user named it."""
    named: bool = False
    resumed: BatchState | None = None
    """The batch to go on with."""
    regraded: BatchState | None = None
    """The batch whose items are scored anew."""

    @property
    def many(self) -> bool:
        """Whether there are several items."""
        return len(self.items) > 1


def work(
    challenge: str | None,
    submissions: Sequence[Path],
    options: BatchOptions,
    *,
    agent: str | None,
    transcript: Path | None,
    batch: str | None,
    resume: str | None,
    regrade: str | None,
) -> Work:
    """What the command line asks for. Raises `BadUsage`, and as reading a batch and a challenge does."""
    from bouts import assemble
    from bouts.errors import BadUsage
    from bouts.pipeline.batch import Item
    from bouts.pipeline.batches import Batches, fit_name
    from bouts.pipeline.variants import card_policy_named

    if batch is not None:
        fit_name(batch)
    store = Batches(assemble.settings().batches)
    if resume is not None:
        if challenge or submissions or batch or regrade or agent or transcript:
            raise BadUsage(
                "a batch that goes on has its challenge, submissions and options", where=f"--resume {resume}"
            )
        state = store.read(resume)
        package = assemble.challenge(state.head.challenge)
        if package.digest != state.head.challenge_digest:
            raise BadUsage(
                "the challenge was changed since", where=resume, hint=f"score it anew: bouts score --regrade {resume}"
            )
        return Work(package, _items(state), state.head.options, resume, resumed=state)
    if regrade is not None:
        if submissions or agent or transcript:
            raise BadUsage("a batch that is scored anew has its submissions", where=f"--regrade {regrade}")
        state = store.read(regrade)
        package = assemble.challenge(challenge or state.head.challenge)
        if package.manifest.id != state.head.challenge_id:
            what = f"the batch is one of {state.head.challenge_id}, not of {package.manifest.id}"
            raise BadUsage(what, where=f"--regrade {regrade}")
        kept = state.head.options.model_copy(update={"fresh": options.fresh, "out": options.out, "html": options.html})
        name = batch or f"{regrade[:68]}-regraded"
        return Work(package, _items(state), kept, name, named=batch is not None, regraded=state)
    if challenge is None or not submissions:
        missing = "CHALLENGE" if challenge is None else "SUBMISSION"
        raise BadUsage(
            f"Missing argument {missing!r}", hint="bouts score CHALLENGE SUBMISSION...    (more: bouts score --help)"
        )
    if len(submissions) > 1 and (agent or transcript):
        raise BadUsage("--agent and --transcript go with one submission", hint="put them into each submission.yaml")
    card_policy_named(options.policy)
    package = assemble.challenge(challenge)
    items = tuple(Item(path=path, agent=agent, transcript=transcript) for path in submissions)
    return Work(package, items, options, batch or package.manifest.id[:60], named=batch is not None)


def whole(path: Path | None) -> str | None:
    """A path that means the same from any folder."""
    return None if path is None else str(path.absolute())


def _items(state: BatchState) -> tuple[Item, ...]:
    from bouts.pipeline.batch import Item

    return tuple(
        Item(Path(one.item.path), one.item.agent, None if one.item.transcript is None else Path(one.item.transcript))
        for one in state.items
    )


def opened(work: Work, store: Batches, world: World, listener: Listener | None = None) -> Batch:
    """The batch to work on: one that was interrupted, where the same is asked for again, else a new one."""
    from bouts.errors import BadUsage

    if work.resumed is not None:
        name = work.resumed.head.name
        if work.resumed.head.grader != world.grader:
            hint = f"score it anew: bouts score --regrade {name}"
            raise BadUsage("Bouts itself was changed since", where=name, hint=hint)
        return _told(store.resume(name, listener))
    head = _head(work, world)
    known = store.unfinished(head)
    if known is not None:
        with contextlib.suppress(BadUsage):  # somebody else may have been faster
            return _told(store.resume(known, listener))
    return store.begin(head, listener)


def _told(batch: Batch) -> Batch:
    note(f"going on with batch {batch.state.head.name}: {batch.state.summary}")
    return batch


def _head(work: Work, world: World) -> Any:
    from bouts.model.batch import BatchHead, BatchItem
    from bouts.model.records import digest
    from bouts.pipeline.batch import names

    named = zip(names([i.path for i in work.items]), work.items, strict=True)
    items = tuple(
        BatchItem(name=name, path=str(i.path.absolute()), agent=i.agent, transcript=whole(i.transcript))
        for name, i in named
    )
    root = str(work.package.root.absolute())
    regrades = None if work.regraded is None else work.regraded.head.name
    asked = [root, regrades, work.options.model_dump(mode="json"), [i.model_dump(mode="json") for i in items]]
    command = digest(asked)
    return BatchHead(
        name=work.name if work.named else f"{work.name}-{command.removeprefix('sha256:')[:6]}",
        named=work.named,
        command=command,
        challenge=root,
        challenge_id=work.package.manifest.id,
        challenge_version=work.package.manifest.version,
        challenge_digest=work.package.digest,
        grader=world.grader,
        options=work.options,
        items=items,
        regrades=regrades,
    )


def print_plan(work: Work, store: Batches, world: World, options: Any, jobs: int, *, as_json: bool) -> None:
    """Print what scoring would do. Runs nothing and keeps nothing."""
    from bouts.pipeline.planning import Planner
    from bouts.pipeline.recording import Recording
    from bouts.render.batches import plan_lines

    planner = Planner(work.package, options, world, store.history(work.package.manifest.id))
    state = work.resumed
    if state is None:
        known = store.unfinished(_head(work, world))
        state = None if known is None else store.read(known)
    record = None if state is None else Recording(state, work.package, world, _silent)
    items = planner.items(work.items, record)
    canaries = planner.canaries()
    if not as_json:
        if state is not None:
            note(f"batch {state.head.name}: {state.summary}")
        print_lines(plan_lines(items, canaries, jobs))
        return
    parts = [one.seconds for one in (canaries, *items)]
    seconds = [one for one in parts if one is not None]
    print_json(
        {
            "schema": "bouts.plan/1",
            "challenge": work.package.manifest.id,
            "version": work.package.manifest.version,
            "batch": None if state is None else state.head.name,
            "canaries": canaries.model_dump(mode="json"),
            "items": [one.model_dump(mode="json") for one in items],
            "seconds": sum(seconds) if len(seconds) == len(parts) else None,
            "cost_usd": sum(one.cost_usd for one in items),
        }
    )


def _silent(event: str, item: str | None = None, **data: Any) -> None:
    """Write nothing down."""


def print_regraded(work: Work, batch: Batch, results: Sequence[Result], *, as_json: bool) -> None:
    """Print old and new verdicts."""
    from bouts.render.batches import moved, regraded_lines

    assert work.regraded is not None
    after = {one.item.name: one.verdict for one in batch.now().items}
    before = {one.item.name: one.verdict for one in work.regraded.items}
    if not as_json:
        told = [(r.name, before[r.name], after[r.name], r.error.message if r.error else "") for r in results]
        print_lines(regraded_lines(told))
        return
    items: list[dict[str, Any]] = []
    for result in results:
        old, new = before[result.name], after[result.name]
        items.append(
            {
                "name": result.name,
                "submission": str(result.item.path),
                "path": None if result.path is None else str(result.path),
                "before": None if old is None else old.model_dump(mode="json"),
                "after": None if new is None else new.model_dump(mode="json"),
                "moved": list(moved(old, new)) if old is not None and new is not None else [],
                "error": result.error.as_dict() if result.error else None,
            }
        )
    batches = {"batch": batch.state.head.name, "regrades": work.regraded.head.name}
    print_json({"schema": "bouts.regraded/1", **batches, "items": items})


def list_batches(
    name: Annotated[str | None, typer.Argument(metavar="BATCH", help="Name of a batch.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON (schemas in docs/reference).")] = False,
) -> None:
    """List batches; see BATCHES_HELP."""
    from bouts import assemble
    from bouts.errors import BadFile, NotFound
    from bouts.pipeline.batches import Batches
    from bouts.render.batches import batch_lines, items_lines

    store = Batches(assemble.settings().batches)
    states: list[tuple[BatchState, bool]] = []
    for known in store.names()[:LISTED] if name is None else (name,):
        try:
            states.append((store.read(known), store.busy(known)))
        except (BadFile, NotFound):
            if name is not None:
                raise
    if as_json:
        print_json(
            {"schema": "bouts.batches/1", "batches": [_shown(s, busy, items=name is not None) for s, busy in states]}
        )
    elif name is not None:
        print_lines(items_lines(states[0][0]))
    else:
        print_lines(batch_lines(states))


def _shown(state: BatchState, busy: bool, *, items: bool) -> dict[str, Any]:
    head = state.head
    counts = {what: state.count(what) for what in ("done", "failed", "left", "started")}
    return {
        "name": head.name,
        "challenge": head.challenge_id,
        "version": head.challenge_version,
        "regrades": head.regrades,
        "state": "running" if busy else "over" if state.ended else "interrupted",
        "counts": counts,
        "items": [one.model_dump(mode="json") for one in state.items] if items else [],
    }
