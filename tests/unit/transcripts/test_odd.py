"""Numbers and times that are none: not used, not bent, and counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bouts.adapters.transcripts import odd, times
from bouts.adapters.transcripts.registry import read_transcript
from bouts.adapters.transcripts.values import dollars, tokens

BROKEN = [float("nan"), float("inf"), -1, 1e30, True, 1.5, "12", [], 10**13]


@pytest.mark.parametrize("value", BROKEN)
def test_a_token_count_that_is_no_whole_number_is_not_used_and_counted_once(value: object) -> None:
    with odd.counted() as found:
        made = tokens({"in": value, "out": 3}, input=("in",), cached=("in",), output=("out",))
    assert made is not None
    assert (made.input, made.cached, made.output) == (0, 0, 3)
    assert odd.notes(found) == ["1 token count that is no whole number was left out."]


def test_what_is_there_and_right_or_not_there_is_not_odd() -> None:
    with odd.counted() as found:
        assert tokens({"in": 4, "out": 12.0, "none": None}, input=("in",), output=("out", "none", "absent"))
        assert (dollars(0.5), dollars(None)) == (0.5, None)
        assert times.iso(None) is None
        assert times.epoch("2026-01-02T03:04:05Z") is None, "it is read elsewhere"
        assert times.any_of(1_767_323_045_000) is not None
    assert odd.notes(found) == []


@pytest.mark.parametrize("value", ["yesterday", 1e20, "9999-01-01T00:00:00Z", "99999-01-01T00:00:00Z", 0, True])
def test_a_time_that_is_none_of_a_session_is_counted(value: object) -> None:
    with odd.counted() as found:
        assert (times.iso(value), times.epoch(value), times.any_of(value)) == (None, None, None)
    assert odd.notes(found) == ["3 times that are no times from 2000 to 2100 were left out."]


def test_a_claude_code_session_says_what_it_leaves_out(tmp_path: Path) -> None:
    message = {"role": "assistant", "content": "Hello."}
    rows = [
        {"type": "assistant", "uuid": f"u{n}", "sessionId": "s", "timestamp": time, "costUSD": cost}
        | {"message": {**message, "id": f"m{n}", "usage": {"input_tokens": count, "output_tokens": 2}}}
        for n, (time, count, cost) in enumerate(
            [("yesterday", float("nan"), "x"), ("1970-01-01T00:00:00Z", -3, None), ("2026-01-02T03:04:05Z", 5, None)]
        )
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    session = read_transcript(path)
    assert session.tokens is not None
    assert (session.tokens.input, session.tokens.output, session.cost_usd) == (5, 6, None)
    assert session.notes == (
        "2 token counts that are no whole numbers were left out.",
        "1 cost that is no number of dollars was left out.",
        "2 times that are no times from 2000 to 2100 were left out.",
    )


def test_an_atif_trajectory_says_what_it_leaves_out(tmp_path: Path) -> None:
    metrics = {"prompt_tokens": True, "completion_tokens": 1.5, "cached_tokens": "12", "cost_usd": -1}
    step = {"step_id": 1, "source": "agent", "message": "Hello.", "timestamp": "yesterday", "metrics": metrics}
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"schema_version": "ATIF-v1.7", "steps": [step]}))
    session = read_transcript(path)
    assert (session.tokens, session.cost_usd, session.started) == (None, None, None)
    assert [note.split(" that")[0] for note in session.notes] == ["3 token counts", "1 cost", "1 time"]


def test_a_time_that_several_things_of_a_record_take_is_counted_once(tmp_path: Path) -> None:
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "ls"}}
    head = {"type": "session", "version": 3, "id": "s", "cwd": "/work"}
    said = {"type": "message", "id": "m", "timestamp": "yesterday", "message": {"role": "assistant", "content": [call]}}
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (head, said)))
    assert read_transcript(path).notes == ("1 time that is no time from 2000 to 2100 was left out.",)
