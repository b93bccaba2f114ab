"""Trying a submission by hand: its visible tests, and a shell in its sandbox."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bouts.challenges.reading import Package
from bouts.challenges.rubric import match_id
from bouts.challenges.staging import stage
from bouts.challenges.submissions import open_submission
from bouts.errors import BadUsage, NotFound
from bouts.model.challenge import Suite
from bouts.model.running import SuiteJob, TestReport
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


def run_visible(
    package: Package, submission: Path | None, only: tuple[str, ...], world: World, progress: Progress
) -> list[TestReport]:
    """Run visible tests as scoring does; `only` are ids or patterns. Works without an inventory, too."""
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
        ids = known or world.runner.run(job, lambda _: None).collected
        wanted = tuple(i for i in ids if not only or any(match_id(i, p.removeprefix("static/")) for p in only))
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
    return list(verdicts.values())


def open_shell(package: Package, submission: Path | None, command: tuple[str, ...], world: World) -> int:
    """Run a command, or an interactive shell, in the sandbox of a submission, on this terminal. Returns its status.

    Raises `BadUsage` for an interactive shell without a terminal.
    """
    interactive = os.isatty(0) and os.isatty(1)
    if not command and not interactive:
        raise BadUsage(
            "a shell needs a terminal", hint="give a command instead: bouts shell CHALLENGE SUBMISSION -- ls"
        )
    with tempfile.TemporaryDirectory(dir=world.scratch.folder) as empty, world.scratch.place() as place:
        staged = stage(package, open_submission(submission or Path(empty), package), place / "work")
        subject = Subject(package, staged.root, staged.digest, world.environment_of(package), "submission")
        sandbox = world.sandboxes.create(world.runner.plan(target_of(subject), FIRST))
        try:
            wanted = Command(argv=command or ("/bin/sh", "-i"), seconds=SHELL_SECONDS)
            if interactive:
                ended = relay(lambda fd: sandbox.start(wanted, terminal_fd=fd))
            else:
                ended = sandbox.exec(wanted)
                os.write(1, ended.stdout)
                os.write(2, ended.stderr)
                if ended.detail:
                    os.write(2, f"{clean(ended.detail, 500)}\n".encode())
        finally:
            sandbox.destroy()
    return ended.status if ended.status is not None and ended.status >= 0 else 1
