"""A small, complete package that tests build in a temporary folder."""

from __future__ import annotations

from pathlib import Path

from bouts.challenges.reading import Package, read_challenge

MANIFEST = """\
schema: bouts.challenge/1
id: ledger-sum
version: 1.0.0
title: Ledger sum
summary: Add up a ledger.
format: sprint
family: false-summit
tier: 1
language: python
profile:
  reasoning_depth: 2
  tool_dependence: 3
  ambiguity: 2
  deception: 3
  time_pressure: 2
  error_recovery: 2
  non_local: 2
  strictness: 3
budget: {minutes: 20}
editable: ["src/**", "NOTES.md", "app.py"]
deliverables:
  - {id: notes, path: NOTES.md, title: Notes}
environment: {lock: null}
interface:
  calls: {modules: [ledger], path: [src]}
suites:
  static: {boundary: calls}
  adversarial: {boundary: calls}
rubric:
  behaviours:
    adds: It adds up.
  static:
    - {match: "unit/*", category: functionality, behaviour: adds}
  adversarial:
    - {match: "input/*", severity: high, cwe: CWE-20, pattern: value-swap, validates: [adds]}
"""

BRIEFING = """\
# Ledger sum

The books do not close. Someone has to find out why before the month ends.

## Context

`src/ledger/core.py` adds up entries; `app.py` prints the sum.

## Deliverables

- `src/ledger/core.py`, mended
- `NOTES.md`: what was wrong

## Constraints

- Nothing but the standard library.
"""

FILES: dict[str, str] = {
    "challenge.yaml": MANIFEST,
    "briefing.md": BRIEFING,
    "codebase/README.md": "# Ledger\n",
    "codebase/pyproject.toml": '[project]\nname = "ledger"\n',
    "codebase/.env.example": "LEDGER=books.csv\n",
    "codebase/.github/workflows/ci.yml": "on: push\n",
    "codebase/app.py": "from ledger.core import total\n\nprint(total([1, 2]))\n",
    "codebase/src/ledger/__init__.py": "",
    "codebase/src/ledger/core.py": "def total(entries):\n    return entries[0]\n",
    "codebase/src/ledger/queue.py": "ITEMS = []\n",
    "tests/static/unit/test_total.py": "import builders\nimport ledger\n\n\ndef test_one():\n    assert ledger\n",
    "tests/static/conftest.py": "",
    "tests/adversarial/input/test_big.py": (
        "import secrets_of_hidden\n\n\ndef test_hidden_marker_a():\n    pass\n\n\n"
        "def test_hidden_marker_b():\n    pass\n"
    ),
    "tests/support/builders.py": "def entry():\n    return 1\n",
    "tests/support/secrets_of_hidden.py": "HIDDEN_MARKER = 42\n",
    "reference/src/ledger/core.py": "def total(entries):\n    return sum(entries)\n",
    "reference/NOTES.md": "Only the first entry was counted.\n",
    "samples/reference-full/expect.yaml": "band: [85, 100]\n",
    "samples/reference-full/transcript.json": "{}\n",
    "samples/naive-first/expect.yaml": "band: [0, 60]\n",
    "samples/naive-first/submission/src/ledger/core.py": "def total(entries):\n    return 3\n",
    "samples/naive-first/transcript.json": "{}\n",
}


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def build(root: Path, **changes: str | bytes | None) -> Package:
    """The package, with files replaced (keys are paths) or left out (None)."""
    return read_challenge(build_folder(root, dict(changes)))


def build_folder(root: Path, changes: dict[str, str | bytes | None]) -> Path:
    """The package's folder, not read yet."""
    files: dict[str, str | bytes] = {k: v for k, v in {**FILES, **changes}.items() if v is not None}
    return write(root, files)
