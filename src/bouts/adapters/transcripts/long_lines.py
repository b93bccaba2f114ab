"""Records that are very long: read in bounded memory, or told to be too long."""

from __future__ import annotations

import json
import re
from typing import cast

from bouts.adapters.transcripts.values import Object

USUAL = 1 << 20
"""Bytes up to which a line is parsed as it is."""
MOST = 8 << 20
"""Bytes of a line that are parsed, what is left out not counted."""
MOST_VALUES = 300_000
"""Values in a line over `USUAL`: each takes many times as much memory as it has bytes."""
_SAMPLED = 64 << 10
_BLOB = re.compile(rb"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{100000,}+={0,2}")
"""Images and other files, written as letters: no event tells of them."""
_TEXT = re.compile(rb'("[^"\\]{0,500}+(?:\\.[^"\\]{0,500}+){0,500}+)[^"\\]*+(?:\\.[^"\\]*+)*+"')
_VALUE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[,\[{]')


def record(line: bytes, *, sample: bool = False) -> Object | None:
    """The object that a line holds, `None` where it holds none. Of a `sample` long texts may be cut.

    Raises `OverflowError` for one that would take too much memory.
    """
    line = line.strip()
    if not line.startswith(b"{") and not line.startswith(b"\xef\xbb\xbf{"):
        return None
    if sample and len(line) > _SAMPLED:
        line = _TEXT.sub(rb'\1"', line)
    if len(line) > USUAL:
        line = _BLOB.sub(b"", line)
        if len(line) > MOST or (len(line) > USUAL and _crowded(line)):
            raise OverflowError
    try:
        value = cast("object", json.loads(line.decode("utf-8-sig", "replace")))
    except (ValueError, RecursionError):
        return None
    return cast("Object", value) if isinstance(value, dict) else None


def _crowded(line: bytes) -> bool:
    return sum(1 for _, _ in zip(range(MOST_VALUES), _VALUE.finditer(line), strict=False)) >= MOST_VALUES
