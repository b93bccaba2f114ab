"""Source files as data: which files are Python, what they say, where their functions begin and end."""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
import warnings
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ANALYSED = 1 << 20
"""Bytes of one source file up to which it is linted and scanned; a larger one is compiled only, and reported."""
COMPILED = 16 << 20
"""Bytes of one source file up to which it is compiled; a larger one counts as not compiling."""

_KEPT_BYTES = 64 << 10
"""A tree takes about a hundred times the memory of its source, so only those of small files are kept."""

SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "__pycache__", "node_modules"}
    | {".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox"}
)
EVERYTHING = "everything"
"""Stands for every step but the compile check among the steps that broke a child."""
USUAL_ENCODINGS = frozenset({"utf-8", "utf-8-sig", "ascii", "iso-8859-1", "iso-8859-15", "cp1252", "windows-1252"})

_PYTHON = frozenset({".py", ".pyw", ".pyi"})
_SHEBANG = re.compile(rb"#![^\n]*\bpython[0-9.]*\b")
_TEST_NAME = re.compile(r"(test_.*|.*_test|conftest)\.py")
_LINE = re.compile(r"\r\n|\r|\n")


class Source(NamedTuple):
    """One file. Lines are split as Python splits them, so their numbers agree with the parser's."""

    path: str
    data: bytes
    text: str | None
    """`None` where the bytes cannot be decoded as the file says."""
    encoding: str
    lines: tuple[str, ...]


class Scope(NamedTuple):
    """A function or class: first and last line and dotted name."""

    start: int
    end: int
    name: str


def source(path: str, data: bytes) -> Source:
    """Decode as Python would: by byte order mark or coding comment, else UTF-8."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, LookupError, ValueError):
        return Source(path, data, None, "", ())
    return Source(path, data, text, encoding, tuple(_LINE.split(text)))


def is_python(path: str, head: bytes) -> bool:
    """By name, or by a `#!` line that names Python where the name has no extension."""
    suffix = PurePosixPath(path).suffix
    return suffix in _PYTHON or (not suffix and _SHEBANG.match(head) is not None)


def is_test(path: str) -> bool:
    """Whether the path is that of a test file, which security scanners leave out."""
    pure = PurePosixPath(path)
    return pure.parts[0] in {"tests", "test"} or _TEST_NAME.fullmatch(pure.name) is not None


def imported(tree: ast.Module) -> set[str]:
    """Every module name in an import, whole and by its last part."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = node.module or ""
            found |= {start, *(f"{start}.{alias.name}".lstrip(".") for alias in node.names)}
    return found | {name.rpartition(".")[2] for name in found}


def python_files(folder: Path) -> list[str]:
    """Every Python file of a folder, sorted; version control, environments and caches left out; links not followed."""
    found: list[str] = []
    pending = [folder]
    while pending:
        for entry in pending.pop().iterdir():
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if entry.name not in SKIPPED_FOLDERS:
                    pending.append(entry)
            elif entry.is_file() and is_python(entry.name, _head(entry)):
                found.append(entry.relative_to(folder).as_posix())
    return sorted(found)


def _head(file: Path) -> bytes:
    if file.suffix:
        return b""
    with file.open("rb") as stream:
        return stream.read(64)


def read(folder: Path, path: str, limit: int) -> bytes | None:
    """The file's bytes, `limit` + 1 of them at most; `None` where it is no regular file."""
    file = folder / path
    if file.is_symlink() or not file.is_file():
        return None
    with file.open("rb") as stream:
        return stream.read(limit + 1)


def sources_below(folder: Path) -> dict[str, Source]:
    """The Python files of a folder of the author's, by path; larger ones than are analysed are left out."""
    files = {path: read(folder, path, ANALYSED) for path in python_files(folder)}
    return {path: source(path, data) for path, data in files.items() if data is not None and len(data) <= ANALYSED}


def scopes(tree: ast.AST) -> list[Scope]:
    """Every function and class of a tree. Walks without recursion, as trees may be deep."""
    found: list[Scope] = []
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, name = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{name}.{node.name}" if name else node.name
            found.append(Scope(node.lineno, node.end_lineno or node.lineno, name))
        pending.extend((child, name) for child in ast.iter_child_nodes(node))
    return found


def scope_at(found: list[Scope], line: int) -> str:
    """The dotted name of the innermost function or class around a line; empty at module level."""
    around = [scope for scope in found if scope.start <= line <= scope.end]
    return max(around, key=lambda scope: scope.start).name if around else ""


def parse(data: bytes) -> ast.Module | None:
    """The tree, or `None` where there is none to be had. It may be shared, so nobody changes it."""
    return _kept(data) if len(data) <= _KEPT_BYTES else _parse(data)


@functools.lru_cache(maxsize=128)
def _kept(data: bytes) -> ast.Module | None:
    return _parse(data)


def _parse(data: bytes) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
        return None
