"""Scoring with everything but tests and scanners: those are answered at once by stand-ins that do nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bouts import assemble
from bouts.model.evidence import BuildFacts
from bouts.model.running import StartReport, SuiteJob, SuiteReport, TestReport
from bouts.model.scanning import ScanJob, ScanReport
from bouts.pipeline import cards
from bouts.pipeline.batch import Item, evaluate_many
from bouts.pipeline.evaluate import Options
from bouts.pipeline.progress import Silent

HERE = Path(__file__).resolve().parent


class Answering:
    """A runner that runs nothing: the reference passes, the codebase as given fails."""

    def run(self, job: SuiteJob, on_test: Callable[[TestReport], None]) -> SuiteReport:
        """Answer one suite."""
        good = "NotImplementedError" not in Path(job.target.workspace, "calc.py").read_text()
        tests = tuple(TestReport(id=t, outcome="passed" if good else "failed", seconds=0.0) for t in job.tests)
        return SuiteReport(tests=tests, start=StartReport(ok=True, detail="not tried"))

    def run_all(
        self, jobs: tuple[SuiteJob, ...], on_test: Callable[[TestReport], None], turn: object = None
    ) -> tuple[SuiteReport, ...]:
        """Answer several."""
        return tuple(self.run(job, on_test) for job in jobs)

    def scan(self, job: ScanJob) -> ScanReport:
        """Find nothing."""
        return ScanReport(build=(BuildFacts(check="compiles", ok=True, detail="not tried"),))


def score_untested(items: list[str], home: Path, jobs: int) -> float:
    """Seconds for scoring all items and storing their cards."""
    os.environ["BOUTS_HOME"] = str(home)
    started = time.perf_counter()
    package = assemble.challenge(str(HERE / "challenge"))
    with assemble.world() as world:
        answering = Answering()
        idle = replace(world, runner=answering, scanner=answering)  # type: ignore[arg-type]

        batch = tuple(Item(path=Path(item)) for item in items)
        for result in evaluate_many(package, batch, Options(fresh=True), idle, jobs=jobs, progress=Silent()):
            assert result.scored is not None
            cards.save(result.scored.card, result.scored.evidence, home / "out" / f"{result.name}.json")
    return time.perf_counter() - started
