"""Transcripts of any content: read, or refused with one clear error; never a crash, a hang, a secret kept, or memory
without bound."""

from __future__ import annotations

import json
import random
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bouts.adapters.transcripts import recording, source, writing
from bouts.adapters.transcripts.registry import formats, read_transcript
from bouts.errors import BadFile
from bouts.model.session import Session

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
FILES = sorted(path for path in FIXTURES.iterdir() if path.is_file())
PARTS = {"openhands-output.jsonl": "stall-1", "inspect-ai.eval": "1_epoch_1"}
FORMATS = {file.name: read_transcript(file, part=PARTS.get(file.name)).format for file in FILES}
EDGES: list[Any] = [
    *(None, True, -1, 0, 10**400, 1e308, float("nan"), float("inf"), "", "\ud800", "\x1b[2J", "x" * 5000, "9" * 30),
    *(
        [],
        {},
        [[]],
        [None],
        {"type": "text"},
        {"text": {"text": {"text": []}}},
        "2026-13-40T99:99:99Z",
        "{",
        '{"a":',
        "[1",
    ),
]
EXAMPLES = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def told(path: Path, name: str | None = None) -> Session | None:
    """The session, or `None` where the file was refused."""
    try:
        session = read_transcript(path, name)
    except BadFile as error:
        assert error.message
        return None
    assert Session.model_validate(session.model_dump()) == session
    session.model_dump_json()
    return session


def mutated(value: Any, choose: random.Random, rate: float) -> Any:
    """A value with some of its parts replaced, dropped, or given twice."""
    if choose.random() < rate:
        return choose.choice(EDGES)
    if isinstance(value, dict):
        kept = {key: mutated(v, choose, rate) for key, v in value.items() if choose.random() > rate / 2}
        return kept
    if isinstance(value, list):
        rows = [mutated(v, choose, rate) for v in value]
        return rows + rows[:1] if choose.random() < rate else rows
    if isinstance(value, str) and choose.random() < rate:
        return value[: choose.randrange(len(value) + 1)]
    return value


def values(path: Path) -> list[Any]:
    text = path.read_text()
    return [json.loads(text)] if path.suffix != ".jsonl" else [json.loads(line) for line in text.splitlines()]


@EXAMPLES
@given(
    st.sampled_from([f for f in FILES if f.suffix not in (".eval", ".md")]),
    st.integers(0, 2**32),
    st.sampled_from([0.005, 0.02, 0.1]),
)
def test_records_with_odd_values(tmp_path: Path, file: Path, seed: int, rate: float) -> None:
    choose = random.Random(seed)
    path = tmp_path / "x"
    path.write_text("\n".join(json.dumps(mutated(value, choose, rate)) for value in values(file)))
    told(path)
    told(path, FORMATS[file.name])


@EXAMPLES
@given(st.sampled_from(FILES), st.integers(0, 2**32))
def test_files_with_odd_bytes(tmp_path: Path, file: Path, seed: int) -> None:
    choose = random.Random(seed)
    data = bytearray(file.read_bytes())
    for _ in range(choose.randrange(1, 20)):
        at = choose.randrange(len(data))
        match choose.randrange(3):
            case 0:
                data[at] = choose.randrange(256)
            case 1:
                del data[at : at + choose.randrange(1, 200)]
            case _:
                data[at:at] = bytes(choose.randrange(256) for _ in range(choose.randrange(1, 20)))
        if not data:
            break
    path = tmp_path / "x"
    path.write_bytes(bytes(data))
    told(path)
    told(path, FORMATS[file.name])


@EXAMPLES
@given(st.binary(max_size=400))
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    told(path)


