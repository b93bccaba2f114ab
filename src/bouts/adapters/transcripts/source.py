"""A transcript file as its readers see it: a sample to tell the format by, the lines of it, or the whole document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from bouts.adapters.transcripts.recording import Recording
from bouts.adapters.transcripts.values import Object, objects
from bouts.errors import BadFile, NotFound

T = TypeVar("T")

DOCUMENT_BYTES = 256 << 20
"""Largest file that is one JSON document, as it has to be held in memory whole."""
LINE_BYTES = 64 << 20
"""Longest line of a file that is read line by line."""
SAMPLE_BYTES = 4 << 20
SAMPLE_ROWS = 60
HEAD_BYTES = 64 << 10


class Source:
    """One file. Nothing is read before it is asked for."""

    def __init__(self, path: Path, part: str | None = None, most: int = DOCUMENT_BYTES) -> None:
        """`part` names one of several sessions in a file; `most` are the bytes of a file that is read as one document.
        Raises `NotFound`, or `BadFile` for what is no regular file that can be read."""
        self.path = path
        self.part = part
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
    def _lines_head(self) -> list[bytes]:
        """The first lines that hold something; the last of them may be cut."""
        with self.path.open("rb") as file:
            data = file.read(SAMPLE_BYTES)
        return [line for line in data.split(b"\n")[: SAMPLE_ROWS * 4] if line.strip()]

    @cached_property
    def rows(self) -> list[Object]:
        """The first objects that stand on a line of their own."""
        if self.is_zip:
            return []
        found = (_object(line) for line in self._lines_head)
        return [row for row, _ in zip((r for r in found if r is not None), range(SAMPLE_ROWS), strict=False)]

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
        if self.is_zip or self.text_head.lstrip()[:1] not in ("{", "["):
            return None
        first = self._lines_head[0] if self._lines_head else b""
        if len(self._lines_head) > 1 and _object(first) is not None:
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

    def _lines(self, recording: Recording) -> Iterator[tuple[int, Object]]:
        number = 0
        with self.path.open("rb") as file:
            while line := file.readline(LINE_BYTES):
                number += 1
                complete = line.endswith(b"\n")
                if not complete and len(line) >= LINE_BYTES:
                    self._skip(file, recording, number)
                    continue
                if not line.strip():
                    continue
                row = _object(line)
                if row is not None:
                    yield number, row
                elif complete:
                    recording.lost("lines that hold no JSON object", f"line {number}")
                else:
                    recording.lost("a last line that ends in the middle", f"line {number}")
                    recording.notes.setdefault("The transcript ends in the middle of a record.")

    @staticmethod
    def _skip(file: BinaryIO, recording: Recording, number: int) -> None:
        recording.lost(f"lines longer than {LINE_BYTES >> 20} MB", f"line {number}")
        while (rest := file.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
            pass


class SeveralSessions(BadFile):
    """A file holds several sessions, or none, and which one is meant is not said; `names` are those there are."""

    def __init__(self, message: str, *, where: str, hint: str, names: tuple[str, ...]) -> None:
        super().__init__(message, where=where, hint=hint)
        self.names = names


def chosen(source: Source, parts: Mapping[str, T]) -> tuple[str, T]:
    """The one session of a file that holds several. Raises `BadFile` where none is named, or it is not there."""
    names = list(parts)
    shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    if source.part is not None:
        if source.part in parts:
            return source.part, parts[source.part]
        raise BadFile(f"no session is called {source.part!r} here", where=str(source.path), hint=f"there are: {shown}")
    if len(parts) == 1:
        return next(iter(parts.items()))
    raise SeveralSessions(
        f"the file holds {len(parts)} sessions: {shown}" if parts else "the file holds no session",
        where=str(source.path),
        hint="choose one with --sample NAME; `bouts transcript FILE --sample NAME --write native` writes it out alone",
        names=tuple(names),
    )


def _object(line: bytes) -> Object | None:
    line = line.strip()
    if not line.startswith(b"{") and not line.startswith(b"\xef\xbb\xbf{"):
        return None
    try:
        value = cast("object", json.loads(line.decode("utf-8-sig", "replace")))
    except (ValueError, RecursionError):
        return None
    return cast("Object", value) if isinstance(value, dict) else None
