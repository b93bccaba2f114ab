"""Names that both sides know: operators that cross, exceptions and types that stand for themselves."""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bouts.model.judging import Judgement

EXCEPTIONS: dict[str, type[BaseException]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name
}
"""Exceptions of the language, by name (aliases such as IOError are left out)."""

TYPES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice),
        *(object, type, type(None)),
    )
}
"""Types of the language that may be passed as values."""

STANDARD: frozenset[str] = frozenset(
    (
        *("asyncio.exceptions:CancelledError", "asyncio.exceptions:InvalidStateError"),
        *("asyncio.exceptions:IncompleteReadError", "asyncio.exceptions:LimitOverrunError"),
        *("asyncio.exceptions:BrokenBarrierError", "asyncio.queues:QueueEmpty", "asyncio.queues:QueueFull"),
        *("binascii:Error", "binascii:Incomplete", "configparser:Error", "configparser:NoOptionError"),
        *("configparser:NoSectionError", "configparser:DuplicateSectionError", "configparser:DuplicateOptionError"),
        *("configparser:MissingSectionHeaderError", "configparser:ParsingError", "_csv:Error"),
        *("concurrent.futures._base:CancelledError", "concurrent.futures._base:InvalidStateError"),
        *("concurrent.futures._base:BrokenExecutor", "concurrent.futures.thread:BrokenThreadPool"),
        *("dataclasses:FrozenInstanceError", "decimal:DecimalException", "decimal:InvalidOperation"),
        *("decimal:DivisionByZero", "decimal:Overflow", "decimal:Underflow", "decimal:Inexact", "decimal:Rounded"),
        *("decimal:ConversionSyntax", "decimal:DivisionImpossible", "decimal:DivisionUndefined"),
        *("decimal:InvalidContext", "decimal:FloatOperation", "graphlib:CycleError"),
        *("ipaddress:AddressValueError", "ipaddress:NetmaskValueError", "json.decoder:JSONDecodeError"),
        *("_queue:Empty", "queue:Full", "queue:Empty", "queue:ShutDown", "_pickle:PickleError"),
        *("_pickle:PicklingError", "_pickle:UnpicklingError", "re:error", "re._constants:error"),
        *("re._constants:PatternError", "shutil:Error", "shutil:SameFileError", "shutil:SpecialFileError"),
        *("sqlite3:Error", "sqlite3:Warning", "sqlite3:DatabaseError", "sqlite3:IntegrityError"),
        *("sqlite3:OperationalError", "sqlite3:ProgrammingError", "sqlite3:InterfaceError", "sqlite3:DataError"),
        *("sqlite3:InternalError", "sqlite3:NotSupportedError", "struct:error", "subprocess:SubprocessError"),
        *("subprocess:CalledProcessError", "subprocess:TimeoutExpired", "threading:BrokenBarrierError"),
        *("tomllib._parser:TOMLDecodeError", "tomllib:TOMLDecodeError", "urllib.error:URLError"),
        *("urllib.error:HTTPError", "xml.etree.ElementTree:ParseError", "zipfile:BadZipFile"),
        *("zipfile:LargeZipFile", "zlib:error", "_zoneinfo:ZoneInfoNotFoundError"),
        *("zoneinfo._common:ZoneInfoNotFoundError", "copy:Error", "tarfile:TarError", "tarfile:ReadError"),
        *("email.errors:MessageError", "email.errors:HeaderParseError", "netrc:NetrcParseError"),
    )
)
"""Exceptions of the standard library, as `module:name`, that stand for themselves on both sides."""

_BINARY = ["add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"]

BINARY: tuple[str, ...] = tuple(f"__{name}__" for name in _BINARY)
REFLECTED: tuple[str, ...] = tuple(f"__r{name}__" for name in _BINARY)
IN_PLACE: tuple[str, ...] = tuple(f"__i{name}__" for name in _BINARY)
COMPARISONS: tuple[str, ...] = ("__lt__", "__le__", "__gt__", "__ge__")
UNARY: tuple[str, ...] = (
    *("__len__", "__iter__", "__next__", "__bool__", "__hash__", "__neg__", "__pos__", "__abs__", "__invert__"),
    *("__int__", "__float__", "__complex__", "__index__", "__bytes__", "__trunc__", "__floor__", "__ceil__"),
    *("__reversed__", "__fspath__", "__enter__", "__aiter__", "__length_hint__"),
)
OTHERS: tuple[str, ...] = (
    *("__contains__", "__getitem__", "__setitem__", "__delitem__", "__call__", "__exit__", "__round__"),
    *("__divmod__", "__rdivmod__"),
)
ASYNC: tuple[str, ...] = ("__anext__", "__aenter__", "__aexit__", "__await__")

SPECIALS: frozenset[str] = frozenset((*BINARY, *REFLECTED, *IN_PLACE, *COMPARISONS, *UNARY, *OTHERS, *ASYNC, "__eq__"))
"""Special methods that a stand-in has when the class over there has them."""


_PREDICATES = (
    *("startswith", "endswith", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower"),
    *("isnumeric", "isprintable", "isspace", "istitle", "isupper", "isdisjoint", "issubset", "issuperset"),
    *("is_integer", "is_canonical", "is_finite", "is_infinite", "is_nan", "is_normal", "is_qnan", "is_signed"),
    *("is_snan", "is_subnormal", "is_zero", "same_quantum", "is_absolute", "is_relative_to", "is_reserved", "match"),
    *("count", "find", "rfind", "index", "rindex", "intersection", "difference", "symmetric_difference"),
)

JUDGING: dict[str, Judgement] = {
    "__eq__": "equality",
    "__ne__": "equality",
    "__contains__": "membership",
    "__bool__": "truth",
    **dict.fromkeys(COMPARISONS, "order"),
    **dict.fromkeys((*BINARY, *REFLECTED, *IN_PLACE, "__divmod__", "__rdivmod__"), "arithmetic"),
    **dict.fromkeys(_PREDICATES, "predicate"),
}
"""What an object can decide a test by, by the name of the method: operators, and methods of plain data that say yes or
no to what they are given, or search for it."""


def standard_key(kind: type) -> str | None:
    """`module:name` of a standard library exception, if it is one that stands for itself."""
    key = f"{kind.__module__}:{kind.__qualname__}"
    if key not in STANDARD:
        return None
    return key if getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind else None


def standard_exception(key: str) -> type[BaseException]:
    """The exception of a key from `STANDARD`. Raises `KeyError` for another key or a Python that lacks it."""
    if key not in STANDARD:
        raise KeyError(key)
    module, _, name = key.partition(":")
    __import__(module)
    found = getattr(sys.modules[module], name, None)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise KeyError(key)
    return found
