"""JSON files of unknown origin, read whole or refused with one clear error."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NoReturn, cast

from bouts.errors import BadFile, NotFound


class _Refused(ValueError):
    """A value that JSON allows, or Python's parser, and we do not."""


def read(path: Path, limit: int, what: str) -> object:
    """The value in the file. Raises `NotFound`, or `BadFile` for anything that is not one JSON value of at most `limit`
    bytes with finite numbers, keys that occur once, and a sane depth."""
    text = _text(path, limit, what)
    try:
        return cast("object", _DECODER.decode(text))
    except json.JSONDecodeError as error:
        raise _bad(path, what, f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}") from error
    except _Refused as error:
        raise _bad(path, what, str(error)) from error
    except RecursionError as error:
        raise _bad(path, what, "nested too deeply") from error


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


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Refused(f"key {key[:80]!r} occurs twice in one object")
            seen.add(key)
    return made


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is no number that JSON knows")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _Refused(f"{digits[:40]} is too large a number")
    return value


def _int(digits: str) -> int:
    if len(digits) > 18:
        raise _Refused(f"{digits[:40]}… is too large a number")
    return int(digits)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int, strict=True
)
