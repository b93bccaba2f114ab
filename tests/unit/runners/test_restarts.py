"""However often the tests' process is brought down, that is no fault of ours and no way out of a verdict."""

import time

from bouts.adapters.runners.python import runner
from bouts.adapters.runners.python.runner import PythonRunner
from bouts.errors import HostFault
from bouts.model.challenge import Boundary, CallsInterface, Interface, Limits, Suite
from bouts.model.running import SuiteJob, Target

TESTS = tuple(f"unit/test_a.py::test_{number}" for number in range(12))


class Child:
    """Begins the first test it is asked for and then hangs, or dies."""

    pid = 0

    def __init__(self, payload, dies):
        self._messages = [{"begin": payload["only"][0]}]
        self._dies = dies

    def receive(self, seconds):
        if self._messages:
            return self._messages.pop()
        if self._dies:
            raise HostFault("gone")
        time.sleep(seconds)
        return None

    def kill(self):
        """Nothing runs."""


class Children:
    def __init__(self, dies):
        self.dies, self.started = dies, 0

    def start(self, target, payload):
        self.started += 1
        return Child(payload, self.dies)


def run(tmp_path, dies):
    children = Children(dies)
    interface = Interface(calls=CallsInterface(modules=("sol",)))
    target = Target(workspace=str(tmp_path), interface=interface, limits=Limits(test_seconds=0.1))
    job = SuiteJob(
        target=target, tests_folder=str(tmp_path), suite=Suite.STATIC, boundary=Boundary.CALLS, tests=TESTS, seed=0
    )
    return PythonRunner(children, "none:none", tmp_path / "cache").run(job, lambda report: None), children.started


def test_hanging_for_ever_fails_every_test(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "GRACE_SECONDS", 0.1)
    report, started = run(tmp_path, dies=False)
    assert [(test.id, test.outcome) for test in report.tests] == [(test, "timeout") for test in TESTS]
    assert (report.faults, started) == ((), len(TESTS))


def test_dying_for_ever_fails_every_test(tmp_path):
    report, started = run(tmp_path, dies=True)
    assert [(test.id, test.outcome) for test in report.tests] == [(test, "crashed") for test in TESTS]
    assert (report.faults, started) == ((), 2 * len(TESTS))
