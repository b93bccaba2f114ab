"""What a session was like, beside the process score: traits with event numbers, and no points.

A trait is `None` where the transcript cannot tell it. Traits compare sessions on one challenge; none is good or bad by
itself, and none reaches a card's sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Literal

from bouts.model.base import Fact
from bouts.model.session import Session, SessionEvent
from bouts.scoring.process.efficiency import reverts, wasted_edits
from bouts.scoring.process.phases import Stretch, phases, stretches
from bouts.scoring.process.tool_use import read_before_edit
from bouts.scoring.process.trace import Trace

EVENTS_NAMED = 50
"""Events that a trait names at most."""
LONGEST_BLOCK = 8
"""Actions in the block that a loop repeats, at most."""
ROUNDS = 3
"""Times that a block must come in a row to be a loop."""

Unit = Literal["share", "count", "yes_no"]
TRAITS: dict[str, tuple[str, Unit]] = {
    "coherence": ("Coherence", "share"),
    "repetition": ("Repetition", "share"),
    "longest_loop": ("Longest loop", "count"),
    "backtracking": ("Backtracking", "count"),
    "unread_edits": ("Unread edits", "count"),
    "tested_after_last_edit": ("Tested after the last edit", "yes_no"),
    "claims_against_evidence": ("Claims against evidence", "share"),
    "waste": ("Waste", "share"),
}
"""Label and unit of each trait by its key, in order."""
Claims = Callable[[str], Sequence[str]]
"""Sentences of a message that say that all tests pass."""


class Told(Fact):
    """What a trait of a session is."""

    key: str
    label: str
    unit: Unit
    """A share is a fraction, from none to all."""
    value: bool | int | float | None
    """`null` where the transcript cannot tell."""


class Trait(Told):
    """One trait of a session."""

    because: str
    events: tuple[int, ...]
    """The events that it rests on, the first fifty."""


def profile(session: Session, claims: Claims, known: Iterable[str] = ()) -> tuple[Trait, ...]:
    """The traits of a session, in a fixed order. `known` are relative paths of the submission."""
    if session.cut is not None:
        why = f"Not known: {session.cut}."
        return tuple(_unknown(key, why) for key in TRAITS)
    trace = Trace(session, known)
    rows = stretches(session.events)
    return (
        coherence(rows),
        repetition(trace),
        longest_loop(trace),
        backtracking(trace, rows),
        unread_edits(trace),
        tested_after_last_edit(trace),
        claims_against_evidence(session, claims),
        waste(trace),
    )


def coherence(rows: list[Stretch]) -> Trait:
    """Share of the steps from phase to phase that do not go back from changing to looking without a check between."""
    steps = list(pairwise(rows))
    if not steps:
        return _unknown("coherence", "The session has fewer than two phases.")
    back = [after.first for before, after in steps if (before.phase, after.phase) == ("patch", "localise")]
    said = f"{len(steps) - len(back)} of {_many(len(steps), 'step')} from phase to phase go forward or follow a check"
    return _trait("coherence", 1 - len(back) / len(steps), f"{said}{_at(back)}.", back)


def repetition(trace: Trace) -> Trait:
    """Share of reads, searches, commands and tests that repeat an earlier one with nothing changed between."""
    key = "repetition"
    seen, again, told = set[object](), list[int](), 0
    for event in trace.events:
        if event.operation in ("edit", "create"):
            seen.clear()
            continue
        action = _action(event)
        if action is None:
            continue
        told += 1
        if action in seen:
            again.append(event.sequence)
        seen.add(action)
    if not told:
        return _unknown(key, "The transcript does not say what its calls were about.")
    said = f"{len(again)} of {_many(told, 'call')} repeat an earlier one with no edit between"
    return _trait(key, len(again) / told, f"{said}{_at(again)}.", again)


def longest_loop(trace: Trace) -> Trait:
    """Events in the longest run of one block of up to eight actions that comes three times or more in a row."""
    key = "longest_loop"
    actions = [_action(event) for event in trace.events]
    if all(action is None for action in actions):
        return _unknown(key, "The transcript does not say what its calls were about.")
    best, start, block = 0, 0, 0
    for size in range(1, LONGEST_BLOCK + 1):
        length, begin = _longest_period(actions, size)
        if length >= ROUNDS * size and length > best:
            best, start, block = length, begin, size
    if not best:
        return _trait(key, 0, f"No block of actions comes {ROUNDS} times in a row.", [])
    found = [event.sequence for event in trace.events[start : start + best]]
    what = "one action comes" if block == 1 else f"a block of {block} actions comes"
    said = f"From event {found[0]} to {found[-1]} {what} {best // block} times in a row."
    return _trait(key, best, said, found)


def backtracking(trace: Trace, rows: list[Stretch]) -> Trait:
    """Steps back to looking or changing after a check, and commands that take edits back."""
    key = "backtracking"
    undone = [trace.events[i].sequence for i, _ in reverts(trace)]
    if not undone and all(row.phase != "validate" for row in rows):
        return _unknown(key, "Nothing was checked and nothing taken back.")
    back = [after.first for before, after in pairwise(rows) if before.phase == "validate"]
    said = f"{_many(len(back), 'step')} back after a check, {_many(len(undone), 'command')} that took edits back"
    found = sorted({*back, *undone})
    return _trait(key, len(back) + len(undone), f"{said}{_at(found)}.", found)


def unread_edits(trace: Trace) -> Trait:
    """Files that were edited without having been read, of those that the session did not create."""
    key = "unread_edits"
    ratio = read_before_edit(trace, 1.0)
    if not ratio.all:
        return _unknown(key, "No file was edited that was there before.")
    found = [trace.events[i].sequence for i in ratio.missed]
    said = f"{len(found)} of {_many(ratio.all, 'edited file')} had not been read before{_at(found)}."
    return _trait(key, len(found), said, found)


def tested_after_last_edit(trace: Trace) -> Trait:
    """Whether a test run came after the last change of the result; the agent's own scripts are no part of that."""
    key = "tested_after_last_edit"
    tags = phases(trace.events)
    changes = [i for i in trace.writes if tags.get(trace.events[i].sequence) == "patch"]
    if not changes:
        return _unknown(key, "Nothing was edited.")
    last = trace.events[changes[-1]].sequence
    run = next((trace.events[i].sequence for i in trace.tests if i > changes[-1]), None)
    if run is not None:
        return _trait(key, True, f"After the last edit (event {last}) event {run} ran tests.", [last, run])
    checks = [s for s, tag in tags.items() if s > last and tag == "validate"]
    other = f"; event {checks[0]} checked it in another way" if checks else ""
    said = f"No test run came after the last edit (event {last}){other}."
    return _trait(key, False, said, [last, *checks[:1]])


