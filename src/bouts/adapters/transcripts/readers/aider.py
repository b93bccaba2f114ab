"""Aider: `.aider.chat.history.md`. Its edits are proposals; what was applied, run and charged stands in quoted lines.

The only times are those at which sessions start, so events have none. A file may hold many sessions, which are told as
one, one after another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from bouts.adapters.transcripts import patches
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.printed import LINE_COST, MOST_LINE, Printed
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.source import Source, skip
from bouts.model.session import Basis, Tokens

NAME = "aider"
TITLE = "Aider (.aider.chat.history.md)"

_START = "# aider chat started at "
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_TOKENS = re.compile(
    r"> Tokens: ([\d.,]+)([kM]?) sent,(?: ([\d.,]+)([kM]?) cache (?:write|hit),)*.*? ([\d.,]+)([kM]?) received"
)
_OLD_TOKENS = re.compile(r"> (\d[\d,]*) prompt tokens, (\d[\d,]*) completion tokens(?:, \$([\d.]+) cost)?")
_COST = re.compile(r"Cost: \$([\d.]+) (?:send|request|message)")
_APPLIED = re.compile(r"> (Applied edit to|Creating empty file) (\S.*?)\s*$")
_ADDED = re.compile(r"> Added (\S.*?) to the chat\.?\s*$")
_ASKED = re.compile(
    r"> (?:Add these files to the chat\?|Add (?P<one>\S.*?) to the chat\?) (?:\(.*\) ?(?:\[.*\]:? ?)?)?y(?:es)?\s*$",
    re.I,
)
_RUN = re.compile(r"> (?:Running|## Running:?) (\S.*?[^:\s])\s*$")
_FAILED = re.compile(r"> (?:The LLM did not conform|# \d+ SEARCH/REPLACE blocks? failed)")
_MODEL = re.compile(r"> (?:Models?|Main model): (\S+)")
_VERSION = re.compile(r"> Aider v(\S+)")
_COMMAND = re.compile(r"#### /(run|test|add|read-only|read|commit|lint)\b ?(.*?)\s*$")
_BLANK_PATH = re.compile(r"[\w@~.+\- /\\()\[\]]{1,300}\Z")
MOST_BLOCKS = 500
LONGEST = 1 << 20
"""Bytes of a line that are looked at."""
MOST_TEXT = 2_000_000
"""Characters of an answer of the model that are looked at."""
MOST_ASKED = 1000
"""Lines of what the user says."""


@dataclass(slots=True)
class _State:
    said: list[str] = field(default_factory=list[str])
    """What the model says, until something else comes."""
    spoken: int = 0
    asked: list[str] = field(default_factory=list[str])
    fence: str = ""
    proposals: dict[str, list[tuple[int, Basis]]] = field(default_factory=dict[str, list[tuple[int, Basis]]])
    """Lines of the proposed edits by file, until the lines that tell which were applied."""
    mentioned: list[str] = field(default_factory=list[str])
    running: Draft | None = None
    quoted: int = 0
    """Quoted lines up to the last one."""
    bare: bool = False
    """Whether the output that is being read has lines that are not quoted."""
    output: Printed = field(default_factory=Printed)
    answers: int = 0
    sessions: int = 0
    last: Draft | None = None


def detect(source: Source) -> int:
    """By the line that starts a session."""
    return CERTAIN if any(line.startswith(_START) for line in source.text_head.splitlines()[:400]) else NO


def read(source: Source, recording: Recording) -> None:
    """Tell the sessions."""
    recording.agent = "aider"
    state = _State()
    for line in _lines(source, recording):
        _line(line, recording, state)
    _flush(recording, state)
    if state.sessions > 1:
        recording.notes.setdefault(f"The file holds {state.sessions} sessions, told here as one.")


def _lines(source: Source, recording: Recording) -> Iterator[str]:
    with source.path.open("rb") as file:
        for number in count(1):
            line = file.readline(LONGEST)
            if not line:
                return
            if len(line) == LONGEST and not line.endswith(b"\n"):
                recording.lost(f"ends of lines longer than {LONGEST >> 20} MB", f"line {number}")
                skip(file)
            yield line.decode("utf-8", "replace").rstrip("\r\n")


def _line(line: str, recording: Recording, state: _State) -> None:
    if _of_output(line, recording, state):
        return
    fence = _FENCE.match(line)
    if state.fence and (_TOKENS.match(line) or _OLD_TOKENS.match(line)):
        # A fence that the model never closed ends with its answer.
        state.fence = ""
    if fence is not None and not line.startswith("> "):
        # A search text may hold anything, even what looks like a line of ours.
        if not state.fence:
            state.fence = fence[1]
        elif line.strip() == state.fence:
            state.fence = ""
    if line.startswith(_START):
        _flush(recording, state)
        state.fence = ""
        state.sessions += 1
        recording.ignored += 1
    elif not state.fence and line.startswith("#### "):
        _spoken(recording, state)
        if len(state.asked) < MOST_ASKED:
            state.asked.append(line[5 : 5 + MOST_LINE])
        _command(line, recording, state)
    elif not state.fence and line.startswith(">"):
        _asked(recording, state)
        _console(line, recording, state)
    elif state.asked and not line.strip():
        _asked(recording, state)
    else:
        _asked(recording, state)
        if state.spoken < MOST_TEXT:
            state.said.append(line[:MOST_TEXT])
            state.spoken += len(state.said[-1]) + LINE_COST


def _of_output(line: str, recording: Recording, state: _State) -> bool:
    """Whether a line is plain output of a command that runs. It is told twice: as it is, and quoted."""
    quoted, state.quoted = state.quoted, state.quoted + 1 if line.startswith(">") else 0
    if state.running is None or state.quoted or line.startswith(("#### ", _START)):
        return False
    # One quoted line among bare ones is a mark of the output's own, as pytest sets before the line that failed.
    if (not line.strip() and quoted > int(state.bare)) or (line.strip() and not state.output):
        _ended(recording, state)
        return False
    state.output.add(line)
    state.bare = True
    return True


def _flush(recording: Recording, state: _State) -> None:
    _asked(recording, state)
    _spoken(recording, state)
    _ended(recording, state)


def _asked(recording: Recording, state: _State) -> None:
    if state.asked:
        _ended(recording, state)
        recording.message("user", "\n".join(state.asked))
        state.asked.clear()


def _spoken(recording: Recording, state: _State) -> None:
    """The model's answer is complete."""
    if not any(line.strip() for line in state.said):
        state.said, state.spoken = [], 0
        return
    _ended(recording, state)
    said = "\n".join(state.said)
    state.last = recording.message("agent", said)
    if len(state.proposals) < MOST_BLOCKS:
        state.proposals.update(_proposed(state.said))
    state.said, state.spoken = [], 0


