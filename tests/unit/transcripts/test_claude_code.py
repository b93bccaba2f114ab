"""Claude Code: subagents in every layout, copies after a resume, answers in pieces, commands in the background."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bouts.adapters.transcripts.registry import read_transcript

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"


@pytest.mark.parametrize("file", ["subagents-beside/s2.jsonl", "subagents-below/s2.jsonl", "subagents-inline.jsonl"])
def test_subagents_are_told_behind_the_call_that_started_them(file):
    session = read_transcript(FIXTURES / file)
    assert [(e.operation, e.tool) for e in session.events] == [
        ("message", None),
        ("other", "Task"),
        ("search", "Grep"),
        ("message", None),
    ]
    task, search = session.events[1:3]
    assert search.agent is not None
    assert (task.agent, search.parent) == (None, task.sequence)
    assert session.tokens is not None
    assert (session.tokens.input, session.tokens.output) == (13, 12)
    assert set(session.models) == {"example-large", "example-small"}


def rows() -> list[dict]:
    return [json.loads(line) for line in (FIXTURES / "claude-code.jsonl").read_text().splitlines()]


def write(path: Path, records: list[dict]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_a_resumed_session_repeats_records_and_they_count_once(tmp_path):
    whole = rows()
    again = read_transcript(write(tmp_path / "a.jsonl", [*whole[:8], *whole]))
    once = read_transcript(FIXTURES / "claude-code.jsonl")
    assert again.events == once.events
    assert again.tokens == once.tokens
    assert again.copies == sum(row["type"] in ("user", "assistant") for row in whole[:8])


def test_an_answer_in_pieces_is_charged_once(tmp_path):
    whole = rows()
    pieces = [json.loads(json.dumps(row)) for row in whole if row.get("message", {}).get("id") == "m1"]
    assert len(pieces) == 2
    # The first piece of a streamed answer counts fewer tokens than the last one.
    pieces[0]["message"]["usage"]["output_tokens"] = 3
    session = read_transcript(write(tmp_path / "a.jsonl", pieces))
    assert session.tokens is not None
    assert (session.tokens.input, session.tokens.output, session.tokens.cached) == (115, 20, 100)
    assert [event.tokens is not None for event in session.events] == [True, False]


def test_a_command_in_the_background_has_neither_passed_nor_failed(tmp_path):
    whole = rows()
    for row in whole:
        if row.get("toolUseResult", {}).get("stdout", "").startswith(".F"):
            row["toolUseResult"] = {"backgroundTaskId": "b1"}
            row["message"]["content"][0]["content"] = "running with id b1"
    session = read_transcript(write(tmp_path / "a.jsonl", whole))
    first = next(event for event in session.events if event.operation == "test")
    assert (first.status, first.passed, first.exit_code) == ("unknown", None, None)


def test_a_file_that_is_cut_says_so(tmp_path):
    data = (FIXTURES / "claude-code.jsonl").read_bytes()
    path = tmp_path / "a.jsonl"
    path.write_bytes(data[:-40])
    session = read_transcript(path)
    assert session.unread == 1
    assert session.unread_reasons[0].reason == "a last line that ends in the middle"
    assert session.notes == ("The transcript ends in the middle of a record.",)


def test_calls_without_a_result_are_open(tmp_path):
    session = read_transcript(write(tmp_path / "a.jsonl", [row for row in rows() if "toolUseResult" not in row]))
    assert {event.status for event in session.events if event.kind != "message"} == {"unknown"}
    assert all(event.duration_ms is None for event in session.events)


def test_what_the_tool_injects_is_no_word_of_the_user(tmp_path):
    extra = [
        {
            "type": "user",
            "uuid": "x1",
            "sessionId": "s1",
            "message": {"role": "user", "content": "<command-name>/clear</command-name>"},
        },
        {
            "type": "user",
            "uuid": "x2",
            "sessionId": "s1",
            "isMeta": True,
            "message": {"role": "user", "content": "Caveat"},
        },
        {
            "type": "user",
            "uuid": "x3",
            "sessionId": "s1",
            "isCompactSummary": True,
            "message": {"role": "user", "content": "So far"},
        },
    ]
    session = read_transcript(write(tmp_path / "a.jsonl", [*extra, *rows()]))
    assert [e.output for e in session.events if e.speaker == "user"] == [
        "Totals of the market stall must be rounded to whole cents."
    ]


def test_lines_that_were_replaced_are_numbered():
    session = read_transcript(FIXTURES / "claude-code.jsonl")
    ranges = [[(r.start, r.end) for r in e.ranges or ()] for e in session.events if e.operation == "edit"]
    assert ranges == [[(2, 3)], [(3, 3)]]


def test_a_pipe_hides_the_exit_status_but_not_the_counts():
    first = next(e for e in read_transcript(FIXTURES / "claude-code.jsonl").events if e.operation == "test")
    assert first.target == "cd /srv/stall && python -m pytest -q 2>&1 | tail -20"
    assert (first.exit_code, first.status) == (0, "error")


def test_a_result_may_stand_before_its_call(tmp_path):
    whole = rows()
    at = next(i for i, row in enumerate(whole) if row.get("toolUseResult", {}).get("type") == "text")
    whole[at - 1], whole[at] = whole[at], whole[at - 1]
    session = read_transcript(write(tmp_path / "a.jsonl", whole))
    assert session.unread == 0
    read = next(event for event in session.events if event.operation == "read")
    assert (read.status, read.output) == ("ok", "def total(prices):\n    return sum(prices)\n")
    del whole[at]
    lone = read_transcript(write(tmp_path / "b.jsonl", whole))
    assert [(u.reason, u.records) for u in lone.unread_reasons] == [("results without a call", 1)]
