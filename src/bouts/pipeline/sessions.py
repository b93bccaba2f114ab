"""Finding and reading the agent's session."""

from __future__ import annotations

from pathlib import Path

from bouts.errors import NotFound
from bouts.model.base import Fact
from bouts.model.evidence import Fault
from bouts.model.session import Session
from bouts.pipeline import keys
from bouts.pipeline.steps import Attempt, keeper
from bouts.pipeline.world import World

BESIDE = "transcript.json"
"""Name of a transcript that lies in a submitted folder, or beside it."""


def find(submission: Path, given: Path | None) -> Path | None:
    """The transcript that was named, else the one in the submitted folder or beside it, else none.

    Raises `NotFound` where a named one is not there.
    """
    if given is not None:
        if not given.exists():
            raise NotFound("there is no such transcript", where=str(given))
        return given
    if submission.is_dir():
        inside = submission / BESIDE
        if inside.is_file() and not inside.is_symlink():
            return inside
    return None


class Read(Fact):
    """A transcript, read."""

    session: Session
    faults: tuple[Fault, ...] = ()


def read(submission: Path, given: Path | None, world: World, attempt: Attempt) -> tuple[Session | None, Path | None]:
    """The session and where it was read from. Raises `BadFile` for a transcript of no known format."""
    path = find(submission, given)
    if path is None:
        return None, None
    if not path.is_file():
        return world.read_transcript(path), path
    keep = keeper(world, attempt, keys.session(world.transcript_files(path)))
    return keep("transcript", Read, lambda: Read(session=world.read_transcript(path))).session, path
