"""Objects of the submission and how they are named on the other side: handles, classes, exceptions, callbacks."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import sys
from _thread import get_ident

from .describing import enum_members, is_async
from .library import path_text
from .plain import CannotCross, decode, encode
from .tables import EXCEPTIONS, TYPES, standard_exception, standard_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Call = Callable[[int, bool, Any, Any], Any]

_FUNCTIONS = frozenset(
    ("function", "builtin_function_or_method", "method", "method-wrapper", "wrapper_descriptor", "method_descriptor")
)
_TEXT = 4000
_SHOWN_VALUE = 200

"""`call(token, is_async, args, kwargs)`: run one of the test's own functions over there."""


class Foreign:
    """Marks an exception class made here for one that only the test knows."""

    token: int


class Objects:
    """The tables of one worker."""

    def __init__(self, call: Call, step: Callable[[int], Any]) -> None:
        self._call = call
        self._step = step
        self._handles: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}
        self._callbacks: dict[int, Any] = {}
        self._tokens: dict[int, int] = {}
        self._telling: set[tuple[int, int]] = set()
        """Exceptions that are being described, by thread."""
        self._next = 1

    # ------------------------------------------------------------ handles

    def number(self, value: Any) -> int:
        """The handle of an object; the same object has the same handle for as long as it is held."""
        number = self._numbers.get(id(value))
        if number is None:
            number = self._next
            self._next += 1
            self._handles[number] = value
            self._numbers[id(value)] = number
        return number

    def release(self, numbers: list[int]) -> None:
        """Let go of objects that the test holds no more."""
        for number in numbers:
            value = self._handles.pop(number, self)
            if value is not self:
                self._numbers.pop(id(value), None)

    # ------------------------------------------------------------ leaving

    def encode(self, value: Any) -> Any:
        """The structure of any value: data where it is plain, a handle where it is not."""
        return encode(value, self._other)

    def _other(self, value: Any, depth: int) -> Any:  # noqa: PLR0911 - one case a line
        if isinstance(value, type):
            return self.class_reference(value)
        if isinstance(value, BaseException):
            return {"exc": self.exception(value, depth)}
        kind: Any = type(value)
        token = self._tokens.get(id(value))
        if token is not None:
            return {"cb": token}
        if kind.__name__ == "module" and kind is type(sys):
            return {"mod": value.__name__}
        if kind.__name__ == "PosixPath" and kind is getattr(sys.modules.get("pathlib"), "PosixPath", None):
            return {"path": path_text(value)}
        enum = sys.modules.get("enum")
        if enum is not None and isinstance(value, enum.Enum) and enum_members(kind) is not None:
            return {"enum": [self.number(kind), value.name, encode(value.value, self._other, depth)]}
        if isinstance(value, tuple) and hasattr(kind, "_fields") and hasattr(kind, "_make"):
            items: tuple[Any, ...] = tuple.__iter__(value)  # pyright: ignore
            return {"nt": [self.number(kind), [encode(item, self._other, depth) for item in items]]}
        if kind.__name__ == "coroutine" and kind.__module__ == "builtins":
            return {"co": self.number(value)}
        if kind.__name__ in _FUNCTIONS and kind.__module__ == "builtins":
            return {"fn": [self.number(value), _name(value), is_async(value)]}
        return {"h": [self.number(value), self.number(kind)]}

    def class_reference(self, kind: type) -> Any:
        """How a class is named."""
        if EXCEPTIONS.get(kind.__name__) is kind or TYPES.get(kind.__name__) is kind:
            return {"type": kind.__name__}
        if issubclass(kind, BaseException) and (key := standard_key(kind)) is not None:
            return {"std": key}
        return {"cls": self.number(kind)}

    def exception(self, error: BaseException, depth: int = 0) -> dict[str, Any]:
        """An exception as data: class, arguments and attributes where they are plain, and its text. Of groups in
        groups, and exceptions that hold themselves, as many levels as any data may have."""
        if isinstance(error, Foreign):
            return {"foreign": error.token}
        told: dict[str, Any] = {"type": self.class_reference(type(error)), "text": _safe_text(error)}
        told_now = (get_ident(), id(error))
        if told_now in self._telling:
            raise CannotCross("an exception inside itself cannot cross")
        self._telling.add(told_now)
        try:
            self._tell_parts(error, told, depth)
        finally:
            self._telling.discard(told_now)
        if error.__cause__ is not None:
            told["cause"] = type(error.__cause__).__name__
        return told

    def _tell_parts(self, error: BaseException, told: dict[str, Any], depth: int) -> None:
        try:
            told["args"] = encode(list(error.args), self._other, depth)
        except Exception:
            told.pop("args", None)
        attributes: dict[str, Any] = {}
        for name, value in list(getattr(error, "__dict__", {}).items())[:50]:
            try:
                attributes[str(name)] = encode(value, self._other, depth)
            except Exception:  # noqa: S112
                continue
        if attributes:
            told["attrs"] = attributes

    # ------------------------------------------------------------ arriving

    def decode(self, data: Any) -> Any:
        """The value of a structure from the test's side."""
        return decode(data, self._other_tag)

    def _other_tag(self, tag: str, payload: Any, depth: int) -> Any:  # noqa: PLR0911 - one case a line
        if tag in ("h", "cls", "fn"):
            return self._handles[payload]
        if tag == "ref":
            return self.resolve(payload[0], payload[1])
        if tag == "type":
            return EXCEPTIONS.get(payload) or TYPES[payload]
        if tag == "std":
            return standard_exception(payload)
        if tag == "exc":
            return self._rebuild(payload)
        if tag == "path":
            from pathlib import Path

            return Path(payload)
        if tag == "cb":
            return self._callback(*payload)
        if tag == "it":
            return _Steps(self._step, payload)
        if tag == "enum":
            kind = self.decode(payload[0])
            member = kind.__members__.get(payload[1])
            return member if member is not None else kind(self.decode(payload[2]))
        if tag == "nt":
            return self.decode(payload[0])._make(self.decode(item) for item in payload[1])
        raise CannotCross(f"unknown kind of value: {tag}")

    def resolve(self, module: str, path: str) -> Any:
        """The object at `path` of a module of the submission, which is imported if need be."""
        __import__(module)
        value: Any = sys.modules[module]
        for part in path.split(".") if path else ():
            value = getattr(value, part)
        return value

    def _callback(self, token: int, name: str, asynchronous: bool) -> Any:
        known = self._callbacks.get(token)
        if known is not None:
            return known
        callback = _caller(self._call, token, asynchronous)
        callback.__name__ = callback.__qualname__ = name
        callback.__module__ = "callback"
        self._callbacks[token] = callback
        self._tokens[id(callback)] = token
        return callback

    def _rebuild(self, told: dict[str, Any]) -> BaseException:
        if "foreign" in told:
            base = EXCEPTIONS.get(told["base"], Exception)
            kind = type(told["name"], (base, Foreign), {"token": told["foreign"]})
            error: BaseException = kind.__new__(kind)
            error.args = tuple(self.decode(told["args"])) if "args" in told else (told["text"],)
            return error
        kind = self.decode(told["type"])
        args = self.decode(told["args"]) if "args" in told else [told["text"]]
        try:
            return kind(*args)
        except Exception:
            error = kind.__new__(kind)
            error.args = tuple(args)
            return error


def _name(value: Any) -> str:
    name = getattr(value, "__name__", "")
    return name if isinstance(name, str) else ""


def _safe_text(error: BaseException) -> str:
    try:
        return str(error)[:_TEXT]
    except Exception:
        return f"<the text of this {type(error).__name__} cannot be read>"


class _Steps:
    """An iterator of the test, advanced over there."""

    def __init__(self, step: Callable[[int], Any], token: int) -> None:
        self._next = step
        self._token = token

    def __iter__(self) -> _Steps:
        return self

    def __next__(self) -> Any:
        return self._next(self._token)


def _caller(call: Call, token: int, asynchronous: bool) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        return call(token, False, args, kwargs)

    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        return await call(token, True, args, kwargs)

    return coroutine if asynchronous else function
