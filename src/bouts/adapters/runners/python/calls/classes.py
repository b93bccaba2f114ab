"""Builds stand-in classes, enumerations, named tuples and exceptions from what a worker tells about its classes.

What it tells is data: names must be identifiers, special methods come from a fixed table, bases from classes already
built or from the fixed tables of exceptions. A class that cannot be built that way is a plainer one.
"""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import collections
import dataclasses
import enum
import keyword
from typing import Any, cast

from bouts.adapters.runners.python.calls.inside import tables
from bouts.adapters.runners.python.calls.inside.plain import Malformed, row, text
from bouts.adapters.runners.python.calls.specials import METHODS, searched
from bouts.adapters.runners.python.calls.standins import CURRENT, Ref, RemoteMethod, StandIn, StandInMeta, ref_of
from bouts.model.judging import Judgement

MAX_CLASSES = 2000
"""Classes that one worker may tell of."""
MAX_BASES = 50
"""Classes above one another."""
_HIDDEN_ATTRIBUTES = frozenset(("with_traceback", "add_note", "args"))


class RemoteInterrupt(Exception):
    """The code raised KeyboardInterrupt or GeneratorExit, which mean something else on this side."""


class ExceptionMeta(type):
    """Class of stand-ins for the submission's exception classes: real classes, so that `except` takes them."""

    _bouts_ref: Ref

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") or name.startswith("_bouts") or CURRENT.link is None:
            raise AttributeError(name)
        return cls._bouts_ref.here().ask("get", cls, name)


class RemoteEnumMeta(enum.EnumMeta):
    """Class of enumerations made here from the names and values told; everything else is asked."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_") or CURRENT.link is None:
            raise AttributeError(name)
        return _asked(cls, name)


def _asked(cls: Any, name: str) -> Any:
    try:
        ref = type.__getattribute__(cls, "_bouts_class_ref")
    except AttributeError:
        raise AttributeError(name) from None
    value = ref.here().ask("get", cls, name)
    return value


class _EnumMember:
    """Mixed into enumerations: methods and properties that the members have over there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or CURRENT.link is None:
            raise AttributeError(name)
        return type.__getattribute__(type(self), "_bouts_class_ref").here().ask("get", self, name)


_ENUM_BASES: dict[str, type[enum.Enum]] = {
    kind.__name__: kind for kind in (enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag, enum.IntFlag)
}


def names(data: Any) -> list[str]:
    """A list of identifiers, or `Malformed`."""
    found = [text(item, 200) for item in row(data)]
    if not all(name.isidentifier() for name in found):
        raise Malformed("names expected")
    return found


def identifier(data: Any, otherwise: str = "Unnamed") -> str:
    """The text, if it is an identifier and no keyword."""
    if type(data) is str and len(data) <= 200 and data.isidentifier() and not keyword.iskeyword(data):
        return data
    return otherwise


def build(told: dict[str, Any], bases: list[Any], members: list[tuple[str, Any]], ref: Ref) -> Any:
    """The stand-in class for what a worker told of a class."""
    name = identifier(told["name"])
    module = told["module"] if type(told["module"]) is str and told["module"].replace(".", "a").isidentifier() else "?"
    if told["exception"] is True:
        return _exception_class(name, module, bases, ref)
    if type(told["enum"]) is dict:
        made = _enum_class(name, module, text(told["enum"]["base"]), members, ref)
        if made is not None:
            return made
    if told["tuple"] is not None:
        return _tuple_class(name, module, names(told["tuple"]), ref)
    specials = set(names(told["specials"])) & tables.SPECIALS
    space: dict[str, Any] = {special: METHODS[special] for special in specials if special in METHODS}
    if "__bool__" not in specials and "__len__" in specials:
        space["__bool__"] = METHODS["__bool__"]  # which looks at the length
    if "__contains__" not in specials and not specials.isdisjoint(("__iter__", "__getitem__")):
        space["__contains__"] = searched
    fields = None if told["fields"] is None else tuple(names(told["fields"]))
    space |= {
        "__slots__": (),
        "__module__": module,
        "_bouts_ref": ref,
        "_bouts_methods": frozenset(names(told["methods"])),
        "_bouts_fields": fields,
        "_bouts_asks_equality": "__eq__" in specials,
    }
    if told["dataclass"] is not None:
        space["__dataclass_fields__"] = _dataclass_fields(told["dataclass"])
    if told["hash"] is not True:
        space["__hash__"] = None
    parents = tuple(base for base in bases if isinstance(base, StandInMeta)) or (StandIn,)
    try:
        return StandInMeta(name, parents, space)
    except TypeError:
        return StandInMeta(name, (StandIn,), space)


def _dataclass_fields(told: Any) -> dict[str, Any]:
    """What `dataclasses.fields` looks at."""
    made: dict[str, Any] = {}
    for item in row(told):
        name, init = row(item, 2)
        field: Any = dataclasses.field(init=init is True)
        field.name = names([name])[0]
        field.type = "typing.Any"
        field._field_type = dataclasses._FIELD  # pyright: ignore
        made[field.name] = field
    return made


def _exception_class(name: str, module: str, bases: list[Any], ref: Ref) -> Any:
    parents = tuple(
        safe_exception(base) for base in bases if isinstance(base, type) and issubclass(base, BaseException)
    )
    space: dict[str, Any] = {
        "__module__": module,
        "_bouts_ref": ref,
        "__str__": _exception_text,
        "__getattr__": _exception_attribute,
    }
    for candidate in (parents, parents[:1], (Exception,)):
        try:
            return ExceptionMeta(name, candidate, dict(space))
        except TypeError:
            continue
    raise Malformed("an exception class that cannot be made")


