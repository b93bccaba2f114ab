"""Special methods of stand-ins: each asks the original, and says so where the answer may decide the test."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bouts.adapters.runners.python.calls.inside import tables
from bouts.adapters.runners.python.calls.standins import CURRENT, Asking, Unknown, exact, ref_of


def _special(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any) -> Any:
        return ref_of(self).here().ask("special", self, name, args)

    method.__name__ = name
    return method


def _special_async(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any) -> Any:
        return ref_of(self).here().drive(self, name, args)

    method.__name__ = name
    return method


def _await(self: Any) -> Any:
    return ref_of(self).here().drive(self, None, ()).__await__()


def _checked(name: str, kind: type, what: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any) -> Any:
        return exact(kind, ref_of(self).here().ask("special", self, name, args), what)

    method.__name__ = name
    return method


def _is_verdict(error: BaseException | None) -> bool:
    """Whether an exception is the test's own finding, and not for the submission to take back or to read."""
    return isinstance(error, AssertionError) or type(error).__module__ == "_pytest.outcomes"


_FAILED = (AssertionError, AssertionError("the test has failed"), None)


def _exit(self: Any, *told: Any) -> bool:
    link = ref_of(self).here()
    if _is_verdict(told[1]):
        link.ask("special", self, "__exit__", _FAILED)
        return False
    return _swallowed(link, told[1], link.ask("special", self, "__exit__", (told[0], told[1], None)))


async def _async_exit(self: Any, *told: Any) -> bool:
    link = ref_of(self).here()
    if _is_verdict(told[1]):
        await link.drive(self, "__aexit__", _FAILED)
        return False
    return _swallowed(link, told[1], await link.drive(self, "__aexit__", (told[0], told[1], None)))


def _swallowed(link: Asking, error: BaseException | None, answer: Any) -> bool:
    if error is not None and answer:
        link.judging.asks("suppression")
        return True
    return False


def searched(self: Any, value: Any) -> bool:
    """`in` for an object that can only be iterated over."""
    CURRENT.notes("membership")
    return any(item is value or item == value for item in self)


def _call(self: Any, *args: Any, **named: Any) -> Any:
    return ref_of(self).here().ask("call", self, None, args, named)


_CHECKED: dict[str, tuple[type, str]] = {
    "__len__": (int, "len()"),
    "__bool__": (bool, "bool()"),
    "__contains__": (bool, "in"),
    "__int__": (int, "int()"),
    "__index__": (int, "index()"),
    "__float__": (float, "float()"),
    "__bytes__": (bytes, "bytes()"),
}

METHODS: dict[str, Any] = {
    **{name: _special(name) for name in tables.SPECIALS if name not in ("__eq__", "__hash__")},
    **{name: _checked(name, kind, what) for name, (kind, what) in _CHECKED.items()},
    **{name: _special_async(name) for name in ("__anext__", "__aenter__")},
    "__aexit__": _async_exit,
    "__await__": _await,
    "__exit__": _exit,
    "__call__": _call,
}
"""The special methods that a stand-in class can have, by name."""

for _name in (*tables.BINARY, *tables.REFLECTED, *tables.COMPARISONS, "__getitem__", "__setitem__", "__delitem__"):
    setattr(Unknown, _name, METHODS[_name])
for _name in ("__iter__", "__len__", "__bool__", "__contains__", "__enter__", "__exit__"):
    setattr(Unknown, _name, METHODS[_name])
