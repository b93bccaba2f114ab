import os
import sys
from pathlib import Path

import pytest

from bouts.adapters.runners.python.runner import PRELOAD, PythonRunner
from bouts.hosts.zygote import Zygote
from bouts.model.challenge import Boundary, CallsInterface, Interface, Limits, Suite
from bouts.model.running import SuiteJob, Target

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def runner(tmp_path_factory):
    """The real runner: a zygote, suite children, bubblewrap."""
    patch = pytest.MonkeyPatch()
    scratch = tmp_path_factory.mktemp("runner")
    scratch.chmod(0o755)
    source = Path(sys.modules["bouts"].__file__).parents[1]
    patch.setenv("PYTHONPATH", os.pathsep.join((str(HERE), str(source))))
    patch.setenv("BOUTS_TEST_SCRATCH", str(scratch / "sandboxes"))
    zygote = Zygote(*PRELOAD)
    yield PythonRunner(zygote, "hosting:suite_host", scratch / "cache")
    zygote.close()
    patch.undo()


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

    def run(self, *names, seed=0, **limits):
        """Report of a run of `unit/test_sol.py::name`, and outcomes by name."""
        ids = tuple(f"unit/test_sol.py::{name}" for name in names)
        seen = []
        report = self._runner.run(self.job(ids, seed=seed, **limits), seen.append)
        assert tuple(seen) == report.tests
        self.order = [test.id.partition("::")[2] for test in report.tests]
        self.messages = {test.id.partition("::")[2]: test.message for test in report.tests}
        return report, {test.id.partition("::")[2]: test.outcome for test in report.tests}


@pytest.fixture
def suites(runner, tmp_path):
    return Suites(runner, tmp_path)
