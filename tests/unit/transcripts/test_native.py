"""The native telemetry: what is read, and what is refused with one clear error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.transcripts.native import MAX_BYTES, read_native
from bouts.adapters.transcripts.tools import operation
from bouts.errors import BadFile, NotFound
from bouts.model.session import LineRange
from bouts.model.session import TestFailure as Failure

EXAMPLE = {
    "session_id": "bout-2024-abc123",
    "events": [
        {
            "timestamp": "2024-01-15T10:00:00Z",
            "type": "tool_call",
            "tool": "read_file",
            "target": "src/auth/middleware.ts",
            "duration_ms": 150,
        },
        {
            "timestamp": "2024-01-15T10:00:05Z",
            "type": "tool_call",
            "tool": "edit_file",
            "target": "src/auth/middleware.ts",
            "lines_changed": 12,
        },
        {
            "timestamp": "2024-01-15T10:00:20Z",
            "type": "test_run",
            "suite": "auth",
            "passed": 8,
            "failed": 2,
            "total": 10,
        },
        {
            "timestamp": "2024-01-15T10:01:00Z",
            "type": "tool_call",
            "tool": "read_file",
            "target": "test/auth.test.ts",
            "duration_ms": 100,
        },
    ],
    "summary": {
        "total_tool_calls": 47,
        "total_test_runs": 6,
        "total_edits": 15,
        "total_reads": 22,
        "total_searches": 8,
        "session_duration_ms": 180000,
        "test_trajectory": [
            {"run": 1, "passed": 3, "total": 10},
            {"run": 2, "passed": 5, "total": 10},
            {"run": 3, "passed": 5, "total": 10},
            {"run": 4, "passed": 8, "total": 10},
            {"run": 5, "passed": 9, "total": 10},
            {"run": 6, "passed": 10, "total": 10},
        ],
    },
}
AT = "2024-01-15T10:00:00Z"


@pytest.fixture
def read(tmp_path: Path):
    def reading(content: Any):
        path = tmp_path / "session.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return read_native(path)

    return reading


def call(**changes: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": "tool_call", "tool": "bash", **changes}


def run(**changes: Any) -> dict[str, Any]:
    return {"timestamp": AT, "type": "test_run", "passed": 1, "failed": 0, "total": 1, **changes}


def one(read, event):
    return read({"events": [event]}).events[0]


def test_the_published_example_is_a_valid_file(read):
    session = read(EXAMPLE)
    assert session.session_id == "bout-2024-abc123"
    assert [e.operation for e in session.events] == ["read", "edit", "test", "read"]
    assert [e.seconds for e in session.events] == [0, 5, 20, 60]
    assert [e.sequence for e in session.events] == [1, 2, 3, 4]
    assert session.events[1].lines_changed == 12
    assert (session.events[2].passed, session.events[2].failed, session.events[2].total) == (8, 2, 10)


def test_the_events_are_the_truth_and_the_summary_is_held_against_them(read):
    session = read(EXAMPLE)
    assert session.duration_seconds == 60.1
    assert "total_edits is 15 in the summary and 1 by the events" in session.discrepancies
    assert "the session lasted 180 s by the summary and 60.1 s by the events" in session.discrepancies
    assert "test_trajectory differs from the test runs of the events" in session.discrepancies


def test_a_summary_that_agrees_is_no_discrepancy(read):
    summary = {
        "total_tool_calls": 3,
        "total_test_runs": 1,
        "total_edits": 1,
        "total_reads": 2,
        "total_searches": 0,
        "session_duration_ms": 60100,
        "test_trajectory": [{"run": 1, "passed": 8, "total": 10}],
    }
    assert read({**EXAMPLE, "summary": summary}).discrepancies == ()


def test_the_summary_is_optional_and_gives_the_length_of_a_session_of_one_event(read):
    assert read({"events": []}).events == ()
    assert read({"events": [call()]}).duration_seconds is None
    assert read({"events": [call()], "summary": {"session_duration_ms": 9000}}).duration_seconds == 9


def test_optional_fields(read):
    event = one(
        read,
        run(
            passed=0,
            failed=2,
            total=2,
            status="error",
            output="2 failed",
            failures=["tests/test_a.py::test_x", {"test": "test_y", "message": "assert 1 == 2"}],
        ),
    )
    assert event.failures == (
        Failure(test="tests/test_a.py::test_x"),
        Failure(test="test_y", message="assert 1 == 2"),
    )
    assert (event.status, event.output) == ("error", "2 failed")
    edit = one(read, call(tool="edit_file", target="a.py", ranges=[[1, 4], {"start": 9, "end": 9}]))
    assert edit.ranges == (LineRange(start=1, end=4), LineRange(start=9, end=9))
    assert edit.failures is None


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"passed": 3, "failed": 2}, (3, 2, 5)),
        ({"passed": 3, "total": 5}, (3, 2, 5)),
        ({"passed": 3, "failed": 1, "total": 5}, (3, 1, 5)),
    ],
)
def test_a_missing_count_follows_from_the_others(read, counts, expected):
    event = one(read, {"timestamp": AT, "type": "test_run", **counts})
    assert (event.passed, event.failed, event.total) == expected


@pytest.mark.parametrize(
    ("tool", "target", "expected"),
    [
        ("read_file", None, "read"),
        ("edit_file", "a", "edit"),
        ("str_replace", "a", "edit"),
        ("write_file", "a", "create"),
        ("create_file", "a", "create"),
        ("search", "x", "search"),
        ("grep", "x", "search"),
        ("glob", "x", "search"),
        ("find", "x", "search"),
        ("run", "ls", "run"),
        ("bash", "ls -la", "run"),
        ("Bash", "python -m pytest -q", "test"),
        ("bash", "cd app && npm test", "test"),
        ("bash", "cat pytest.ini", "run"),
        ("run_tests", None, "test"),
        ("fly_to_moon", None, "other"),
    ],
)
def test_operations(tool, target, expected):
    assert operation(tool, target) == expected


def test_times_in_other_zones_and_out_of_order(read):
    session = read({"events": [call(timestamp="2024-01-15T12:00:10+02:00"), call(timestamp="2024-01-15T10:00:00")]})
    assert [e.seconds for e in session.events] == [10, 0]
    assert session.discrepancies == ("event 2 is earlier than the event before it",)


def test_ten_thousand_events(read):
    rows = [call(tool="edit_file", target=f"a{n % 9}.py", ranges=[[n % 50 + 1, n % 50 + 3]]) for n in range(10_000)]
    assert len(read({"events": rows}).events) == 10_000


BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "no JSON at line 1, column 1"),
    "broken": (b'{"events": [\n  {"type": }]}', "no JSON at line 2, column 12"),
    "a list": (b"[]", "the file must be an object, not a list"),
    "no events": (b"{}", "'events' is missing"),
    "events that are none": (b'{"events": {}}', "'events' must be a list, not an object"),
    "binary": (b"\x89PNG\r\n\x1a\n\x00\xff", "no UTF-8 text (byte 0)"),
    "not a number": (b'{"events": NaN}', "NaN is no number"),
    "infinity": (b'{"events": -Infinity}', "-Infinity is no number"),
    "too large a number": (b'{"events": 1e999}', "too large a number"),
    "a very long number": (b'{"events": ' + b"9" * 6000 + b"}", "too large a number"),
    "a key twice": (b'{"events": [], "events": []}', "key 'events' occurs twice"),
    "too deep, lists": (b"[" * 2_000_000, "nested too deeply"),
    "too deep, objects": (b'{"a":' * 400_000, "nested too deeply"),
    "another format": (b'{"schema_version": "ATIF-v1.4", "steps": []}', "unknown key 'schema_version'"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_the_format_is_refused_with_the_place(read, name):
    content, words = BAD[name]
    with pytest.raises(BadFile) as caught:
        read(content)
    assert words in caught.value.message
    assert caught.value.where.endswith("session.json")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (1, "an event must be an object, not 1"),
        ({"timestamp": AT}, "'type' must be one of tool_call, test_run, message, not None"),
        ({"timestamp": AT, "type": "toolcall"}, "not 'toolcall'"),
        ({"timestamp": AT, "type": ["x"]}, "not a list"),
        ({"timestamp": AT, "type": "tool_call"}, "'tool' is missing"),
        (call(tol="x"), "unknown key 'tol'; did you mean 'tool'?"),
        (call(timestamp="noon"), "'timestamp' 'noon' is no time"),
        (call(timestamp=1700000000), "'timestamp' must be a text"),
        (call(target=3), "'target' must be a text, not 3"),
        (call(lines_changed=-1), "'lines_changed' must be a whole number"),
        (call(lines_changed=True), "'lines_changed' must be a whole number"),
        (call(lines_changed=1.5), "'lines_changed' must be a whole number"),
        (call(duration_ms="9"), "'duration_ms' must be a number"),
        (call(duration_ms=1e12), "'duration_ms' must be a number"),
        (call(status="fine"), "'status' must be ok, error or unknown, not 'fine'"),
        (call(ranges=[[4, 2]]), "an entry of 'ranges'"),
        (call(ranges=[[0, 2]]), "an entry of 'ranges'"),
        (call(ranges=[[1, 2, 3]]), "an entry of 'ranges'"),
        (call(ranges=[[True, 2]]), "an entry of 'ranges'"),
        (call(ranges="1-2"), "'ranges' must be a list"),
        (run(failures=[{"message": "x"}]), "has no 'test'"),
        (run(failures="x"), "'failures' must be a list"),
        (run(passed=3, failed=9, total=10), "more than total 10"),
        (run(passed=3, failed=None, total=None), "'total' is missing"),
        (run(passed=None), "'passed' is missing"),
        (run(total=10**12), "'total' must be a whole number"),
    ],
)
def test_a_bad_event_is_refused_with_its_number(read, event, words):
    with pytest.raises(BadFile) as caught:
        read({"events": [call(), event]})
    assert words in caught.value.message
    assert caught.value.where.endswith("event 2")


@pytest.mark.parametrize(
    "summary", [[], {"total_edits": -1}, {"edits": 3}, {"test_trajectory": [1]}, {"session_duration_ms": "long"}]
)
def test_a_bad_summary_is_refused(read, summary):
    with pytest.raises(BadFile, match="summary"):
        read({"events": [], "summary": summary})


def test_what_is_no_file_or_too_large(tmp_path):
    with pytest.raises(NotFound):
        read_native(tmp_path / "missing.json")
    with pytest.raises(BadFile, match="not a file"):
        read_native(tmp_path)
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(BadFile, match="larger than 50 MB"):
        read_native(large)


def test_a_secret_is_not_in_the_error_either(read):
    with pytest.raises(BadFile) as caught:
        read({"events": [call(status="sk-" + "a1" * 20)]})
    assert "a1a1a1" not in str(caught.value)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "timestamp",
        "type",
        "tool",
        "target",
        "output",
        "status",
        "ranges",
        "failures",
        "passed",
        "failed",
        "total",
        "suite",
    ]
)


@given(st.lists(st.dictionaries(KEYS, VALUES | st.sampled_from([AT, "tool_call", "test_run", "bash"])), max_size=3))
def test_whatever_stands_in_an_event_is_read_or_refused(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("native") / "s.json"
    path.write_text(json.dumps({"events": rows}))
    try:
        session = read_native(path)
    except BadFile as error:
        assert "event" in str(error)
    else:
        assert len(session.events) == len(rows)
