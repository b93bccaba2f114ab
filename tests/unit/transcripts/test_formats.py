"""Every format tells the same small session: read, search, edit, failing tests, edit, passing tests."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from bouts.adapters.transcripts.beside import file_and_part, transcript_files
from bouts.adapters.transcripts.registry import formats, read_transcript
from bouts.errors import BadFile, BadUsage
from bouts.model.session import Session

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
STORY = ["read", "search", "edit", "test", "edit", "test"]

# file, format, part, times, tokens in and out, cost, lines of the two edits with their basis
EXACT, NO_LINES = [(3, "exact"), (2, "exact")], [(None, None), (None, None)]
TOLD: list[
    tuple[str, str, str | None, bool, tuple[int, int] | None, float | None, list[tuple[int | None, str | None]]]
] = [
    ("claude-code.jsonl", "claude-code", None, True, (805, 140), None, EXACT),
    ("claude-code-stream.json", "claude-code", None, False, (805, 140), 0.25, EXACT),
    ("codex.jsonl", "codex", None, True, (805, 140), None, EXACT),
    ("codex-legacy.jsonl", "codex", None, False, None, None, EXACT),
    ("codex-exec.jsonl", "codex-exec", None, False, (805, 140), None, NO_LINES),
    ("atif.json", "atif", None, True, (805, 140), 0.25, EXACT),
    ("swe-agent.traj", "swe-agent", None, False, (805, 140), 0.25, [(3, "estimated"), (2, "exact")]),
    ("openhands.json", "openhands", None, True, (690, 120), None, EXACT),
    ("openhands-output.jsonl", "openhands", "stall-1", True, (690, 120), 0.25, EXACT),
    ("openhands-v1.jsonl", "openhands-v1", None, True, (805, 140), 0.25, EXACT),
    ("gemini-cli.json", "gemini-cli", None, True, (805, 140), None, EXACT),
    ("gemini-cli.jsonl", "gemini-cli", None, True, (805, 140), None, EXACT),
    ("gemini-stream.jsonl", "gemini-stream", None, True, (805, 140), None, EXACT),
    ("inspect-ai.json", "inspect-ai", None, True, (805, 140), None, EXACT),
    ("inspect-ai.eval", "inspect-ai", "2_epoch_1", True, (805, 140), None, EXACT),
    ("otel.json", "otel", None, True, (805, 140), None, EXACT),
    ("langfuse.json", "langfuse", None, True, (805, 140), 0.25, EXACT),
    ("cline.json", "cline", None, True, (805, 140), 0.25, EXACT),
    ("pi.jsonl", "pi", None, True, (805, 140), 0.25, EXACT),
    ("copilot-cli.jsonl", "copilot-cli", None, True, (805, 140), None, EXACT),
    ("cursor.jsonl", "cursor", None, False, None, None, EXACT),
    ("qwen-code.jsonl", "qwen-code", None, True, (805, 140), None, EXACT),
    ("droid.jsonl", "droid", None, True, None, None, EXACT),
    ("kimi.jsonl", "kimi", None, True, (805, 140), None, EXACT),
    ("opencode.json", "opencode", None, True, (805, 140), 0.25, EXACT),
    ("opencode-run.jsonl", "opencode", None, True, (805, 140), 0.25, EXACT),
    ("messages.jsonl", "messages", None, False, None, None, EXACT),
    ("native.json", "native", None, True, None, None, [(3, None), (2, None)]),
]
NAMES = [row[0] for row in TOLD]


def calls(session: Session) -> list[str]:
    return [event.operation for event in session.events if event.kind != "message"]


@pytest.mark.parametrize(("file", "name", "part", "timed", "tokens", "cost", "lines"), TOLD, ids=NAMES)
def test_the_story(file, name, part, timed, tokens, cost, lines):
    session = read_transcript(FIXTURES / file, part=part)
    assert session.format == name
    assert calls(session) == STORY
    assert session.calls == 6
    assert (session.unread, session.discrepancies) == (0, ())
    first, second = (event for event in session.events if event.operation == "test")
    assert (first.passed, first.failed, first.total) == (3, 1, 4)
    assert (second.passed, second.failed, second.total) == (4, 0, 4)
    edits = [event for event in session.events if event.operation == "edit"]
    assert [event.target for event in edits] == ["stall/till.py"] * 2
    assert [(event.lines_changed, event.lines_basis) for event in edits] == lines
    read = next(event for event in session.events if event.operation == "read")
    assert read.target == "stall/till.py"
    assert all((event.seconds is not None) == timed for event in session.events)
    assert (session.tokens and (session.tokens.input, session.tokens.output)) == tokens
    assert session.cost_usd == (None if cost is None else pytest.approx(cost))
    assert [event.sequence for event in session.events] == list(range(1, len(session.events) + 1))


@pytest.mark.parametrize("file", [n for n in NAMES if n not in ("native.json", "codex-legacy.jsonl")])
def test_tests_that_fail_are_named(file):
    part = {row[0]: row[2] for row in TOLD}[file]
    session = read_transcript(FIXTURES / file, part=part)
    first, second = (event for event in session.events if event.operation == "test")
    assert [failure.test for failure in first.failures or ()] == ["tests/test_till.py::test_half_cents"]
    assert (first.status, second.status) == ("error", "ok")
    assert second.failures == ()


@pytest.mark.parametrize("file", NAMES)
def test_the_content_tells_the_format_and_not_the_name(file, tmp_path):
    row = next(row for row in TOLD if row[0] == file)
    copied = tmp_path / "something.txt"
    shutil.copy(FIXTURES / file, copied)
    assert read_transcript(copied, part=row[2]).format == row[1]


@pytest.mark.parametrize("file", NAMES)
def test_the_last_words_are_the_agents(file):
    part = {row[0]: row[2] for row in TOLD}[file]
    session = read_transcript(FIXTURES / file, part=part)
    said = [event.output for event in session.events if event.kind == "message"]
    if file not in ("openhands-v1.jsonl", "swe-agent.traj"):
        assert said[-1] == "Totals are rounded; all four tests pass."


def test_mini_swe_agent_writes_files_in_its_shell():
    session = read_transcript(FIXTURES / "mini-swe-agent.traj.json")
    assert calls(session) == ["read", "search", "create", "test", "edit", "test"]
    created = next(event for event in session.events if event.operation == "create")
    assert (created.target, created.lines_changed, created.lines_basis) == ("stall/till.py", 3, "estimated")
    assert created.exit_code == 0
    assert created.duration_ms == 1000
    assert (session.cost_usd, session.outcome) == (0.25, "Submitted")


def test_tools_that_a_fork_of_mini_swe_agent_adds_are_calls_and_its_totals_are_told(tmp_path):
    asked = [("execute_bash_command", {"bash_command": "pytest -q"}), ("read_file", {"path": "stall/till.py"})]
    uses = [
        {"id": f"k{i}", "function": {"name": name, "arguments": json.dumps(given)}}
        for i, (name, given) in enumerate(asked)
    ]
    messages = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "Round the totals."},
        {"role": "assistant", "content": None, "tool_calls": uses},
        {
            "role": "tool",
            "tool_call_id": "k0",
            "content": "<returncode>1</returncode>\n<output>\n1 failed in 0.1s\n</output>",
        },
        {"role": "tool", "tool_call_id": "k1", "content": "<returncode>0</returncode>\n<output>\nx\n</output>"},
    ]
    stats = {"instance_cost": 0.5, "prompt_tokens": 805, "completion_tokens": 140}
    path = tmp_path / "x.traj.json"
    path.write_text(json.dumps({"info": {"exit_status": "Submitted", "model_stats": stats}, "messages": messages}))
    session = read_transcript(path)
    assert [(e.operation, e.target) for e in session.events if e.kind != "message"] == [
        ("test", "pytest -q"),
        ("read", "stall/till.py"),
    ]
    assert session.tokens is not None
    assert (session.tokens.input, session.tokens.output, session.cost_usd) == (805, 140, 0.5)


def test_a_stream_of_two_runs_says_what_its_totals_cover(tmp_path):
    def run(name: str, *, ended: bool) -> list[dict[str, object]]:
        stats = {"input_tokens": 100, "output_tokens": 10, "duration_ms": 2000}
        made: list[dict[str, object]] = [
            {"type": "init", "session_id": name, "model": "m"},
            {"type": "tool_use", "tool_name": "read_file", "tool_id": name, "parameters": {"file_path": "a.py"}},
            {"type": "tool_result", "tool_id": name, "status": "success", "output": "x"},
        ]
        return made + ([{"type": "result", "status": "success", "stats": stats}] if ended else [])

    def read(*rows: dict[str, object]) -> Session:
        path = tmp_path / "x.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return read_transcript(path)

    both = read(*run("one", ended=True), *run("two", ended=True))
    assert both.tokens is not None
    assert (both.calls, both.session_id, both.tokens.input, both.duration_seconds) == (2, "one", 200, 4.0)
    cut = read(*run("one", ended=True), *run("two", ended=False))
    assert cut.tokens is not None
    assert cut.tokens.input == 100
    assert any("1 of 2 runs" in note for note in cut.notes)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the standard library reads zstd itself")
def test_an_archive_compressed_with_zstd_reads_like_any_other(tmp_path):
    from backports.zstd import zipfile as zstd

    plain, path = FIXTURES / "inspect-ai.eval", tmp_path / "x.eval"
    with zipfile.ZipFile(plain) as old, zstd.ZipFile(path, "w", zstd.ZIP_ZSTANDARD) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    assert read_transcript(path, part="2_epoch_1") == read_transcript(plain, part="2_epoch_1")
    with zipfile.ZipFile(path) as archive:
        member = next(i for i in archive.infolist() if "2_epoch_1" in i.filename)
    body = bytearray(path.read_bytes())
    start = member.header_offset + 30 + len(member.filename)
    body[start + 8 : start + 40] = bytes(32)
    path.write_bytes(body)
    with pytest.raises(BadFile, match="cannot be read"):
        read_transcript(path, part="2_epoch_1")


def test_what_the_user_ran_is_no_call_of_the_agent(tmp_path):
    rows = [
        {"type": "session", "id": "s", "cwd": "/srv"},
        {"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": "a.py", "exitCode": 0}},
        {"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "I see it."}]}},
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    session = read_transcript(path)
    assert session.calls == 0
    assert [(e.speaker, e.output) for e in session.events] == [("user", "$ ls\na.py"), ("agent", "I see it.")]


def test_aider_tells_what_it_applied_and_ran():
    session = read_transcript(FIXTURES / "aider.md")
    assert calls(session) == ["read", "edit", "test", "edit", "test"]
    edits = [(e.target, e.lines_changed, e.lines_basis) for e in session.events if e.operation == "edit"]
    assert edits == [("stall/till.py", 3, "exact"), ("stall/till.py", 2, "exact")]
    assert [(e.passed, e.failed) for e in session.events if e.operation == "test"] == [(3, 1), (4, 0)]
    assert session.tokens is not None
    assert (session.tokens.input, session.tokens.output, session.cost_usd) == (805, 140, 0.25)
    assert all(event.seconds is None for event in session.events)


def test_no_format_is_left_without_a_session():
    told = {row[1] for row in TOLD} | {"mini-swe-agent", "aider"}
    assert told == set(formats())


@pytest.mark.parametrize("file", ["inspect-ai.eval", "openhands-output.jsonl"])
def test_of_several_sessions_one_must_be_named(file):
    with pytest.raises(BadFile) as raised:
        read_transcript(FIXTURES / file)
    assert "2 sessions" in raised.value.message
    assert "--sample" in (raised.value.hint or "")
    with pytest.raises(BadFile, match="no session is called 'nobody'"):
        read_transcript(FIXTURES / file, part="nobody")


@pytest.mark.parametrize(("file", "part"), [("inspect-ai.eval", "2_epoch_1"), ("openhands-output.jsonl", "stall-1")])
def test_one_of_several_sessions_is_named_with_the_file(file, part):
    assert read_transcript(FIXTURES / f"{file}#{part}") == read_transcript(FIXTURES / file, part=part)
    assert transcript_files(FIXTURES / f"{file}#{part}")[0] == FIXTURES / file
    with pytest.raises(BadFile, match="no session is called 'nobody'"):
        read_transcript(FIXTURES / f"{file}#nobody")


def test_a_name_with_a_number_sign_is_a_name(tmp_path):
    path = tmp_path / "a#b.jsonl"
    shutil.copy(FIXTURES / "claude-code.jsonl", path)
    shutil.copy(FIXTURES / "codex.jsonl", tmp_path / "a")
    assert file_and_part(path) == (path, None)
    assert file_and_part(tmp_path / "a#x/y#z") == (tmp_path / "a", "x/y#z")
    assert read_transcript(path).format == "claude-code"


def test_an_unknown_format_names_the_known_ones(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("a text that is no transcript\n")
    with pytest.raises(BadFile) as raised:
        read_transcript(path)
    assert raised.value.exit_status == 2
    for name in formats():
        assert name in (raised.value.hint or "")
    with pytest.raises(BadUsage) as mistaken:
        read_transcript(path, "claud-code")
    assert "did you mean claude-code?" in (mistaken.value.hint or "")


@pytest.mark.parametrize("name", [n for n in formats() if n != "native"])
def test_a_forced_format_reads_or_refuses(name):
    for file in NAMES:
        try:
            session = read_transcript(FIXTURES / file, name)
        except BadFile:
            continue
        assert session.format == name


STRAYS = [
    ({"log": {"version": "1.2", "creator": {"name": "t"}, "entries": []}}, "HTTP"),
    ({"id": "s", "projectID": "p", "directory": "/d", "time": {"created": 1}}, "opencode export"),
    ({"agentType": "general-purpose", "spawnDepth": 1}, "subagent"),
    ([{"body": "a line", "severity_text": "INFO", "attributes": {}}], "log records"),
    ({"id": "c", "agent": {"llm": {}}, "execution_status": "idle"}, "OpenHands"),
]


@pytest.mark.parametrize(("content", "said"), STRAYS)
def test_files_that_lie_beside_transcripts_are_told_from_them(content, said, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(content))
    with pytest.raises(BadFile, match=said):
        read_transcript(path)


def test_a_cline_message_that_was_never_completed_is_told_and_one_that_was_is_told_once(tmp_path):
    rows = [
        {"ts": 1770112800000, "type": "say", "say": "task", "text": "Round the totals."},
        {"ts": 1770112801000, "type": "say", "say": "text", "text": "I lo", "partial": True},
        {"ts": 1770112802000, "type": "say", "say": "text", "text": "I look.", "partial": True},
        {"ts": 1770112803000, "type": "say", "say": "text", "text": "I look.", "partial": False},
        {"ts": 1770112804000, "type": "say", "say": "text", "text": "I stop", "partial": True},
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(rows))
    session = read_transcript(path)
    assert [(e.speaker, e.output) for e in session.events] == [
        ("user", "Round the totals."),
        ("agent", "I look."),
        ("agent", "I stop"),
    ]
    assert session.copies == 2


def test_a_forced_format_that_the_file_is_not_of_is_refused_with_the_one_that_it_looks_like():
    with pytest.raises(BadFile, match="not a codex session; it looks like claude-code"):
        read_transcript(FIXTURES / "claude-code.jsonl", "codex")


@pytest.mark.parametrize("file", ["claude-code.jsonl", "native.json"])
def test_a_file_of_one_session_has_none_to_choose(file, tmp_path):
    path = FIXTURES / file
    if file == "native.json":
        path = tmp_path / file
        path.write_text(json.dumps({"events": []}))
    with pytest.raises(BadFile, match="no session is called 'x' here: the file is one session"):
        read_transcript(path, part="x")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (gzip.compress(b'{"type": "user"}'), "it is compressed by gzip: unpack it first"),
        (b"\x28\xb5\x2f\xfd\x00\x01", "it is compressed by zstd: unpack it first"),
        (b"PK\x03\x04rest", "it is a ZIP archive: unpack it first"),
        (b"a.jsonl".ljust(257, b"\0") + b"ustar\x0000", "it is a tar archive: unpack it first"),
        ('{"type": "user"}'.encode("utf-16"), "it is written in UTF-16: write it as UTF-8 first"),
        (b" \n\t\n", "it holds nothing but space"),
    ],
)
def test_what_no_reader_can_see_into_is_named(data, said, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with pytest.raises(BadFile) as refused:
        read_transcript(path)
    assert refused.value.message == f"not a transcript: {said}"


def test_the_hint_names_the_command_that_has_the_option(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("nothing")
    with pytest.raises(BadFile) as refused:
        read_transcript(path)
    assert "`bouts transcript FILE --format NAME` forces one" in (refused.value.hint or "")


def test_records_of_another_format_are_counted_and_named(tmp_path):
    path = tmp_path / "both.jsonl"
    path.write_bytes((FIXTURES / "claude-code.jsonl").read_bytes() + (FIXTURES / "codex.jsonl").read_bytes())
    (note,) = [note for note in read_transcript(path).notes if "look like" in note]
    assert note == "25 records in the file look like codex and are no part of what is told here."


@pytest.mark.parametrize("file", sorted({file.name for file in FIXTURES.glob("*.jsonl")} - {"openhands-output.jsonl"}))
def test_a_file_of_one_format_has_no_records_of_another(file):
    assert not [note for note in read_transcript(FIXTURES / file).notes if "look like" in note]


def test_old_openhands_functions_are_the_edits_that_they_make(tmp_path):
    code = (
        "open_file('a.py')\nedit_file_by_replace('a.py', to_replace='x\\ny', new_content='x\\nz')\nsearch_dir('total')"
    )
    history = [
        {"action": "message", "content": "Go.", "wait_for_response": False},
        {"action": "run_ipython", "code": code, "thought": ""},
        {"observation": "run_ipython", "content": "[File updated]", "code": code},
    ]
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"instance_id": "one", "git_patch": "", "history": history}))
    session = read_transcript(path)
    assert [(e.operation, e.target, e.lines_changed) for e in session.events if e.kind != "message"] == [
        ("read", "a.py", None),
        ("edit", "a.py", 2),
        ("search", "total", None),
    ]
    assert session.calls == 1
