"""The tutorial's commands, run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "tutorial" / "first-leaderboard.md"


def test_the_first_leaderboard(bouts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    monkeypatch.setenv("BOUTS_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("BOUTS_LEDGER", raising=False)
    monkeypatch.chdir(tmp_path)
    for name, body in re.findall(r"```json (\S+)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(body, encoding="utf-8")
    shown = ""
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            program, *words = shlex.split(line.removeprefix("$ "))
            assert program == "bouts"
            done = bouts(*words)
            assert done.status == 0, (line, done.err)
            shown += done.out
    # What the page says can be seen.
    for said in (
        "of all",
        "1/3",
        "1 task with fewer than 5 counted 0",
        "Fewer than 5 runs are no evidence",
        "2 challenges cannot tell any two agents apart",
        "stale since",
    ):
        assert said in " ".join(shown.split()), said
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["difference.svg", "headline.svg", "radar.svg"]
