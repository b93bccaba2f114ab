"""`bouts transcript`: what it prints and writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bouts.adapters.transcripts.registry import formats, read_transcript
from bouts.cli.app import app
from bouts.cli.schemas import TranscriptFormatsOutput, TranscriptOutput
from bouts.errors import BadFile, BadUsage
from bouts.model.session import Session, SessionEvent, Unread
from bouts.render.html import session_page
from bouts.render.picture import picture
from bouts.render.session import duration, lines, short_path
from bouts.scoring.process.phases import phases, stretches

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
CLAUDE = FIXTURES / "claude-code.jsonl"


def ran(*words: object) -> str:
    result = CliRunner().invoke(app, ["transcript", *map(str, words)], catch_exceptions=False, standalone_mode=False)
    return result.stdout


def test_a_session_for_people():
    out = ran(CLAUDE)
    for said in (
        "claude-code 2.1.0",
        "805 in (700 from a cache), 140 out",
        "localise 2 → patch 1 → validate 1 → patch 1 → validate 1",
        "3 passed, 1 failed",
        "stall/till.py (3 lines)",
    ):
        assert said in out


def test_a_session_for_programs():
    body = json.loads(ran(CLAUDE, "--json"))
    made = TranscriptOutput.model_validate(body)
    assert made.session == read_transcript(CLAUDE)
    assert (made.calls, [row.phase for row in made.phases]) == (
        6,
        ["localise", "patch", "validate", "patch", "validate"],
    )


def test_one_is_told_as_one():
    reasons = (
        Unread(reason="results without a call", records=1, first="line 3"),
        Unread(reason="lines that hold no JSON object", records=1),
        Unread(reason="steps that are no objects", records=1),
        Unread(reason="results without a call", records=1200),
    )
    edit = SessionEvent(sequence=1, operation="edit", target="a.py", lines_changed=2)
    session = Session(format="x", events=(edit,), unread=1, ignored=1, unread_reasons=reasons)
    shown = ["".join(span.text for span in row) for row in lines(session)]
    for said in (
        "lines       2 changed in 1 edit",
        "not read    1 record",
        "ignored     1 record without an event",
        "not read: 1 result without a call (first: line 3)",
        "not read: 1 line that holds no JSON object",
        "not read: 1 step that is no object",
        "not read: 1,200 results without a call",
    ):
        assert said in shown
    assert "Not read: 1 result without a call." in session_page(session)


def test_the_known_formats():
    made = TranscriptFormatsOutput.model_validate(json.loads(ran("--formats", "--json")))
    assert [row.name for row in made.formats] == list(formats())
    assert "Gemini CLI" in ran("--formats")


def test_one_of_several_sessions_written_out_is_a_file_of_its_own(tmp_path):
    out = tmp_path / "session.json"
    ran(FIXTURES / "inspect-ai.eval", "--sample", "2_epoch_1", "--write", "native", "--out", out)
    again = read_transcript(out)
    assert (again.format, again.calls) == ("native", 6)
    body = json.loads(ran(FIXTURES / "swe-agent.traj", "--write", "atif"))
    assert body["schema_version"] == "ATIF-v1.7"


def test_what_somebody_wrote_is_kept(tmp_path):
    out = tmp_path / "new" / "session.json"
    for _ in range(2):
        ran(CLAUDE, "--write", "native", "--out", out)
    whole = out.read_bytes()
    assert [p.name for p in out.parent.iterdir()] == ["session.json"]
    with pytest.raises(BadUsage, match="no copy of this session"):
        ran(CLAUDE, "--write", "atif", "--out", out)
    assert out.read_bytes() == whole
    with pytest.raises(BadUsage, match="no such folder") as raised:
        ran(CLAUDE, "--write", "atif", "--out", tmp_path / "a" / "b" / "c.json")
    assert "--out" in (raised.value.where or "")
    assert not (tmp_path / "a").exists()


def test_a_page_tells_the_session_and_loads_nothing(tmp_path):
    out = tmp_path / "page.html"
    ran(CLAUDE, "--html", out)
    page = out.read_text()
    assert "stall/till.py" in page
    assert page.count('class="run fail"') == 1
    assert page.count('class="run pass"') == 1
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_nothing_in_a_transcript_becomes_markup():
    event = SessionEvent(sequence=1, operation="edit", target='<img src=x onerror="alert(1)">', tool="</svg><script>")
    page = session_page(Session(format="native", events=(event,), session_id="<b>", notes=("<i>",)))
    for tag in ("<img", "<b>", "<i>", "<script"):
        assert tag not in page


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ([], "no transcript was named"),
        ([CLAUDE, "--format", "claude"], "no transcript format is called"),
        ([CLAUDE, "--write", "xml"], "not written as"),
        ([CLAUDE, "--out", "x"], "--out goes with --write"),
        ([FIXTURES / "swe-agent.traj", "--write", "native"], "has no time"),
        ([CLAUDE, "--html", "/nowhere/at/all/page.html"], "cannot write there"),
    ],
)
def test_mistakes(words, error):
    with pytest.raises(BadUsage, match=error) as raised:
        ran(*words)
    assert raised.value.exit_status == 2


def test_a_file_that_is_no_transcript(tmp_path):
    path = tmp_path / "x"
    path.write_text("nothing")
    with pytest.raises(BadFile, match="any known format"):
        ran(path)


def events(*operations: str) -> list[SessionEvent]:
    return [SessionEvent.model_validate({"sequence": i, "operation": o}) for i, o in enumerate(operations, 1)]


def test_phases():
    told = phases(events("read", "run", "message", "edit", "run", "read", "test", "create", "search", "other"))
    assert list(told.values()) == [
        *("localise", "localise", "patch", "validate", "localise", "validate", "patch", "localise"),
    ]
    assert [tuple(s) for s in stretches(events("read", "search", "edit", "test"))] == [
        ("localise", 1, 2, 2),
        ("patch", 3, 3, 1),
        ("validate", 4, 4, 1),
    ]
    back = [*events("edit"), SessionEvent(sequence=2, operation="read", target="git diff")]
    assert phases(back)[2] == "validate"


@pytest.mark.parametrize(
    ("seconds", "said"), [(None, ""), (0.25, "0.2 s"), (59.9, "1 min 0 s"), (61, "1 min 1 s"), (7260, "2 h 1 min")]
)
def test_lengths_of_time(seconds, said):
    assert duration(seconds) == said


def test_a_session_of_nothing_has_a_view_and_a_page():
    empty = Session(format="native", events=())
    assert lines(empty)
    assert picture(empty).marks == []
    assert "No event is about a file, and no tests ran." in session_page(empty)


def placed(*rows: tuple[str, str | None, float | None], length: float | None = None, **more: object) -> Session:
    made = [
        SessionEvent.model_validate({"sequence": i, "operation": what, "target": target, "seconds": at, **more})
        for i, (what, target, at) in enumerate(rows, 1)
    ]
    return Session(format="native", events=tuple(made), duration_seconds=length)


def test_the_picture_goes_by_time_where_there_is_one_and_no_long_pause():
    day = placed(("read", "a.py", 0.0), ("edit", "a.py", 40.0), ("test", "pytest", 70.0), length=100.0)
    seen = picture(day)
    assert seen.axis == "time"
    assert [round((mark.x - seen.left) / 820, 2) for mark in seen.marks] == [0, 0.4]
    assert [strip.phase for strip in seen.strips] == ["localise", "patch", "validate"]
    night = placed(("read", "a.py", 0.0), ("edit", "a.py", 900.0), ("test", "pytest", 1000.0), length=1000.0)
    assert picture(night).axis == "event"
    assert picture(placed(("read", "a.py", None), ("edit", "a.py", 1.0), length=2.0)).axis == "event"
    talk = placed(("message", None, None), ("edit", "a.py", 1.0), ("test", "pytest", 1.5), length=2.0)
    assert picture(talk).axis == "time"


def test_the_picture_has_a_row_for_files_alone_and_says_how_many_have_none():
    many = placed(*(("edit", f"f{i}.py", None) for i in range(45)), ("read", "git log", None), ("read", "$f", None))
    seen = picture(many)
    assert (len(seen.rows), seen.left_out) == (40, 5)
    assert not any("git" in whole or "$" in whole for _, _, whole in seen.rows)
    assert "5 more files, touched less often, have no row." in session_page(many)


def test_what_a_subagent_did_is_told_apart():
    session = placed(("edit", "a.py", None), agent="helper")
    assert picture(session).marks[0].sub
    page = session_page(session)
    assert "hollow: by a subagent" in page
    assert "↳ edit" in page
    assert "1, which did 1 of the events" in page


def test_a_long_path_keeps_its_end():
    assert short_path("a/long/way/down/to/file.py", 12) == "…/to/file.py"
    assert short_path("short.py", 12) == "short.py"


def test_a_long_timeline_is_cut_and_says_so():
    session = Session(format="native", events=tuple(events(*["read"] * 200)))
    text = "\n".join("".join(span.text for span in line) for line in lines(session))
    assert "140 events left out" in text
    assert len(lines(session, most=None)) > 200
