import contextlib
import shutil
from pathlib import Path

import pytest

from bouts.adapters.runners.python.cli import CliBoundary
from bouts.adapters.runners.python.http import HttpBoundary
from bouts.adapters.runners.python.seats import Watchdog
from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.model.challenge import CliInterface, HttpInterface, Interface, Limits
from bouts.model.running import Target
from bouts.model.sandbox import Look

PORT = 8000
PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(scope="session")
def sandboxes(tmp_path_factory):
    backend = Bubblewrap(tmp_path_factory.mktemp("scratch"))
    yield backend
    backend.close()


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "unreadable.py").write_text("this is no python\n")
    for path in (folder, *folder.parents[:2]):
        path.chmod(0o755)
    return str(folder)


@pytest.fixture
def target(workspace):
    def make(program="app.py", *, ready_seconds=5.0, seconds=5.0, health="/health", **limits):
        command = ("python", program, str(PORT))
        http = HttpInterface(command=command, port=PORT, health=health, ready_seconds=ready_seconds)
        interface = Interface(http=http, cli=CliInterface(command=("python", "tool.py")))
        return Target(workspace=workspace, interface=interface, limits=Limits(test_seconds=seconds, **limits))

    return make


class Driven:
    """One test at a boundary, as the host drives it."""

    def __init__(self, boundary, sandbox):
        self.boundary = boundary
        self.sandbox = sandbox
        self.notes = None


@pytest.fixture
def driven(sandboxes):
    @contextlib.contextmanager
    def drive(boundary, seconds=60.0):
        sandbox = sandboxes.create(boundary.plan())
        dog = Watchdog(sandbox, seconds)
        try:
            test = Driven(boundary, sandbox)
            boundary.begin("a.py::t", sandbox, boundary.prepare(sandbox))
            try:
                yield test
            finally:
                test.notes = boundary.end()
        finally:
            dog.stop()
            sandbox.destroy()
            boundary.close()

    return drive


@pytest.fixture
def http_test(driven, target):
    """`with http_test(…) as (test, service):` a service of one of the programs, not yet waited for."""

    @contextlib.contextmanager
    def drive(*args, **changes):
        made = target(*args, **changes)
        boundary = HttpBoundary(made, Look())
        with driven(boundary, made.limits.test_seconds) as test:
            yield test, boundary.current()

    return drive


@pytest.fixture
def cli_test(driven, target):
    @contextlib.contextmanager
    def drive(**changes):
        made = target(**changes)
        boundary = CliBoundary(made, Look())
        with driven(boundary, made.limits.test_seconds) as test:
            yield test, boundary.runner()

    return drive
