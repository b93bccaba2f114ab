"""Tests of commands through the boundary, with real processes."""

import pytest

from bouts.adapters.runners.python.boundary import Crashed
from bouts.adapters.runners.python.cli import CliBoundary, command_starts
from bouts.model.challenge import CliInterface, Interface
from bouts.model.running import Target
from bouts.model.sandbox import Look


def test_arguments_input_and_output_cross(cli_test):
    with cli_test() as (test, run_cli):
        result = run_cli("upper", stdin="grüße")
        assert (result.status, result.stdout, result.stderr) == (0, "GRÜSSE", "")
        assert run_cli("upper", stdin=b"bytes").stdout_bytes == b"BYTES"
        assert run_cli("variable", "COLOUR", variables={"COLOUR": "red"}).stdout == "red\n"
    assert (test.notes.escapes, test.notes.fault) == ((), None)


def test_files_are_put_and_persist_within_a_test(cli_test):
    with cli_test() as (_, run_cli):
        assert run_cli("cat", "in/a.txt", files={"in/a.txt": "one"}).stdout == "one"
        result = run_cli("write", "b.txt", "two")
        assert (result.read("b.txt"), result.read("none")) == (b"two", None)
        assert run_cli("cat", "b.txt").stdout == "two"
    with cli_test() as (_, run_cli):
        assert run_cli("cat", "b.txt").status == 1


def test_a_failing_command_is_a_result(cli_test):
    with cli_test() as (test, run_cli):
        result = run_cli("fail", "7")
        assert (result.status, result.stdout, result.stderr) == (7, "", "wrong\n")
    assert test.notes.escapes == ()


def test_odd_bytes_are_replaced_in_text_and_escaped_where_shown(cli_test):
    with cli_test() as (_, run_cli):
        result = run_cli("bytes")
        assert result.stdout_bytes == b"\xff\x00\x1b[31mred"
        assert result.stdout == "\ufffd\x00\x1b[31mred"
        assert "\x1b" not in repr(result)


def test_a_crash_is_a_result_and_an_escape(cli_test):
    with cli_test() as (test, run_cli):
        assert run_cli("segv").status == -11
    assert [(e.kind, e.detail) for e in test.notes.escapes] == [("worker_died", "the command: killed by signal 11")]


def test_a_command_that_takes_too_long_fails_the_test(cli_test):
    with cli_test() as (_, run_cli), pytest.raises(pytest.fail.Exception, match="time limit"):
        run_cli("sleep", seconds=0.3)


def test_too_much_output_fails_the_test(cli_test):
    with cli_test(output_kb=64) as (_, run_cli), pytest.raises(pytest.fail.Exception, match="wrote more than allowed"):
        run_cli("flood")


def test_a_command_that_eats_all_memory_crashes_the_test(cli_test):
    with cli_test(memory_mb=48) as (test, run_cli), pytest.raises(Crashed, match="out of memory"):
        run_cli("eat")
    assert [e.kind for e in test.notes.escapes] == ["worker_died"]


def test_a_folder_in_the_way_of_a_file_is_the_submission_s_failure(cli_test):
    with cli_test() as (_, run_cli):
        assert run_cli("fill").status == 0
        assert run_cli.read("in/a.txt") is None
        with pytest.raises(pytest.fail.Exception, match="cannot be reached"):
            run_cli("cat", "in/a.txt", files={"in/a.txt": "one"})


@pytest.mark.parametrize(
    ("command", "ok", "word"),
    [
        (("python", "tool.py"), True, "prints help"),
        (("python", "tool.py", "upper"), True, "runs without arguments"),
        (("python", "tool.py", "segv"), False, "signal 11"),
        (("python", "tool.py", "cat"), False, "Traceback"),
        (("python", "missing.py"), False, "can't open file"),
        (("python", "-m", "missing"), False, "No module named"),
        (("python", "unreadable.py"), False, "SyntaxError"),
        (("missing",), False, "exit status 127"),
    ],
)
def test_starts(workspace, sandboxes, command, ok, word):
    aim = Target(workspace=workspace, interface=Interface(cli=CliInterface(command=command)))
    report = command_starts(aim, sandboxes, CliBoundary(aim, Look()).plan())
    assert report.ok is ok
    assert word in report.detail
