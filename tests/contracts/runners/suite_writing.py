"""Writes a submission and tests for it, and runs them."""

from pathlib import Path

from bouts.model.challenge import Boundary, CallsInterface, Interface, Limits, Suite
from bouts.model.running import SuiteJob, Target


class Suites:
    """Writes a submission and tests, and runs them."""

    def __init__(self, runner, folder):
        self._runner = runner
        self._folder = folder
        self.code = folder / "code"
        self.tests = folder / "tests"
        self.modules = ("sol",)
        self.boundary = Boundary.CALLS
        self.interface = None
        for path in (self.code, self.tests / "static" / "unit"):
            path.mkdir(parents=True)

    def target(self, **limits):
        for path in (self._folder, *self._folder.parents):
            if path.owner() == "root" and path != Path("/"):
                path.chmod(path.stat().st_mode | 0o055)
            if path.name.startswith("pytest-of-"):
                break
        interface = self.interface or Interface(calls=CallsInterface(modules=self.modules))
        return Target(workspace=str(self.code), interface=interface, limits=Limits(**limits))

    def job(self, tests=(), *, collect=False, seed=0, **limits):
        return SuiteJob(
            target=self.target(**limits),
            tests_folder=str(self.tests),
            suite=Suite.STATIC,
            boundary=self.boundary,
            tests=tests,
            collect=collect,
            seed=seed,
        )

    def write(self, code=None, tests=None, name="unit/test_sol.py"):
        if code is not None:
            (self.code / "sol.py").write_text(code)
        if tests is not None:
            (self.tests / "static" / name).write_text(tests)

    def collect(self):
        return self._runner.run(self.job(collect=True), lambda report: None)

    def run(self, *names, seed=0, withhold=False, **limits):
        """Report of a run of `unit/test_sol.py::name`, and outcomes by name."""
        ids = tuple(f"unit/test_sol.py::{name}" for name in names)
        seen = []
        job = self.job(ids, seed=seed, **limits).model_copy(update={"withhold": withhold})
        report = self._runner.run(job, seen.append)
        assert tuple(seen) == report.tests
        self.order = [test.id.partition("::")[2] for test in report.tests]
        self.messages = {test.id.partition("::")[2]: test.message for test in report.tests}
        return report, {test.id.partition("::")[2]: test.outcome for test in report.tests}
