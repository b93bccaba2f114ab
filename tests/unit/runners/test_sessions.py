"""Sessions that stand ready do what `pytest.main` does: run in a process of its own each, and compared."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = {
    "conftest.py": """
import pytest

@pytest.fixture
def base():
    return 40

@pytest.fixture(autouse=True)
def noted(request):
    request.node.user_properties.append(("noted", 1))

def pytest_collection_modifyitems(items):
    items.reverse()

def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes its time")
""",
    "unit/conftest.py": """
import pytest

@pytest.fixture
def base(base):
    return base + 1
""",
    "unit/test_a.py": """
import pytest

@pytest.mark.slow
def test_base(base):
    assert base == 41

@pytest.mark.parametrize("n", [1, 2])
def test_rewritten(n):
    assert n == 1

@pytest.mark.xfail
def test_expected_to_fail():
    assert False

@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_quiet():
    import warnings

    warnings.warn("old", DeprecationWarning)

def test_left_out(tmp_path):
    pytest.skip("not today")

class TestGroup:
    def setup_method(self):
        self.x = 1

    def test_inside(self, monkeypatch):
        assert self.x == 1
""",
    "test_b.py": """
import unittest

def test_top(base):
    assert base == 40

class Old(unittest.TestCase):
    def test_old(self):
        self.assertEqual(1, 1)
""",
    "test_broken.py": "import nothing_of_this_name\n",
}
PROGRAM = """
import json, sys, tempfile
from pathlib import Path
import pytest
from bouts.adapters.runners.python import sessions

class Told:
    def __init__(self):
        self.rows = []

    def pytest_runtest_logreport(self, report):
        self.rows.append([report.nodeid, report.when, report.outcome, str(report.longrepr)[:2000]])

    def pytest_collectreport(self, report):
        self.rows.append([report.nodeid, "collect", report.outcome, ""])

    @pytest.fixture
    def tmp_path(self):
        return "ours"

folder, ready, collect, *names = sys.argv[1:]
if int(ready):
    with tempfile.TemporaryDirectory() as empty:
        sessions.prepare(int(ready), Path(empty))
root = Path(folder)
told = Told()
tests = sessions.Tests(root, tuple(names) or (str(root),), bool(int(collect)))
status = sessions.run(tests, [told])
print(json.dumps({"status": status, "rows": told.rows, "left": len(sessions._ready)}))
"""


def ran(folder: Path, *, ready: int, collect: bool = False, names: tuple[str, ...] = ()) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(ready), str(int(collect)), *names],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": ":".join(sys.path)},
    )
    return json.loads(re.sub(r"\b0x[0-9a-f]+", "0x", done.stdout.splitlines()[-1]))


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "tests" / "static"
    for name, text in TESTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_ready_session_reports_what_pytest_reports(suite: Path) -> None:
    ready, plain = ran(suite, ready=2), ran(suite, ready=0)
    assert (ready["left"], plain["left"]) == (1, 0)
    assert ready["rows"] == plain["rows"]
    outcomes = {row[0]: row[2] for row in ready["rows"] if row[1] == "call"}  # type: ignore[attr-defined]
    assert outcomes["test_b.py::Old::test_old"] == outcomes["unit/test_a.py::test_quiet"] == "passed"
    assert len(outcomes) == 9
    assert ready["status"] == plain["status"] == 1


def test_a_ready_session_lists_and_selects_as_pytest_does(suite: Path) -> None:
    assert ran(suite, ready=1, collect=True)["rows"] == ran(suite, ready=0, collect=True)["rows"]
    some = (str(suite / "unit" / "test_a.py"),)
    chosen = ran(suite, ready=1, names=some)
    assert chosen["rows"] == ran(suite, ready=0, names=some)["rows"]
    assert not any("test_b.py" in row[0] for row in chosen["rows"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "def pytest_addoption(parser):\n    parser.addoption('--mine', default=41)\n",
        "def pytest_sessionstart(session):\n    session.config.stash_of_mine = 1\n",
    ],
)
def test_a_conftest_that_wants_a_say_in_the_beginning_gets_it(suite: Path, text: str) -> None:
    with (suite / "conftest.py").open("a") as file:
        file.write(text)
    answer = ran(suite, ready=1)
    assert answer["left"] == 1, "the session that stood ready was begun without this conftest.py"
    assert answer["rows"] == ran(suite, ready=0)["rows"]


def test_a_conftest_that_does_not_load_is_told_as_pytest_tells_it(suite: Path) -> None:
    (suite / "conftest.py").write_text("1 / 0\n")
    ready, plain = ran(suite, ready=1), ran(suite, ready=0)
    assert ready["status"] == plain["status"] == 4
    assert ready["rows"] == plain["rows"] == []
