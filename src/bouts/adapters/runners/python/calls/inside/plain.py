"""The codec: exact plain types to JSON structures and back, bounded in size and depth.

JSON's own null, booleans, strings, integers, finite floats and arrays (lists) stand for themselves; everything else is
an object with one key, the tag. Types are compared by identity, so no subclass ever crosses as a value: nothing that
arrives can be equal to everything. The decoder accepts what the encoder makes and nothing else.
"""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import binascii
import math
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Other = Callable[[Any, int], Any]
    OtherTag = Callable[[str, Any, int], Any]

MAX_MESSAGE = 32 << 20
"""Bytes of one message."""
MAX_DEPTH = 60
"""Containers inside containers."""
MAX_INT_BITS = 4096
MAX_RANGE = 1_000_000
"""Length of a range that may cross; `list(range(10**12))` would otherwise exhaust whoever receives it."""
MAX_DIGITS = 5000
"""Characters of a Decimal."""
MAX_NAME = 200
"""Characters of the name of a time zone, or of an attribute of a namespace."""
MAX_PATH = 10_000
"""Characters of a path."""

_BIG = 1 << MAX_INT_BITS


LIBRARY_ENCODERS: dict[str, tuple[str, Callable[[Any, Other, int], Any]]] = {}
"""Filled by `library`: name of a type → its module and encoder."""
LIBRARY_DECODERS: dict[str, Callable[[Any, OtherTag, int], Any]] = {}
"""Filled by `library`: tag → decoder."""


class CannotCross(TypeError):
    """A value that has no form on the other side; the message names its type."""


class Malformed(ValueError):
    """Data that no encoder of ours makes."""


# ---------------------------------------------------------------- encoding


def encode(value: Any, other: Other, depth: int = 0) -> Any:  # noqa: PLR0911 - one case a line is the clearest form
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
    library = library_encoder(kind)
    return other(value, depth) if library is None else library(value, other, depth)


def _encode_dict(value: dict[Any, Any], other: Other, depth: int) -> Any:
    pairs = list(value.items())
    if all(type(key) is str for key, _ in pairs):
        return {"map": {key: encode(item, other, depth) for key, item in pairs}}
    return {"dict": pairs_of(pairs, other, depth)}


def pairs_of(pairs: Iterable[tuple[Any, Any]], other: Other, depth: int) -> list[Any]:
    """Encoded pairs."""
    return [[encode(key, other, depth), encode(item, other, depth)] for key, item in pairs]


def _items(tag: str) -> Callable[[Any, Other, int], Any]:
    return lambda value, other, depth: {tag: [encode(item, other, depth) for item in value]}


def base64_of(data: bytes) -> str:
    """Bytes as text."""
    return binascii.b2a_base64(data, newline=False).decode()


def _encode_range(value: range, other: Other, depth: int) -> Any:
    if len(value) > MAX_RANGE:
        raise CannotCross(f"a range longer than {MAX_RANGE} cannot cross")
    return {"range": [encode(part, other, depth) for part in (value.start, value.stop, value.step)]}


def _encode_slice(value: slice, other: Other, depth: int) -> Any:
    return {"slice": [encode(part, other, depth) for part in (value.start, value.stop, value.step)]}


def _encode_complex(value: complex, other: Other, depth: int) -> Any:
    return {"complex": [encode(value.real, other, depth), encode(value.imag, other, depth)]}


_SIMPLE: dict[type, Callable[[Any, Other, int], Any]] = {
    bytes: lambda value, other, depth: {"bytes": base64_of(value)},
    bytearray: lambda value, other, depth: {"bytearray": base64_of(value)},
    set: _items("set"),
    frozenset: _items("frozenset"),
    complex: _encode_complex,
    range: _encode_range,
    slice: _encode_slice,
    type(...): lambda value, other, depth: {"ellipsis": 0},
    type(NotImplemented): lambda value, other, depth: {"notimplemented": 0},
    type({}.keys()): _items("keys"),
    type({}.values()): _items("values"),
    type({}.items()): lambda value, other, depth: {"items": pairs_of(value, other, depth)},
    type(type.__dict__): lambda value, other, depth: {"proxy": pairs_of(value.items(), other, depth)},
}


def library_encoder(kind: type) -> Callable[[Any, Other, int], Any] | None:
    """What encodes values of exactly this class of the standard library; none for other classes."""
    module, encoder = LIBRARY_ENCODERS.get(kind.__qualname__, ("", None))
    return encoder if getattr(sys.modules.get(module), kind.__qualname__, None) is kind else None


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
        decoder = _DECODERS.get(tag) or LIBRARY_DECODERS.get(tag)
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


def wholes(data: Any, length: int) -> list[int]:
    """A list of that many integers, or `Malformed`."""
    return [whole(item) for item in row(data, length)]


def sequence(data: Any, other: OtherTag, depth: int) -> list[Any]:
    """The values of a list."""
    return [decode(item, other, depth) for item in row(data)]


def read_pairs(data: Any, other: OtherTag, depth: int) -> list[tuple[Any, Any]]:
    """The values of a list of pairs."""
    pairs = [row(pair, 2) for pair in row(data)]
    return [(decode(key, other, depth), decode(item, other, depth)) for key, item in pairs]


def _decode_map(data: Any, other: OtherTag, depth: int) -> dict[str, Any]:
    if type(data) is not dict:
        raise Malformed("object expected")
    return {key: decode(item, other, depth) for key, item in data.items()}


def bytes_of(data: Any) -> bytes:
    """Bytes from text, or an error."""
    return binascii.a2b_base64(text(data), strict_mode=True) if data else b""


def _special_float(data: Any, other: OtherTag, depth: int) -> float:
    if data not in ("inf", "-inf", "nan"):
        raise Malformed("float expected")
    return float(data)


def _decode_range(data: Any, other: OtherTag, depth: int) -> range:
    start, stop, step = wholes(data, 3)
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


def _constant(value: Any) -> Callable[[Any, OtherTag, int], Any]:
    return lambda data, other, depth: value


_DECODERS: dict[str, Callable[[Any, OtherTag, int], Any]] = {
    "float": _special_float,
    "tuple": lambda data, other, depth: tuple(sequence(data, other, depth)),
    "map": _decode_map,
    "dict": lambda data, other, depth: dict(read_pairs(data, other, depth)),
    "bytes": lambda data, other, depth: bytes_of(data),
    "bytearray": lambda data, other, depth: bytearray(bytes_of(data)),
    "set": lambda data, other, depth: set(sequence(data, other, depth)),
    "frozenset": lambda data, other, depth: frozenset(sequence(data, other, depth)),
    "complex": _decode_complex,
    "range": _decode_range,
    "slice": _decode_slice,
    "ellipsis": _constant(...),
    "notimplemented": _constant(NotImplemented),
    "keys": lambda data, other, depth: dict.fromkeys(sequence(data, other, depth)).keys(),
    "values": lambda data, other, depth: dict(enumerate(sequence(data, other, depth))).values(),
    "items": lambda data, other, depth: dict(read_pairs(data, other, depth)).items(),
}
