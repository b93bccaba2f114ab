"""Phases of a session, event by event: finding the place, changing it, checking the change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from bouts.model.session import SessionEvent

Phase = Literal["localise", "patch", "validate"]
_LOOKS_BACK = ("git diff", "git show", "git status")
"""What is looked at after an edit to see what was changed."""


class Stretch(NamedTuple):
    """Events of one phase in a row."""

    phase: Phase
    first: int
    """Sequence of its first event."""
    last: int
    events: int


def phases(events: Iterable[SessionEvent]) -> dict[int, Phase]:
    """The phase of each event by its sequence. Messages, and calls that say nothing of it, have none.

    Edits are patching and tests validating; reads and searches localise. Another command localises before the first
    edit, as one that shows a bug does, and validates after it.
    """
    found: dict[int, Phase] = {}
    edited = False
    for event in events:
        match event.operation:
            case "edit" | "create":
                edited = True
                found[event.sequence] = "patch"
            case "test":
                found[event.sequence] = "validate"
            case "run":
                found[event.sequence] = "validate" if edited else "localise"
            case "read" | "search":
                back = edited and (event.target or "").startswith(_LOOKS_BACK)
                found[event.sequence] = "validate" if back else "localise"
            case _:
                pass
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
