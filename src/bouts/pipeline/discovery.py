"""Finding the agent's session in what was handed in: by content, in the places where agents and their harnesses leave
one, and never in the code that is graded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from bouts.challenges import names
from bouts.challenges.handed import Handed
from bouts.challenges.reading import Package
from bouts.challenges.submissions import Submission
from bouts.errors import BadFile
from bouts.model.evidence import Notice
from bouts.model.text import clean_line

NAMED = "transcript.json"
"""A file of this name beside the code is the transcript, whatever else is there."""
MOST_FILES = 200
"""Files that are looked into, those nearest to the root first."""
LARGEST = 64 << 20
"""Bytes of the largest file that is looked into as one document; files with one record a line may be larger."""
TOTAL = 128 << 20
"""Bytes of all files that are looked into; a larger file than `LARGEST` counts for that."""
SURE, POSSIBLE = 60, 30
"""How sure a reader must be; the lower one where the file's name says that it is a transcript."""
_LINES = (".jsonl", ".ndjson")
_ENDINGS = (*_LINES, ".json", ".traj", ".eval")
_TEXTS = (".md", ".txt", ".log", ".out")
_AGENTS = re.compile(
    r"aider|claude|cline|codex|copilot|cursor|droid|gemini|kimi|opencode|openhands|qwen|roo|swe.?agent|agent|session"
    r"|transcript|traj|rollout|chat"
)
_SAYS_SO = re.compile(r"transcript|traj(?:ectory)?\b|session")
_FOLDERS = frozenset(
    {
        *("agent", "agents", "agent-logs", "agent_logs", "chats", "log", "logs", "rollouts", "run", "runs"),
        *("session", "sessions", "traj", "trajs", "trajectory", "trajectories", "transcript", "transcripts"),
        *(".agent", ".aider", ".claude", ".cline", ".codex", ".copilot", ".cursor", ".factory", ".gemini", ".kimi"),
        *(".openhands", ".opencode", ".pi", ".qwen", ".roo", ".swe-agent"),
    }
)
"""Folders in the root of what was handed in."""
Tell = Callable[[Path], tuple[str, int] | None]
"""The format of a file by its content, and how sure that is from 0 to 100; `None` where it is no transcript."""


@dataclass(frozen=True)
class Seen:
    """A file that is a transcript."""

    path: str
    """Path in what was handed in."""
    size: int
    format: str
    file: Path
    """Where it can be read."""


@dataclass(frozen=True)
class Found:
    """What the search gave."""

    chosen: Seen | None = None
    notices: tuple[Notice, ...] = ()


def discover(submission: Submission, package: Package, tell: Tell, place: Path) -> Found:
    """The transcript that was handed in: `transcript.json` in the root, else the largest one by its content.

    Files of an archive are written below `place` to be looked into. Raises `BadFile` where that cannot be done.
    """
    named = submission.files.get(NAMED)
    if named is not None and named.problem is None:
        file = _file(submission, named, place)
        if file is not None:
            return Found(Seen(NAMED, named.size, "", file))
    # A patch brings files of the project; a session is handed in beside it.
    seen = [] if submission.source == "patch" else list(_seen(submission, package, tell, place))
    scope = package.manifest.editable
    graded = [one for one in seen if names.in_scope(one.path, scope)]
    free = sorted((one for one in seen if one not in graded), key=lambda one: (-one.size, one.path))
    notices = _notices(free, graded)
    return Found(free[0] if free else None, notices)


def _notices(free: list[Seen], graded: list[Seen]) -> tuple[Notice, ...]:
    made: list[Notice] = []
    if free:
        said = f"The session was read from {free[0].path} ({free[0].format}), which was found by its content"
        if len(free) > 1:
            said += f"; of {len(free)} transcripts it is the largest; also there: {_listed(free[1:])}"
            said += "; --transcript FILE names another"
        made.append(Notice(kind="transcript_found", why=clean_line(said, 500)))
    if graded:
        said = f"{_listed(graded)} reads as a transcript and is part of the code that is graded, so it was not read"
        made.append(Notice(kind="transcript_in_code", why=clean_line(f"{said}; --transcript FILE names it", 500)))
    return tuple(made)


def _listed(seen: list[Seen]) -> str:
    more = f" and {len(seen) - 3} more" if len(seen) > 3 else ""
    return ", ".join(one.path for one in seen[:3]) + more


def unread(found: Found, error: BadFile) -> Found:
    """The same where the transcript that was found cannot be read: the card says so, and has no session."""
    assert found.chosen is not None
    said = f"{found.chosen.path} is a transcript ({found.chosen.format}) that was found and not read: {error.message}"
    if error.hint:
        said += f"; {error.hint}"
    kept = tuple(notice for notice in found.notices if notice.kind != "transcript_found")
    return replace(found, chosen=None, notices=(*kept, Notice(kind="transcript_unread", why=clean_line(said, 500))))


def _seen(submission: Submission, package: Package, tell: Tell, place: Path) -> Iterator[Seen]:
    likely = (h for p, h in submission.files.items() if p not in package.given and h.problem is None and _likely(h))
    left = TOTAL
    for handed in sorted(likely, key=lambda h: (h.path.count("/"), h.path))[:MOST_FILES]:
        left -= min(handed.size, LARGEST)
        if left < 0:
            return
        file = _file(submission, handed, place)
        told = None if file is None else tell(file)
        if file is None or told is None:
            continue
        form, sure = told
        says_so = _SAYS_SO.search(names.fold(handed.path.rpartition("/")[2])) is not None
        if sure >= SURE or (says_so and sure >= POSSIBLE):
            yield Seen(handed.path, handed.size, form, file)


def _likely(handed: Handed) -> bool:
    """Whether a file lies where transcripts lie and is named as they are."""
    parts = [names.fold(part) for part in PurePosixPath(handed.path).parts]
    if not handed.size or (len(parts) > 1 and parts[0] not in _FOLDERS):
        return False
    # A subagent's session is read with the one that started it.
    if "subagents" in parts or (parts[-1].startswith("agent-") and parts[-1].endswith(".jsonl")):
        return False
    if handed.size > LARGEST and not parts[-1].endswith(_LINES):
        return False
    if parts[-1].endswith(_ENDINGS):
        return True
    return parts[-1].endswith(_TEXTS) and (len(parts) > 1 or _AGENTS.search(parts[-1]) is not None)


def _file(submission: Submission, handed: Handed, place: Path) -> Path | None:
    """Where an entry can be read; `None` where it cannot."""
    if submission.source == "folder":
        file = submission.path / handed.path
        return file if file.is_file() and not file.is_symlink() else None
    if handed.data is None:
        return None
    file = place / "found" / handed.path
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(handed.data)
    except OSError as error:
        raise BadFile(f"the transcript cannot be unpacked: {error.strerror}", where=handed.path) from error
    return file
