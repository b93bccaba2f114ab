"""What a reader of one format is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bouts.adapters.transcripts.recording import Recording
from bouts.adapters.transcripts.source import Source

CERTAIN, LIKELY, POSSIBLE, NO = 90, 60, 30, 0
"""Confidences: the format says so itself; its fields are those; they may be; it is another format."""


class Reader(Protocol):
    """Reads one format. A module is a reader: it has these three names."""

    NAME: str
    """Name for `--format`."""
    TITLE: str
    """Name for people."""

    def detect(self, source: Source) -> int:
        """How sure it is, from 0 to 100, that the file is of this format, by its content alone."""
        ...

    def read(self, source: Source, recording: Recording) -> None:
        """Tell the session to the recording. Raises `BadFile` where the file is of another format."""
        ...


def surest(source: Source, known: Mapping[str, Reader]) -> tuple[str, int] | None:
    """The reader that is surest of a file, and how sure; `None` where none is at all."""
    sure = {name: reader.detect(source) for name, reader in known.items()}
    best = max(sure, key=lambda name: sure[name])
    return (best, sure[best]) if sure[best] > NO else None
