"""Phases of a session, event by event: finding the place, changing it, checking the change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from bouts.model.session import SessionEvent
from bouts.scoring.process.scratch import Use, is_aside, is_chore, is_removal, own_files
from bouts.scoring.process.trace import base

Phase = Literal["localise", "patch", "validate"]
_LOOKS_BACK = ("git diff", "git show", "git status")
"""What is looked at after an edit to see what was changed."""
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
        self._lines = {event.sequence: event.command for event in rows if event.command}
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
        if own == "aside" or (own is not None and is_removal(event, line)):
            return None
        if own == "check":
            return self._beside()
        if own is None and event.status != "error":
            self._changed = True
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
        return None if is_chore(target) else self._beside()

    def _look(self, event: SessionEvent, line: str, blind: str) -> Phase | None:
        target = event.target or ""
        if target.startswith(_LOOKS_BACK) and self._changed:
            return None if ">" in target else "validate"
        if self._changed and is_aside(target):
            return "validate"
        again = bool(target) and base(target) in self._looked_at
        self._looked_at.add(base(target))
        named = base(target) == blind or blind in (base(word) for word in _WORD.findall(line))
        back = again if blind == _ANY else bool(blind) and named
        return "validate" if back else "localise"

    def _beside(self) -> Phase:
        """What is done beside the change itself: it shows the fault before it, and checks it afterwards."""
        return "validate" if self._changed else "localise"

    def _used(self, line: str) -> set[Use]:
        return {self._own[name] for name in map(base, _WORD.findall(line)) if name in self._own}
