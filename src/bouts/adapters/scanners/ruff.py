"""ruff: one run of the binary over many files, with no configuration but ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bouts.adapters.scanners.rows import Row
from bouts.adapters.scanners.sources import Source

SECURITY = "S"
OUTPUT = 32 << 20
"""Bytes of output that are read; a run that prints more is ended and counts as cut."""
_BATCH = 400
_TRANSCODED = 20
"""Files in another encoding than UTF-8 that are handed over one by one; further ones count as not read."""
_NEWEST_MINOR = 15


class RuffRun(NamedTuple):
    """What ruff reported."""

    rows: list[Row]
    unread: dict[str, str]
    """Files that ruff could not read, with the reason."""
    cut: bool
    """Whether there were more rows than are read."""


@cache
def binary() -> str:
    """Path of the ruff that belongs to this Python. Raises `FileNotFoundError`."""
    from ruff import find_ruff_bin  # pyright: ignore[reportMissingTypeStubs]

    return find_ruff_bin()


def run(program: str, root: Path, files: Sequence[Source], rules: Sequence[str]) -> RuffRun:
    """Lint `files` (below `root`) by `rules` and the security rules. Comments that silence rules have no effect."""
    result = RuffRun([], {}, False)
    files = [file for file in files if _named(file, result.unread)]
    plain = [file.path for file in files if _is_utf8(file)]
    for start in range(0, len(plain), _BATCH):
        result = _join(result, _batch(program, root, plain[start : start + _BATCH], rules))
    others = [file for file in files if not _is_utf8(file)]
    for count, file in enumerate(others):
        if file.text is None or count >= _TRANSCODED:
            result.unread[file.path] = "its encoding cannot be read"
        else:
            result = _join(result, _transcoded(program, file, rules))
    return result


def _named(file: Source, unread: dict[str, str]) -> bool:
    # ruff writes a name that is no Unicode otherwise than it was given, so its rows could not be told apart.
    if any("\ud800" <= character <= "\udfff" for character in file.path):
        unread[file.path] = "its name is no Unicode"
        return False
    return True


def _is_utf8(file: Source) -> bool:
    return file.text is not None and file.encoding in {"utf-8", "utf-8-sig", "ascii"}


def _join(one: RuffRun, other: RuffRun) -> RuffRun:
    return RuffRun(one.rows + other.rows, {**one.unread, **other.unread}, one.cut or other.cut)


def _batch(program: str, root: Path, paths: Sequence[str], rules: Sequence[str]) -> RuffRun:
    if not paths:
        return RuffRun([], {}, False)
    lines, status, cut = _call(program, [str(root / path) for path in paths], rules, None)
    if status in (0, 1) or cut:
        names = {str(root / path): path for path in paths}
        return _read(lines, names, cut)
    if len(paths) == 1:
        return RuffRun([], {paths[0]: f"the linter broke off on it (status {status})"}, False)
    # One file brought the whole run down: halve until it stands alone.
    middle = len(paths) // 2
    return _join(_batch(program, root, paths[:middle], rules), _batch(program, root, paths[middle:], rules))


def _transcoded(program: str, file: Source, rules: Sequence[str]) -> RuffRun:
    text = (file.text or "").encode("utf-8", "replace")
    lines, status, cut = _call(program, ["--stdin-filename", "/source/" + file.path, "-"], rules, text)
    if status in (0, 1) or cut:
        return _read(lines, {"/source/" + file.path: file.path}, cut)
    return RuffRun([], {file.path: f"the linter broke off on it (status {status})"}, False)


def _call(program: str, last: list[str], rules: Sequence[str], text: bytes | None) -> tuple[list[bytes], int, bool]:
    arguments = [
        *("check", "--isolated", "--no-cache", "--no-respect-gitignore", "--ignore-noqa", "--no-preview", "--quiet"),
        *("--target-version", f"py3{min(sys.version_info.minor, _NEWEST_MINOR)}"),
        *("--select", ",".join([*rules, SECURITY]), "--output-format", "json-lines"),
    ]
    process = subprocess.Popen(
        [program, *arguments, *last],
        stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"RAYON_NUM_THREADS": "1", "NO_COLOR": "1"},
    )
    with process:
        assert process.stdout is not None
        if process.stdin is not None and text is not None:
            # ruff reads all of its input before it prints, so this cannot block both sides.
            try:
                process.stdin.write(text)
                process.stdin.close()
            except BrokenPipeError:
                pass
        output = process.stdout.read(OUTPUT + 1)
        cut = len(output) > OUTPUT
        if cut:
            process.kill()
    lines = output.split(b"\n")
    return (lines[:-1] if cut else lines), process.returncode, cut


def _read(lines: list[bytes], names: dict[str, str], cut: bool) -> RuffRun:
    rows: list[Row] = []
    unread: dict[str, str] = {}
    for line in lines:
        if not line.strip():
            continue
        entry: dict[str, Any] = json.loads(line)
        path = names.get(entry["filename"])
        if path is None:
            continue
        rule = str(entry["code"] or "")
        if rule == "E902" or not _is_rule(rule):
            # A syntax error is the compile check's business; what is told here is a file not read in full.
            unread[path] = str(entry["message"])
            continue
        start, end = entry["location"]["row"], entry["end_location"]["row"]
        rows.append(Row("ruff", rule, path, start, start, max(start, end), str(entry["message"])))
    return RuffRun(rows, unread, cut)


def _is_rule(rule: str) -> bool:
    return rule[:1].isupper() and rule[-1:].isdigit()
