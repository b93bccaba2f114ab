"""A sandbox that fails through no act of the submission: tried again, and never a failure of the submission."""

import contextlib
import json
import os
import shutil
import sys
from pathlib import Path

import faking
import pytest
from suite_writing import Suites

from bouts import assemble
from bouts.adapters.runners.python.runner import PRELOAD, PythonRunner
from bouts.adapters.transcripts.native import read_native
from bouts.cli.app import run as command_line
from bouts.hosts.zygote import Zygote
from bouts.model.evidence import BuildFacts, EnvironmentFacts
from bouts.model.scanning import ScanReport
from bouts.pipeline.cache import Cache
from bouts.pipeline.scratch import Scratch
from bouts.pipeline.world import World
from bouts.settings import Settings

ALWAYS = 1000
HERE = Path(__file__).parent
MARK = "spoil this one"
TALLY = Path(__file__).parents[2] / "fixtures" / "word-tally"
CODE = f"class Wrong(Exception): pass\ndef f(): return 1\ndef fail(): raise Wrong('no')  # {MARK}\n"
TESTS = """
import pytest, sol
from sol import Wrong
def test_a(): assert sol.f() == 1
def test_b():
    with pytest.raises(Wrong): sol.fail()
"""
KINDS = ("create", "unborn", "lost")


@pytest.fixture(scope="module")
def fake(tmp_path_factory):
    """The real runner with a zygote whose children make fake sandboxes; and the folder of their orders."""
    folder = tmp_path_factory.mktemp("fake")
    source = Path(sys.modules["bouts"].__file__).parents[1]
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", os.pathsep.join((str(HERE), str(source))))
    patch.setenv("BOUTS_TEST_FAKE", str(folder))
    zygote = Zygote(*PRELOAD)
    yield PythonRunner(zygote, "faking:suite_host", folder / "cache"), folder
    zygote.close()
    patch.undo()


@pytest.fixture
def order(fake):
    def give(what, times):
        (fake[1] / "orders.json").write_text(json.dumps({"word": MARK, "what": what, "times": times}))

    give("nothing", 0)
    return give


@pytest.fixture
def suites(fake, tmp_path):
    made = Suites(fake[0], tmp_path)
    made.write(CODE, TESTS)
    return made


def test_the_fake_itself(suites, order):
    report, outcomes = suites.run("test_a", "test_b")
    assert (outcomes, report.faults) == ({"test_a": "passed", "test_b": "passed"}, ())


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize("times", [1, 2])
def test_what_fails_once_is_tried_again(suites, order, what, times):
    order(what, times)
    report, outcomes = suites.run("test_a")
    if times == 1:
        assert (outcomes, report.faults, report.escapes) == ({"test_a": "passed"}, (), ())
    else:
        assert outcomes == {"test_a": "infrastructure"}
        assert report.escapes == ()


@pytest.mark.parametrize("what", KINDS)
def test_what_fails_for_ever_is_no_failure_of_the_submission(suites, order, what):
    order(what, ALWAYS)
    report, outcomes = suites.run("test_a", "test_b")
    assert outcomes == {"test_a": "infrastructure", "test_b": "infrastructure"}, suites.messages
    assert report.escapes == ()
    assert report.protocol_errors == ()


@pytest.mark.parametrize("what", KINDS)
def test_without_names_to_look_up(suites, order, what):
    suites.write(tests="import sol\ndef test_a(): assert sol.f() == 1\n")
    order(what, 1)
    assert suites.run("test_a")[1] == {"test_a": "passed"}
    order(what, ALWAYS)
    report, outcomes = suites.run("test_a")
    assert outcomes == {"test_a": "infrastructure"}
    assert report.faults != ()


def test_a_worker_that_never_begins_is_no_slow_submission(suites, order):
    order("mute", 1)
    report, outcomes = suites.run("test_a", test_seconds=3)
    assert (outcomes, report.faults) == ({"test_a": "passed"}, ())
    suites.write(tests="import sol\ndef test_a(): assert sol.f() == 1\n")
    order("mute", ALWAYS)
    _, outcomes = suites.run("test_a", test_seconds=0.5)
    assert outcomes == {"test_a": "infrastructure"}


def test_a_submission_that_ends_its_own_process_has_crashed(suites, order):
    suites.write(code="import os\nos._exit(3)\n", tests="import sol\ndef test_a(): sol.f()\ndef test_b(): ...\n")
    report, outcomes = suites.run("test_a", "test_b")
    assert outcomes == {"test_a": "crashed", "test_b": "crashed"}
    assert (report.faults, sorted(e.kind for e in report.escapes)) == ((), ["worker_died"] * 2)


@pytest.mark.parametrize("what", KINDS)
def test_seeing_if_the_code_starts(fake, suites, order, what):
    order(what, 1)
    assert fake[0].starts(suites.target()).ok
    job = suites.job(("unit/test_sol.py::test_a",)).model_copy(update={"starts": True})
    order(what, 1)
    report = fake[0].run(job, lambda report: None)
    assert [test.outcome for test in report.tests] == ["passed"]
    assert report.start is None or report.start.ok


class FakeScanner:
    def scan(self, job):
        return ScanReport(build=(BuildFacts(check="compiles", ok=True, detail="ok"),))


@pytest.fixture
def score(fake, order, tmp_path, monkeypatch, capsys):
    """Score a marked copy of the reference on the command line: exit status and card."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    world = World(
        settings=Settings(home=tmp_path, scratch=scratch, challenges=()),
        sandboxes=faking.FakeSandboxes(fake[1]),
        runner=fake[0],
        scanner=FakeScanner(),
        read_transcript=read_native,
        machine=EnvironmentFacts(
            kernel="6", machine="x86_64", cpu="any", python="3.11", sandbox="fake", tools={}, rubric_digest=""
        ),
        cache=Cache(fake[1] / "measured"),  # the canaries run once
        scratch=Scratch(scratch),
        decoys=None,
    )
    submission = tmp_path / "marked"
    shutil.copytree(TALLY / "reference", submission)
    core = submission / "tally" / "core.py"
    core.write_text(f"{core.read_text()}\n# {MARK} {tmp_path.name}\n")

    @contextlib.contextmanager
    def opened(**options):
        yield world

    def run():
        monkeypatch.setenv("BOUTS_HOME", str(tmp_path))
        monkeypatch.setattr(assemble, "world", opened)
        monkeypatch.setattr(sys, "argv", ["bouts", "score", str(TALLY), str(submission), "--json"])
        with pytest.raises(SystemExit) as left:
            command_line()
        return left.value.code, json.loads(capsys.readouterr().out)

    return run


def test_what_fails_twice_makes_the_card_void(score, order):
    order("unborn", ALWAYS)
    status, card = score()
    assert (status, card["status"], card["outcome"], card["final"]) == (3, "void", "infrastructure", None)
    order("nothing", 0)
    status, card = score()
    assert (status, card["outcome"]) == (0, "solved")


def test_what_fails_once_leaves_no_trace_on_the_card(score, order):
    order("lost", 1)
    status, card = score()
    assert (status, card["outcome"]) == (0, "solved")
    assert card["tests"]["adversarial_passed"] == card["tests"]["adversarial_total"]
    assert [flag for flag in card["flags"] if flag["kind"] == "fault"] == []