@pytest.mark.parametrize("name", list(formats()))
@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", "[[]]", '{"events": []}', "[" * 3000, '{"a":' * 3000, "{}\n{}\n", "\n\n\n", "PK\x03\x04"],
)
def test_every_reader_takes_odd_files(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(text)
    told(path, name)


SECRET = "sk-" + "a1b2c3d4e5f6g7h8i9j0"


@pytest.mark.parametrize(
    "file", [f for f in FILES if f.suffix != ".eval" and f.name != "openhands-output.jsonl"], ids=lambda f: f.name
)
def test_secrets_and_home_folders_are_not_kept(file: Path, tmp_path: Path) -> None:
    text = file.read_text()
    poisoned = text.replace("stall/till.py", f"/home/somebody/{SECRET}.py").replace(
        "Totals", f"Totals {SECRET} /Users/somebody"
    )
    assert SECRET in poisoned
    path = tmp_path / "x"
    path.write_text(poisoned)
    session = told(path)
    assert session is not None
    kept = session.model_dump_json()
    assert "somebody" not in kept
    assert SECRET not in kept
    assert "[redacted]" in kept


def test_an_archive_that_unpacks_to_very_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bouts.adapters.transcripts.readers import inspect_ai

    monkeypatch.setattr(inspect_ai, "DOCUMENT_BYTES", 1 << 20)
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/1_epoch_1.json", b"[" * (2 << 20))
    with pytest.raises(BadFile, match="larger than 256 MB"):
        read_transcript(path)


def test_a_document_of_more_than_256_mb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    with path.open("wb") as out:
        out.write(b'{"trajectory": [\n')
        out.truncate(300 << 20)
    with pytest.raises(BadFile) as raised:
        read_transcript(path)
    assert "at most 256 MB" in raised.value.message


def test_memory_does_not_grow_with_the_length_of_lines(tmp_path: Path) -> None:
    """Lines of half a megabyte, as images make them: 64 MB are read with less than a third of that."""
    path = tmp_path / "x.jsonl"
    image = "A" * (512 << 10)
    with path.open("w") as out:
        for number in range(128):
            use = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": "a.png"}}
            result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": image}
            for kind, part in (("assistant", use), ("user", result)):
                row = {
                    "type": kind,
                    "uuid": f"{kind}{number}",
                    "sessionId": "s",
                    "message": {"role": kind, "content": [part]},
                }
                out.write(json.dumps(row) + "\n")
    tracemalloc.start()
    session = read_transcript(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert session.calls == 128
    assert peak < 20 << 20


def test_calls_beyond_the_bound_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_EVENTS", 5)
    session = read_transcript(FIXTURES / "claude-code.jsonl")
    assert len(session.events) == 5
    assert session.unread > 0
    assert "beyond the first" in session.unread_reasons[0].reason


def test_a_line_beyond_the_bound_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LINE_BYTES", 2000)
    rows = (FIXTURES / "pi.jsonl").read_text().splitlines()
    rows.insert(3, json.dumps({"type": "message", "message": {"role": "user", "content": "x" * 5000}}))
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(rows) + "\n")
    session = read_transcript(path)
    assert session.unread == 1
    assert session.unread_reasons[0].first == "line 4"
    assert session.calls == 6


@pytest.mark.parametrize("version", writing.ATIF_VERSIONS)
@pytest.mark.parametrize("file", [f for f in FILES if f.name not in PARTS], ids=lambda f: f.name)
def test_what_is_written_as_atif_is_read_back_as_it_was(file: Path, version: str, tmp_path: Path) -> None:
    session = read_transcript(file)
    path = tmp_path / "x.json"
    path.write_text(json.dumps(writing.atif(session, version)))
    again = read_transcript(path)
    nested = version >= "1.7"
    # Before 1.7 a file holds one trajectory, so who did a step is not told.
    left_out = set() if nested else {"agent", "parent", "within"}
    first, second = ([e.model_dump(exclude=left_out) for e in s.events] for s in (session, again))
    assert first == second
    for name in (
        "session_id",
        "agent",
        "agent_version",
        "models",
        "started",
        "folder",
        "outcome",
        "tokens",
        "cost_usd",
    ):
        assert getattr(session, name) == getattr(again, name), name


@pytest.mark.parametrize("file", [f for f in FILES if f.name not in PARTS], ids=lambda f: f.name)
def test_what_is_written_as_native_telemetry_is_read_back(file: Path, tmp_path: Path) -> None:
    session = read_transcript(file)
    if any(event.seconds is None for event in session.events):
        with pytest.raises(Exception, match="has no time"):
            writing.native(session)
        return
    path = tmp_path / "x.json"
    path.write_text(json.dumps(writing.native(session)))
    again = read_transcript(path)
    assert again.format == "native"
    keys = ("seconds", "operation", "target", "passed", "failed", "total", "lines_changed", "ranges", "output")
    for before, after in zip(session.events, again.events, strict=True):
        assert [getattr(before, key) for key in keys] == [getattr(after, key) for key in keys]
