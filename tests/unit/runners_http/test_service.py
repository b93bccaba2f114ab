"""What the end of a process means, with a sandbox that ends it as told."""

import pytest

from bouts.adapters.runners.python.boundary import Crashed
from bouts.adapters.runners.python.cli import CliBoundary
from bouts.adapters.runners.python.http import HttpBoundary
from bouts.adapters.runners.python.plan import plan_for
from bouts.adapters.runners.python.service import Service, ServiceFailed, ending, failures_of_files
from bouts.errors import SandboxFault
from bouts.model.challenge import CliInterface, HttpInterface, Interface, Limits
from bouts.model.running import Target
from bouts.model.sandbox import Ended, Look, Mount

HTTP = HttpInterface(command=("python", "-m", "app"), port=8000, ready_seconds=0.05)
TARGET = Target(workspace="/w", interface=Interface(http=HTTP, cli=CliInterface(command=("python", "tool.py"))))


class Ending:
    """A command that has ended, and the sandbox that ran it. Nobody listens inside."""

    channel = None

    def __init__(self, **ended):
        self.ended = Ended(seconds=0.1, **ended)
        self.started = []

    def wait(self, seconds):
        return self.ended

    def start(self, command, **_):
        self.started.append(command)
        return self

    def exec(self, command, **_):
        return self.start(command).ended

    def connect(self, port, seconds):
        raise TimeoutError

    def waited(self):
        return 0.0

    def put(self, path, data):
        raise SandboxFault("no answer")

    get = put


@pytest.mark.parametrize(
    ("ended", "died"),
    [
        ({"kind": "exit", "status": 0}, True),
        ({"kind": "exit", "status": -9}, True),
        ({"kind": "oom"}, True),
        ({"kind": "output_limit"}, True),
        ({"kind": "killed"}, False),
        ({"kind": "timeout"}, False),
    ],
)
def test_only_an_end_of_its_own_is_a_death(ended, died):
    service = Service(Ending(**ended), HTTP, 1)
    service.launch()
    assert service.ended(0).kind == ended["kind"]
    assert (service.dead, len(service.died), service.running) == (died, int(died), False)
    service.launch()
    assert service.dead is False


def test_a_broken_sandbox_is_no_death_but_a_fault():
    service = Service(Ending(kind="sandbox_error", detail="the agent is gone"), HTTP, 1)
    service.launch()
    with pytest.raises(SandboxFault, match="agent"):
        service.ended(0)
    assert service.died == []


def test_ending_before_being_ready_says_how():
    service = Service(Ending(kind="exit", status=1, stderr=b"bad \x1b[0m"), HTTP, 1)
    with pytest.raises(ServiceFailed, match=r"exit status 1\nlast output:\nbad \\x1b\[0m") as caught:
        service.start()
    assert caught.value.ended.status == 1


def test_a_fault_at_the_end_of_a_test_is_noted_and_does_not_raise():
    boundary = HttpBoundary(TARGET, Look())
    sandbox = Ending(kind="sandbox_error", detail="gone")
    boundary.begin("t", sandbox, boundary.prepare(sandbox))
    notes = boundary.end()
    assert (notes.fault, notes.escapes) == ("gone", ())


def test_a_fault_in_a_command_is_noted_and_raised():
    boundary = CliBoundary(TARGET, Look())
    boundary.begin("t", Ending(kind="sandbox_error", detail="gone"), None)
    with pytest.raises(SandboxFault, match="gone"):
        boundary.runner()("x")
    assert boundary.end().fault == "gone"


def test_a_file_before_any_command_is_our_fault_and_after_one_the_submission_s():
    boundary = CliBoundary(TARGET, Look())
    boundary.begin("t", Ending(kind="exit", status=0), None)
    run_cli = boundary.runner()
    with pytest.raises(SandboxFault):
        run_cli.write("a", "b")
    run_cli("x")
    with pytest.raises(pytest.fail.Exception, match="cannot be reached: no answer"):
        run_cli.write("a", "b")


def test_errors_of_a_test_itself_pass_through():
    with pytest.raises(KeyError), failures_of_files():
        raise KeyError("x")


def test_commands_get_the_arguments_and_at_most_the_test_s_time():
    boundary = CliBoundary(TARGET, Look())
    sandbox = Ending(kind="exit", status=0)
    boundary.begin("t", sandbox, None)
    run_cli = boundary.runner()
    run_cli("--a", "b", variables={"X": "1"}, seconds=3)
    run_cli(seconds=1000)
    first, second = sandbox.started
    assert (first.argv, first.variables, first.seconds) == (("python", "tool.py", "--a", "b"), {"X": "1"}, 3)
    assert (second.argv, second.seconds) == (("python", "tool.py"), 10)


@pytest.mark.parametrize("kind", ["oom", "timeout", "output_limit", "killed"])
def test_a_command_that_did_not_end_by_itself_fails_the_test(kind):
    boundary = CliBoundary(TARGET, Look())
    boundary.begin("t", Ending(kind=kind, status=None), None)
    with pytest.raises(Crashed if kind == "oom" else pytest.fail.Exception):
        boundary.runner()("x")


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ({"kind": "exit", "status": 3}, "exit status 3"),
        ({"kind": "exit", "status": -11}, "killed by signal 11"),
        ({"kind": "oom"}, "ran out of memory"),
        ({"kind": "timeout", "detail": "10 s"}, "ran into its time limit (10 s)"),
    ],
)
def test_endings_in_words(ended, words):
    assert ending(Ended(seconds=1, **ended)) == words


def test_the_plan_takes_over_what_the_target_says():
    target = TARGET.model_copy(
        update={
            "environment": "/e",
            "decoys": "/d",
            "variables": {"PYTHONPATH": "lib", "A": "1"},
            "limits": Limits(memory_mb=100, processes=5, disk_mb=7, output_kb=3),
        }
    )
    look = Look(user="other")
    plan = plan_for(target, look)
    assert (plan.workspace, plan.look, plan.decoys) == ("/w", look, "/d")
    assert plan.mounts == (Mount(source="/e", target="/opt/env"),)
    assert plan.variables["PYTHONPATH"] == "lib:/opt/env"
    assert plan.variables["A"] == plan.variables["PYTHONDONTWRITEBYTECODE"] == "1"
    limits = plan.limits
    assert (limits.memory_bytes, limits.processes, limits.disk_bytes, limits.output_bytes) == (
        100 << 20,
        5,
        7 << 20,
        3 << 10,
    )


def test_a_target_without_dependencies_has_no_import_path():
    plan = plan_for(TARGET, Look())
    assert plan.mounts == ()
    assert "PYTHONPATH" not in plan.variables
