"""Records of another format in a file: counted by their shape while it is read, and named where that format is sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from bouts.adapters.transcripts.reader import CERTAIN, Reader, surest
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.values import Object


class _One(Source):
    """A record as a file of its own."""

    def __init__(self, path: Path, row: Object) -> None:
        self.path, self.part, self.most = path, None, 0
        self.chosen, self.size, self.head = False, 1, b"{"
        self.__dict__ |= {"rows": [row], "sample": [row], "value": None, "by_lines": True, "text_head": "{"}


def notes(source: Source, reader: Reader, known: Mapping[str, Reader]) -> list[str]:
    """What to say of the records that another format is certain of and the reader's own is not at all."""
    found = Counter[str]()
    for row, many in source.shapes.values():
        one = _One(source.path, row)
        if reader.detect(one):
            continue
        told = surest(one, known)
        if told is not None and told[1] >= CERTAIN:
            found[told[0]] += many
    return [
        f"{many:,} record{'' if many == 1 else 's'} in the file look like {name} and are no part of what is told here."
        for name, many in found.items()
    ]
