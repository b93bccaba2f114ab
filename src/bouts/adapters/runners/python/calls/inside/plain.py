"""The codec: exact plain types to JSON structures and back, bounded in size and depth.

JSON's own null, booleans, strings, integers, finite floats and arrays (lists) stand for themselves; everything else is
an object with one key, the tag. Types are compared by identity, so no subclass ever crosses as a value: nothing that
arrives can be equal to everything. The decoder accepts what the encoder makes and nothing else.
"""

from __future__ import annotations

import binascii
import math
import sys
from collections.abc import Callable, Iterable
from typing import Any

MAX_MESSAGE = 32 << 20
"""Bytes of one message."""
MAX_DEPTH = 60
"""Containers inside containers."""
MAX_INT_BITS = 4096
MAX_RANGE = 1_000_000
"""Length of a range that may cross; `list(range(10**12))` would otherwise exhaust whoever receives it."""
MAX_DIGITS = 5000
"""Characters of a Decimal."""

_BIG = 1 << MAX_INT_BITS

Other = Callable[[Any, int], Any]
OtherTag = Callable[[str, Any, int], Any]


class CannotCross(TypeError):
    """A value that has no form on the other side; the message names its type."""


class Malformed(ValueError):
    """Data that no encoder of ours makes."""


# ---------------------------------------------------------------- encoding


