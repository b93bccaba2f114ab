"""Applying a unified diff to the given files, in memory and strictly.

Context must agree to the byte; only its place may have moved a little. A patch that does not apply is refused whole,
with the file and the line of the hunk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from unidiff.constants import DEV_NULL
from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from bouts.challenges import limits, names
from bouts.challenges.git_headers import unquoted, with_plain_names
from bouts.challenges.handed import Dropped, Handed
from bouts.errors import BadSubmission

REACH = 200
"""Lines by which a hunk may have moved from where its header says."""
_HEADER = re.compile(r"^(?:--- |\+\+\+ |@@ |diff --git )")
_LABEL = re.compile(r"^[abciow12]/")


@dataclass
class _State:
    """The given files with the patch applied so far. Bytes are held as Latin-1 text, one character a byte."""

    where: str
    base: Mapping[str, Path]
    editable: Sequence[str]
    dos: bool
    changed: dict[str, str] = field(default_factory=dict[str, str])
    modes: dict[str, bool | None] = field(default_factory=dict[str, bool | None])
    refused: dict[str, Handed] = field(default_factory=dict[str, Handed])
    deleted: dict[str, None] = field(default_factory=dict[str, None])
    dropped: Dropped = field(default_factory=Dropped)
    plain: dict[str, str] = field(default_factory=dict[str, str])
    """Real path by the plain name that stands in a git header."""

    def refuse(self, path: str, line: int | None, what: str) -> NoReturn:
        place = f"{self.where}:{line}" if line else self.where
        hint = "the patch must be made against the codebase as given; nothing of it was taken"
        raise BadSubmission(f"the patch does not apply to {names.shown(path)!r}: {what}", where=place, hint=hint)

    def text(self, path: str) -> str | None:
        """A file as it stands, or none where there is none."""
        if path in self.deleted:
            return None
        if path not in self.changed and path in self.base:
            return self.base[path].read_bytes().decode("latin-1")
        return self.changed.get(path)


def apply(
    data: bytes, where: str, base: Mapping[str, Path], editable: Sequence[str]
) -> tuple[dict[str, Handed], tuple[str, ...], Dropped]:
    """What a patch makes of the given files: those it adds or changes, those it deletes. `base` is path → file.

    Raises `BadSubmission`, with the line of the patch, where it is broken, unsafe or does not apply."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", errors="replace").encode()
    text = data.decode("latin-1").removeprefix("\xef\xbb\xbf")
    lines = text.split("\n")
    headers = [line for line in lines if _HEADER.match(line)]
    dos = bool(headers) and all(line.endswith("\r") for line in headers)
    if dos:
        text = text.replace("\r\n", "\n")
    plain, table = with_plain_names(_lines(text))
    state = _State(where, base, editable, dos, plain=table)
    for file in _parse(plain, where):
        _file(file, state)
    return _result(state)


def _parse(lines: list[str], where: str) -> list[PatchedFile]:
    at = [0]

    def counted() -> Iterator[str]:
        for number, line in enumerate(lines, 1):
            at[0] = number
            yield line

    try:
        found = list(PatchSet(counted()))
    except (UnidiffParseError, AssertionError, ValueError) as error:
        what = str(error).splitlines()[0][:120]
        raise BadSubmission(f"this is no unified diff: {what}", where=f"{where}:{at[0]}") from None
    if not found and any(line.strip() for line in lines):
        raise BadSubmission(
            "there is no unified diff in it", where=where, hint="make one with `git diff` or `diff -ru`"
        )
    return found


