"""Warnings of services and commands: heard, and nothing that the program can see or say is another."""

import contextlib
import json

import pytest

from bouts.adapters.runners.python.calls.payload import worker_folder
from bouts.adapters.runners.python.cli import CliBoundary
from bouts.adapters.runners.python.http import HttpBoundary
from bouts.model.challenge import CliInterface, HttpInterface, Interface, Limits
from bouts.model.running import Target
from bouts.model.sandbox import Look

OLD = ("warner.py", 11, "DeprecationWarning")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("inside")
    for path in (made, made.parent, made.parent.parent):
        path.chmod(0o755)
    return str(worker_folder(made))


@pytest.fixture
def run(driven, workspace):
    """Output and errors of one run of the command, and the notes of the test."""

    def once(*words, folder, command=("python", "warner.py"), variables=None):
        interface = Interface(cli=CliInterface(command=command))
        target = Target(
            workspace=workspace, interface=interface, limits=Limits(test_seconds=5), variables=variables or {}
        )
        boundary = CliBoundary(target, Look(), folder)
        with driven(boundary) as test:
            result = boundary.runner()(*words)
        return result, test.notes

    return once


@pytest.fixture
def serve(driven, workspace):
    @contextlib.contextmanager
    def once(*, folder):
        http = HttpInterface(command=("python", "warner.py", "8000"), port=8000, health="/health", ready_seconds=5)
        boundary = HttpBoundary(
            Target(workspace=workspace, interface=Interface(http=http), limits=Limits(test_seconds=5)), Look(), folder
        )
        with driven(boundary) as test:
            service = boundary.current()
            service.start()
            yield test, service

    return once


def places(notes):
    return [(w.path, w.line, w.kind) for w in notes.warnings]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("old", [OLD]),
        ("killed", [OLD]),
        ("leaves", [("warner.py", 54, "ResourceWarning")]),
        ("library", []),
        ("nothing", []),
        ("taken", []),
    ],
)
def test_commands(run, folder, word, expected):
    result, notes = run(word, folder=folder)
    unheard, none = run(word, folder=None)
    assert places(notes) == expected
    assert none.warnings is None
    assert (result.status, result.stdout, result.stderr) == (unheard.status, unheard.stdout, unheard.stderr)
    assert notes.escapes == none.escapes


@pytest.mark.parametrize("variables", [{}, {"PYTHONPATH": "/work/lib"}, {"PYTHONWARNINGS": "default"}])
def test_a_program_sees_no_difference(run, folder, variables):
    with_it, without = (run("seen", folder=one, variables=variables)[0] for one in (folder, None))
    assert json.loads(with_it.stdout) == json.loads(without.stdout)
    assert with_it.stderr == without.stderr


@pytest.mark.parametrize(
    ("options", "status", "places_"),
    [
        (("-W", "error"), 1, []),
        (("-W", "ignore"), 0, []),
        (("-W", "default"), 0, [OLD]),
        (("-X", "dev"), 0, [OLD]),
        (("-W", "error::DeprecationWarning:somewhere"), 0, [OLD]),
    ],
)
def test_options_of_the_author_s_command_mean_what_they_mean(run, folder, options, status, places_):
    command = ("python", *options, "warner.py")
    result, notes = run("old", folder=folder, command=command)
    unheard, _ = run("old", folder=None, command=command)
    assert (result.status, result.stderr) == (unheard.status, unheard.stderr)
    assert result.status == status
    assert places(notes) == places_


def test_a_program_that_is_no_python_or_takes_no_variables_is_not_listened_to(run, folder):
    for command in (("true",), ("python", "-I", "warner.py")):
        assert run("old", folder=folder, command=command)[1].warnings is None
    assert places(run(folder=folder, command=("sh", "-c", "exec python warner.py old"))[1]) == [OLD]


def test_another_customization_of_the_environment_is_run_too(run, folder):
    command = ("sh", "-c", "mkdir -p /tmp/c; echo 'print(1)' > /tmp/c/sitecustomize.py; python warner.py old")
    result, notes = run(folder=folder, command=command, variables={"PYTHONPATH": "/tmp/c"})
    assert result.stdout == "1\n"
    assert places(notes) == [OLD]


def test_a_flood_is_bounded_and_stops_nobody(run, folder):
    result, notes = run("many", folder=folder)
    assert result.stdout == "done\n"
    assert len(notes.warnings) == 50


def test_services(serve, folder):
    with serve(folder=folder) as (test, service), service.new_client() as client:
        with_it = client.get("/seen").json()
        client.get("/closes")
        client.get("/old")
        client.get("/old")
    with serve(folder=None) as (unheard, service), service.new_client() as client:
        without = client.get("/seen").json()
    assert places(test.notes) == [OLD]
    assert unheard.notes.warnings is None
    assert with_it == without


def test_a_service_that_was_stopped_and_started_again(serve, folder):
    with serve(folder=folder) as (test, service):
        with service.new_client() as client:
            client.get("/old")
        service.restart()
    assert places(test.notes) == [OLD]
    assert test.notes.escapes == ()


def test_a_service_without_warnings(serve, folder):
    with serve(folder=folder) as (test, _):
        pass
    assert test.notes.warnings == ()
