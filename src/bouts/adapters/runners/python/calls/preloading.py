"""Which modules of the standard library a submission is likely to import: loaded once a sandbox instead of once a test.

This only saves time. What is read here decides nothing: a module that is missed is imported by the worker as usual.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

ALWAYS = ("os",)
_HARMLESS = (
    "abc argparse array ast base64 binascii bisect calendar collections contextlib copy csv dataclasses datetime"
    " decimal difflib enum fractions functools hashlib heapq hmac html inspect io itertools json math numbers operator"
    " pathlib re sqlite3 string struct textwrap threading time traceback types typing unicodedata uuid weakref zlib"
)
HARMLESS = frozenset(_HARMLESS.split())
"""Modules whose import leaves nothing behind but themselves: no thread, no file, no random state."""
MAX_FILES = 200
MAX_BYTES = 1 << 20
"""Bytes that are looked at, all together."""

_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_MORE = re.compile(rb"^[ \t]*import[ \t]+(.+)$", re.MULTILINE)


def used_modules(roots: Iterable[Path]) -> tuple[str, ...]:
    """Harmless modules that the Python files below `roots` name in imports, sorted."""
    found: set[str] = set(ALWAYS)
    files, left = 0, MAX_BYTES
    for root in roots:
        for folder, names, entries in os.walk(root):
            names[:] = sorted(name for name in names if not name.startswith("."))
            for entry in sorted(entries):
                if not entry.endswith(".py") or files >= MAX_FILES or left <= 0:
                    continue
                files += 1
                data = _start_of(Path(folder, entry), left)
                left -= len(data)
                found |= {name.decode() for name in _names(data)} & HARMLESS
    return tuple(sorted(found))


def _start_of(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return b""


def _names(data: bytes) -> set[bytes]:
    names = set(_IMPORT.findall(data))
    for listed in _MORE.findall(data):
        names |= {part.split(b" as ")[0].split(b".")[0].strip() for part in listed.split(b",")}
    return {name for name in names if re.fullmatch(rb"[A-Za-z_]\w*", name)}
