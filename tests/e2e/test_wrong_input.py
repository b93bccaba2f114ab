"""Every kind of wrong input: one clear message, the right exit status, no traceback."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from whole import REFERENCE, SUBMISSIONS, TALLY, Bouts, Ran, Scored, fits

JUNK = bytes(range(256)) * 40


def refused(ran: Ran, status: int, *words: str) -> None:
    """One message on standard error that has these words, nothing on standard output."""
    assert ran.status == status, ran
    assert ran.out == "", ran
    assert ran.err.startswith("error: "), ran
    assert ran.err.count("error: ") == 1, ran
    assert len(ran.err) < 2000, ran
    for word in words:
        assert word in ran.err, ran


# ---------------------------------------------------------------------- challenges


def package(tmp_path: Path, edit: Callable[[Path], object]) -> Path:
    folder = tmp_path / "word-tally"
    shutil.copytree(TALLY, folder)
    edit(folder)
    return folder


def line_added(text: str) -> Callable[[Path], object]:
    def edit(folder: Path) -> None:
        with (folder / "challenge.yaml").open("a", encoding="utf-8") as manifest:
            manifest.write(text)

    return edit


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (line_added("  budgett: [\n"), ("challenge.yaml:",)),
        (
            line_added("limit: {test_seconds: 3}\n"),
            ("challenge.yaml:34:1", "unknown key 'limit'", "did you mean 'limits'"),
        ),
        (lambda f: (f / "challenge.yaml").unlink(), ("challenge.yaml",)),
        (lambda f: (f / "challenge.yaml").write_bytes(JUNK), ("challenge.yaml",)),
        (lambda f: (f / "inventory.json").unlink(), ("no inventory", "bouts check", "--freeze")),
        (lambda f: (f / "inventory.json").write_bytes(JUNK), ("inventory.json",)),
        (lambda f: (f / "tests/static/unit/test_top.py").write_text("\n"), ("inventory", "--freeze")),
    ],
    ids=["broken-yaml", "unknown-key", "no-manifest", "junk", "no-inventory", "junk-inventory", "old-inventory"],
)
def test_broken_packages(bouts: Bouts, tmp_path: Path, edit: Callable[[Path], object], words: tuple[str, ...]) -> None:
    refused(bouts("score", package(tmp_path, edit), REFERENCE), 2, *words)


def test_check_names_missing_components(bouts: Bouts, tmp_path: Path) -> None:
    folder = package(tmp_path, lambda f: (shutil.rmtree(f / "reference"), (f / "briefing.md").unlink()))
    ran = bouts("check", folder, "--static")
    assert ran.status == 2
    assert "there is no reference/" in ran.out
    assert "there is no briefing.md" in ran.out
    refused(bouts("score", folder, SUBMISSIONS / "bad-empty" / "submission"), 2, "reference")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("score", "no-such-challenge", "x"), ("no challenge is called 'no-such-challenge'", "there are: ")),
        (("score", "word-taly", "x"), ("did you mean word-tally?",)),
        (("score", "./no/such/folder", "x"), ("no/such/folder",)),
        (("score", "word-tally", "no-such-submission"), ("no-such-submission", "no such submission")),
        (("score", "word-tally", "x", "--policy", "four-jugde"), ("did you mean four-judge?",)),
        (("score", "word-tally", "x", "y", "--agent", "A"), ("--agent", "submission.yaml")),
        (("score", "word-tally"), ("SUBMISSION", "bouts score --help")),
        (("score", "word-tally", "x", "--batch", "../x"), ("--batch ../x", "no batch can be called so")),
        (("score", "word-tally", "x", "--jobs", "0"), ("--jobs",)),
        (("score", "word-tally", "x", "--jbs", "2"), ("--jobs",)),
        (("scor",), ("score",)),
        (("policy", "show", "four"), ("four-judge",)),
        (("explain", "no-such-card.json"), ("no-such-card.json", "no such card")),
        (("verify", "no-such-card.json"), ("no-such-card.json",)),
        (("check", "word-tally", "--static", "--freeze"), ("--static", "--freeze")),
        (("test", "word-tally", "--test", "unit/nothing"), ("unit/nothing",)),
        (("shell", "word-tally"), ("terminal", "-- ls")),
    ],
)
def test_wrong_words(bouts: Bouts, tmp_path: Path, words: tuple[str, ...], said: tuple[str, ...]) -> None:
    ran = bouts(*words, cwd=tmp_path, BOUTS_CHALLENGES=str(TALLY.parent))
    refused(ran, 2, *said)


@pytest.mark.parametrize("option", ["--out", "--html", "--junit"])
def test_places_that_cannot_be_written_are_told_before_anything_is_run(bouts: Bouts, option: str) -> None:
    # Even root can make no file there.
    ran = bouts("score", TALLY, REFERENCE, option, "/proc/nowhere/file", "--fresh")
    refused(ran, 2, f"{option} /proc/nowhere/file", "cannot write there")


def test_parser_errors_are_json_when_asked_for(bouts: Bouts) -> None:
    for words in (("score", "--json"), ("explain", "nowhere.json", "--json"), ("score", "a", "b", "--what", "--json")):
        ran = bouts(*words)
        assert ran.status == 2
        assert ran.err == ""
        fits(ran.json, "error")


def test_without_a_command_it_says_what_there_is(bouts: Bouts) -> None:
    ran = bouts()
    assert ran.status == 2
    assert "Commands:" in ran.err
    for command in ("score", "explain", "verify", "doctor"):
        shown = bouts(command, "--help")
        assert shown.status == 0
        assert "Example" in shown.out


# ---------------------------------------------------------------------- submissions


def tar_with(path: Path, member: tarfile.TarInfo, data: bytes = b"") -> Path:
    with tarfile.open(path, "w:gz") as archive:
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return path


def zip_with(path: Path, name: str, data: bytes = b"x") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return path


def test_submissions_that_cannot_be_taken(bouts: Bouts, tmp_path: Path) -> None:
    link = tarfile.TarInfo("tally/core.py")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    large = tmp_path / "large.zip"
    with large.open("wb") as out:
        out.truncate(100 << 20)
    big = tmp_path / "big-file"
    (big / "tally").mkdir(parents=True)
    with (big / "tally" / "core.py").open("wb") as out:
        out.truncate(100 << 20)
    beside = tmp_path / "beside"
    shutil.copytree(REFERENCE, beside)
    with (beside / "data.bin").open("wb") as out:
        out.truncate(100 << 20)
    fifo = tmp_path / "pipe.zip"
    os.mkfifo(fifo)
    (tmp_path / "junk.zip").write_bytes(JUNK)
    (tmp_path / "junk.patch").write_bytes(JUNK)
    (tmp_path / "junk.bin").write_bytes(JUNK)
    (tmp_path / "yaml").mkdir()
    (tmp_path / "yaml" / "submission.yaml").write_text("agnt: me\n", encoding="utf-8")
    cases = {
        tmp_path / "nowhere": "no such submission",
        zip_with(tmp_path / "climbs.zip", "../../outside.py"): "../../outside.py",
        tar_with(tmp_path / "climbs.tar.gz", tarfile.TarInfo("../outside.py")): "../outside.py",
        tar_with(tmp_path / "absolute.tar.gz", tarfile.TarInfo("/etc/outside.py")): "/etc/outside.py",
        tar_with(tmp_path / "link.tar.gz", link): "tally/core.py",
        zip_with(tmp_path / "bomb.zip", "tally/core.py", bytes(80 << 20)): "200 times",
        large: "larger than",
        fifo: "pipe",
        tmp_path / "junk.zip": "zip",
        tmp_path / "junk.patch": "junk.patch",
        tmp_path / "junk.bin": "no submission",
        tmp_path / "yaml": "did you mean 'agent'",
        big: "tally/core.py",
        beside: "data.bin",
    }
    ran = bouts("score", TALLY, *cases, REFERENCE, "--no-second-look", "--json", "--out", tmp_path / "cards")
    assert ran.status == 2, ran
    items = ran.json["items"]
    for item, said in zip(items[:-1], cases.values(), strict=True):
        assert item["card"] is None, item
        told = " ".join(str(item["error"][key]) for key in ("where", "message", "hint"))
        assert said in told, item
        assert len(told) < 1500, item
    assert items[-1]["card"]["outcome"] == "solved", "the rest goes on"
    assert not (tmp_path.parent / "outside.py").exists()


def test_one_that_cannot_be_taken_alone(bouts: Bouts, tmp_path: Path) -> None:
    refused(bouts("score", TALLY, zip_with(tmp_path / "climbs.zip", "../x.py")), 2, "climbs.zip", "../x.py")


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_unreadable_files(bouts: Bouts, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    shutil.copytree(REFERENCE, folder)
    (folder / "tally" / "core.py").chmod(0)
    refused(bouts("score", TALLY, folder), 2, "tally/core.py")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (JUNK, "transcript"),
        (b"", "transcript"),
        (b'{"events": 3}', "events"),
        (
            b'{"session_id": "s", "events": [{"type": "tool_call", "timestamp": "2026-01-05T09:00:00Z", "toool": 1}]}',
            "event",
        ),
        (b"[" * 100_000, "transcript"),
    ],
    ids=["junk", "empty", "no-list", "unknown-key", "deep"],
)
def test_bad_telemetry(bouts: Bouts, tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "transcript.json"
    path.write_bytes(content)
    refused(bouts("score", TALLY, REFERENCE, "--transcript", path), 2, said)


def test_transcripts_of_odd_kinds(bouts: Bouts, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as out:
        out.truncate(100 << 20)
    refused(bouts("score", TALLY, REFERENCE, "--transcript", tmp_path / "nowhere"), 2, "no such transcript")
    refused(bouts("score", TALLY, REFERENCE, "--transcript", tmp_path / "pipe"), 2, str(tmp_path / "pipe"))
    refused(bouts("score", TALLY, REFERENCE, "--transcript", tmp_path / "large"), 2, "known formats: native")
    refused(bouts("score", TALLY, REFERENCE, "--transcript", tmp_path), 2, str(tmp_path))


# ---------------------------------------------------------------------- cards and evidence


def test_cards_that_are_none(bouts: Bouts, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with (tmp_path / "large.json").open("wb") as out:
        out.truncate(100 << 20)
    (tmp_path / "junk.json").write_bytes(JUNK)
    (tmp_path / "other.json").write_text('{"schema": "other/1"}', encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    for name in ("pipe", "large", "junk", "other", "deep"):
        refused(bouts("verify", tmp_path / f"{name}.json"), 2, f"{name}.json")
    refused(bouts("explain", tmp_path), 2, str(tmp_path))


@pytest.mark.parametrize("kind", ["junk", "cut", "bomb", "missing", "pipe"])
def test_evidence_that_is_none(bouts: Bouts, scored: Scored, tmp_path: Path, kind: str) -> None:
    card = tmp_path / "card.json"
    shutil.copy(scored.card, card)
    evidence = tmp_path / scored.evidence.name
    if kind == "pipe":
        os.mkfifo(evidence)
    elif kind != "missing":
        whole = scored.evidence.read_bytes()
        content = {"junk": JUNK, "cut": whole[:-20], "bomb": gzip.compress(bytes(300 << 20), 1)}[kind]
        evidence.write_bytes(content)
    refused(bouts("verify", card), 2, evidence.name)


def test_explain_needs_no_evidence_but_known_keys(bouts: Bouts, scored: Scored, tmp_path: Path) -> None:
    alone = tmp_path / "card.json"
    shutil.copy(scored.card, alone)
    assert bouts("explain", alone, "objective").status == 0
    refused(bouts("explain", alone, "objectiv.static"), 2, "objective.static")
    refused(bouts("explain", alone, "--what-if", "objective.static"), 2, "KEY=SCORE")
    refused(bouts("explain", alone, "--what-if", "objective.static=nan"), 2)
    refused(bouts("explain", alone, "--what-if", "objective.static=101"), 2)
    refused(bouts("explain", alone, "--to-reach", "nan"), 2)


def test_unknown_policies_on_a_card(bouts: Bouts, scored: Scored, tmp_path: Path) -> None:
    card = json.loads(scored.card.read_text(encoding="utf-8"))
    card["policy"]["name"] = "six-judge"
    alone = tmp_path / "card.json"
    alone.write_text(json.dumps(card), encoding="utf-8")
    shutil.copy(scored.evidence, tmp_path)
    ran = bouts("verify", alone)
    assert ran.status == 3
    assert "policy.name" in ran.out
    refused(bouts("explain", alone, "objective"), 2, "six-judge")


def test_a_word_that_the_shell_made_empty_is_not_the_folder_one_is_in(bouts: Bouts, tmp_path: Path) -> None:
    refused(bouts("score", TALLY, "", cwd=tmp_path), 2, "an argument is empty")
    refused(bouts("check", "", cwd=TALLY), 2, "an argument is empty")


@pytest.mark.parametrize("way", ["up", "link"])
def test_a_challenge_is_the_same_on_whatever_way_one_comes_to_it(bouts: Bouts, tmp_path: Path, way: str) -> None:
    folder = package(tmp_path, lambda _: None)
    (tmp_path / "below").mkdir()
    (tmp_path / "link").symlink_to(folder)
    named = f"../{folder.name}" if way == "up" else "../link"
    ran = bouts("test", named, REFERENCE, cwd=tmp_path / "below")
    assert ran.status == 0, ran
    assert "missing" not in ran.out, ran


def test_names_that_are_no_utf8_are_scored_like_others(bouts: Bouts, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff\xfe"))
    shutil.copytree(REFERENCE, odd)
    Path(os.fsdecode(os.fsencode(odd) + b"/\xff.py")).write_text("x = 1\n", encoding="utf-8")
    ran = bouts("score", TALLY, odd, "--out", tmp_path / "card.json")
    assert ran.status == 0, ran
    assert bouts("verify", tmp_path / "card.json").status == 0
