"""What a test holds in place of the submission's modules, functions, classes and objects.

A stand-in knows where its original is (`Ref`) and asks the current test's worker for everything. It has no state
of its own, and nothing that a worker sends can change what it does.
"""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import types
from typing import Any, NoReturn, Protocol, TypeVar

from bouts.adapters.runners.python.calls.judging import Judging
from bouts.model.judging import Judgement


class Asking(Protocol):
    """What stand-ins need of the current test's connection; see `link.Link`."""

    judging: Judging

    def ask(self, operation: str, target: Any = None, name: Any = None, args: Any = (), named: Any = None) -> Any: ...  # noqa: D102
    def equal(self, one: Any, two: Any) -> bool: ...  # noqa: D102
    def drive(self, target: Any, name: str | None, args: Any) -> Any: ...  # noqa: D102
    def released(self, number: int) -> None: ...  # noqa: D102
    def describe(self, module: str, name: str) -> Any: ...  # noqa: D102
    def tell(self, module: str, name: str) -> list[Any]: ...  # noqa: D102


class Current:
    """The connection of the test that runs now."""

    def __init__(self) -> None:
        self.link: Asking | None = None

    def get(self) -> Asking:
        """The connection, or `RuntimeError` where no test runs."""
        if self.link is None:
            raise RuntimeError("the submission can only be used while a test runs")
        return self.link

    def notes(self, kind: Judgement) -> None:
        """Something that may decide the test is put to an object of the submission, and answered on this side."""
        if self.link is not None:
            self.link.judging.notes(kind)


CURRENT = Current()

Kind = TypeVar("Kind")


class Ref:
    """Where an original is: at a path of a module (in any worker), or behind a handle of one worker."""

    __slots__ = ("code", "link", "shown")

    def __init__(self, code: dict[str, Any], shown: str, link: Asking | None = None) -> None:
        self.code = code
        self.shown = shown
        self.link = link

    def here(self) -> Asking:
        """The connection to ask. Raises `RuntimeError` for an object of an earlier test."""
        link = CURRENT.get()
        if self.link is not None and self.link is not link:
            raise RuntimeError(f"{self.shown} belongs to another test: each test has a process of its own")
        return link


def ref_of(value: Any) -> Ref:
    """The `Ref` of a stand-in."""
    if isinstance(value, StandIn):
        return object.__getattribute__(value, "_bouts_at")
    return value.__dict__["_bouts_ref"]


