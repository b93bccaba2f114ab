"""The transcript held against what was handed in. What differs is worth knowing and proves nothing: commands change
files that no event names, work is undone, and a transcript may hold a part of a session only. So these are notices,
never violations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from bouts.model.evidence import FileChange, Notice, TestFacts
from bouts.model.session import Session, SessionEvent
from bouts.model.text import clean_line

NAMED = 5
"""Files that one notice names."""
_WRITES = frozenset({"edit", "create"})
_WORD = re.compile(r"[\w.~/\\-]+")
_REMOVES = re.compile(r"(?:\A|[;&|\n]|\\n)[ \t]*(?:git[ \t]+)?(?:rm|unlink)[ \t][^;&|\n]*")
_TAKES_BACK = re.compile(r"\bgit\s+(?:checkout|restore)\b(?P<rest>[^;&|]*)|\bgit\s+(?:reset\s+--hard|stash)\b")
_ELSEWHERE = re.compile(
    r"\A(?:/tmp/|/var/tmp/|/dev/)"
    r"|(?:\A|/)(?:\.git|\.venv|venv|node_modules|__pycache__|\.[a-z]+_cache|dist|build)(?:/|\Z)"
    r"|\.(?:pyc|bak|backup|orig|patch|diff|log)\Z|(?:\A|/)patch\.txt\Z"
)
"""Where files lie that no submission holds."""


def crosscheck(
    session: Session | None, changes: Sequence[FileChange], others: Collection[str], visible: Sequence[TestFacts]
) -> tuple[Notice, ...]:
    """Notices on files and test results in which transcript and submission differ.

    `changes` is the submission against the codebase as given; `others` are paths that it brought along and that were
    not taken. Paths of the transcript may be absolute or relative to a folder below, so a path stands for another where
    one ends in the other. Nothing is said of a session whose later events were left out.
    """
    if session is None or not session.events or session.cut is not None:
        return ()
    paths = [change.path for change in changes]
    found = (
        _never_edited(session, paths),
        _not_handed_in(session, _Paths([*paths, *others])),
        _other_results(session, visible),
    )
    return tuple(notice for notice in found if notice is not None)


class _Paths:
    """Paths, found by one that may begin higher or lower in the tree."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_name.setdefault(_name(path), []).append(path)

    def holds(self, path: str) -> bool:
        """Whether one of them is the path, ends in it, or is what it ends in."""
        return any(_same(path, other) for other in self._by_name.get(_name(path), ()))


def _never_edited(session: Session, changed: list[str]) -> Notice | None:
    """Files that differ in the submission, and that no event edits and no command names."""
    edited = _Paths(_plain(e.target) for e in session.events if e.operation in _WRITES and e.target)
    words = {_name(word) for e in session.events if e.kind != "message" for word in _words(e)}
    missing = [path for path in changed if not edited.holds(path) and _name(path) not in words]
    if not missing:
        return None
    runs = any(e.operation == "run" for e in session.events)
    partly = [
        *(["a command may have written them"] if runs else []),
        *([f"{session.unread} records of the transcript could not be read"] if session.unread else []),
    ]
    more = f" ({'; '.join(partly)})" if partly else ""
    many = "files differ" if len(missing) > 1 else "file differs"
    return _notice(
        "transcript_lacks_changes",
        f"{len(missing)} {many} from the codebase, and no event of the transcript edits or names "
        f"{'them' if len(missing) > 1 else 'it'}: {_names(missing)}{more}.",
    )


def _not_handed_in(session: Session, known: _Paths) -> Notice | None:
    """Files whose last edit in the transcript stands, and that are not among what was handed in."""
    last: dict[str, int] = {}
    lines = {event.sequence: event.command or "" for event in session.events}
    for event in session.events:
        path = _plain(event.target)
        if event.operation in _WRITES and path:
            line = event.command or lines.get(event.within or 0, "")
            if any(_name(path) in removal for removal in _REMOVES.findall(line)):
                last.pop(path, None)
            elif event.status != "error":
                last[path] = event.sequence
        elif event.operation == "run" and event.target:
            _take_back(event.target, last)
    missing = {path: n for path, n in last.items() if not known.holds(path) and not _elsewhere(path, session.folder)}
    if not missing:
        return None
    named = _names([f"{path} (event {n})" for path, n in missing.items()])
    many = "files that are" if len(missing) > 1 else "a file that is"
    return _notice("transcript_edits_missing", f"The transcript edits {many} not among what was changed: {named}.")


def _other_results(session: Session, visible: Sequence[TestFacts]) -> Notice | None:
    """The last test run of as many tests as there are visible ones, where it counts other passes than we did."""
    runs = [e for e in session.events if e.operation == "test" and e.passed is not None and e.total]
    whole = [e for e in runs if e.total == len(visible)]
    if not whole or any(test.outcome == "infrastructure" for test in visible):
        return None
    last = whole[-1]
    ours = sum(test.outcome == "passed" for test in visible)
    if last.passed == ours:
        return None
    later = next((e.sequence for e in session.events if e.operation in _WRITES and e.sequence > last.sequence), None)
    since = f" Event {later} edits a file after it." if later is not None else ""
    return _notice(
        "transcript_tests_differ",
        f"The last test run of the transcript over {last.total} tests (event {last.sequence}) counts "
        f"{last.passed} passed; of the {len(visible)} visible tests {ours} passed here.{since}",
    )


def _take_back(line: str, last: dict[str, int]) -> None:
    """Forget the edits that a command of version control takes back."""
    for match in _TAKES_BACK.finditer(line):
        words = set((match["rest"] or "").split())
        if match["rest"] is None or "." in words:
            last.clear()
        for path in [path for path in last if any(_same(path, _plain(word)) for word in words)]:
            del last[path]


def _words(event: SessionEvent) -> list[str]:
    named = event.target if event.operation in ("run", "test", "other") else None
    return _WORD.findall(f"{named or ''} {event.command or ''}")


def _elsewhere(path: str, folder: str | None) -> bool:
    """Whether a path lies outside what could be handed in."""
    absolute = path.startswith(("/", "~"))
    outside = absolute and bool(folder) and not path.startswith(f"{(folder or '').rstrip('/')}/")
    return outside or bool(_ELSEWHERE.search(path))


def _plain(path: str | None) -> str:
    plain = (path or "").strip().replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:]
    return plain


def _same(path: str, other: str) -> bool:
    return path == other or path.endswith(f"/{other}") or other.endswith(f"/{path}")


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _names(paths: list[str]) -> str:
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(paths[:NAMED]) + more


def _notice(kind: str, why: str) -> Notice:
    return Notice(kind=kind, why=clean_line(why, 500))
