"""File names in git's diff headers, which may be quoted, hold spaces and carry any labels or none.

Each header is given plain names (`a/@0`, `b/@1`) before the patch is parsed; a table leads back to the real paths.
"""

from __future__ import annotations

import re

_START = "diff --git "
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ENDS = ("@@ ", _START, "GIT binary patch", "Binary files ")


def unquoted(name: str) -> str:
    """The path that a header names. git quotes unusual names and escapes their bytes; the patch is read as Latin-1, so
    each character is a byte."""
    if len(name) > 1 and name.startswith('"') and name.endswith('"'):
        name = _ESCAPE.sub(_plain, name[1:-1])
    return name.encode("latin-1", "replace").decode("utf-8", "surrogateescape")


def _plain(found: re.Match[str]) -> str:
    code = found[1]
    return chr(int(code, 8) & 0xFF) if len(code) == 3 else _ESCAPED.get(code, code)


def with_plain_names(lines: list[str]) -> tuple[list[str], dict[str, str]]:
    """The lines with plain names in git's headers, and plain name → path. Headers that cannot be read stay."""
    done = list(lines)
    table: dict[str, str] = {}
    for number, line in enumerate(lines):
        if not line.startswith(_START):
            continue
        block = _block(lines, number)
        if names := _names(line, [lines[n] for n in block]):
            plain = [f"{label}/@{len(table) + n}" for n, label in enumerate("ab")]
            table.update(zip(plain, names, strict=True))
            done[number] = f"{_START}{plain[0]} {plain[1]}\n"
            for n in block:
                for mark, name in (("--- ", plain[0]), ("+++ ", plain[1])):
                    if lines[n].startswith(mark) and not lines[n].startswith(f"{mark}/dev/null"):
                        done[n] = f"{mark}{name}\n"
    return done, table


def _block(lines: list[str], start: int) -> list[int]:
    """The lines of a header that begins at `start`, without its first."""
    found: list[int] = []
    for number in range(start + 1, min(start + 20, len(lines))):
        if lines[number].startswith(_ENDS):
            break
        found.append(number)
    return found


def _names(header: str, block: list[str]) -> tuple[str, str] | None:
    for kind in ("rename", "copy"):
        ends = [
            next((line[len(mark) :].rstrip("\n") for line in block if line.startswith(mark)), None)
            for mark in (f"{kind} from ", f"{kind} to ")
        ]
        if ends[0] is not None and ends[1] is not None:
            return unquoted(ends[0]), unquoted(ends[1])
    return _one_name(header.removeprefix(_START).rstrip("\n"))


def _one_name(pair: str) -> tuple[str, str] | None:
    """Where nothing was renamed both names are the same but for a label such as `a/` and `b/`, or none."""
    if len(quoted := list(_QUOTED.finditer(pair))) == 2:
        return _same(quoted[0].group(), quoted[1].group())
    for space in re.finditer(" ", pair):
        if found := _same(pair[: space.start()], pair[space.end() :]):
            return found
    return None


def _same(one: str, other: str) -> tuple[str, str] | None:
    one, other = unquoted(one), unquoted(other)
    if one == other:
        return one, other
    ends = [name.split("/", 1)[-1] for name in (one, other) if "/" in name]
    return (ends[0], ends[1]) if len(ends) == 2 and ends[0] == ends[1] else None
