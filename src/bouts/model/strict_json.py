"""JSON of unknown origin, read with one meaning or refused: finite numbers, keys that occur once, a sane depth."""

from __future__ import annotations

import json
import math
from functools import partial
from typing import NoReturn, cast

from bouts.model.text import clean_line

DIGITS = 18
"""Digits of a whole number, its sign among them."""


class Refused(ValueError):
    """A text that is no JSON, or is of a kind that Python's parser allows and we do not: what is wrong, in words."""


def value(text: str, *, controls: bool = False) -> object:
    """The one value in a text; with `controls`, texts in it may hold control characters. Raises `Refused`."""
    try:
        return cast("object", (_LENIENT if controls else _STRICT).decode(text))
    except json.JSONDecodeError as error:
        raise Refused(f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise Refused("nested too deeply") from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Refused(f"key {clean_line(key, 80)!r} occurs twice in one object")
            seen.add(key)
    return made


def _constant(name: str) -> NoReturn:
    raise Refused(f"{name} is no number that JSON knows")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Refused(f"{digits[:40]} is too large a number")
    return number


def _int(digits: str) -> int:
    if len(digits) > DIGITS:
        raise Refused(f"{digits[:40]}… is too large a number")
    return int(digits)


_decoder = partial(
    json.JSONDecoder, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
)
_STRICT, _LENIENT = _decoder(strict=True), _decoder(strict=False)
