"""JSON files of unknown origin, read whole or refused with one clear error."""

from __future__ import annotations

from pathlib import Path

from bouts.errors import BadFile, NotFound
from bouts.model.strict_json import Refused, value


def read(path: Path, limit: int, what: str) -> object:
    """The value in the file. Raises `NotFound`, or `BadFile` for anything that is not one JSON value of at most `limit`
    bytes with finite numbers, keys that occur once, and a sane depth."""
    text = _text(path, limit, what)
    try:
        return value(text)
    except Refused as error:
        raise _bad(path, what, str(error)) from error


def _text(path: Path, limit: int, what: str) -> str:
    try:
        if not path.exists():
            raise NotFound(f"no such {what}", where=str(path))
        if not path.is_file():
            raise BadFile(f"not a file, so no {what}", where=str(path))
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise BadFile(f"the {what} cannot be read: {error}", where=str(path)) from error
    if len(data) > limit:
        raise _bad(path, what, f"larger than {limit >> 20} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _bad(path, what, f"no UTF-8 text (byte {error.start})") from error


def _bad(path: Path, what: str, why: str) -> BadFile:
    return BadFile(f"not a {what}: {why}", where=str(path))
