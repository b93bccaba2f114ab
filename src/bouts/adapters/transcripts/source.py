"""A transcript file as its readers see it: a sample to tell the format by, the lines of it, or the whole document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from bouts.adapters.transcripts import long_lines
from bouts.adapters.transcripts.recording import Recording
from bouts.adapters.transcripts.values import Object, objects
from bouts.errors import BadFile, NotFound

T = TypeVar("T")

DOCUMENT_BYTES = 256 << 20
"""Largest file that is one JSON document, as it has to be held in memory whole."""
LINE_BYTES = 32 << 20
"""Longest line of a file that is read line by line."""
SAMPLE_BYTES = 4 << 20
SAMPLE_MOST = 64 << 20
"""Bytes that are looked into for a sample where the first lines are long."""
SAMPLE_ROWS = 60
SAMPLE_LINES = 240
"""Lines of a document that are looked at by themselves: one that is spread over many has no records on them."""
MOST_SHAPES = 100
MOST_SHAPED = 20_000
"""Kinds of records that are told apart, and characters of the one that is kept of each."""
HEAD_BYTES = 64 << 10
MOST_SESSIONS = 100_000
"""Sessions of a file whose names are kept."""


class Source:
    """One file. Nothing is read before it is asked for."""

    def __init__(self, path: Path, part: str | None = None, most: int = DOCUMENT_BYTES) -> None:
        """`part` names one of several sessions in a file; `most` are the bytes of a file that is read as one document.
        Raises `NotFound`, or `BadFile` for what is no regular file that can be read."""
        self.path = path
        self.part = part
        self.chosen = False
        """Whether `part` was looked for."""
        self.shapes: dict[tuple[str | None, ...], tuple[Object, int]] = {}
        """Records that were read line by line, by their type and keys: the first of each, and how many."""
        self.most = most
        try:
            if not path.exists():
                raise NotFound("no such transcript", where=str(path))
            if not path.is_file():
                raise BadFile("not a file, so no transcript", where=str(path))
            self.size = path.stat().st_size
            with path.open("rb") as file:
                self.head = file.read(HEAD_BYTES)
        except (OSError, ValueError) as error:
            raise BadFile(f"the transcript cannot be read: {error}", where=str(path)) from error

    @property
    def is_zip(self) -> bool:
        """Whether it is a ZIP archive."""
        return self.head.startswith(b"PK\x03\x04")

    @cached_property
    def text_head(self) -> str:
        """The beginning as text."""
        return self.head.decode("utf-8-sig", "replace")

    @cached_property
    def rows(self) -> list[Object]:
        """The first objects that stand on a line of their own; their texts may be cut."""
        found: list[Object] = []
        if self.is_zip:
            return found
        read = 0
        most = None if self.__dict__.get("value") is None else SAMPLE_LINES
        with self.path.open("rb") as file:
            for line in islice(iter(partial(file.readline, LINE_BYTES), b""), most):
                read += len(line)
                if len(line) >= LINE_BYTES and not line.endswith(b"\n"):
                    skip(file)
                    continue
                row = _sampled(line)
                if row is not None:
                    found.append(row)
                if len(found) == SAMPLE_ROWS or read > (
                    SAMPLE_BYTES if len(found) > SAMPLE_ROWS // 10 else SAMPLE_MOST
                ):
                    break
        return found

    @cached_property
    def by_lines(self) -> bool:
        """Whether the first line is a record by itself and another line follows."""
        if self.is_zip:
            return False
        with self.path.open("rb") as file:
            while (line := file.readline(SAMPLE_BYTES)) and not line.strip():
                pass
            if line.endswith(b"\n"):
                return _sampled(line) is not None and _goes_on(file)
            # A line too long to be looked at whole: a document has a comma, or nothing, behind what ends there.
            last = line[-1:]
            while piece := file.readline(SAMPLE_BYTES):
                if piece.endswith(b"\n"):
                    return (last + piece).rstrip().endswith(b"}") and _goes_on(file)
                last = piece[-1:]
        return False

    @cached_property
    def document(self) -> object:
        """The whole file as one JSON value. Raises `BadFile` where it is none, or larger than 256 MB."""
        where = str(self.path)
        if self.size > self.most:
            raise BadFile(
                f"the transcript is one JSON document of {self.size >> 20} MB; at most {self.most >> 20} MB are read",
                where=where,
                hint="formats with one record a line are read at any size",
            )
        try:
            with self.path.open("rb") as file:
                data = file.read(self.most + 1)
            return cast("object", json.loads(data.decode("utf-8-sig", "replace")))
        except json.JSONDecodeError as error:
            raise BadFile(f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}", where=where) from error
        except RecursionError as error:
            raise BadFile("nested too deeply", where=where) from error
        except (OSError, ValueError) as error:
            raise BadFile(f"the transcript cannot be read: {error}", where=where) from error

    @cached_property
    def value(self) -> object:
        """The document, or `None` where the file is read by lines or is no JSON.

        Raises `BadFile` for what begins like a document and is none, or is too large to be read as one.
        """
        if self.is_zip or self.text_head.lstrip()[:1] not in ("{", "[") or self.by_lines:
            return None
        try:
            return self.document
        except BadFile:
            if self.rows:
                return None
            raise

    @cached_property
    def sample(self) -> list[Object]:
        """The first records: those of a list, or those that stand on lines."""
        value = self.value
        if value is None:
            return self.rows
        return [row for row, _ in zip(objects(value), range(SAMPLE_ROWS), strict=False)]

    def records(self, recording: Recording) -> Iterator[tuple[int, Object]]:
        """Every record with its number from 1: of the lines, or of a document that is a list. What is none is counted
        as unread."""
        if self.value is not None:
            yield from enumerate(objects(self.value), 1)
            return
        yield from self._lines(recording)

    def _shaped(self, row: Object) -> None:
        kind = row.get("type")
        shape = (kind if isinstance(kind, str) else None, *row)
        known = self.shapes.get(shape)
        if known is not None:
            self.shapes[shape] = (known[0], known[1] + 1)
        elif len(self.shapes) < MOST_SHAPES:
            # Only the keys tell a format, and a few fields of its envelope, so long texts are not held.
            self.shapes[shape] = (
                row if len(str(row)[:MOST_SHAPED]) < MOST_SHAPED else dict.fromkeys(row) | {"type": kind},
                1,
            )

    def _lines(self, recording: Recording) -> Iterator[tuple[int, Object]]:
        # What the sample took is not needed while the file is read.
        self.__dict__.pop("rows", None)
        self.__dict__.pop("sample", None)
        number = 0
        with self.path.open("rb") as file:
            while line := file.readline(LINE_BYTES):
                number += 1
                complete = line.endswith(b"\n")
                if not complete and len(line) >= LINE_BYTES:
                    recording.lost(f"lines longer than {LINE_BYTES >> 20} MB", f"line {number}")
                    skip(file)
                    continue
                if not line.strip():
                    continue
                try:
                    row = long_lines.record(line)
                except OverflowError:
                    reason = f"lines of more than {long_lines.MOST >> 20} MB, or of very many values"
                    recording.lost(reason, f"line {number}")
                    continue
                if row is not None:
                    self._shaped(row)
                    yield number, row
                elif complete:
                    recording.lost("lines that hold no JSON object", f"line {number}")
                else:
                    recording.lost("a last line that ends in the middle", f"line {number}")
                    recording.notes.setdefault("The transcript ends in the middle of a record.")


def skip(file: BinaryIO) -> None:
    """Go to the end of the line."""
    while (rest := file.readline(1 << 20)) and not rest.endswith(b"\n"):
        pass


def _goes_on(file: BinaryIO) -> bool:
    """Whether anything but space follows in the next megabyte."""
    return bool(file.read(1 << 20).strip())


def _sampled(line: bytes) -> Object | None:
    try:
        return long_lines.record(line, sample=True)
    except OverflowError:
        return None


class SeveralSessions(BadFile):
    """A file holds several sessions, or none, and which one is meant is not said; `names` are those there are."""

    def __init__(self, message: str, *, where: str, hint: str, names: tuple[str, ...]) -> None:
        super().__init__(message, where=where, hint=hint)
        self.names = names


def chosen(source: Source, parts: Iterable[tuple[str, T]]) -> tuple[str, T]:
    """The one session of a file that holds several, which are made one after another. Raises `BadFile` where none is
    named, or it is not there."""
    source.chosen = True
    names: list[str] = []
    known: set[str] = set()
    first: T | None = None
    for place, (name, part) in enumerate(parts, 1):
        named = name if name not in known else f"{name}-{place}"
        if named == source.part:
            return named, part
        if len(names) < MOST_SESSIONS:
            names.append(named)
            known.add(named)
        first = part if place == 1 else None
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    if source.part is not None:
        raise BadFile(f"no session is called {source.part!r} here", where=str(source.path), hint=f"there are: {shown}")
    if len(names) == 1 and first is not None:
        return names[0], first
    raise SeveralSessions(
        f"the file holds {len(names)} sessions: {shown}" if names else "the file holds no session",
        where=str(source.path),
        hint="choose one with --sample NAME; `bouts transcript FILE --sample NAME --write native` writes it out alone",
        names=tuple(names),
    )