def encode(value: Any, other: Other, depth: int = 0) -> Any:
    """The JSON structure of a value. What is not plain is given to `other(value, depth)`. Raises `CannotCross`."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is int:
        if -_BIG < value < _BIG:
            return value
        raise CannotCross(f"an integer of more than {MAX_INT_BITS} bits cannot cross")
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if depth >= MAX_DEPTH:
        raise CannotCross(f"data nested more than {MAX_DEPTH} deep (or inside itself) cannot cross")
    depth += 1
    if kind is list:
        return [encode(item, other, depth) for item in value]
    if kind is tuple:
        return {"tuple": [encode(item, other, depth) for item in value]}
    if kind is dict:
        return _encode_dict(value, other, depth)
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return simple(value, other, depth)
    named = _NAMED.get(kind.__qualname__)
    if named is not None and _is_library(kind, named[0]):
        return named[1](value, other, depth)
    return other(value, depth)


def _encode_dict(value: dict[Any, Any], other: Other, depth: int) -> Any:
    pairs = list(value.items())
    if all(type(key) is str for key, _ in pairs):
        return {"map": {key: encode(item, other, depth) for key, item in pairs}}
    return {"dict": _pairs(pairs, other, depth)}


def _pairs(pairs: Iterable[tuple[Any, Any]], other: Other, depth: int) -> list[Any]:
    return [[encode(key, other, depth), encode(item, other, depth)] for key, item in pairs]


def _items(tag: str) -> Callable[[Any, Other, int], Any]:
    return lambda value, other, depth: {tag: [encode(item, other, depth) for item in value]}


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode()


def _encode_range(value: range, other: Other, depth: int) -> Any:
    if len(value) > MAX_RANGE:
        raise CannotCross(f"a range longer than {MAX_RANGE} cannot cross")
    return {"range": [value.start, value.stop, value.step]}


def _encode_slice(value: slice, other: Other, depth: int) -> Any:
    return {"slice": [encode(part, other, depth) for part in (value.start, value.stop, value.step)]}


def _encode_complex(value: complex, other: Other, depth: int) -> Any:
    return {"complex": [encode(value.real, other, depth), encode(value.imag, other, depth)]}


_SIMPLE: dict[type, Callable[[Any, Other, int], Any]] = {
    bytes: lambda value, other, depth: {"bytes": _base64(value)},
    bytearray: lambda value, other, depth: {"bytearray": _base64(value)},
    set: _items("set"),
    frozenset: _items("frozenset"),
    complex: _encode_complex,
    range: _encode_range,
    slice: _encode_slice,
    type(...): lambda value, other, depth: {"ellipsis": 0},
    type(NotImplemented): lambda value, other, depth: {"notimplemented": 0},
    type({}.keys()): _items("keys"),
    type({}.values()): _items("values"),
    type({}.items()): lambda value, other, depth: {"items": _pairs(value, other, depth)},
    type(type.__dict__): lambda value, other, depth: {"proxy": _pairs(value.items(), other, depth)},
}


def _is_library(kind: type, module: str) -> bool:
    loaded = sys.modules.get(module)
    return loaded is not None and getattr(loaded, kind.__qualname__, None) is kind


def _encode_datetime(value: Any, other: Other, depth: int) -> Any:
    parts = [value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond, value.fold]
    return {"datetime": [*parts, encode(value.tzinfo, other, depth)]}


def _encode_time(value: Any, other: Other, depth: int) -> Any:
    parts = [value.hour, value.minute, value.second, value.microsecond, value.fold]
    return {"time": [*parts, encode(value.tzinfo, other, depth)]}


def _encode_timezone(value: Any, other: Other, depth: int) -> Any:
    arguments = value.__getinitargs__()
    offset = arguments[0]
    name = arguments[1] if len(arguments) > 1 else None
    return {"timezone": [offset.days, offset.seconds, offset.microseconds, name]}


def _encode_zone(value: Any, other: Other, depth: int) -> Any:
    if value.key is None:
        raise CannotCross("a ZoneInfo without a key cannot cross")
    return {"zone": value.key}


def _encode_defaultdict(value: Any, other: Other, depth: int) -> Any:
    # Only the factories that are plain types are kept: another one would be a function that runs over there.
    factory = value.default_factory
    name = factory.__name__ if type(factory) is type and FACTORIES.get(factory.__name__) is factory else None
    return {"defaultdict": [name, _pairs(value.items(), other, depth)]}


def _encode_deque(value: Any, other: Other, depth: int) -> Any:
    return {"deque": [value.maxlen, [encode(item, other, depth) for item in value]]}


def _encode_decimal(value: Any, other: Other, depth: int) -> Any:
    text = str(value)
    if len(text) > MAX_DIGITS:
        raise CannotCross(f"a Decimal of more than {MAX_DIGITS} characters cannot cross")
    return {"decimal": text}


def _encode_fraction(value: Any, other: Other, depth: int) -> Any:
    return {"fraction": [encode(value.numerator, other, depth), encode(value.denominator, other, depth)]}


_NAMED: dict[str, tuple[str, Callable[[Any, Other, int], Any]]] = {
    "Decimal": ("decimal", _encode_decimal),
    "datetime": ("datetime", _encode_datetime),
    "date": ("datetime", lambda value, other, depth: {"date": [value.year, value.month, value.day]}),
    "time": ("datetime", _encode_time),
    "timedelta": (
        "datetime",
        lambda value, other, depth: {"timedelta": [value.days, value.seconds, value.microseconds]},
    ),
    "timezone": ("datetime", _encode_timezone),
    "ZoneInfo": ("zoneinfo", _encode_zone),
    "UUID": ("uuid", lambda value, other, depth: {"uuid": value.hex}),
    "Fraction": ("fractions", _encode_fraction),
    "PosixPath": ("pathlib", lambda value, other, depth: {"path": str(value)}),
    "PurePosixPath": ("pathlib", lambda value, other, depth: {"purepath": str(value)}),
    "Counter": ("collections", lambda value, other, depth: {"counter": _pairs(value.items(), other, depth)}),
    "OrderedDict": ("collections", lambda value, other, depth: {"ordered": _pairs(value.items(), other, depth)}),
    "defaultdict": ("collections", _encode_defaultdict),
    "deque": ("collections", _encode_deque),
    "SimpleNamespace": ("types", lambda value, other, depth: {"namespace": _pairs(vars(value).items(), other, depth)}),
    "StringIO": ("io", lambda value, other, depth: {"stringio": [value.getvalue(), value.tell()]}),
    "BytesIO": ("io", lambda value, other, depth: {"bytesio": [_base64(value.getvalue()), value.tell()]}),
}

FACTORIES: dict[str, Any] = {
    kind.__name__: kind for kind in (list, dict, set, int, float, str, bool, tuple, bytes, frozenset)
}
"""Plain types that may cross as types, by name."""

# ---------------------------------------------------------------- decoding


def decode(data: Any, other: OtherTag, depth: int = 0) -> Any:
    """The value of a JSON structure. Unknown tags are given to `other(tag, payload, depth)`.

    Raises `Malformed`, or whatever the constructors of the plain types raise on nonsense: callers catch both.
    """
    kind = type(data)
    if kind is str or kind is bool or data is None:
        return data
    if kind is int:
        if -_BIG < data < _BIG:
            return data
        raise Malformed("integer too large")
    if kind is float:
        if math.isfinite(data):
            return data
        raise Malformed("float out of range")
    if depth >= MAX_DEPTH:
        raise Malformed("nested too deep")
    if kind is list:
        depth += 1
        return [decode(item, other, depth) for item in data]
    if kind is dict and len(data) == 1:
        ((tag, payload),) = data.items()
        decoder = _DECODERS.get(tag)
        if decoder is not None:
            return decoder(payload, other, depth + 1)
        return other(tag, payload, depth + 1)
    raise Malformed("unknown structure")


def text(data: Any, limit: int = MAX_MESSAGE) -> str:
    """An exact string of bounded length, or `Malformed`."""
    if type(data) is not str or len(data) > limit:
        raise Malformed("text expected")
    return data


def whole(data: Any, low: int = -_BIG, high: int = _BIG) -> int:
    """An exact integer within bounds, or `Malformed`."""
    if type(data) is not int or not low <= data <= high:
        raise Malformed("integer expected")
    return data


def row(data: Any, length: int | None = None) -> list[Any]:
    """An exact list, of that length if given, or `Malformed`."""
    if type(data) is not list or (length is not None and len(data) != length):
        raise Malformed("list expected")
    return data


def _wholes(data: Any, length: int) -> list[int]:
    return [whole(item) for item in row(data, length)]


def _sequence(data: Any, other: OtherTag, depth: int) -> list[Any]:
    return [decode(item, other, depth) for item in row(data)]


def _decode_pairs(data: Any, other: OtherTag, depth: int) -> list[tuple[Any, Any]]:
    pairs = [row(pair, 2) for pair in row(data)]
    return [(decode(key, other, depth), decode(item, other, depth)) for key, item in pairs]


def _decode_map(data: Any, other: OtherTag, depth: int) -> dict[str, Any]:
    if type(data) is not dict:
        raise Malformed("object expected")
    return {key: decode(item, other, depth) for key, item in data.items()}


def _bytes(data: Any) -> bytes:
    return binascii.a2b_base64(text(data), strict_mode=True) if data else b""


def _special_float(data: Any, other: OtherTag, depth: int) -> float:
    if data not in ("inf", "-inf", "nan"):
        raise Malformed("float expected")
    return float(data)


def _decode_range(data: Any, other: OtherTag, depth: int) -> range:
    start, stop, step = _wholes(data, 3)
    value = range(start, stop, step)
    # `len` fails on ranges beyond the machine's integers; the width does not.
    if abs(stop - start) // abs(step) > MAX_RANGE:
        raise Malformed("range too long")
    return value


def _decode_slice(data: Any, other: OtherTag, depth: int) -> slice:
    start, stop, step = [decode(part, other, depth) for part in row(data, 3)]
    return slice(start, stop, step)


def _decode_complex(data: Any, other: OtherTag, depth: int) -> complex:
    real, imaginary = [decode(part, other, depth) for part in row(data, 2)]
    if type(real) is not float or type(imaginary) is not float:
        raise Malformed("complex expected")
    return complex(real, imaginary)


def _decode_decimal(data: Any, other: OtherTag, depth: int) -> Any:
    from decimal import Decimal

    return Decimal(text(data, MAX_DIGITS))


def _decode_fraction(data: Any, other: OtherTag, depth: int) -> Any:
    from fractions import Fraction

    numerator, denominator = _wholes(data, 2)
    return Fraction(numerator, denominator)


def _zone(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import tzinfo

    zone = decode(data, other, depth)
    if zone is not None and not isinstance(zone, tzinfo):
        raise Malformed("time zone expected")
    return zone


def _decode_datetime(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import datetime

    *parts, zone = row(data, 9)
    *numbers, fold = _wholes(parts, 8)
    return datetime(*numbers, tzinfo=_zone(zone, other, depth), fold=fold)  # pyright: ignore[reportArgumentType]


def _decode_time(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import time

    *parts, zone = row(data, 6)
    *numbers, fold = _wholes(parts, 5)
    return time(*numbers, tzinfo=_zone(zone, other, depth), fold=fold)  # pyright: ignore[reportArgumentType]


def _decode_date(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import date

    return date(*_wholes(data, 3))


def _decode_timedelta(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import timedelta

    return timedelta(*_wholes(data, 3))


def _decode_timezone(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import timedelta, timezone

    *parts, name = row(data, 4)
    offset = timedelta(*_wholes(parts, 3))
    return timezone(offset) if name is None else timezone(offset, text(name, 200))


def _decode_zone(data: Any, other: OtherTag, depth: int) -> Any:
    from zoneinfo import ZoneInfo

    key = text(data, 64)
    # The key names a file; it must stay below the time zone folder, whatever the library checks.
    if not all(part.replace("_", "a").replace("-", "a").replace("+", "a").isalnum() for part in key.split("/")):
        raise Malformed("time zone key expected")
    return ZoneInfo(key)


def _decode_uuid(data: Any, other: OtherTag, depth: int) -> Any:
    from uuid import UUID

    return UUID(hex=text(data, 32))


def _decode_path(data: Any, other: OtherTag, depth: int) -> Any:
    from pathlib import Path

    return Path(text(data, 10_000))


def _decode_purepath(data: Any, other: OtherTag, depth: int) -> Any:
    from pathlib import PurePosixPath

    return PurePosixPath(text(data, 10_000))


def _decode_counter(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import Counter

    counter: Any = Counter()
    for key, count in _decode_pairs(data, other, depth):
        dict.__setitem__(counter, key, count)
    return counter


def _decode_ordered(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import OrderedDict

    return OrderedDict(_decode_pairs(data, other, depth))


def _decode_defaultdict(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import defaultdict

    name, pairs = row(data, 2)
    factory = None if name is None else FACTORIES[text(name, 20)]
    return defaultdict(factory, _decode_pairs(pairs, other, depth))


def _decode_deque(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import deque

    maxlen, items = row(data, 2)
    bound = None if maxlen is None else whole(maxlen, 0, MAX_MESSAGE)
    return deque(_sequence(items, other, depth), bound)


def _decode_namespace(data: Any, other: OtherTag, depth: int) -> Any:
    from types import SimpleNamespace

    namespace = SimpleNamespace()
    for key, item in _decode_pairs(data, other, depth):
        namespace.__dict__[text(key, 200)] = item
    return namespace


def _decode_stringio(data: Any, other: OtherTag, depth: int) -> Any:
    from io import StringIO

    content, position = row(data, 2)
    stream = StringIO(newline="")
    stream.write(text(content))
    stream.seek(whole(position, 0, MAX_MESSAGE))
    return stream


def _decode_bytesio(data: Any, other: OtherTag, depth: int) -> Any:
    from io import BytesIO

    content, position = row(data, 2)
    stream = BytesIO(_bytes(content))
    stream.seek(whole(position, 0, MAX_MESSAGE))
    return stream


def _decode_proxy(data: Any, other: OtherTag, depth: int) -> Any:
    from types import MappingProxyType

    return MappingProxyType(dict(_decode_pairs(data, other, depth)))


def _constant(value: Any) -> Callable[[Any, OtherTag, int], Any]:
    return lambda data, other, depth: value


_DECODERS: dict[str, Callable[[Any, OtherTag, int], Any]] = {
    "float": _special_float,
    "tuple": lambda data, other, depth: tuple(_sequence(data, other, depth)),
    "map": _decode_map,
    "dict": lambda data, other, depth: dict(_decode_pairs(data, other, depth)),
    "bytes": lambda data, other, depth: _bytes(data),
    "bytearray": lambda data, other, depth: bytearray(_bytes(data)),
    "set": lambda data, other, depth: set(_sequence(data, other, depth)),
    "frozenset": lambda data, other, depth: frozenset(_sequence(data, other, depth)),
    "complex": _decode_complex,
    "range": _decode_range,
    "slice": _decode_slice,
    "ellipsis": _constant(...),
    "notimplemented": _constant(NotImplemented),
    "keys": lambda data, other, depth: dict.fromkeys(_sequence(data, other, depth)).keys(),
    "values": lambda data, other, depth: dict(enumerate(_sequence(data, other, depth))).values(),
    "items": lambda data, other, depth: dict(_decode_pairs(data, other, depth)).items(),
    "proxy": _decode_proxy,
    "decimal": _decode_decimal,
    "datetime": _decode_datetime,
    "date": _decode_date,
    "time": _decode_time,
    "timedelta": _decode_timedelta,
    "timezone": _decode_timezone,
    "zone": _decode_zone,
    "uuid": _decode_uuid,
    "fraction": _decode_fraction,
    "path": _decode_path,
    "purepath": _decode_purepath,
    "counter": _decode_counter,
    "ordered": _decode_ordered,
    "defaultdict": _decode_defaultdict,
    "deque": _decode_deque,
    "namespace": _decode_namespace,
    "stringio": _decode_stringio,
    "bytesio": _decode_bytesio,
}
