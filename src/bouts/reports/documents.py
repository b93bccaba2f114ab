"""JSON of unknown origin: finite numbers, a sane depth, keys that occur once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from bouts.model import strict_json
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
        return strict_json.value(text, controls=True)
    except strict_json.Refused as error:
        raise Unreadable(str(error)) from error


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