def _lines(text: str) -> list[str]:
    """Lines by line feeds alone: form feeds and lone carriage returns are content."""
    pieces = text.split("\n")
    return [p + "\n" for p in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def _file(file: PatchedFile, state: _State) -> None:
    source, target = _paths(file, state)
    line = file.diff_line_no
    for path in {p for p in (source, target) if p is not None}:
        if reason := names.unsafe(path):
            raise BadSubmission(f"{names.shown(path)!r} is unsafe: {reason}", where=f"{state.where}:{line}")
    shown = target or source or ""
    if state.dropped.drops(shown):
        return
    if file.is_symlink or file.is_submodule:
        state.refused[shown] = Handed(shown, None, 0, None, ("not_a_file", "it is a link"))
        return
    if file.is_binary_file:
        if names.in_scope(shown, state.editable):
            state.refuse(shown, line, "it holds a binary change, which has no lines; hand in a folder or an archive")
        state.refused[shown] = Handed(shown, None, 0, None, None)
        return
    _change(file, source, target, state)


def _change(file: PatchedFile, source: str | None, target: str | None, state: _State) -> None:
    line = file.diff_line_no
    before = "" if source is None else state.text(source)
    if before is None:
        state.refuse(source or "", line, "the codebase has no such file")
    if source is None and target is not None and state.text(target) is not None:
        state.refuse(target, line, "the patch adds it, but it is there already")
    after = _apply_hunks(before, file, target or source or "", state)
    if target is None and after:
        state.refuse(source or "", line, "the patch deletes it, but not all of its lines")
    if source is not None and source != target and not _copies(file):
        state.changed.pop(source, None)
        state.deleted[source] = None
    if target is not None:
        state.deleted.pop(target, None)
        state.changed[target] = after
        mode = file.target_mode
        state.modes[target] = mode.endswith("755") if mode else None
        if len(after) > limits.FILE_BYTES:
            state.refuse(target, line, f"it makes the file larger than {limits.mebibytes(limits.FILE_BYTES)}")


def _copies(file: PatchedFile) -> bool:
    return any(line.startswith("copy from ") for line in file.patch_info or ())


def _paths(file: PatchedFile, state: _State) -> tuple[str | None, str | None]:
    """The paths before and after, in this workspace; none for `/dev/null`."""
    source, target = (state.plain.get(p, p) for p in (file.source_file, file.target_file))
    if file.source_file not in state.plain and file.target_file not in state.plain:
        source, target = unquoted(source or DEV_NULL), unquoted(target or DEV_NULL)
        if _is_labelled(source, target, state):
            source, target = (p if p == DEV_NULL else p.split("/", 1)[1] for p in (source, target))
    added = source == DEV_NULL or (_is_new(file) and state.text(source) is None)
    epoch = (file.target_timestamp or "").startswith(("1970-01-01", "1969-12-31"))
    removed = target == DEV_NULL or (epoch and file.is_removed_file)
    return None if added else source, None if removed else target


def _is_labelled(source: str, target: str, state: _State) -> bool:
    """Whether the first part of both paths, such as `a/` and `b/`, is no folder but a label."""
    ends = [p for p in (source, target) if p != DEV_NULL]
    if not all("/" in p for p in ends) or any(state.text(p) is not None for p in ends):
        return False
    if len(ends) == 2:
        return source.split("/", 1)[1] == target.split("/", 1)[1] and source != target
    return all(_LABEL.match(p) for p in ends)


def _is_new(file: PatchedFile) -> bool:
    return len(file) == 1 and file[0].source_start == 0 and file[0].source_length == 0


def _apply_hunks(before: str, file: PatchedFile, path: str, state: _State) -> str:
    lines = _lines(before)
    done: list[str] = []
    place = moved = 0
    for hunk in file:
        old, new = _sides(hunk)
        start = _header_line(hunk)
        wanted = hunk.source_start - (1 if hunk.source_length else 0) + moved
        found = _find(lines, old, wanted, place)
        if found is None and state.dos:
            old, new = _dos(old), _dos(new)
            found = _find(lines, old, wanted, place)
        if found is None:
            state.refuse(path, start, f"the lines of the hunk at line {hunk.source_start} are not there")
        done += lines[place:found] + new
        place, moved = found + len(old), found - (wanted - moved)
    whole = done + lines[place:]
    if any(not line.endswith("\n") for line in whole[:-1]):
        state.refuse(path, file.diff_line_no, "a line without an end would come to stand in its middle")
    return "".join(whole)


def _header_line(hunk: Hunk) -> int | None:
    first = next(iter(hunk), None)
    return first.diff_line_no - 1 if first is not None and first.diff_line_no else None


def _sides(hunk: Hunk) -> tuple[list[str], list[str]]:
    """The lines before and after, without the line end where `\\ No newline at end of file` says so."""
    old: list[str] = []
    new: list[str] = []
    last = ""
    for line in hunk:
        if line.line_type == "\\":
            for side, kinds in ((old, (" ", "-")), (new, (" ", "+"))):
                if last in kinds and side:
                    side[-1] = side[-1].removesuffix("\n")
            continue
        last = line.line_type  # empty for blank lines that follow a hunk
        value = line.value if line.value.endswith("\n") else line.value + "\n"
        if last in (" ", "-"):
            old.append(value)
        if last in (" ", "+"):
            new.append(value)
    return old, new


def _find(lines: list[str], old: list[str], wanted: int, least: int) -> int | None:
    """Where the old lines stand, nearest to where they are expected, not before `least`."""
    if not old:
        return wanted if least <= wanted <= len(lines) else None
    for away in range(REACH + 1):
        for place in {wanted - away, wanted + away}:
            if least <= place <= len(lines) - len(old) and lines[place : place + len(old)] == old:
                return place
    return None


def _dos(lines: list[str]) -> list[str]:
    return [line.removesuffix("\n") + "\r\n" if line.endswith("\n") else line for line in lines]


def _result(state: _State) -> tuple[dict[str, Handed], tuple[str, ...], Dropped]:
    files = dict(state.refused)
    for path, text in state.changed.items():
        data = text.encode("latin-1")
        files[path] = Handed(path, data, len(data), state.modes.get(path))
    if sum(h.size for h in files.values()) > limits.TOTAL_BYTES or len(files) > limits.FILES:
        raise BadSubmission("what it makes is larger than a submission may be", where=state.where)
    return dict(sorted(files.items())), tuple(sorted(p for p in state.deleted if p in state.base)), state.dropped