def claims_against_evidence(session: Session, claims: Claims) -> Trait:
    """Share of the agent's messages that say that all tests pass and stand on a passing run with no edit after it."""
    key = "claims_against_evidence"
    run: SessionEvent | None = None
    edited, spoke, made = False, False, 0
    wrong, bare = list[int](), list[int]()
    for event in session.events:
        if event.operation in ("edit", "create"):
            edited = True
        elif event.operation == "test":
            run, edited = event, False
        elif event.operation == "message" and event.speaker in (None, "agent") and event.output:
            spoke = True
            if claims(event.output):
                made += 1
                passed = None if run is None else _passed(run)
                if passed is False:
                    wrong.append(event.sequence)
                elif passed is None or edited:
                    bare.append(event.sequence)
    if not made:
        why = "No message says that all tests pass." if spoke else "The transcript holds no message of the agent."
        return _unknown(key, why)
    good = made - len(wrong) - len(bare)
    said = f"Of {_many(made, 'message')} saying that all tests pass {good} came after a passing run of that code"
    said += f"; {len(wrong)} came after a failing one{_at(wrong)}" if wrong else ""
    said += f"; {len(bare)} came after no run of that code whose result is known{_at(bare)}" if bare else ""
    return _trait(key, good / made, f"{said}.", sorted([*wrong, *bare]))


def waste(trace: Trace) -> Trait:
    """Share of the edits all of whose lines a later edit or a revert replaced."""
    key = "waste"
    wasted = wasted_edits(trace)
    if wasted is None:
        return _unknown(key, "The transcript does not say which lines its edits replaced.")
    lost, edits = wasted
    found = [trace.events[i].sequence for i in lost]
    said = f"{len(lost)} of {_many(edits, 'edit')} were replaced later{_at(found)}."
    return _trait(key, len(lost) / edits, said, found)


def _passed(run: SessionEvent) -> bool | None:
    """Whether a run passed: by its counts, else by its exit status; `None` where neither is known."""
    if run.failed is not None and run.passed is not None:
        return run.failed == 0 and run.passed > 0
    return {"ok": True, "error": False, "unknown": None}[run.status]


def _action(event: SessionEvent) -> object:
    """What a call did, for comparing; `None` where that cannot be told.

    Two reads of one file may show two parts of it, and two edits change different things, so without the command they
    are alike only by what came of them.
    """
    what = event.command or event.target
    if what is None:
        return None
    if event.command is None and event.operation in ("read", "search", "edit", "create"):
        writes = event.operation in ("edit", "create")
        if event.output is None or (writes and event.status != "error"):
            return None
        return (event.operation, event.tool, what, event.output)
    return (event.operation, event.tool, what, event.target)


def _longest_period(actions: list[object], size: int) -> tuple[int, int]:
    """Length and start of the longest run in which each action equals the one `size` before it."""
    best, start, length = 0, 0, 0
    for i in range(size, len(actions)):
        same = actions[i] is not None and actions[i] == actions[i - size]
        length = length + 1 if same else 0
        if length and length + size > best:
            best, start = length + size, i - length - size + 1
    return best, start


def _trait(key: str, value: float | None, said: str, events: list[int]) -> Trait:
    label, unit = TRAITS[key]
    return Trait(key=key, label=label, unit=unit, value=value, because=said, events=tuple(events[:EVENTS_NAMED]))


def _unknown(key: str, why: str) -> Trait:
    return _trait(key, None, why, [])


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _at(events: list[int]) -> str:
    if not events:
        return ""
    more = f" and {len(events) - 5} more" if len(events) > 5 else ""
    return f" (event{'s' if len(events) > 1 else ''} {', '.join(map(str, events[:5]))}{more})"
