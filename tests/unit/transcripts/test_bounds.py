"""What a transcript may cost in memory: everything that a reading keeps is bounded, and what is left out is counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.adapters.transcripts import charges, long_lines, recording, source
from bouts.adapters.transcripts.acts import of_line
from bouts.adapters.transcripts.charges import Charge, Charges
from bouts.adapters.transcripts.printed import Printed
from bouts.adapters.transcripts.recording import Recording
from bouts.adapters.transcripts.registry import read_transcript
from bouts.adapters.transcripts.results import LOOKED_AT
from bouts.adapters.transcripts.seen import Seen, bounded
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.writing import atif, native
from bouts.errors import BadFile, BadUsage
from bouts.model.session import Tokens
from bouts.render.profile import of
from bouts.render.session import lines


def call(number: int, output: str, command: str = "cat a.py") -> Iterator[str]:
    use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
    usage = {"input_tokens": 2, "output_tokens": 3}
    yield json.dumps(
        {"type": "assistant", "uuid": f"a{number}", "sessionId": "s"}
        | {"message": {"id": f"m{number}", "role": "assistant", "content": [use], "usage": usage}}
    )
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": output}
    yield json.dumps(
        {"type": "user", "uuid": f"u{number}", "sessionId": "s", "message": {"role": "user", "content": [result]}}
    )


def written(path: Path, lines: Iterator[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_events_beyond_the_limit_are_counted_with_their_results_and_their_tokens_are_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MOST_EVENTS", 5)
    monkeypatch.setattr(charges, "MOST_OPEN", 2)
    file = written(tmp_path / "s.jsonl", (line for number in range(8) for line in call(number, "x")))
    session = read_transcript(file)
    assert len(session.events) == 5
    assert session.tokens == Tokens(input=16, output=24)
    assert [(u.reason, u.records) for u in session.unread_reasons] == [("beyond the first 5 events", 6)]
    assert any("Only the first 5 events" in note for note in session.notes)


def test_what_the_events_left_out_would_tell_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_EVENTS", 3)
    commands = ["cat a.py", "sed -i s/a/b/ a.py", "cat b.py", "sed -i s/a/b/ a.py", "pytest"]
    file = written(tmp_path / "s.jsonl", (line for n, command in enumerate(commands) for line in call(n, "x", command)))
    session = read_transcript(file)
    assert (len(session.events), session.left_out, session.duration_seconds) == (3, 2, None)
    assert session.cut == "the session is longer than the 3 events that are kept"
    traits = of(session)
    assert len(traits) == 8
    assert all(trait.value is None and session.cut in trait.because for trait in traits)
    shown = ["".join(span.text for span in row) for row in lines(session)]
    assert shown[1] == "told        the first 3 events; 2 or more behind them are left out"
    assert "patch" not in " ".join(shown)
    assert "phases      not known: the session is longer than the 3 events that are kept" in shown
    whole = session.model_copy(update={"left_out": 0})
    assert [(t.key, t.label, t.unit) for t in traits] == [(t.key, t.label, t.unit) for t in of(whole)]


def test_a_session_that_was_cut_is_written_only_where_that_can_be_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MOST_EVENTS", 2)
    session = read_transcript(written(tmp_path / "s.jsonl", (line for n in range(5) for line in call(n, "x"))))
    with pytest.raises(BadUsage, match="cannot say that others are left out"):
        native(session)
    (tmp_path / "atif.json").write_text(json.dumps(atif(session)), encoding="utf-8")
    assert read_transcript(tmp_path / "atif.json").left_out == 3


def test_a_call_of_many_acts_counts_as_many_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_EVENTS", 5)
    many = "; ".join(f"cat f{i}.py" for i in range(9))
    file = written(tmp_path / "s.jsonl", (line for number in range(2) for line in call(number, "x", many)))
    session = read_transcript(file)
    assert (len(session.events), session.left_out) == (5, 5)


def test_acts_that_a_reader_knows_by_itself_are_bounded_like_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MOST_EVENTS", 5)
    read = {"tool": "readFile", "batchFiles": [{"path": f"f{i}.py"} for i in range(9)]}
    rows = [{"type": "say", "say": "tool", "text": json.dumps(read)}, {"type": "say", "say": "text", "text": "Done."}]
    path = tmp_path / "ui_messages.json"
    path.write_text(json.dumps(rows))
    session = read_transcript(path)
    assert (session.format, [event.operation for event in session.events]) == ("cline", ["read"] * 5)
    assert session.left_out == 5


def test_texts_beyond_the_limit_are_short_and_the_session_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MOST_KEPT", 3000)
    file = written(tmp_path / "s.jsonl", (line for number in range(4) for line in call(number, "y" * 1500)))
    session = read_transcript(file)
    assert [len(event.output or "") for event in session.events] == [1500, 200, 200, 200]
    assert any("kept to 200 characters" in note for note in session.notes)


def test_calls_that_wait_too_long_for_their_answer_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_OPEN", 2)
    kept = Recording("x")
    for number in range(6):
        kept.call("bash", {"command": "ls"}, key=str(number))
    assert not kept.answer("0", "late")
    assert kept.answer("5", "in time")


def test_images_in_long_lines_are_left_out_and_other_long_lines_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_lines, "MOST", 2 << 20)
    image = "QUJD" * (1 << 20)
    words = "a line of words\n" * (1 << 18)
    lines = [*call(0, image), *call(1, words), *call(2, "short")]
    session = read_transcript(written(tmp_path / "s.jsonl", iter(lines)))
    assert [event.status for event in session.events] == ["ok", "unknown", "ok"]
    assert [u.records for u in session.unread_reasons] == [1]
    assert "lines of more than 2 MB" in session.unread_reasons[0].reason


def test_a_long_line_of_very_many_values_is_not_parsed() -> None:
    line = b'{"a": [' + b"[]," * 400_000 + b"[]]}"
    with pytest.raises(OverflowError):
        long_lines.record(line)
    assert long_lines.record(b'{"a": ["' + b"x, [y], " * 200_000 + b'"]}') is not None


@given(st.dictionaries(st.text(max_size=5), st.text(alphabet='a"\\\n\u00e9\U0001f600 ', max_size=3000), max_size=3))
def test_a_sample_is_the_record_with_shorter_texts(body: dict[str, str]) -> None:
    line = json.dumps(body | {"pad": "x" * 70_000}, ensure_ascii=False).encode()
    sampled = long_lines.record(line, sample=True)
    assert sampled is not None
    assert set(sampled) == {*body, "pad"}
    assert all(str(sampled[key]) == value or value.startswith(str(sampled[key])[:500]) for key, value in body.items())


@pytest.mark.parametrize("first", [100, 5 << 20])
def test_a_file_is_read_by_lines_however_long_its_first_line_is(tmp_path: Path, first: int) -> None:
    lines = [*call(0, "a line\n" * (first // 7)), *call(1, "x")]
    session = read_transcript(written(tmp_path / "s.jsonl", iter(lines)))
    assert session.format == "claude-code"
    assert len(session.events) == 2


def test_a_document_in_one_long_line_is_a_document(tmp_path: Path) -> None:
    messages = [json.loads(line) for line in [*call(0, "a line\n" * 800_000), *call(1, "x")]]
    file = tmp_path / "s.json"
    file.write_text(json.dumps(messages), encoding="utf-8")
    assert not source.Source(file).by_lines
    assert len(read_transcript(file).events) == 2
    small = source.Source(file, most=1 << 20)
    with pytest.raises(BadFile, match="one JSON document of 6 MB"):
        _ = small.document


def test_of_a_document_over_many_lines_only_the_first_are_looked_at_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text("[\n" + "1,\n" * 300 + '{"a": 2}\n]\n')
    whole = Source(path)
    assert (len(list(whole.sample)), whole.rows) == (1, [])
    path.write_text("no record\n" * 300 + '{"a": 2}\n')
    assert Source(path).rows == [{"a": 2}]


@given(st.lists(st.text(max_size=3)))
def test_keys_that_were_seen_are_known(keys: list[str]) -> None:
    seen, known = Seen(), set[str]()
    for key in keys:
        assert seen.add(key) == (key not in known)
        known.add(key)
        assert key in seen


def test_many_keys_are_seen_in_a_table_that_grows() -> None:
    seen = Seen()
    assert all(seen.add(str(number)) for number in range(20_000))
    assert not any(seen.add(str(number)) for number in range(20_000))
    assert not seen.full


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 50))))
def test_the_sum_of_charges_counts_each_answer_once_with_its_larger_numbers(rows: list[tuple[int, int]]) -> None:
    kept, largest = Charges(), dict[int, int]()
    for key, tokens in rows:
        kept.add(str(key), Charge(None, Tokens(input=tokens), None, None))
        largest[key] = max(tokens, largest.get(key, 0))
    total, cost = kept.settle()
    assert cost is None
    assert (total.input if total else 0) == sum(largest.values())
    assert kept.count == len(largest)


def test_an_answer_that_was_settled_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charges, "MOST_OPEN", 1)
    kept = Charges()
    for key in ("a", "b", "c", "a"):
        kept.add(key, Charge(None, Tokens(input=1), 0.5, None))
    assert kept.settle() == (Tokens(input=3), 1.5)


def test_of_a_long_output_the_beginning_and_the_end_are_kept() -> None:
    printed = Printed()
    for number in range(100_000):
        printed.add(f"line {number}")
    text = printed.text()
    assert text.startswith("line 0\n") and text.endswith("line 99999")
    assert len(text) < LOOKED_AT + 10_000


def test_the_older_half_is_let_go() -> None:
    known = dict.fromkeys(map(str, range(7)), 0)
    bounded(known, 3)
    assert list(known) == ["3", "4", "5", "6"]


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        (
            "if (Test-Path $HOME\\.s\\c.json) { Get-Content -Raw $HOME\\.s\\c.json } else { 'no' }",
            [("read", "$HOME/.s/c.json")],
        ),
        ("$x = Get-ChildItem -Recurse | Sort-Object Name", [("search", "Get-ChildItem -Recurse")]),
        ("Set-Content -Path src\\a.py -Value 'x'", [("edit", "src/a.py")]),
        ("Get-Content src\\a.ts | Select-Object -First 50", [("read", "src/a.ts")]),
        ('$env:CI="1"; pytest -q', [("test", '$env:CI="1"; pytest -q')]),
        ('grep -rn "Get-Content" src', [("search", "Get-Content")]),
        ("Remove-Item -LiteralPath a\\b.gd -Force -ErrorAction SilentlyContinue", [("edit", "a/b.gd")]),
    ],
)
def test_lines_of_powershell(line: str, acts: list[tuple[str, str]]) -> None:
    assert [(act.operation, act.target) for act in of_line(line)[0]] == acts