class StandInMeta(type):
    """Class of stand-in classes: calling one makes an object over there."""

    _bouts_ref: Ref
    _bouts_methods: frozenset[str]
    _bouts_fields: tuple[str, ...] | None
    _bouts_asks_equality: bool

    def __call__(cls, *args: Any, **named: Any) -> Any:
        """Make an object over there."""
        return cls._bouts_ref.here().ask("call", cls, None, args, named)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_bouts"):
            raise AttributeError(name)
        ref = type.__getattribute__(cls, "_bouts_ref")
        if name in type.__getattribute__(cls, "_bouts_methods"):
            return RemoteMethod(cls, name)
        if CURRENT.link is None and name.startswith("__"):
            raise AttributeError(name)
        return ref.here().ask("get", cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        cls._bouts_ref.here().ask("set", cls, name, (value,))

    def __delattr__(cls, name: str) -> None:
        cls._bouts_ref.here().ask("del", cls, name)

    def __getitem__(cls, key: Any) -> Any:
        return cls._bouts_ref.here().ask("special", cls, "__getitem__", (key,))

    def __repr__(cls) -> str:
        return f"<class {cls._bouts_ref.shown!r}>"


class StandIn(metaclass=StandInMeta):
    """An object of the submission."""

    __slots__ = ("__weakref__", "_bouts_at")

    _bouts_methods = frozenset()
    _bouts_fields = None
    _bouts_asks_equality = False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_bouts"):
            raise AttributeError(name)
        if name in type(self)._bouts_methods:
            return RemoteMethod(self, name)
        if CURRENT.link is None and name.startswith("__"):
            raise AttributeError(name)
        return ref_of(self).here().ask("get", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        ref_of(self).here().ask("set", self, name, (value,))

    def __delattr__(self, name: str) -> None:
        ref_of(self).here().ask("del", self, name)

    def __eq__(self, other: object) -> Any:
        kind = type(self)
        if not isinstance(other, StandIn):
            return NotImplemented
        CURRENT.notes("equality")
        if kind._bouts_fields is not None and type(other) is kind:
            return self is other or _fields(self) == _fields(other)
        if not (kind._bouts_asks_equality or type(other)._bouts_asks_equality):
            return self is other
        return ref_of(self).here().equal(self, other)

    def __hash__(self) -> int:
        kind = type(self)
        CURRENT.notes("equality")
        if kind._bouts_fields is not None:
            return hash(tuple(_fields(self)))
        if kind._bouts_asks_equality:
            return exact(int, ref_of(self).here().ask("special", self, "__hash__"), "hash()")
        return object.__hash__(self)

    def __bool__(self) -> bool:
        CURRENT.notes("truth")
        return True

    def __str__(self) -> str:
        return exact(str, ref_of(self).here().ask("special", self, "__str__"), "str()")

    def __repr__(self) -> str:
        return exact(str, ref_of(self).here().ask("special", self, "__repr__"), "repr()")

    def __format__(self, spec: str) -> str:
        return exact(str, ref_of(self).here().ask("special", self, "__format__", (spec,)), "format()")

    def __dir__(self) -> list[str]:
        return exact(list, ref_of(self).here().ask("special", self, "__dir__"), "dir()")

    def __copy__(self) -> Any:
        return ref_of(self).here().ask("special", self, "__copy__")

    def __deepcopy__(self, memo: Any) -> Any:
        return ref_of(self).here().ask("special", self, "__deepcopy__")

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"{ref_of(self).shown} cannot be pickled from a test")

    def __del__(self) -> None:
        ref = ref_of(self)
        if ref.link is not None:
            ref.link.released(ref.code["h"])


def make_instance(kind: StandInMeta, ref: Ref) -> Any:
    """A stand-in for an object of a class."""
    made = object.__new__(kind)
    object.__setattr__(made, "_bouts_at", ref)
    return made


def exact(kind: type[Kind], value: Any, what: str) -> Kind:
    """The value, if its type is exactly this; `TypeError` otherwise."""
    if type(value) is not kind:
        raise TypeError(f"{what} gave a {type(value).__name__} instead of {kind.__name__}")
    return value


def _fields(value: StandIn) -> list[Any]:
    kind = type(value)
    return exact(list, ref_of(value).here().ask("fields", value, list(kind._bouts_fields or ())), "a dataclass")


class RemoteFunction:
    """A function of the submission."""

    def __init__(self, ref: Ref, name: str, asynchronous: bool = False) -> None:
        self._bouts_ref = ref
        self.__name__ = self.__qualname__ = name
        self._bouts_async = asynchronous

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the original."""
        return self._bouts_ref.here().ask("call", self, None, args, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_bouts") or (CURRENT.link is None and name.startswith("__")) or name in _PROBED:
            raise AttributeError(name)
        return self._bouts_ref.here().ask("get", self, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RemoteFunction) and other._bouts_ref.code == self._bouts_ref.code

    def __hash__(self) -> int:
        return hash(repr(self._bouts_ref.code))

    def __repr__(self) -> str:
        return f"<function {self._bouts_ref.shown}>"


_PROBED = frozenset(
    ("__wrapped__", "__code__", "__func__", "__signature__", "__test__", "pytestmark", "__isabstractmethod__")
)
"""Names that test tools look up on every function; asking for them would cost a call and could mislead the tools."""


class RemoteMethod:
    """A method of an object or class, looked up over there at each call."""

    __slots__ = ("__name__", "_bouts_name", "_bouts_owner")

    def __init__(self, owner: Any, name: str) -> None:
        self._bouts_owner = owner
        self._bouts_name = self.__name__ = name

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the original."""
        owner = self._bouts_owner
        return ref_of(owner).here().ask("method", owner, self._bouts_name, args, named)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RemoteMethod):
            return False
        return other._bouts_owner is self._bouts_owner and other._bouts_name == self._bouts_name

    def __hash__(self) -> int:
        return hash((id(self._bouts_owner), self._bouts_name))

    def __repr__(self) -> str:
        return f"<method {self._bouts_name}>"


class RemoteModule(types.ModuleType):
    """A module of the submission. Names bound from it at the top of a test file mean the current test's worker."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "A module of the submission, seen from a test.")
        self.__dict__["_bouts_ref"] = Ref({"ref": [name, ""]}, name)
        self.__dict__["_bouts_known"] = {}
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_bouts") or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(name)
        known = self.__dict__["_bouts_known"]
        if name in known:
            return known[name]
        return CURRENT.get().describe(self.__name__, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__") or isinstance(value, RemoteModule):
            # The import system binds submodules and its own bookkeeping.
            super().__setattr__(name, value)
            return
        self.__dict__["_bouts_ref"].here().ask("set", self, name, (value,))

    def __delattr__(self, name: str) -> None:
        self.__dict__["_bouts_ref"].here().ask("del", self, name)


class Unknown:
    """A name that the submission did not offer when the tests were collected: it fails, or not, in each test."""

    def __init__(self, module: str, path: str) -> None:
        self._bouts_ref = Ref({"ref": [module, path]}, f"{module}.{path}")
        self.__name__ = self.__qualname__ = path.rpartition(".")[2]

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the original."""
        return self._bouts_ref.here().ask("call", self, None, args, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_bouts") or name in _PROBED or (CURRENT.link is None and name.startswith("__")):
            raise AttributeError(name)
        return self._bouts_ref.here().ask("get", self, name)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        raise TypeError(f"{self._bouts_ref.shown} is no class of the submission")

    def __repr__(self) -> str:
        return f"<{self._bouts_ref.shown}>"