def safe_exception(kind: type[BaseException]) -> type[BaseException]:
    """The class itself, or one in its place that does not steer Python or pytest."""
    return RemoteInterrupt if issubclass(kind, (KeyboardInterrupt, GeneratorExit)) else kind


def _exception_text(self: BaseException) -> str:
    told = self.__dict__.get("_bouts_text")
    return told if type(told) is str else super(BaseException, self).__str__() if not self.args else _joined(self)


def _joined(error: BaseException) -> str:
    return str(error.args[0]) if len(error.args) == 1 else str(error.args)


def _exception_attribute(self: BaseException, name: str) -> Any:
    told = self.__dict__.get("_bouts_attributes")
    if not name.startswith("_") and type(told) is dict and name in told:
        return told[name]
    raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def make_exception(kind: Any, args: list[Any] | None, said: str, attributes: dict[str, Any]) -> BaseException:
    """An exception as a worker told it."""
    kind = safe_exception(kind)
    given = [said] if args is None else args
    if not isinstance(kind, ExceptionMeta):
        made = _plain_exception(kind, given, said)
        if made is not None:
            plain = {name: value for name, value in attributes.items() if _harmless(name)}
            made.__dict__.update(plain)
            return made
        kind = _exception_class(kind.__name__, kind.__module__, [kind], Ref({"type": kind.__name__}, kind.__name__))
    error = _empty(kind, said)
    error.args = tuple(given)
    error.__dict__["_bouts_text"] = said
    error.__dict__["_bouts_attributes"] = {name: value for name, value in attributes.items() if _harmless(name)}
    return error


def _empty(kind: Any, said: str) -> BaseException:
    """An exception of a class, without asking its initialiser."""
    if issubclass(kind, BaseExceptionGroup):
        return kind.__new__(kind, said, [RuntimeError("what is in this group cannot cross")])
    return kind.__new__(kind)


def _harmless(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_") and name not in _HIDDEN_ATTRIBUTES


def _plain_exception(kind: Any, args: list[Any], said: str) -> BaseException | None:
    try:
        made = kind(*args)
        same = type(made) is kind and str(made) == said
    except Exception:
        return None
    return made if same else None


def _enum_class(name: str, module: str, base: str, members: list[tuple[str, Any]], ref: Ref) -> Any:
    if not all(identifier(member, "") and not member.startswith("_") and member != "mro" for member, _ in members):
        return None
    try:
        parent = _ENUM_BASES[base]
        space = RemoteEnumMeta.__prepare__(name, (_EnumMember, parent))
        for member, value in members:
            space[member] = value
        made: Any = RemoteEnumMeta(name, (_EnumMember, parent), space)
    except (KeyError, TypeError, ValueError):
        return None
    type.__setattr__(made, "__module__", module)
    type.__setattr__(made, "_bouts_class_ref", ref)
    return made


def _tuple_class(name: str, module: str, fields: list[str], ref: Ref) -> Any:
    try:
        base: Any = cast("Any", collections).namedtuple("base", fields)
    except ValueError as error:
        raise Malformed("fields expected") from error

    def attribute(self: Any, asked: str) -> Any:
        if asked.startswith("__") or CURRENT.link is None:
            raise AttributeError(asked)
        return ref.here().ask("get", self, asked)

    space = {"__slots__": (), "__module__": module, "_bouts_class_ref": ref, "__getattr__": attribute, **_NOTING}
    return _TupleMeta(name, (base,), space)


def _noting(name: str, kind: Judgement) -> Any:
    """An operator of tuples that notes what was put to a named tuple: another solution may have an object there."""
    plain = getattr(tuple, name)

    def method(self: Any, *args: Any) -> Any:
        if not args or kind == "membership" or isinstance(type(args[0]), (_TupleMeta, StandInMeta)):
            CURRENT.notes(kind)
        return plain(self, *args)

    method.__name__ = name
    return method


def _filled(self: Any) -> bool:
    CURRENT.notes("truth")
    return len(self) != 0


_NOTED = ("__eq__", "__ne__", "__hash__", "__contains__", *tables.COMPARISONS)
_NOTING = {"__bool__": _filled, **{name: _noting(name, tables.JUDGING.get(name, "equality")) for name in _NOTED}}


class _TupleMeta(type):
    """Class of named tuples made here; class methods and constants are asked."""

    def __call__(cls, *args: Any, **named: Any) -> Any:
        # The code over there may have defaults or its own `__new__`.
        return type.__getattribute__(cls, "_bouts_class_ref").here().ask("call", cls, None, args, named)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_") or CURRENT.link is None:
            raise AttributeError(name)
        return _asked(cls, name)


def class_ref(kind: Any) -> Ref | None:
    """Where the original of a stand-in class is; `None` for any other class."""
    if isinstance(kind, (StandInMeta, ExceptionMeta)):
        return (
            ref_of(kind) if isinstance(kind, StandInMeta) and kind is not StandIn else kind.__dict__.get("_bouts_ref")
        )
    if isinstance(kind, (RemoteEnumMeta, _TupleMeta)):
        return type.__getattribute__(kind, "_bouts_class_ref")
    return None


__all__ = ["MAX_CLASSES", "RemoteMethod", "build", "class_ref", "make_exception", "names"]
