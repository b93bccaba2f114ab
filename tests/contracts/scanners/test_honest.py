"""Honest code makes no violation: modules of the standard library with small edits, as if they were submissions."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from bouts.adapters.scanners.integrity.disabled_tests import disabled_tests
from bouts.adapters.scanners.integrity.stubs import stubbed
from bouts.adapters.scanners.sources import source

LIBRARY = Path(random.__file__).parent
MODULES = [file for file in sorted(LIBRARY.glob("*.py")) if 2_000 < file.stat().st_size < 12_000]
ADDED = "# A comment.\ndef added_by_the_agent(value):\n    return value + 1\n\n\n"


def edited(text: str) -> str:
    """A comment and a function more, put before the first top-level definition."""
    first = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    number = min([first.lineno, *(item.lineno for item in first.decorator_list)]) - 1
    lines = text.split("\n")
    return "\n".join([*lines[:number], *ADDED.split("\n")[:-1], *lines[number:]])


def texts() -> dict[str, str]:
    found = {f"lib/{file.name}": file.read_text(encoding="utf-8") for file in MODULES}
    return {
        path: text
        for path, text in found.items()
        if any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in ast.parse(text).body)
    }


def test_there_is_enough_to_look_at():
    assert len(texts()) >= 40


@pytest.mark.parametrize("part", range(3))
def test_small_edits_to_honest_modules_make_no_finding(scan, part):
    given = dict(list(texts().items())[part::3][:20])
    report = scan(given, {path: edited(text) for path, text in given.items()})
    assert report.findings == ()
    assert report.observations == ()
    assert [(item.check, item.places) for item in report.build] == [("compiles", ()), ("lint", ())]


def test_small_edits_stub_nothing():
    given = {path: source(path, text.encode()) for path, text in texts().items()}
    staged = {path: source(path, edited(text).encode()) for path, text in texts().items()}
    assert stubbed(given, staged) == ()


def test_reformatted_test_files_lose_nothing():
    files = [file for file in sorted((LIBRARY / "unittest").rglob("*.py")) if file.stat().st_size < 40_000]
    files += [file for file in sorted((LIBRARY / "test").glob("test_*.py")) if file.stat().st_size < 12_000][:60]
    package: dict[str, bytes] = {}
    handed_in: dict[str, bytes] = {}
    for file in files:
        try:
            tree = ast.parse(file.read_bytes())
        except SyntaxError:
            continue
        package[file.name] = file.read_bytes()
        handed_in[file.name] = ast.unparse(tree).encode()
    found = disabled_tests(package, handed_in, deletions_count=True)
    assert found.observations == ()
    assert found.notices == ()
