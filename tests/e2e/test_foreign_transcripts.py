"""Sessions of other tools are scored as they are: the process judge has what it needs, and the card verifies."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from whole import FIXTURES, REFERENCE, TALLY, Bouts

TRANSCRIPTS = FIXTURES / "transcripts"
FILES = ["claude-code.jsonl", "codex.jsonl", "swe-agent.traj"]


def every(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines of a card and the lines below them."""
    for line in lines:
        yield line
        yield from every(line.get("children") or [])


@pytest.mark.parametrize("file", FILES)
def test_a_session_of_another_tool_is_judged(bouts: Bouts, tmp_path: Path, file: str) -> None:
    card = tmp_path / "card.json"
    ran = bouts("score", TALLY, REFERENCE, "--transcript", TRANSCRIPTS / file, "--out", card)
    assert ran.status == 0, ran
    scores = {line["key"]: line["score"] for line in every(json.loads(card.read_text())["lines"])}
    assert scores["process"] is not None
    assert scores["process.tool_use"] is not None
    assert scores["process.error_recovery"] is not None
    assert bouts("verify", card).status == 0


def test_a_session_is_found_in_what_was_handed_in(bouts: Bouts, tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    shutil.copytree(REFERENCE, folder)
    (folder / "agent").mkdir()
    shutil.copy(TRANSCRIPTS / "claude-code.jsonl", folder / "agent" / "session.jsonl")
    ran = bouts("score", TALLY, folder, "--json")
    assert ran.status == 0, ran
    scores = {line["key"]: line["score"] for line in every(ran.json["lines"])}
    assert scores["process"] is not None
    flags = {flag["kind"]: flag["why"] for flag in ran.json["flags"]}
    assert "agent/session.jsonl (claude-code)" in flags["transcript_found"]
    assert "agent/session.jsonl" not in flags.get("out_of_scope", "")


def test_one_of_several_sessions_is_named_with_its_file(bouts: Bouts, tmp_path: Path) -> None:
    log = TRANSCRIPTS / "inspect-ai.eval"
    ran = bouts("score", TALLY, REFERENCE, "--transcript", f"{log}#2_epoch_1", "--json")
    assert ran.status == 0, ran
    scores = {line["key"]: line["score"] for line in every(ran.json["lines"])}
    assert scores["process"] is not None
    refused = bouts("score", TALLY, REFERENCE, "--transcript", log)
    assert refused.status == 2
    assert "2 sessions" in refused.err


def test_a_file_of_no_known_format_names_the_known_ones(bouts: Bouts, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"hello": 1}\n{"hello": 2}\n')
    ran = bouts("score", TALLY, REFERENCE, "--transcript", path)
    assert ran.status == 2
    assert "not a transcript of any known format" in ran.err
    assert "claude-code, codex, codex-exec, atif" in ran.err


def test_a_transcript_of_other_work_is_pointed_out_and_costs_nothing(bouts: Bouts, tmp_path: Path) -> None:
    alone = bouts("score", TALLY, REFERENCE, "--json").json
    ran = bouts("score", TALLY, REFERENCE, "--transcript", TRANSCRIPTS / "claude-code.jsonl", "--json")
    assert ran.status == 0, ran
    flags = {flag["kind"]: flag for flag in ran.json["flags"]}
    assert "stall/till.py" in flags["transcript_edits_missing"]["why"]
    assert "edits or names" in flags["transcript_lacks_changes"]["why"]
    assert not any(flags[kind]["holds"] for kind in flags if kind.startswith("transcript_"))
    assert ran.json["violations"] == alone["violations"]
