"""Finding and reading the agent's session."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bouts.challenges.reading import Package
from bouts.challenges.submissions import Submission
from bouts.errors import BadFile, NotFound
from bouts.model.base import Fact
from bouts.model.evidence import Fault, Notice
from bouts.model.session import Session
from bouts.pipeline import keys
from bouts.pipeline.discovery import NAMED, Found, Seen, discover, unread
from bouts.pipeline.limits import PROCESS_EVENTS
from bouts.pipeline.steps import Attempt, MadeFrom, keeper
from bouts.pipeline.world import World


def find(submission: Submission, given: Path | None, package: Package, world: World, place: Path) -> Found:
    """The transcript that was named, as FILE or FILE#SAMPLE, else the one that was handed in, else none.

    Raises `NotFound` where a named one is not there.
    """
    if given is None:
        return discover(submission, package, world.transcript_format, place)
    if not world.transcript_files(given)[0].exists():
        raise NotFound("there is no such transcript", where=str(given))
    return Found(Seen("", 0, "", given))


def made_from(path: Path, world: World) -> MadeFrom | None:
    """What a session is made from; `None` where that is no file. Raises `BadFile`."""
    files = world.transcript_files(path)
    if not files[0].is_file():
        return None
    part = {} if files[0].name == path.name else {"named": path.name}
    return {**keys.session(files), **part}


class Read(Fact):
    """A transcript, read."""

    session: Session
    faults: tuple[Fault, ...] = ()


class Told(NamedTuple):
    """The session, and what a reader of the card must know of it."""

    session: Session | None = None
    inside: tuple[str, ...] = ()
    """Paths in the submission that it was read from."""
    notices: tuple[Notice, ...] = ()


def read(
    submission: Submission, given: Path | None, package: Package, world: World, attempt: Attempt, place: Path
) -> Told:
    """The session. Raises `BadFile` for a named transcript, or a `transcript.json`, that cannot be read."""
    found = find(submission, given, package, world, place)
    if found.chosen is None:
        return Told(notices=found.notices)
    chosen = found.chosen
    try:
        session = _read(chosen.file, world, attempt)
    except BadFile as error:
        if given is not None or chosen.path == NAMED:
            raise
        return Told(notices=unread(found, error).notices)
    session, said = measured_part(session)
    return Told(session, _inside(chosen, world), (*found.notices, *said))


def measured_part(session: Session, most: int = PROCESS_EVENTS) -> tuple[Session, tuple[Notice, ...]]:
    """The session with as many events as are kept; where that is not all of them, a notice says so, and nothing is
    judged by how it ends."""
    left_out = session.left_out + max(0, len(session.events) - most)
    if not left_out:
        return session, ()
    kept = session.events[:most]
    why = (
        f"The session is longer than the {len(kept):,} events that are kept: {left_out:,} or more are left out, so it"
        " is not judged by its process."
    )
    part = session.model_copy(update={"events": kept, "left_out": left_out})
    return part, (Notice(kind="process_partial", why=why),)


def _read(path: Path, world: World, attempt: Attempt) -> Session:
    origin = made_from(path, world)
    if origin is None:
        return world.read_transcript(path)
    keep = keeper(world, attempt, origin)
    return keep("transcript", Read, lambda: Read(session=world.read_transcript(path))).session


def _inside(chosen: Seen, world: World) -> tuple[str, ...]:
    if not chosen.path:
        return ()
    depth = len(Path(chosen.path).parts)
    root = chosen.file.parents[depth - 1]
    files = world.transcript_files(chosen.file)
    return tuple(file.relative_to(root).as_posix() for file in files if file.is_relative_to(root))
