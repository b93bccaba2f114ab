"""Packages with test files that do not load, without parts, or for another Python: named, never passed over."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_wrong_input import refused
from whole import REFERENCE, TALLY, Bouts, fits


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return shutil.copytree(TALLY, tmp_path / "word-tally")


def test_files_that_do_not_load_are_named(bouts: Bouts, package: Path) -> None:
    unit = package / "tests" / "static" / "unit"
    (unit / "test_syntax.py").write_text("def x(:\n", encoding="utf-8")
    (unit / "test_import.py").write_text("import no_such_module\n", encoding="utf-8")
    ran = bouts("test", package, REFERENCE)
    assert ran.status == 2
    assert "SyntaxError" in ran.out
    assert "No module named 'no_such_module'" in ran.out
    assert "4 of 4 passed" in ran.out
    assert "unit/test_import.py, unit/test_syntax.py" in ran.err
    told = bouts("test", package, REFERENCE, "--json")
    assert told.status == 2
    fits(told.json, "test")
    assert {t["id"] for t in told.json["tests"] if t["outcome"] == "error"} == {
        "unit/test_import.py",
        "unit/test_syntax.py",
    }
    assert bouts("test", package, REFERENCE, "--test", "unit/test_top.py::*").status == 0


def test_a_file_that_ends_the_process_is_named(bouts: Bouts, package: Path) -> None:
    ending = package / "tests" / "static" / "unit" / "test_ending.py"
    ending.write_text("import os\nos._exit(0)\n", encoding="utf-8")
    ran = bouts("test", package, REFERENCE)
    assert ran.status == 2
    assert "unit/test_ending.py" in ran.err
    assert "it ends the tests' process" in ran.out


def test_another_python(bouts: Bouts, package: Path) -> None:
    manifest = package / "challenge.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("{lock: null}", '{lock: null, python: "3.99"}'), encoding="utf-8")
    here = f"needs Python 3.99, and this is 3.{sys.version_info[1]}"
    refused(bouts("score", package, REFERENCE), 3, here)
    assert bouts("test", package, REFERENCE).status == 3
    assert here in bouts("check", package, "--static").out


def test_without_a_codebase_or_a_briefing(bouts: Bouts, package: Path, tmp_path: Path) -> None:
    (package / "briefing.md").unlink()
    refused(bouts("workspace", package, tmp_path / "work"), 2, str(package), "no briefing.md")
    shutil.rmtree(package / "codebase")
    refused(bouts("workspace", package, tmp_path / "work"), 2, str(package), "no codebase/ and no briefing.md")
    refused(bouts("score", package, REFERENCE), 2, str(package), "no codebase/")
    assert not (tmp_path / "work").exists()


def test_a_workspace_where_a_file_is(bouts: Bouts, tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("mine", encoding="utf-8")
    refused(bouts("workspace", TALLY, taken), 2, str(taken), "a file is there")
    refused(bouts("workspace", TALLY, taken / "below"), 2, str(taken))
    assert taken.read_text(encoding="utf-8") == "mine"


def test_a_limit_that_is_no_number(bouts: Bouts) -> None:
    refused(bouts("score", TALLY, REFERENCE, "--fail-under", "nan"), 2, "--fail-under nan")


def test_a_shell_without_a_terminal_is_refused_before_anything_is_begun(bouts: Bouts) -> None:
    ran = bouts("shell", TALLY)
    assert ran.status == 2
    assert "a shell needs a terminal" in ran.err
    assert "in the sandbox" not in ran.err


def test_the_shell_hands_on_standard_input(bouts: Bouts) -> None:
    done = subprocess.run(
        bouts.command("shell", TALLY, "--", "cat"),
        input=b"three words here\n",
        capture_output=True,
        env=bouts.environment(),
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"three words here\n")
