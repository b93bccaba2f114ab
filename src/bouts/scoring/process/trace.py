"""A session made ready for measuring: paths in one form, edits, test runs and errors found once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from bouts.model.session import Session, SessionEvent
from bouts.scoring.exact import exact

_TOKEN = re.compile(r"[\w./\\-]+")
_EXTENSION = re.compile(r"\.[A-Za-z]\w{0,7}\Z")
_PROGRESS = re.compile(r"[.FEsxX]+")
"""One sign a test, as in `..F.E`."""
_FILE_OPERATIONS = frozenset({"read", "edit", "create"})
_WRITES = frozenset({"edit", "create"})
_FAILABLE = frozenset({"run", "test", "edit", "create"})
"""Operations whose error output asks for an answer. A read of a missing file is a question, not a failure."""


class Run(NamedTuple):
    """One test run with known counts."""

    at: int
    sequence: int
    passed: int
    total: int
    seconds: float | None

    @property
    def full(self) -> bool:
        """Whether every test passed."""
        return self.passed == self.total


class Trace:
    """The events of a session. `index` is a position in `events`, from 0; `sequence` is what cards cite."""

    def __init__(self, session: Session, known: Iterable[str] = ()) -> None:
        self.session = session
        self.events = [event for event in session.events if event.operation != "message"]
        self.paths = _paths(self.events, known)
        self.operations = [event.operation for event in self.events]
        self.writes = [i for i, what in enumerate(self.operations) if what in _WRITES and self.paths[i]]
        """Indices of edits and creations of a named file."""
        self.tests = [i for i, what in enumerate(self.operations) if what == "test"]
        """Indices of test runs, with counts or without."""
        self.errors = [i for i, e in enumerate(self.events) if (e.failed or e.status == "error") and failed(e)]
        """Indices of commands, tests and edits that failed."""

    @cached_property
    def runs(self) -> list[Run]:
        """Test runs of the largest total seen, in order: the only ones whose counts can be compared."""
        rows = [
            Run(i, e.sequence, e.passed, e.total, e.seconds)
            for i in self.tests
            if (e := self.events[i]).passed is not None and e.total
        ]
        largest = max((run.total for run in rows), default=0)
        return [run for run in rows if run.total == largest]

    @cached_property
    def first_full(self) -> Run | None:
        """The first of `runs` that passed every test."""
        return next((run for run in self.runs if run.full), None)

    @cached_property
    def new_files(self) -> dict[str, int]:
        """Files that the session touched first by creating them, with the index of that creation."""
        seen: set[str] = set()
        found: dict[str, int] = {}
        for i, path in enumerate(self.paths):
            if path and path not in seen:
                seen.add(path)
                if self.operations[i] == "create":
                    found[path] = i
        return found

    @cached_property
    def duration(self) -> Fraction | None:
        """Length of the session in seconds."""
        return None if self.session.duration_seconds is None else exact(self.session.duration_seconds)

    def names(self, index: int) -> frozenset[str] | None:
        """Base names of the files that a failed event names; `None` where the transcript has no text of it."""
        event = self.events[index]
        if event.output is None and event.failures is None:
            return None
        texts = [event.output or "", *(f"{f.test} {f.message}" for f in event.failures or ())]
        found = {name for text in texts for name in named_files(text)}
        if self.paths[index]:
            found.add(base(self.paths[index] or ""))
        return frozenset(found)

    def cite(self, index: int) -> str:
        """`event 12`, for sentences."""
        return f"event {self.events[index].sequence}"

    def record(self, index: int) -> str:
        """`event:12`, the id of the record."""
        return f"event:{self.events[index].sequence}"


def failed(event: SessionEvent) -> bool:
    """Whether an event is an error that asks for an answer."""
    if event.operation not in _FAILABLE:
        return False
    return event.status == "error" or (event.operation == "test" and bool(event.failed))


def named_files(text: str) -> set[str]:
    """Base names of everything in a text that looks like a file; the signs of a test runner's progress do not."""
    found: set[str] = set()
    for token in _TOKEN.findall(text):
        if _PROGRESS.fullmatch(token):
            continue
        name = base(token.rstrip("."))
        if "." in name and _EXTENSION.search(name):
            found.add(name)
    return found


def base(path: str) -> str:
    """The last part of a path."""
    return path.replace("\\", "/").rpartition("/")[2]


def is_test_file(name: str) -> bool:
    """Whether a base name is that of a test file."""
    stem = name.rpartition(".")[0]
    return name == "conftest.py" or stem.startswith("test_") or stem.endswith(("_test", ".test", ".spec"))


def _paths(events: Iterable[SessionEvent], known: Iterable[str]) -> list[str | None]:
    targets = [e.target if e.operation in _FILE_OPERATIONS else None for e in events]
    plain = {target: _plain(target) for target in targets if target}
    absolute = {target: path for target, path in plain.items() if _absolute(path)}
    if absolute:
        relative = {path for target, path in plain.items() if target not in absolute}.union(known)
        plain.update({target: _shorten(path, relative) for target, path in absolute.items()})
    return [plain[target] if target else None for target in targets]


def _plain(target: str) -> str:
    path = target.strip().replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path


def _absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or path[1:3] == ":/"


def _shorten(path: str, relative: set[str]) -> str:
    """The known relative path that an absolute one ends in, the longest first; else the path as it is."""
    rest = path.partition("/")[2]
    while rest:
        if rest in relative:
            return rest
        rest = rest.partition("/")[2]
    return path