def _proposed(lines: list[str]) -> dict[str, list[tuple[int, Basis]]]:
    """Lines of the proposed edits by the file that is named above them."""
    found: dict[str, list[tuple[int, Basis]]] = {}
    name, start = "", -1
    for at, line in enumerate(lines):
        if line.rstrip().startswith("<<<<<<< SEARCH"):
            start = at
            above = [lines[i].strip() for i in range(at - 1, max(-1, at - 4), -1)]
            named = next((a.strip("`*# ") for a in above if a and not _FENCE.match(a)), "")
            name = named if _BLANK_PATH.match(named) else name
        elif start >= 0 and line.rstrip().startswith(">>>>>>> REPLACE"):
            for old, new in patches.blocks("\n".join(lines[start : at + 1])):
                if len(found) < MOST_BLOCKS:
                    found.setdefault(name, []).append(patches.replaced(old, new))
            start = -1
    return found


def _command(line: str, recording: Recording, state: _State) -> None:
    match = _COMMAND.match(line)
    if match is None:
        return
    verb, rest = match[1], match[2]
    if verb in ("run", "test") and rest:
        _asked(recording, state)
        draft = recording.call("run", {"command": rest})
        if draft is not None and verb == "test":
            draft.acts[0].operation, draft.acts[0].runs = "test", 1
        state.running = draft


def _ended(recording: Recording, state: _State) -> None:
    """A command's output is complete."""
    if state.running is not None:
        recording.answer(state.running, state.output.text())
    state.running, state.output, state.bare = None, Printed(), False


def _console(line: str, recording: Recording, state: _State) -> None:
    """A quoted line: what Aider itself did or said."""
    if (match := _RUN.match(line)) is not None:
        _spoken(recording, state)
        _ended(recording, state)
        state.running = recording.call("run", {"command": match[1]})
        return
    _spoken(recording, state)
    if (match := _APPLIED.match(line)) is not None:
        _ended(recording, state)
        _applied(match[1], match[2], recording, state)
    elif (match := _ADDED.match(line)) is not None:
        _ended(recording, state)
        recording.answer(recording.call("read", {"path": match[1]}), None, status="ok")
    elif (match := _ASKED.match(line)) is not None:
        for path in [match["one"]] if match["one"] else state.mentioned:
            recording.answer(recording.call("read", {"path": path}), None, status="ok")
    elif _FAILED.match(line):
        state.proposals.clear()
        recording.ignored += 1
    elif not _charged(line, recording, state):
        _note(line, recording, state)
    if not _ASKED.match(line):
        said = line[1:].strip()
        state.mentioned = [*state.mentioned, said][-20:] if "/" in said or "." in said[1:-1] else []
        state.mentioned = [m for m in state.mentioned if _BLANK_PATH.match(m) and " " not in m]


def _note(line: str, recording: Recording, state: _State) -> None:
    if state.running is not None:
        state.output.add(line[2:].rstrip())
        return
    if (match := _VERSION.match(line)) is not None:
        recording.agent_version = match[1]
    elif (match := _MODEL.match(line)) is not None:
        recording.charge(f"model/{len(recording.models)}", None, model=match[1])
    recording.ignored += 1


def _applied(how: str, path: str, recording: Recording, state: _State) -> None:
    counted = state.proposals.pop(path, None) or state.proposals.pop("", None)
    lines = sum(row[0] for row in counted) if counted else None
    basis: Basis | None = None
    if counted:
        basis = "estimated" if any(row[1] == "estimated" for row in counted) else "exact"
    draft = recording.call(
        "edit", {}, edits=[Edit(path, "create" if how != "Applied edit to" else "edit", lines, basis)]
    )
    recording.answer(draft, None, status="ok")


def _charged(line: str, recording: Recording, state: _State) -> bool:
    """A line about tokens and money."""
    match = _OLD_TOKENS.match(line)
    if match is not None:
        sent, received = _number(match[1], ""), _number(match[2], "")
        cost = _money(match[3])
    elif (match := _TOKENS.match(line)) is not None:
        sent, received = _number(match[1], match[2]), _number(match[5], match[6])
        paid = _COST.search(line)
        cost = _money(paid[1]) if paid else None
    else:
        return False
    state.answers += 1
    recording.charge(str(state.answers), Tokens(input=sent, output=received), cost=cost, draft=state.last)
    recording.ignored += 1
    return True


def _number(digits: str, unit: str) -> int:
    try:
        return round(float(digits.replace(",", "")) * {"k": 1000, "M": 1_000_000}.get(unit, 1))
    except (ValueError, OverflowError):
        return 0


def _money(digits: str | None) -> float | None:
    try:
        return None if digits is None else float(digits.rstrip("."))
    except ValueError:
        return None
