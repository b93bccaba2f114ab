import os
import sys
from pathlib import Path

import pytest
from suite_writing import Suites

from bouts.adapters.runners.python.runner import PRELOAD, PythonRunner
from bouts.hosts.zygote import Zygote

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


@pytest.fixture
def suites(runner, tmp_path):
    return Suites(runner, tmp_path)
