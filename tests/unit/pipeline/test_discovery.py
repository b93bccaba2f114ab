"""The session that lies in a submission is found by its content, in sensible places, and never in the graded code."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from bouts.adapters.transcripts.registry import told_format
from bouts.challenges.reading import Package, read_challenge
from bouts.challenges.submissions import open_submission
from bouts.errors import BadFile
from bouts.pipeline import discovery
from bouts.pipeline.discovery import Found, discover, unread

ROOT = Path(__file__).parents[2] / "fixtures"
TRANSCRIPTS = ROOT / "transcripts"


@pytest.fixture(scope="module")
def package() -> Package:
    return read_challenge(ROOT / "word-tally")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "submission"
    (made / "tally").mkdir(parents=True)
    (made / "tally" / "core.py").write_text("def tally(text):\n    return {}\n")
    (made / "package.json").write_text('{"name": "x", "version": "1.0.0"}\n')
    return made


def put(folder: Path, place: str, fixture: str) -> None:
    target = folder / place
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(TRANSCRIPTS / fixture, target)


def found_in(path: Path, package: Package, tmp_path: Path) -> Found:
    return discover(open_submission(path, package), package, told_format, tmp_path / "place")


@pytest.mark.parametrize(
    ("place", "fixture", "form"),
    [
        ("session.jsonl", "claude-code.jsonl", "claude-code"),
        ("codex-output.txt", "codex-exec.jsonl", "codex-exec"),
        (".aider.chat.history.md", "aider.md", "aider"),
        ("run.traj", "swe-agent.traj", "swe-agent"),
        ("agent/trajectory.json", "atif.json", "atif"),
        ("agent/out.log", "gemini-stream.jsonl", "gemini-stream"),
        (".claude/projects/-srv-stall/0a.jsonl", "claude-code.jsonl", "claude-code"),
        (".codex/sessions/2026/02/03/rollout-1.jsonl", "codex.jsonl", "codex"),
        ("logs/opencode.json", "opencode.json", "opencode"),
        ("transcripts/telemetry.json", "native.json", "native"),
        ("log.eval", "inspect-ai.eval", "inspect-ai"),
    ],
)
def test_any_format_is_found_where_agents_leave_one(place, fixture, form, folder, package, tmp_path):
    put(folder, place, fixture)
    found = found_in(folder, package, tmp_path)
    assert found.chosen is not None
    assert (found.chosen.path, found.chosen.format, found.chosen.file) == (place, form, folder / place)
    (notice,) = found.notices
    assert notice.kind == "transcript_found"
    assert place in notice.why
    assert form in notice.why


@pytest.mark.parametrize(
    "place", ["tests/data/session.jsonl", "vendor/agent/session.jsonl", "notes.txt", "agent/subagents/agent-1.jsonl"]
)
def test_elsewhere_nothing_is_looked_for(place, folder, package, tmp_path):
    put(folder, place, "claude-code.jsonl")
    assert found_in(folder, package, tmp_path) == Found()


def test_of_several_the_largest_is_read_and_the_others_are_named(folder, package, tmp_path):
    put(folder, "agent/a.jsonl", "cursor.jsonl")
    put(folder, "logs/b.jsonl", "claude-code.jsonl")
    put(folder, "c.jsonl", "codex-exec.jsonl")
    sizes = {p: (folder / p).stat().st_size for p in ("agent/a.jsonl", "logs/b.jsonl", "c.jsonl")}
    largest = max(sizes, key=lambda p: sizes[p])
    found = found_in(folder, package, tmp_path)
    assert found.chosen is not None
    assert found.chosen.path == largest
    (notice,) = found.notices
    assert "of 3 transcripts it is the largest" in notice.why
    assert all(place in notice.why for place in sizes)
    assert "--transcript" in notice.why


def test_a_file_of_the_known_name_goes_first(folder, package, tmp_path):
    put(folder, "transcript.json", "native.json")
    put(folder, "agent/a.jsonl", "claude-code.jsonl")
    found = found_in(folder, package, tmp_path)
    assert found.chosen is not None
    assert (found.chosen.path, found.notices) == ("transcript.json", ())


def test_what_is_graded_is_never_read_and_that_is_said(folder, package, tmp_path, monkeypatch):
    monkeypatch.setattr(discovery, "_FOLDERS", frozenset({"tally"}))
    put(folder, "tally/session.jsonl", "claude-code.jsonl")
    found = found_in(folder, package, tmp_path)
    assert found.chosen is None
    (notice,) = found.notices
    assert notice.kind == "transcript_in_code"
    assert "tally/session.jsonl" in notice.why


def test_an_archive_is_looked_into(folder, package, tmp_path):
    put(folder, "agent/session.jsonl", "claude-code.jsonl")
    path = tmp_path / "submission.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder))
    found = found_in(path, package, tmp_path)
    assert found.chosen is not None
    assert found.chosen.path == "agent/session.jsonl"
    assert found.chosen.file.read_bytes() == (TRANSCRIPTS / "claude-code.jsonl").read_bytes()


def test_links_are_not_followed(folder, package, tmp_path):
    put(tmp_path, "outside/session.jsonl", "claude-code.jsonl")
    (folder / "session.jsonl").symlink_to(tmp_path / "outside" / "session.jsonl")
    (folder / "agent").symlink_to(tmp_path / "outside")
    assert found_in(folder, package, tmp_path) == Found()


def test_messages_count_only_where_the_name_says_so(folder, package, tmp_path):
    put(folder, "data.jsonl", "messages.jsonl")
    assert found_in(folder, package, tmp_path).chosen is None
    put(folder, "transcript.jsonl", "messages.jsonl")
    found = found_in(folder, package, tmp_path)
    assert found.chosen is not None
    assert (found.chosen.path, found.chosen.format) == ("transcript.jsonl", "messages")


def test_looking_has_an_end(folder, package, tmp_path, monkeypatch):
    put(folder, "agent/z.jsonl", "claude-code.jsonl")
    monkeypatch.setattr(discovery, "TOTAL", 100)
    assert found_in(folder, package, tmp_path).chosen is None
    monkeypatch.setattr(discovery, "TOTAL", 1 << 20)
    monkeypatch.setattr(discovery, "MOST_FILES", 1)
    assert found_in(folder, package, tmp_path).chosen is None


def test_one_that_cannot_be_read_is_told(folder, package, tmp_path):
    put(folder, "log.eval", "inspect-ai.eval")
    found = unread(found_in(folder, package, tmp_path), BadFile("the file holds 2 sessions", hint="choose one"))
    assert found.chosen is None
    (notice,) = found.notices
    assert notice.kind == "transcript_unread"
    assert "2 sessions" in notice.why
    assert "choose one" in notice.why
