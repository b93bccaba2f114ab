"""Phases of a session, event by event: finding the place, changing it, checking the change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from bouts.model.session import SessionEvent
from bouts.scoring.process.scratch import (
    Use,
    folders,
    is_aside,
    is_chore,
    is_making,
    is_progress,
    is_question,
    is_removal,
    is_state,
    own_files,
)
from bouts.scoring.process.trace import base

Phase = Literal["localise", "patch", "validate"]
_LOOKS_BACK = ("git diff", "git show", "git status")
"""What is looked at after an edit to see what was changed."""
_KEPT = re.compile(r"~[/\\]\.\w")
"""What an agent keeps for itself in the home folder, such as its memory, is no part of the result."""
_WORD = re.compile(r"[^\s'\"=;&|()<>]+")


_ANY = "*"
"""Stands for the files that a script changed, whose names are not known."""


class Stretch(NamedTuple):
    """Events of one phase in a row."""

    phase: Phase
    first: int
    """Sequence of its first event."""
    last: int
    events: int


def phases(events: Iterable[SessionEvent]) -> dict[int, Phase]:
    """The phase of each event by its sequence. Messages, and calls that are part of none, have none.

    Changes of files are patching and tests validating; reads and searches localise, unless they look at what was just
    changed. The agent's own scripts and other commands localise before the first change, as those that show a bug do,
    and validate after it; a script of its own that changes files is patching. Installing, committing, publishing and
    the removal of its own files belong to no phase.
    """
    rows = [event for event in events if event.operation != "message"]
    tagger = _Tagger(rows)
    found: dict[int, Phase] = {}
    for event in rows:
        phase = tagger.phase(event)
        if phase is not None:
            found[event.sequence] = phase
    return found


def stretches(events: Iterable[SessionEvent]) -> list[Stretch]:
    """Phases in a row as stretches, in order."""
    made: list[Stretch] = []
    for sequence, phase in phases(events).items():
        last = made[-1] if made else None
        if last is not None and last.phase == phase:
            made[-1] = last._replace(last=sequence, events=last.events + 1)
        else:
            made.append(Stretch(phase, sequence, sequence, 1))
    return made


class _Tagger:
    """Goes through the events once; `changed` is whether a file of the result was."""

    def __init__(self, rows: list[SessionEvent]) -> None:
        self._own = own_files(rows)
        self._next_written = _before_writing(rows)
        self._folders = folders(rows)
        self._made: set[str] = set()
        """Base names of the files of the result that the session has made so far."""
        self._lines = {event.sequence: event.command for event in rows if event.command}
        self._chores = {event.sequence for event in rows if event.operation == "run" and is_chore(event.target or "")}
        self._recorded = False
        self._changed = False
        self._looked_at: set[str] = set()
        self._blind = ""
        """Base name of the file that the event before changed without being shown the result."""

    def phase(self, event: SessionEvent) -> Phase | None:
        line = event.command or self._lines.get(event.within or 0, "")
        blind, self._blind = self._blind, ""
        match event.operation:
            case "edit" | "create":
                return self._write(event, line)
            case "test" | "run":
                return self._run(event)
            case "read" | "search":
                return self._look(event, line, blind)
            case _:
                return None

    def _write(self, event: SessionEvent, line: str) -> Phase | None:
        own = self._own.get(base(event.target or ""))
        if own == "aside" or (own is not None and is_removal(event, line)) or _KEPT.match(event.target or ""):
            return None
        if own == "check":
            return self._beside()
        if own is None and event.status != "error":
            self._changed = True
            if event.operation == "create":
                self._made.add(base(event.target or ""))
            self._blind = base(event.target or "") if line else ""
        return "patch"

    def _run(self, event: SessionEvent) -> Phase | None:
        target = event.target or ""
        used = self._used(target)
        if "change" in used:
            self._changed = True
            self._blind = _ANY
            return "patch"
        if event.operation == "test":
            return self._beside() if "check" in used else "validate"
        if is_making(target) or event.sequence in self._folders:
            self._changed = True
            return "patch"
        if event.sequence in self._chores:
            self._recorded = self._recorded or "git " in target
            return None
        if self._recorded and is_state(target):
            return None
        return "localise" if is_question(target) else self._beside()

    def _look(self, event: SessionEvent, line: str, blind: str) -> Phase | None:
        target = event.target or ""
        if event.tool == "ToolSearch" or is_progress(target) or event.within in self._chores:
            return None
        if self._recorded and target.startswith(("git log", "git ls-files")) and is_state(target):
            return None
        if target.startswith(_LOOKS_BACK) and self._changed:
            return None if ">" in target else "validate"
        if self._changed and is_aside(target):
            return "validate"
        again = bool(target) and base(target) in self._looked_at
        self._looked_at.add(base(target))
        named = base(target) == blind or blind in (base(word) for word in _WORD.findall(line))
        back = again if blind == _ANY else bool(blind) and named
        # A file that it made itself and reads, and not in order to change it further, is looked over.
        over = event.operation == "read" and base(target) in self._made and event.sequence not in self._next_written
        return "validate" if back or over else "localise"

    def _beside(self) -> Phase:
        """What is done beside the change itself: it shows the fault before it, and checks it afterwards."""
        return "validate" if self._changed else "localise"

    def _used(self, line: str) -> set[Use]:
        return {self._own[name] for name in map(base, _WORD.findall(line)) if name in self._own}


def _before_writing(rows: list[SessionEvent]) -> set[int]:
    """Reads of a file that is written afterwards, before anything is run."""
    found: set[int] = set()
    written: set[str] = set()
    for event in reversed(rows):
        name = base(event.target or "")
        if event.operation in ("edit", "create"):
            written.add(name)
        elif event.operation in ("run", "test"):
            written.clear()
        elif name in written:
            found.add(event.sequence)
    return found
