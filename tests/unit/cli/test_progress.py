"""Progress where no terminal is."""

from __future__ import annotations

import re

import pytest

from bouts.cli.progress import Progress


def test_a_log_gets_a_line_for_each_item_that_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(2, lines=True) as progress:
        progress.step("first", "visible tests", 1, 3)
        progress.finish("first", "88.1")
        progress.finish("second")
    out, err = capsys.readouterr()
    assert out == ""
    told = [re.sub(r"after .*\)", "after …)", line) for line in err.splitlines()]
    assert told == ["  1 of 2: first: 88.1 (after …)", "  2 of 2: second (after …)"]


def test_without_lines_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(1) as progress:
        progress.step("first", "visible tests", 1, 3)
        progress.finish("first", "88.1")
    assert capsys.readouterr() == ("", "")
