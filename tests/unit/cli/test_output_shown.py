from __future__ import annotations

import io
import json
import sys
import types

import pytest

from bouts.cli import output
from bouts.errors import BadUsage
from bouts.render.terminal import Span


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    made = io.StringIO()
    monkeypatch.setattr(output, "sys", types.SimpleNamespace(stdout=made, stderr=sys.stderr, argv=sys.argv))
    monkeypatch.setattr(made, "isatty", lambda: True, raising=False)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return made


@pytest.mark.parametrize(
    ("variables", "colour"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(
    terminal: io.StringIO, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], colour: bool
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    output.print_lines([(Span("fine", "good"),)])
    assert ("\x1b[32m" in terminal.getvalue()) is colour


def test_texts_of_strangers_are_escaped_but_not_our_colours(terminal: io.StringIO) -> None:
    output.print_lines([(Span("a\x1b[2Jb\u202ec", "bad"),)])
    output.say("d\x1b]0;title\x07e\nf")
    assert terminal.getvalue() == "\x1b[31ma\\x1b[2Jb\\u202ec\x1b[0m\nd\\x1b]0;title\\x07e\nf\n"


def test_json_is_json_whatever_is_in_it(terminal: io.StringIO) -> None:
    output.print_json({"text": "\x1b[2J\u202e ü"})
    assert json.loads(terminal.getvalue()) == {"text": "\x1b[2J\u202e ü"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        output.print_json({"number": float("nan")})


def test_errors_have_three_parts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    error = BadUsage("it is \x1b[31mwrong", where="here", hint="do that")
    monkeypatch.setattr(sys, "argv", ["bouts", "score"])
    output.print_error(error)
    assert capsys.readouterr() == ("", "error: here: it is \\x1b[31mwrong\nhint: do that\n")
    monkeypatch.setattr(sys, "argv", ["bouts", "score", "--json"])
    output.print_error(error)
    shown = capsys.readouterr()
    assert shown.err == ""
    assert json.loads(shown.out)["error"] == {
        "code": "bad_usage",
        "message": "it is \x1b[31mwrong",
        "where": "here",
        "hint": "do that",
    }


def test_a_terminal_of_another_encoding_gets_what_it_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    output.say("51.2 × 0.64 → ü")
    output.flush()
    assert raw.getvalue() == b"51.2 ? 0.64 ? ?\n"
