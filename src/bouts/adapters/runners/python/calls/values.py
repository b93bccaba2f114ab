"""Values on the trusted side: what a test passes, and what a worker's answer means."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import contextlib
import sys
import threading
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from bouts.adapters.runners.python.calls import classes
from bouts.adapters.runners.python.calls.inside import (
    library,  # noqa: F401  # pyright: ignore[reportUnusedImport] - fills the codec's tables
    tables,
)
from bouts.adapters.runners.python.calls.inside.plain import (
    MAX_PATH,
    CannotCross,
    Malformed,
    decode,
    encode,
    row,
    text,
    whole,
)
from bouts.adapters.runners.python.calls.standins import (
    Ref,
    RemoteFunction,
    RemoteMethod,
    RemoteModule,
    StandIn,
    StandInMeta,
    Unknown,
    make_instance,
    ref_of,
)

if TYPE_CHECKING:
    from bouts.adapters.runners.python.calls.link import Link

_ITERATORS = (types.GeneratorType, map, filter, zip, enumerate, type(iter(())), type(iter([])), type(iter({})))


class ForeignPath(type(Path())):
    """A path that the code gave: equal to any other of its text, but of no use for reaching files. Else the code would
    choose a file of this side, where it has none, for the test to read or to remove."""

    __slots__ = ()

    def __fspath__(self) -> NoReturn:
        raise RuntimeError(
            f"{str(self)!r} is a path of the submission's process; read below tmp_path, or by a path of your own"
        )


class Values:
    """The tables of one test."""

    def __init__(self, link: Link, registry: dict[tuple[str, str], Any]) -> None:
        self._link = link
        self._registry = registry
        self._classes: dict[int, Any] = {}
        self._building: set[int] = set()
        self._lock = threading.RLock()
        self._callbacks: dict[int, Any] = {}
        self._tokens: dict[Any, int] = {}
        self._foreign: dict[int, BaseException] = {}
        self._paths: set[str] = set()

    # ------------------------------------------------------------ leaving

    def encode(self, value: Any) -> Any:
        """The structure of what a test passes. Raises `CannotCross`."""
        return encode(value, self._other)

    def _other(self, value: Any, depth: int) -> Any:  # noqa: PLR0911 - one case a line
        kind: Any = type(value)
        if isinstance(value, (StandIn, RemoteFunction, Unknown, RemoteModule)):
            return self._code(ref_of(value))
        ref = classes.class_ref(value) if isinstance(value, type) else None
        if ref is not None:
            return self._code(ref)
        ref = classes.class_ref(kind)
        if ref is not None and not isinstance(value, BaseException):
            return self._made_here(value, ref, depth)
        if isinstance(value, type):
            return self._type(cast("type[Any]", value))
        if isinstance(value, BaseException):
            return {"exc": self.tell_exception(value)}
        if isinstance(value, Path):
            self._paths.add(str(value))
            return {"path": str(value)}
        if isinstance(value, _ITERATORS):
            return {"it": self._token(value)}
        if callable(value):
            name = getattr(value, "__name__", kind.__name__)
            code = getattr(getattr(value, "__func__", value), "__code__", None)
            asynchronous = bool(isinstance(code, types.CodeType) and code.co_flags & 0x80)
            return {"cb": [self._token(value), classes.identifier(name, "callback"), asynchronous]}
        raise CannotCross(
            f"a {kind.__module__}.{kind.__qualname__} cannot cross to the submission's process; "
            "pass plain data, a function, or an object that the submission made"
        )

    def _code(self, ref: Ref) -> Any:
        ref.here()
        return ref.code

    def _made_here(self, value: Any, ref: Ref, depth: int) -> Any:
        if isinstance(value, tuple):
            return {"nt": [self._code(ref), [encode(item, self._other, depth) for item in cast("tuple[Any]", value)]]}
        return {"enum": [self._code(ref), value._name_, encode(value._value_, self._other, depth)]}

    def _type(self, value: type[Any]) -> Any:
        name = value.__name__
        if tables.EXCEPTIONS.get(name) is value or tables.TYPES.get(name) is value:
            return {"type": name}
        key = tables.standard_key(value) if issubclass(value, BaseException) else None
        if key is not None:
            return {"std": key}
        if issubclass(value, BaseException):
            raise CannotCross(f"the test's own exception class {name} cannot cross; raise it in a callback instead")
        return {"cb": [self._token(value), name, False]}

    def _token(self, value: Any) -> int:
        try:
            token = self._tokens.get(value)
        except TypeError:
            token = None
        if token is None:
            token = len(self._callbacks) + 1
            self._callbacks[token] = value
            with contextlib.suppress(TypeError):
                self._tokens[value] = token
            self._link.pump()
        return token

    def tell_exception(self, error: BaseException) -> dict[str, Any]:
        """An exception of the test, as the worker can make it again."""
        kind = type(error)
        told: dict[str, Any] = {"text": str(error)[:4000]}
        try:
            told["args"] = [self.encode(item) for item in error.args]
        except CannotCross:
            told["args"] = [told["text"]]
        ref = classes.class_ref(kind)
        try:
            told["type"] = self._code(ref) if ref is not None else self._type(kind)
        except CannotCross:
            base = next(base.__name__ for base in kind.__mro__ if tables.EXCEPTIONS.get(base.__name__) is base)
            token = len(self._foreign) + 1
            self._foreign[token] = error
            told |= {"foreign": token, "name": classes.identifier(kind.__name__), "base": base}
        return told

    def callback(self, token: Any) -> Any:
        """A function of the test that the worker may call, by its token."""
        found = self._callbacks.get(token) if type(token) is int else None
        if found is None:
            raise self._link.broken("a call of a function that was never passed")
        return found

    # ------------------------------------------------------------ arriving

    def decode(self, data: Any) -> Any:
        """The value of a structure. Raises `Malformed` or what constructors raise on nonsense."""
        return decode(data, self._tag)

    def _tag(self, tag: str, payload: Any, depth: int) -> Any:
        reader = _TAGS.get(tag)
        if reader is None:
            raise Malformed("unknown tag")
        return reader(self, payload, depth)

    def _handle(self, payload: Any, depth: int) -> Any:
        number, kind = (whole(item, 1, 1 << 40) for item in row(payload, 2))
        known = self._link.keep(number)
        if known is not None:
            return known
        cls = self.cls(kind)
        if not isinstance(cls, StandInMeta):
            raise Malformed("an object of a class that has none")
        made = make_instance(cls, Ref({"h": number}, f"a {cls.__name__}", self._link))
        self._link.objects[number] = made
        return made

    def _function(self, payload: Any, depth: int) -> Any:
        number, name, asynchronous = row(payload, 3)
        shown = classes.identifier(name, "function")
        return RemoteFunction(Ref({"fn": whole(number, 1, 1 << 40)}, shown, self._link), shown, asynchronous is True)

    def _coroutine(self, payload: Any, depth: int) -> Any:
        number = whole(payload, 1, 1 << 40)
        holder = RemoteFunction(Ref({"h": number}, "a coroutine", self._link), "coroutine")
        return self._link.drive(holder, None, ())

    def _enum(self, payload: Any, depth: int) -> Any:
        number, name, value = row(payload, 3)
        cls: Any = self.cls(whole(number, 1, 1 << 40))
        if not isinstance(cls, classes.RemoteEnumMeta):
            raise Malformed("enumeration expected")
        member = cls.__members__.get(name) if type(name) is str else None
        return (
            member
            if member is not None
            else cast("Any", classes.RemoteEnumMeta.__call__)(cls, decode(value, self._tag, depth))
        )

    def _named_tuple(self, payload: Any, depth: int) -> Any:
        number, items = row(payload, 2)
        cls: Any = self.cls(whole(number, 1, 1 << 40))
        if not issubclass(cls, tuple):
            raise Malformed("named tuple expected")
        given: list[Any] = [decode(item, self._tag, depth) for item in row(items)]
        if len(given) != len(cast("Any", cls)._fields):
            raise Malformed("fields expected")
        return tuple.__new__(cls, given)

    def _module(self, payload: Any, depth: int) -> Any:
        name = text(payload, 200)
        known = sys.modules.get(name)
        return known if isinstance(known, RemoteModule) else RemoteModule(name)

    def _path(self, payload: Any, depth: int) -> Any:
        """A path; one that the test never passed, outside the folder that both sides share, cannot be opened."""
        shared = self._link.shared
        known = text(payload, MAX_PATH) in self._paths or (shared is not None and shared.covers(payload))
        return (Path if known else ForeignPath)(payload)

    def _passed_type(self, payload: Any, depth: int) -> Any:
        name = text(payload, 100)
        return classes.safe_exception(tables.EXCEPTIONS[name]) if name in tables.EXCEPTIONS else tables.TYPES[name]

    def cls(self, number: int) -> Any:
        """The stand-in class for a class of the worker."""
        known = self._classes.get(number)
        return known if known is not None else self._ask_class(number)

    def _ask_class(self, number: int) -> Any:
        with self._lock:
            known = self._classes.get(number)
            if known is not None:
                return known
            if number in self._building or len(self._building) >= classes.MAX_BASES:
                raise Malformed("bases without end")
            if len(self._classes) >= classes.MAX_CLASSES:
                raise Malformed("classes without end")
            self._building.add(number)
            try:
                told = self._link.ask("class", None, number)
                if type(told) is not dict:
                    raise Malformed("class expected")
                made = self._build(cast("dict[str, Any]", told), number)
            finally:
                self._building.discard(number)
            self._classes[number] = made
            return made

    def _build(self, told: dict[str, Any], number: int) -> Any:
        module, path = told["module"], told["path"]
        reachable = type(module) is str and type(path) is str
        if reachable and (module, path) in self._registry:
            return self._registry[module, path]
        shown = f"{module}.{path}" if reachable else classes.identifier(told["name"])
        code, link = ({"ref": [module, path]}, None) if reachable else ({"cls": number}, self._link)
        bases = [self.decode(base) for base in row(told["bases"])]
        members = told["enum"]["members"] if type(told["enum"]) is dict else []
        pairs = [(text(name, 200), self.decode(value)) for name, value in (row(item, 2) for item in row(members))]
        return classes.build(told, bases, pairs, Ref(cast("Any", code), shown[:200], link))

    def exception(self, told: Any) -> BaseException:
        """The exception that an answer holds."""
        if type(told) is not dict:
            raise Malformed("exception expected")
        told = cast("dict[str, Any]", told)
        if "foreign" in told:
            return self._foreign[whole(told["foreign"])]
        kind = self.decode(told["type"])
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            raise Malformed("exception class expected")
        args = None if "args" not in told else row(self.decode(told["args"]))
        attributes: dict[str, Any] = {}
        for name, value in cast("dict[str, Any]", told.get("attrs", {})).items():
            attributes[name] = self.decode(value)
        error = classes.make_exception(kind, args, text(told["text"], 4000), attributes)
        if "cause" in told:
            error.__cause__ = RuntimeError(f"caused by {classes.identifier(told['cause'])} in the submission")
        return error

    def named(self, module: str, name: str, told: list[Any], *, missing: bool) -> Any:
        """The stand-in for a name of a module, from what the worker told of it."""
        kind, value = told
        if kind == "missing":
            if missing:
                return Unknown(module, name)
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        ref = Ref({"ref": [module, name]}, f"{module}.{name}")
        if kind == "function":
            return RemoteFunction(ref, name.rpartition(".")[2], value is True)
        if kind == "value" and isinstance(value, StandIn) and missing:
            return make_instance(cast("Any", type(value)), ref)
        return value


_TAGS: dict[str, Any] = {
    "h": Values._handle,  # pyright: ignore[reportPrivateUsage]
    "fn": Values._function,  # pyright: ignore[reportPrivateUsage]
    "co": Values._coroutine,  # pyright: ignore[reportPrivateUsage]
    "enum": Values._enum,  # pyright: ignore[reportPrivateUsage]
    "nt": Values._named_tuple,  # pyright: ignore[reportPrivateUsage]
    "path": Values._path,  # pyright: ignore[reportPrivateUsage]
    "mod": Values._module,  # pyright: ignore[reportPrivateUsage]
    "type": Values._passed_type,  # pyright: ignore[reportPrivateUsage]
    "cls": lambda values, payload, depth: values.cls(whole(payload, 1, 1 << 40)),
    "std": lambda values, payload, depth: tables.standard_exception(text(payload, 100)),
    "exc": lambda values, payload, depth: values.exception(payload),
    "cb": lambda values, payload, depth: values.callback(payload),
}

__all__ = ["RemoteMethod", "Values"]
