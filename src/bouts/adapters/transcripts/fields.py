"""Fields of a record of unknown origin, taken with a check of their type."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import cast

from bouts.adapters.transcripts import redact

Object = Mapping[str, object]
LARGEST = 10**9
"""Largest count that is believed."""


class Wrong(ValueError):
    """What is wrong, in one clause."""


def mapping(value: object, what: str) -> Object:
    """`value` as an object. Raises `Wrong`."""
    if not isinstance(value, dict):
        raise Wrong(f"{what} must be an object, not {shown(value)}")
    return cast("Object", value)


def rows(body: Object, key: str) -> list[object] | None:
    """A list, or `None` where the key is missing or null. Raises `Wrong`."""
    value = body.get(key)
    if value is None:
        return None
    if not isinstance(value, list):
        raise Wrong(f"{key!r} must be a list, not {shown(value)}")
    return cast("list[object]", value)


def needed_rows(body: Object, key: str) -> list[object]:
    """A list that must be there. Raises `Wrong`."""
    found = rows(body, key)
    if found is None:
        raise Wrong(f"{key!r} is missing")
    return found


def only(body: Object, known: tuple[str, ...]) -> None:
    """Refuse keys that the format does not have, naming the nearest one that it has. Raises `Wrong`."""
    for key in body:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise Wrong(f"unknown key {shown(key)}{hint}")


def text(body: Object, key: str) -> str | None:
    """A text, or `None` where the key is missing or null. Raises `Wrong`."""
    value = body.get(key)
    if value is None or isinstance(value, str):
        return value
    raise Wrong(f"{key!r} must be a text, not {shown(value)}")


def number(body: Object, key: str, most: float) -> float | None:
    """A number from 0 to `most`, or `None` where the key is missing or null. Raises `Wrong`."""
    value = body.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most:
        raise Wrong(f"{key!r} must be a number from 0 to {most:g}, not {shown(value)}")
    return float(value)


def whole(body: Object, key: str) -> int | None:
    """A whole number from 0, or `None` where the key is missing or null. Raises `Wrong`."""
    value = body.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        raise Wrong(f"{key!r} must be a whole number from 0, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """A value as error messages show it: short, safe to print."""
    if isinstance(value, (dict, list)):
        return "a list" if isinstance(value, list) else "an object"
    return redact.line(repr(value)[:80])
