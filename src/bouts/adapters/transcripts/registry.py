"""The readers by name, and which of them reads a file."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bouts.adapters.transcripts.beside import file_and_part
from bouts.adapters.transcripts.strays import stray, unreadable
from bouts.errors import BadFile, BadUsage, NotFound

if TYPE_CHECKING:
    from bouts.adapters.transcripts.reader import Reader
    from bouts.adapters.transcripts.source import Source
    from bouts.model.session import Session

NATIVE = "native"
_READERS = (
    *("claude_code", "codex", "codex_exec", "atif", "swe_agent", "mini_swe_agent", "openhands", "openhands_v1"),
    *("gemini", "gemini_stream", "aider", "inspect_ai", "otel", "langfuse", "cline", "pi", "copilot", "cursor"),
    *("qwen", "droid", "kimi", "opencode", "messages"),
)
"""Modules of `readers`; where two are equally sure the earlier one reads."""
LOOKED_INTO = 64 << 20
"""Bytes of the largest document that is parsed only to see whether it is a transcript."""


def readers() -> dict[str, Reader]:
    """Every reader of a foreign format by its name."""
    found = (cast("Reader", import_module(f"bouts.adapters.transcripts.readers.{name}")) for name in _READERS)
    return {reader.NAME: reader for reader in found}


def formats() -> dict[str, str]:
    """Name and title of every format."""
    return {NATIVE: "Bouts' own telemetry", **{name: reader.TITLE for name, reader in readers().items()}}


def read_transcript(path: Path, format_name: str | None = None, part: str | None = None) -> Session:
    """An agent's session. The format is told by the file's content, or is the one named; `part`, or FILE#PART, names
    one of several sessions in a file.

    Raises `NotFound`, `BadFile` for a file of no known format or one that cannot be read, and `BadUsage` for the name
    of an unknown format.
    """
    from bouts.adapters.transcripts.reader import CERTAIN, surest
    from bouts.adapters.transcripts.source import Source

    if part is None:
        path, part = file_and_part(path)
    if format_name == NATIVE:
        return _native(path, part)
    known = readers()
    if format_name is not None and format_name not in known:
        import difflib

        near = difflib.get_close_matches(format_name, [NATIVE, *known], n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise BadUsage(f"no transcript format is called {format_name!r}", hint=f"{meant}there are: {_names(known)}")
    source = Source(path, part)
    if format_name is None and _is_native(source):
        return _native(path, part)
    if format_name is None:
        return _read(_detected(source, known), source)
    made = _read(known[format_name], source)
    if not known[format_name].detect(source):
        told = surest(source, known)
        # Against a named format that is not sure at all stands one that is certain.
        if told is not None and (not made.events or told[1] >= CERTAIN):
            raise _other(format_name, told[0], source)
        if _is_native(source):
            raise _other(format_name, NATIVE, source)
        if not made.events:
            raise BadFile(f"not a {format_name} session: it holds no event of one", where=str(source.path))
    return made


def _other(named: str, looks: str, source: Source) -> BadFile:
    return BadFile(
        f"not a {named} session; it looks like {looks}",
        where=str(source.path),
        hint="without --format it is read as such",
    )


def _native(path: Path, part: str | None) -> Session:
    from bouts.adapters.transcripts.native import read_native

    session = read_native(path)
    if part is not None:
        raise _single(path, part)
    return session


def _single(path: Path, part: str) -> BadFile:
    return BadFile(
        f"no session is called {part!r} here: the file is one session", where=str(path), hint="leave out --sample"
    )


def told_format(path: Path) -> tuple[str, int] | None:
    """The format of a file by its content, and how sure that is from 0 to 100; `None` where it is no transcript."""
    from bouts.adapters.transcripts.reader import surest
    from bouts.adapters.transcripts.source import Source

    try:
        source = Source(path, most=LOOKED_INTO)
        if _is_native(source):
            return NATIVE, 100
        return surest(source, readers())
    except (BadFile, NotFound, RecursionError):
        return None


def _names(known: dict[str, Reader]) -> str:
    return ", ".join([NATIVE, *known])


def _is_native(source: Source) -> bool:
    """Whether a file is the native telemetry, or is meant to be."""
    value = source.value
    if not isinstance(value, dict):
        return False
    body = cast("dict[str, object]", value)
    return "events" in body and set(body) <= {"session_id", "events", "summary"}


def _detected(source: Source, known: dict[str, Reader]) -> Reader:
    from bouts.adapters.transcripts.reader import surest

    if not source.size:
        raise BadFile("not a transcript: the file is empty", where=str(source.path))
    told = surest(source, known)
    if told is not None:
        return known[told[0]]
    why = unreadable(source) or stray(source)
    if why:
        raise BadFile(f"not a transcript: {why}", where=str(source.path))
    raise BadFile(
        "not a transcript of any known format",
        where=str(source.path),
        hint=f"known formats: {_names(known)}; `bouts transcript FILE --format NAME` forces one",
    )


def _read(reader: Reader, source: Source) -> Session:
    from bouts.adapters.transcripts import foreign, odd
    from bouts.adapters.transcripts.events import session
    from bouts.adapters.transcripts.recording import Recording

    recording = Recording(reader.NAME)
    try:
        with odd.counted() as found:
            reader.read(source, recording)
    except RecursionError as error:
        raise BadFile("nested too deeply", where=str(source.path)) from error
    except OSError as error:
        raise BadFile(f"the transcript cannot be read: {error}", where=str(source.path)) from error
    if source.part is not None and not source.chosen:
        raise _single(source.path, source.part)
    told = (
        recording.drafts
        or recording.ignored
        or recording.copies
        or recording.charges.count
        or recording.reported_tokens
    )
    if not told:
        lost = "; ".join(f"{count} {reason}" for reason, (count, _) in recording.unread.items())
        raise BadFile(f"no {reader.NAME} session: it holds {lost or 'no record of one'}", where=str(source.path))
    recording.notes.update(dict.fromkeys([*odd.notes(found), *foreign.notes(source, reader, readers())]))
    return session(recording)
