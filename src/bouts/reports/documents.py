"""JSON of unknown origin: finite numbers, a sane depth, keys that occur once."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import NoReturn, cast

from bouts.reports.collecting import Unreadable, text_of

Object = dict[str, object]


BRACKETS = 500_000
"""Objects and lists of a document; each takes many times its bytes in memory."""


def document(data: bytes) -> object:
    """The one value in `data`. Raises `Unreadable`."""
    if data.count(b"{") + data.count(b"[") > BRACKETS:
        raise Unreadable(f"more than {BRACKETS:,} objects and lists")
    return value(text_of(data))


def value(text: str) -> object:
    """The one value in a text. Raises `Unreadable`."""
    try:
        return cast("object", _DECODER.decode(text))
    except json.JSONDecodeError as error:
        raise Unreadable(f"no JSON at line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise Unreadable("nested too deeply") from error


def starts_like(data: bytes) -> bool:
    """Whether this may be a JSON object."""
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def an_object(found: object) -> Object:
    """The value, if it is an object; else an empty one."""
    return cast("Object", found) if isinstance(found, dict) else {}


def objects(found: object) -> Iterator[Object]:
    """The objects of a list."""
    for one in cast("list[object]", found) if isinstance(found, list) else []:
        if isinstance(one, dict):
            yield cast("Object", one)


def text(found: object) -> str:
    """The value, if it is a text, else an empty one; a list of texts is joined."""
    if isinstance(found, list):
        return " > ".join(one for one in cast("list[object]", found)[:64] if isinstance(one, str))
    return found if isinstance(found, str) else ""


def _object(pairs: list[tuple[str, object]]) -> Object:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Unreadable("a key occurs twice in one object")
    return made


def _constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is no number that JSON knows")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Unreadable("a number is too large")
    return number


def _int(digits: str) -> int:
    if len(digits) > 18:
        raise Unreadable("a number is too large")
    return int(digits)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int, strict=False
)
