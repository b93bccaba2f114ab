"""Trying a submission by hand: its visible tests, and a shell in its sandbox."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.rubric import match_id
from bouts.challenges.staging import stage
from bouts.challenges.submissions import open_submission
from bouts.errors import BadUsage, HostFault, NotFound
from bouts.model.challenge import Suite
from bouts.model.running import SuiteJob, SuiteReport, TestReport
from bouts.model.sandbox import Command
from bouts.model.text import clean
from bouts.pipeline.inventory import reconcile
from bouts.pipeline.judging import allowed, hold, withheld
from bouts.pipeline.looks import FIRST, seed
from bouts.pipeline.objective import Subject, TellTest, target_of
from bouts.pipeline.progress import Progress
from bouts.pipeline.terminal import relay
from bouts.pipeline.world import World

SHELL_SECONDS = 24 * 3600.0
STDIN_BYTES = 16 << 20
"""What a command in the sandbox is given of standard input, at most."""


@dataclass(frozen=True)
class Tried:
    """What came out of the visible tests, and what of them could not be run at all."""

    tests: tuple[TestReport, ...]
    unloaded: dict[str, str] = field(default_factory=dict[str, str])
    """Test files that do not load, and why: the package's mistake, or an import that the submission lacks."""
    faults: tuple[str, ...] = ()
    """What went wrong on our side, where tests are missing or could not be run for it."""


def run_visible(
    package: Package, submission: Path | None, only: tuple[str, ...], world: World, progress: Progress
) -> Tried:
    """Run visible tests as scoring does; `only` are ids or patterns. Works without an inventory, too.

    Raises `NotFound` where no test matches, `HostFault` where the tests cannot be listed.
    """
    from bouts.pipeline.batch import Step

    with tempfile.TemporaryDirectory(dir=world.scratch.folder) as empty, world.scratch.place() as place:
        staged = stage(package, open_submission(submission or Path(empty), package), place / "work")
        subject = Subject(package, staged.root, staged.digest, world.environment_of(package), "submission")
        job = SuiteJob(
            target=target_of(subject),
            tests_folder=str(package.tests),
            suite=Suite.STATIC,
            boundary=package.manifest.suites.static.boundary,
            tests=(),
            collect=True,
            seed=seed(package.digest, staged.digest, "static"),
            look=FIRST,
        )
        known = package.inventory.static if package.inventory and package.inventory_fits else None
        listing = None if known else world.runner.run(job, lambda _: None)
        ids = known or (listing.collected if listing else ())
        patterns = tuple(p.removeprefix("static/") for p in only)
        wanted = tuple(i for i in ids if not only or any(match_id(i, p) for p in patterns))
        unloaded = _unloaded(listing, patterns)
        if listing is not None and not ids and not unloaded and listing.faults:
            raise HostFault(f"the visible tests cannot be listed: {listing.faults[0]}", where=str(package.tests))
        if unloaded and not wanted:
            return Tried((), unloaded)
        if only and not wanted:
            raise NotFound(
                f"no visible test matches {only[0]!r}", hint=f"there are {len(ids)}, such as {ids[0]}" if ids else None
            )
        tell = TellTest(Step(progress, "tests"))
        tell.start("static", len(wanted))
        report = world.runner.run(job.model_copy(update={"tests": wanted, "collect": False}), tell.test)
        if known is not None:
            may = allowed(package, Suite.STATIC)
            again = job.model_copy(update={"collect": False, "withhold": True})
            report, _ = withheld(
                hold(report, may),
                may,
                lambda tests: world.runner.run(again.model_copy(update={"tests": tests}), lambda _: None),
            )
    verdicts, _ = reconcile(wanted, report.tests)
    spoiled = any(r.outcome in ("infrastructure", "missing") for r in verdicts.values())
    return Tried(tuple(verdicts.values()), unloaded, report.faults if spoiled else ())


def _unloaded(listing: SuiteReport | None, patterns: tuple[str, ...]) -> dict[str, str]:
    """The files that do not load, of those in which the tests asked for may stand."""
    if listing is None:
        return {}
    files = tuple(p.partition("::")[0] for p in patterns)
    return {
        name: _error_in(why)
        for name, why in listing.unloaded.items()
        if not files or any(match_id(name, f) for f in files)
    }


def _error_in(why: str) -> str:
    """The error in what pytest says of a file that does not load, without the way to it."""
    marked = [line[1:].strip() for line in why.splitlines() if line.startswith("E ")]
    return "\n".join(marked) or why


def fit_shell(command: tuple[str, ...]) -> bool:
    """Whether it is an interactive terminal that a command, or a shell, would run on. Raises `BadUsage` for a shell
    without one."""
    interactive = os.isatty(0) and os.isatty(1)
    if not command and not interactive:
        raise BadUsage(
            "a shell needs a terminal", hint="give a command instead: bouts shell CHALLENGE SUBMISSION -- ls"
        )
    return interactive


def open_shell(package: Package, submission: Path | None, command: tuple[str, ...], world: World) -> int:
    """Run a command, or an interactive shell, in the sandbox of a submission, on this terminal. Returns its status.

    Raises `BadUsage` for an interactive shell without a terminal.
    """
    interactive = fit_shell(command)
    with tempfile.TemporaryDirectory(dir=world.scratch.folder) as empty, world.scratch.place() as place:
        staged = stage(package, open_submission(submission or Path(empty), package), place / "work")
        subject = Subject(package, staged.root, staged.digest, world.environment_of(package), "submission")
        sandbox = world.sandboxes.create(world.runner.plan(target_of(subject), FIRST))
        try:
            wanted = Command(argv=command or ("/bin/sh", "-i"), seconds=SHELL_SECONDS)
            if interactive:
                ended = relay(lambda fd: sandbox.start(wanted, terminal_fd=fd))
            else:
                ended = sandbox.exec(wanted, stdin=_given())
                os.write(1, ended.stdout)
                os.write(2, ended.stderr)
                if ended.detail:
                    os.write(2, f"{clean(ended.detail, 500)}\n".encode())
        finally:
            sandbox.destroy()
    return ended.status if ended.status is not None and ended.status >= 0 else 1


def _given() -> bytes:
    """What stands on standard input, unless that is a terminal or closed. Raises `BadUsage` where it is too much."""
    try:
        if os.isatty(0):
            return b""
        with os.fdopen(0, "rb", closefd=False) as stream:
            data = stream.read(STDIN_BYTES + 1)
    except OSError:
        return b""
    if len(data) > STDIN_BYTES:
        raise BadUsage(
            f"standard input holds more than {STDIN_BYTES >> 20} MiB", hint="lay the data into the submission instead"
        )
    return data
