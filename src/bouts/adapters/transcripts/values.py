"""Values of records in formats that are not ours: taken where they have the expected type, else absent."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from bouts.adapters.transcripts import odd
from bouts.model.base import made
from bouts.model.session import Tokens

Object = Mapping[str, object]
EMPTY: Object = {}
LARGEST = 10**12
"""Largest count that is believed."""


def obj(value: object) -> Object:
    """`value` where it is an object, else an empty one."""
    return cast("Object", value) if isinstance(value, dict) else EMPTY


def rows(value: object) -> list[object]:
    """`value` where it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def objects(value: object) -> Iterator[Object]:
    """The objects in a list; a lone object counts as a list of one."""
    if isinstance(value, dict):
        yield cast("Object", value)
        return
    for row in rows(value):
        if isinstance(row, dict):
            yield cast("Object", row)


def text(value: object) -> str | None:
    """`value` where it is a text."""
    return value if isinstance(value, str) else None


def first_text(body: Object, *keys: str) -> str | None:
    """The first of some keys that holds a text with something in it."""
    for key in keys:
        value = body.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def number(value: object) -> float | None:
    """`value` where it is a finite number from 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) and 0 <= found <= LARGEST else None


def count(value: object) -> int:
    """`value` where it is a believable count, also one written as a text; else 0."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 12:
        return int(value)
    found = number(value)
    return 0 if found is None else int(found)


def whole(value: object) -> int | None:
    """`value` where it is a whole number within ±10¹²."""
    if isinstance(value, bool) or not isinstance(value, int) or not -LARGEST <= value <= LARGEST:
        return None
    return value


def decoded(value: object) -> object:
    """What a text holds as JSON; the value itself where it is no such text."""
    if isinstance(value, str) and value[:1] in '{["':
        try:
            return cast("object", json.loads(value))
        except (ValueError, RecursionError):
            return value
    return value


def arguments(value: object) -> Object:
    """The arguments of a call, given as an object or as a text that holds one."""
    return obj(decoded(value))


def plain(value: object, *, parts: tuple[str, ...] = ("text", "content", "output"), depth: int = 0) -> str:
    """The text of a message or an answer: a text, a list of parts, or an object with one."""
    if isinstance(value, str):
        return value
    if depth > 4:
        return ""
    if isinstance(value, list):
        found = (plain(row, parts=parts, depth=depth + 1) for row in cast("list[object]", value))
        return "\n".join(piece for piece in found if piece)
    if isinstance(value, dict):
        body = cast("Object", value)
        for key in parts:
            if body.get(key) is not None:
                return plain(body[key], parts=parts, depth=depth + 1)
    return ""


def shown(value: object) -> str:
    """A structured answer as text."""
    found = plain(value)
    if found or value is None:
        return found
    try:
        return json.dumps(value, ensure_ascii=False)[:100_000]
    except (ValueError, RecursionError):
        return ""


def summed(rows: Iterable[Tokens | None]) -> Tokens | None:
    """The sum of those that are known; `None` where none is."""
    known = [row for row in rows if row is not None]
    if not known:
        return None
    return Tokens(**{name: sum(getattr(row, name) for row in known) for name in Tokens.model_fields})


def dollars(value: object) -> float | None:
    """Dollars, `None` where there are none; what is there and no number of them is counted as odd."""
    found = number(value)
    if found is None and value is not None:
        odd.met("cost")
    return found


def tally(value: object, *, texts: bool = False) -> int:
    """A number of tokens, 0 where there is none; what is there and no whole number from 0 is counted as odd. Some
    formats write numbers as `texts`."""
    if texts and isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 12:
        return int(value)
    if value is None:
        return 0
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    found = whole(value)
    if found is None or found < 0:
        odd.met("token count")
        return 0
    return found


def tokens(body: Object, **names: tuple[str, ...]) -> Tokens | None:
    """Tokens by the names that a format has for them; `None` where it counts none."""
    # One number may be part of two sums, and is odd only once.
    told = {key: tally(body.get(key)) for key in dict.fromkeys(key for keys in names.values() for key in keys)}
    counted = {field: sum(told[key] for key in keys) for field, keys in names.items()}
    if not any(counted.values()):
        return None
    return made(Tokens, **{name: counted.get(name, 0) for name in Tokens.model_fields})
