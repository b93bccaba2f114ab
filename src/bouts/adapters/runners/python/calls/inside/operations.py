"""What a worker can be asked to do, by name."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import operator
import sys

from . import tables
from .describing import describe_class, is_async

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .worker import Worker

_MISSING = object()


def _call(worker: Worker, message: dict[str, Any]) -> Any:
    target = worker.objects.decode(message["o"])
    given, named = worker.arguments(message)
    return target(*given, **named)


def _method(worker: Worker, message: dict[str, Any]) -> Any:
    target = getattr(worker.objects.decode(message["o"]), message["n"])
    given, named = worker.arguments(message)
    return target(*given, **named)


def _get(worker: Worker, message: dict[str, Any]) -> Any:
    return getattr(worker.objects.decode(message["o"]), message["n"])


def _set(worker: Worker, message: dict[str, Any]) -> Any:
    given, _ = worker.arguments(message)
    target, name = worker.objects.decode(message["o"]), message["n"]
    if isinstance(target, (type, type(sys))):
        worker.patched.setdefault((id(target), name), vars(target).get(name, _MISSING))
    return setattr(target, name, given[0])


def _delete(worker: Worker, message: dict[str, Any]) -> Any:
    # What undoes a test's patches sees no namespace of a stand-in module or class, so it deletes what it has set.
    target, name = worker.objects.decode(message["o"]), message["n"]
    before = worker.patched.pop((id(target), name), _MISSING)
    return delattr(target, name) if before is _MISSING else setattr(target, name, before)


def _special(worker: Worker, message: dict[str, Any]) -> Any:
    target = worker.objects.decode(message["o"])
    given, _ = worker.arguments(message)
    name = message["n"]
    known = _SPECIAL.get(name)
    if known is not None:
        return known(target, *given)
    return getattr(type(target), name)(target, *given)


def _equal(worker: Worker, message: dict[str, Any]) -> Any:
    one, two = worker.objects.decode(message["o"]), worker.objects.decode(message["a"][0])
    result = one == two
    if type(result) is not bool:
        raise TypeError(f"== gave a {type(result).__name__} where a bool is needed")
    return result


def _fields(worker: Worker, message: dict[str, Any]) -> Any:
    target = worker.objects.decode(message["o"])
    return [getattr(target, name) for name in message["n"]]


def _import(worker: Worker, message: dict[str, Any]) -> Any:
    failed: dict[str, Any] = {}
    for name in message["n"]:
        try:
            __import__(name)
        except BaseException as error:
            failed[name] = f"{type(error).__name__}: {str(error)[:1000]}"
    for stream in (worker.out, worker.err):
        stream.flush()
        stream.buffer.seek(0)
        stream.buffer.truncate()
    return failed


def _describe(worker: Worker, message: dict[str, Any]) -> Any:
    """What a name of a module is: the structure of the value, or its kind where it is code."""
    module = worker.objects.resolve(message["m"], "")
    value: Any = getattr(module, message["n"], _MISSING)
    if value is _MISSING:
        full = f"{message['m']}.{message['n']}"
        try:
            __import__(full)
        except ModuleNotFoundError as error:
            if error.name != full:
                raise
        value = sys.modules.get(full, _MISSING)
    if value is _MISSING:
        return ["missing", None]
    if isinstance(value, type):
        return ["class", value]
    if type(value).__name__ in ("function", "builtin_function_or_method", "method"):
        return ["function", is_async(value)]
    return ["value", value]


def _class(worker: Worker, message: dict[str, Any]) -> Any:
    return describe_class(worker.objects, worker.objects.decode({"cls": message["n"]}))


def _end(worker: Worker, message: dict[str, Any]) -> Any:
    worker.finish()


def _swapped(function: Any) -> Any:
    return lambda target, other: function(other, target)


def _copied(name: str) -> Any:
    def copied(target: Any) -> Any:
        import copy

        return getattr(copy, name)(target)

    return copied


_SPECIAL: dict[str, Any] = {
    **{name: getattr(operator, name) for name in (*tables.BINARY, *tables.IN_PLACE, *tables.COMPARISONS)},
    **{
        reflected: _swapped(getattr(operator, name))
        for reflected, name in zip(tables.REFLECTED, tables.BINARY, strict=True)
    },
    "__len__": len,
    "__iter__": iter,
    "__next__": next,
    "__bool__": bool,
    "__hash__": hash,
    "__neg__": operator.neg,
    "__pos__": operator.pos,
    "__abs__": abs,
    "__invert__": operator.invert,
    "__int__": int,
    "__float__": float,
    "__complex__": complex,
    "__index__": operator.index,
    "__bytes__": bytes,
    "__reversed__": reversed,
    "__round__": round,
    "__contains__": operator.contains,
    "__getitem__": operator.getitem,
    "__setitem__": operator.setitem,
    "__delitem__": operator.delitem,
    "__divmod__": divmod,
    "__str__": str,
    "__repr__": repr,
    "__format__": format,
    "__dir__": dir,
    "__copy__": _copied("copy"),
    "__deepcopy__": _copied("deepcopy"),
}

OPERATIONS: dict[str, Any] = {
    "call": _call,
    "method": _method,
    "get": _get,
    "set": _set,
    "del": _delete,
    "special": _special,
    "eq": _equal,
    "fields": _fields,
    "import": _import,
    "describe": _describe,
    "class": _class,
    "end": _end,
}
"""Operations: `(worker, message)` → value."""
