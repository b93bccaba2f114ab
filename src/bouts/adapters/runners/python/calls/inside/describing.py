"""What the other side is told of a class, so that it can make a stand-in for it."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import sys

from .plain import CannotCross, encode
from .tables import SPECIALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .objects import Objects

_LIBRARY_BASES = frozenset(("abc", "typing", "enum", "builtins", "collections.abc", "_collections_abc"))


def enum_members(kind: Any) -> list[list[Any]] | None:
    """Names and values of an enumeration whose values are all plain, or `None`."""
    enum = sys.modules.get("enum")
    if enum is None or not issubclass(kind, enum.Enum):
        return None
    try:
        return [[name, encode(member.value, _refuse)] for name, member in kind.__members__.items()]
    except CannotCross:
        return None


def describe_class(objects: Objects, kind: Any) -> dict[str, Any]:
    """What the other side needs to make a stand-in class."""
    found: set[str] = set()
    methods: set[str] = set()
    mro = [base for base in kind.__mro__ if base is not object]
    for base in mro:
        for name, value in vars(base).items():
            if name in SPECIALS:
                (found.discard if value is None else found.add)(name)
            elif type(value).__name__ in ("function", "staticmethod", "classmethod", "method_descriptor"):
                methods.add(name)
    for name in tuple(found):
        if getattr(kind, name, None) is None:
            found.discard(name)
    return {
        "name": kind.__name__,
        "module": kind.__module__ if isinstance(kind.__module__, str) else "",
        "path": kind.__qualname__ if _reachable(kind) else None,
        "bases": [objects.class_reference(base) for base in kind.__bases__ if _worth_telling(base)],
        "specials": sorted(found),
        "methods": sorted(methods),
        "exception": issubclass(kind, BaseException),
        "enum": _describe_enum(kind),
        "fields": _compared_fields(kind),
        "dataclass": _all_fields(kind),
        "tuple": [str(name) for name in getattr(kind, "_fields", ())]
        if issubclass(kind, tuple) and hasattr(kind, "_fields")
        else None,
        "hash": kind.__hash__ is not None,
    }


def _describe_enum(kind: Any) -> dict[str, Any] | None:
    members = enum_members(kind)
    if members is None:
        return None
    enum: Any = sys.modules["enum"]
    for base in ("IntFlag", "Flag", "StrEnum", "IntEnum"):
        if issubclass(kind, getattr(enum, base)):
            return {"base": base, "members": members}
    mixin = "StrEnum" if issubclass(kind, str) else "IntEnum" if issubclass(kind, int) else "Enum"
    return {"base": mixin, "members": members}


def _reachable(kind: type) -> bool:
    value: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        value = getattr(value, part, None)
    return value is kind


def _refuse(value: Any, depth: int) -> Any:
    raise CannotCross("not plain")


def _worth_telling(base: type) -> bool:
    if issubclass(base, BaseException):
        return True
    return base.__module__ not in _LIBRARY_BASES and base is not object


def _compared_fields(kind: Any) -> list[str] | None:
    """The fields that a dataclass compares, where it has the equality that `dataclass` makes."""
    fields = getattr(kind, "__dataclass_fields__", None)
    params = getattr(kind, "__dataclass_params__", None)
    equal = vars(kind).get("__eq__")
    code = getattr(equal, "__code__", None) or getattr(getattr(equal, "__wrapped__", None), "__code__", None)
    if not isinstance(fields, dict) or not getattr(params, "eq", False) or code is None:
        return None
    if code.co_filename != "<string>":
        return None
    return [str(name) for name, field in fields.items() if field.compare and _is_field(field)]


def _all_fields(kind: Any) -> list[list[Any]] | None:
    fields = getattr(kind, "__dataclass_fields__", None)
    if not isinstance(fields, dict):
        return None
    return [[str(name), bool(field.init)] for name, field in fields.items() if _is_field(field)]


def _is_field(field: Any) -> bool:
    return getattr(field._field_type, "name", "") == "_FIELD"


def is_async(value: Any) -> bool:
    """Whether calling it gives a coroutine."""
    code = getattr(getattr(value, "__func__", value), "__code__", None)
    return bool(code is not None and code.co_flags & 0x80)
