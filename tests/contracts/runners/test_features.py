"""The package with one of everything: each of its tests passes behind the `calls` boundary, as it does without one."""

import shutil
from pathlib import Path

import pytest

from bouts.model.challenge import Boundary, CallsInterface, Interface, Suite
from bouts.model.running import SuiteJob, Target

PACKAGE = Path(__file__).parent / "fixtures"
MODULES = ("shop", "shop.models", "shop.work", "shop.errors")


@pytest.fixture(scope="module")
def reports(runner, tmp_path_factory):
    folder = tmp_path_factory.mktemp("features")
    shutil.copytree(PACKAGE / "code", folder / "code", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder.parent.parent, folder.parent, folder):
        path.chmod(0o755)
    target = Target(workspace=str(folder / "code"), interface=Interface(calls=CallsInterface(modules=MODULES)))
    job = SuiteJob(
        target=target,
        tests_folder=str(PACKAGE / "tests"),
        suite=Suite.STATIC,
        boundary=Boundary.CALLS,
        tests=(),
        collect=True,
    )
    listed = runner.run(job, lambda report: None)
    assert listed.faults == ()
    job = job.model_copy(update={"collect": False, "tests": listed.collected, "seed": 7})
    return listed.collected, runner.run(job, lambda report: None)


def test_every_test_passes(reports):
    listed, report = reports
    assert len(listed) > 100
    failures = {test.id: (test.outcome, test.message) for test in report.tests if test.outcome != "passed"}
    assert failures == {}
    assert sorted(test.id for test in report.tests) == list(listed)


def test_nothing_else_is_said(reports):
    _, report = reports
    assert report.faults == ()
    assert report.protocol_errors == ()
    assert report.escapes == ()


def test_what_the_sandboxes_saw_is_reported(reports):
    _, report = reports
    assert report.memory_peak_bytes
    assert report.network_level in ("complete", "partial")
