"""Differences that transcripts hold: how many lines they change, in which files, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal

from bouts.model.session import Basis

MOST_LINES = 4000
"""Lines of each text that are compared; beyond that the number of lines is an estimate."""
_HUNK = re.compile(r"@@+ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_FILE = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_MOVE = re.compile(r"\*\*\* Move to: (.+)")

Change = Literal["edit", "create"]


@dataclass(slots=True)
class Edit:
    """What a call did to one file."""

    path: str | None
    change: Change = "edit"
    lines: int | None = None
    """Added plus removed; `None` where it cannot be told."""
    basis: Basis | None = None
    ranges: list[tuple[int, int]] | None = None
    """Lines as they stood after the edit, where the difference numbers them."""


@dataclass(slots=True)
class _Counter:
    """Added and removed lines of one file, with the numbers of the added ones where a hunk gives them."""

    added: int = 0
    removed: int = 0
    now: int = 0
    """Number of the next line of the new text; 0 where the difference does not number its lines."""
    ranges: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def line(self, mark: str) -> None:
        if mark == "+":
            self.added += 1
            self._touch(self.now)
            self.now += bool(self.now)
        elif mark == "-":
            self.removed += 1
            self._touch(self.now)
        else:
            self.now += bool(self.now)

    def _touch(self, line: int) -> None:
        if line < 1:
            return
        if self.ranges and self.ranges[-1][0] <= line <= self.ranges[-1][1] + 1:
            self.ranges[-1] = (self.ranges[-1][0], max(line, self.ranges[-1][1]))
        else:
            self.ranges.append((line, line))

    def edit(self, path: str | None, change: Change) -> Edit:
        return Edit(path, change, self.added + self.removed, "exact", self.ranges or None)


def unified(diff: str, path: str | None = None) -> list[Edit]:
    """The files of a unified difference, with or without file headers. Empty where it is none."""
    made: list[Edit] = []
    counter, name, change, seen = _Counter(), path, "edit", False
    old = new = 0
    for line in diff.splitlines():
        if old <= 0 and new <= 0 and line.startswith("--- "):
            if seen:
                made.append(counter.edit(name, change))
            counter, seen = _Counter(), False
            change: Change = "create" if line.startswith("--- /dev/null") else "edit"
            name = path or _name(line) or None
        elif old <= 0 and new <= 0 and line.startswith("+++ "):
            name = path or _name(line) or name
        elif (match := _HUNK.match(line)) is not None:
            old, new = int(match[2] or 1), int(match[4] or 1)
            counter.now, seen = max(1, int(match[3])), True
        elif seen and line[:1] in ("+", "-", " ", ""):
            mark = line[:1] or " "
            old -= mark != "+"
            new -= mark != "-"
            counter.line(mark)
    if seen:
        made.append(counter.edit(name, change))
    return made


def _name(line: str) -> str:
    name = line[4:].split("\t", maxsplit=1)[0].strip().strip('"')
    if name == "/dev/null":
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name


def hunks(rows: list[tuple[int, list[str]]], path: str | None) -> Edit:
    """Hunks given as their first new line and their marked lines."""
    counter = _Counter()
    for start, lines in rows:
        counter.now = max(1, start)
        for line in lines:
            # Git's note on a missing final line feed is no line.
            if not line.startswith("\\"):
                counter.line(line[:1])
    return counter.edit(path, "edit")


def apply_patch(text: str) -> list[Edit]:
    """The files of a patch between `*** Begin Patch` and `*** End Patch`. Its hunks carry no line numbers."""
    made: list[Edit] = []
    current: Edit | None = None
    lines = 0
    for line in text.splitlines():
        match = _FILE.match(line)
        if match is not None or line.startswith("*** End Patch"):
            if current is not None:
                current.lines, current.basis = (lines, "exact") if lines or current.lines is None else (None, None)
            if match is None:
                current = None
                break
            # A deleted file's lines are not in the patch.
            current = Edit(match[2].strip(), "create" if match[1] == "Add" else "edit")
            if match[1] == "Delete":
                current.lines = 0
            lines = 0
            made.append(current)
        elif (moved := _MOVE.match(line)) is not None and current is not None:
            current.path = moved[1].strip()
        elif current is not None and line[:1] in ("+", "-"):
            lines += 1
    if current is not None:
        current.lines, current.basis = (lines, "exact") if lines or current.lines is None else (None, None)
    return made


def replaced(old: str, new: str) -> tuple[int, Basis]:
    """Lines that differ between two texts, added plus removed."""
    before, after = old.splitlines(), new.splitlines()
    # What is equal at both ends costs nothing to leave out, and most edits have such ends.
    start = 0
    while start < len(before) and start < len(after) and before[start] == after[start]:
        start += 1
    end = 0
    shorter = min(len(before), len(after)) - start
    while end < shorter and before[-1 - end] == after[-1 - end]:
        end += 1
    left, right = before[start : len(before) - end], after[start : len(after) - end]
    if not left or not right:
        return len(left) + len(right), "exact"
    if len(left) > MOST_LINES or len(right) > MOST_LINES or len(left) * len(right) > 250_000:
        return len(left) + len(right), "estimated"
    same = sum(block.size for block in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks())
    return len(left) + len(right) - 2 * same, "exact"


def written(content: str) -> tuple[int, Basis]:
    """Lines of a file that was written whole over one that is not known."""
    return len(content.splitlines()), "estimated"


def blocks(text: str) -> list[tuple[str, str]]:
    """Search-and-replace blocks: what is looked for and what it becomes. An unfinished block is none."""
    found: list[tuple[str, str]] = []
    old: list[str] | None = None
    new: list[str] | None = None
    for line in text.splitlines():
        mark = line.rstrip()
        if _SEARCH.match(mark):
            old, new = [], None
        elif old is not None and new is None and _DIVIDER.match(mark):
            new = []
        elif old is not None and new is not None and _REPLACE.match(mark):
            found.append(("\n".join(old), "\n".join(new)))
            old = new = None
        elif new is not None:
            new.append(line)
        elif old is not None and not _NOTE.match(mark):
            old.append(line)
    return found


_SEARCH, _DIVIDER, _REPLACE = (re.compile(p) for p in (r"<{5,9} ?SEARCH", r"={5,9}\Z", r">{5,9} ?REPLACE"))
_NOTE = re.compile(r":(?:start|end)_line:|-{5,9}\Z")
