"""Names of files: patterns with `**`, names that are unsafe, names that never count, and names compared safely."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from bouts.challenges import limits

TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
ARCHIVE_SUFFIXES = (".zip", *TAR_SUFFIXES)
PATCH_SUFFIXES = (".patch", ".diff")

VCS_FOLDERS = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "cvs"})
"""Folders of version control; running a tool on one can run code that stands in it."""
BYTECODE_FOLDER = "__pycache__"
IGNORED_FOLDERS = frozenset(
    {
        ".venv",
        "venv",
        ".virtualenv",
        "node_modules",
        ".pytest_cache",
        ".mypy_cache",
        ".ruff_cache",
        ".hypothesis",
        ".tox",
        ".nox",
        ".cache",
        ".idea",
        ".vscode",
        ".ipynb_checkpoints",
        "htmlcov",
        "__macosx",
    }
)
"""Environments and caches that tools leave behind; they never count."""
IGNORED_FILES = frozenset({".ds_store", "thumbs.db", ".coverage", "desktop.ini"})
BYTECODE_SUFFIXES = (".pyc", ".pyo", ".so", ".pyd")
"""Compiled code: nobody can read it, and Python takes it before a source of the same name."""


def fold(name: str) -> str:
    """The form in which names are compared: what a case-insensitive or normalising file system, or an import
    statement, would take for the same name."""
    return unicodedata.normalize("NFKC", name).casefold()


def never_counts(path: str) -> bool:
    """Whether a path lies in an environment, a cache or a version-control folder, or is compiled code."""
    parts = fold(path).split("/")
    folders = VCS_FOLDERS | IGNORED_FOLDERS | {BYTECODE_FOLDER}
    return any(p in folders for p in parts) or parts[-1] in IGNORED_FILES or parts[-1].endswith(BYTECODE_SUFFIXES)


def unsafe(path: str) -> str | None:
    """Why a relative path must not be used at all, or none: it would leave its folder or name no plain file."""
    if not path:
        return "the name is empty"
    if path.startswith("/") or re.match(r"^[A-Za-z]:", path):
        return "the path is absolute"
    if "\\" in path:
        return "the name holds a backslash"
    if "\x00" in path:
        return "the name holds a NUL"
    if any(part == ".." for part in path.split("/")):
        return "the path climbs out with `..`"
    return None


def odd(path: str) -> str | None:
    """Why a path is no name for a file of a submission, or none."""
    if reason := unsafe(path):
        return reason
    if len(path) > limits.PATH_CHARACTERS:
        return f"the path is longer than {limits.PATH_CHARACTERS} characters"
    parts = path.split("/")
    if len(parts) - 1 > limits.DEPTH:
        return f"it lies more than {limits.DEPTH} folders deep"
    return next((reason for part in parts if (reason := _odd_part(part))), None)


def _odd_part(part: str) -> str | None:
    if part in ("", "."):
        return "the path has an empty part"
    if len(part.encode("utf-8", "surrogateescape")) > limits.NAME_BYTES:
        return f"a name is longer than {limits.NAME_BYTES} bytes"
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in part):
        return "a name holds control characters, invisible characters or bytes that are no UTF-8"
    return "a name begins or ends with a space" if part != part.strip() else None


def shown(path: str) -> str:
    """A path that can be stored and printed: nothing but printable characters, at most 200 of them."""
    text = "".join(c if c.isprintable() and not "\ud800" <= c <= "\udfff" else f"\\x{ord(c):02x}" for c in path)
    return text if len(text) <= 200 else text[:197] + "..."


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    out: list[str] = []
    parts = pattern.split("/")
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            out.append(".*" if last else "(?:.*/)?")
            continue
        out.append(re.sub(r"(?:\[\^/\]\*){2,}", "[^/]*", "".join(_piece(c) for c in part)))
        if not last:
            out.append("/")
    return re.compile("".join(out), re.DOTALL)


def _piece(character: str) -> str:
    match character:
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
        case _:
            return re.escape(character)


def matches(path: str, pattern: str) -> bool:
    """Whether a path matches a pattern of `editable`: `*` and `?` stay inside a folder, `**` as a whole part crosses
    folders; everything else is literal."""
    return _compiled(pattern).fullmatch(path) is not None


def in_scope(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path matches one of the patterns."""
    return any(matches(path, p) for p in patterns)


def pattern_problem(pattern: str) -> str | None:
    """Why a pattern of `editable` can match nothing that is meant, or none."""
    if reason := unsafe(pattern):
        return reason
    if pattern != pattern.strip():
        return "it begins or ends with a space"
    if any(part in ("", ".") for part in pattern.split("/")):
        return "it has an empty part or a `.`; write patterns like `src/**` or `app.py`"
    if any("**" in part and part != "**" for part in pattern.split("/")):
        return "`**` must be a part of its own, as in `src/**/*.py`"
    if pattern.count("*") > 12:
        return "it has more than a dozen `*`"
    return None
