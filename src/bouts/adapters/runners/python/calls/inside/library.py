"""The codec's types of the standard library. Imported for its effect on the tables of `plain`."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

from . import clocks  # noqa: F401  # pyright: ignore[reportUnusedImport] - fills the codec's tables
from .plain import (
    LIBRARY_DECODERS,
    LIBRARY_ENCODERS,
    MAX_DIGITS,
    MAX_MESSAGE,
    MAX_NAME,
    MAX_PATH,
    CannotCross,
    base64_of,
    bytes_of,
    encode,
    pairs_of,
    read_pairs,
    row,
    sequence,
    text,
    whole,
    wholes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .plain import Other, OtherTag

FACTORIES: dict[str, Any] = {
    kind.__name__: kind for kind in (list, dict, set, int, float, str, bool, tuple, bytes, frozenset)
}
"""Plain types that may cross as types, by name."""


def _encode_defaultdict(value: Any, other: Other, depth: int) -> Any:
    # Only the factories that are plain types are kept: another one would be a function that runs over there.
    factory = value.default_factory
    name = factory.__name__ if type(factory) is type and FACTORIES.get(factory.__name__) is factory else None
    return {"defaultdict": [name, pairs_of(value.items(), other, depth)]}


def _encode_deque(value: Any, other: Other, depth: int) -> Any:
    if value.maxlen is not None and value.maxlen > MAX_MESSAGE:
        raise CannotCross(f"a deque with a bound of more than {MAX_MESSAGE} cannot cross")
    return {"deque": [value.maxlen, [encode(item, other, depth) for item in value]]}


def path_text(value: Any) -> str:
    """A path as text. Raises `CannotCross`."""
    told = str(value)
    if len(told) > MAX_PATH:
        raise CannotCross(f"a path of more than {MAX_PATH} characters cannot cross")
    return told


def _encode_namespace(value: Any, other: Other, depth: int) -> Any:
    pairs = vars(value).items()
    if any(type(name) is not str or len(name) > MAX_NAME for name, _ in pairs):
        raise CannotCross(f"a namespace with a name of more than {MAX_NAME} characters cannot cross")
    return {"namespace": pairs_of(pairs, other, depth)}


def _encode_stream(tag: str, content: Any, value: Any) -> Any:
    if value.tell() > MAX_MESSAGE:
        raise CannotCross(f"a stream that stands behind {MAX_MESSAGE} cannot cross")
    return {tag: [content, value.tell()]}


def _encode_decimal(value: Any, other: Other, depth: int) -> Any:
    text = str(value)
    if len(text) > MAX_DIGITS:
        raise CannotCross(f"a Decimal of more than {MAX_DIGITS} characters cannot cross")
    return {"decimal": text}


def _encode_fraction(value: Any, other: Other, depth: int) -> Any:
    return {"fraction": [encode(value.numerator, other, depth), encode(value.denominator, other, depth)]}


LIBRARY_ENCODERS.update(
    {
        "Decimal": ("decimal", _encode_decimal),
        "UUID": ("uuid", lambda value, other, depth: {"uuid": value.hex}),
        "Fraction": ("fractions", _encode_fraction),
        "PurePosixPath": ("pathlib", lambda value, other, depth: {"purepath": path_text(value)}),
        "Counter": ("collections", lambda value, other, depth: {"counter": pairs_of(value.items(), other, depth)}),
        "OrderedDict": ("collections", lambda value, other, depth: {"ordered": pairs_of(value.items(), other, depth)}),
        "defaultdict": ("collections", _encode_defaultdict),
        "deque": ("collections", _encode_deque),
        "SimpleNamespace": ("types", _encode_namespace),
        "StringIO": ("io", lambda value, other, depth: _encode_stream("stringio", value.getvalue(), value)),
        "BytesIO": ("io", lambda value, other, depth: _encode_stream("bytesio", base64_of(value.getvalue()), value)),
    }
)


def _decode_decimal(data: Any, other: OtherTag, depth: int) -> Any:
    from decimal import Decimal

    return Decimal(text(data, MAX_DIGITS))


def _decode_fraction(data: Any, other: OtherTag, depth: int) -> Any:
    from fractions import Fraction

    numerator, denominator = wholes(data, 2)
    return Fraction(numerator, denominator)


def _decode_uuid(data: Any, other: OtherTag, depth: int) -> Any:
    from uuid import UUID

    return UUID(hex=text(data, 32))


def _decode_purepath(data: Any, other: OtherTag, depth: int) -> Any:
    from pathlib import PurePosixPath

    return PurePosixPath(text(data, MAX_PATH))


def _decode_counter(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import Counter

    counter: Any = Counter()
    for key, count in read_pairs(data, other, depth):
        dict.__setitem__(counter, key, count)
    return counter


def _decode_ordered(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import OrderedDict

    return OrderedDict(read_pairs(data, other, depth))


def _decode_defaultdict(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import defaultdict

    name, pairs = row(data, 2)
    factory = None if name is None else FACTORIES[text(name, 20)]
    return defaultdict(factory, read_pairs(pairs, other, depth))


def _decode_deque(data: Any, other: OtherTag, depth: int) -> Any:
    from collections import deque

    maxlen, items = row(data, 2)
    bound = None if maxlen is None else whole(maxlen, 0, MAX_MESSAGE)
    return deque(sequence(items, other, depth), bound)


def _decode_namespace(data: Any, other: OtherTag, depth: int) -> Any:
    from types import SimpleNamespace

    namespace = SimpleNamespace()
    for key, item in read_pairs(data, other, depth):
        namespace.__dict__[text(key, MAX_NAME)] = item
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
    stream = BytesIO(bytes_of(content))
    stream.seek(whole(position, 0, MAX_MESSAGE))
    return stream


def _decode_proxy(data: Any, other: OtherTag, depth: int) -> Any:
    from types import MappingProxyType

    return MappingProxyType(dict(read_pairs(data, other, depth)))


LIBRARY_DECODERS.update(
    {
        "proxy": _decode_proxy,
        "decimal": _decode_decimal,
        "uuid": _decode_uuid,
        "fraction": _decode_fraction,
        "purepath": _decode_purepath,
        "counter": _decode_counter,
        "ordered": _decode_ordered,
        "defaultdict": _decode_defaultdict,
        "deque": _decode_deque,
        "namespace": _decode_namespace,
        "stringio": _decode_stringio,
        "bytesio": _decode_bytesio,
    }
)
