"""Test files as data: which tests a file holds, what marks they carry, how much they assert."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef

MARKS = frozenset({"skip", "skipif", "xfail", "skipIf", "skipUnless", "expectedFailure", "only"})
_SKIPS = frozenset({"skip", "xfail", "importorskip", "skipTest", "exit"})
_SKIP_ERRORS = frozenset({"SkipTest", "Skipped", "XFailed"})
_CATCHES_ALL = frozenset({"AssertionError", "Exception", "BaseException"})


class Case(NamedTuple):
    """One test that pytest would collect."""

    name: str
    """`TestClass.test_name` or `test_name`."""
    node: Function
    marks: tuple[str, ...]
    """Marks that keep it from counting, from the test, its classes and the module, as source text."""
    parameters: tuple[str, ...]
    """Its parametrize cases, dumped; empty where there are none or they are computed."""


class Assertions(NamedTuple):
    """What a test checks."""

    all: tuple[ast.AST, ...]
    hollow: tuple[ast.AST, ...]
    """Those that hold whatever the code does, or whose failure is swallowed."""
    skips: tuple[ast.AST, ...]
    early: ast.AST | None
    """A `return` at the top of the body with assertions after it."""


def cases(tree: ast.Module) -> dict[str, Case]:
    """The tests of a file by name. Of several of one name the last counts, as for pytest."""
    found: dict[str, Case] = {}
    _collect(tree.body, "", _module_marks(tree.body), found)
    return found


def dump(node: ast.AST) -> str:
    """A tree without positions; equal for code that differs in layout and comments alone."""
    try:
        return ast.dump(node)
    except RecursionError:
        return f"too deep: {id(node)}"  # equal to nothing else


def shown(node: ast.AST) -> str:
    """A tree as source text."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return "…"


def body_of(node: Function) -> list[ast.stmt]:
    """The statements, without the docstring."""
    body = node.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body


def empty(node: Function) -> bool:
    """Whether nothing is done: only `pass`, `...`, constants and returns of constants."""
    return all(_idle(statement) for statement in body_of(node))


def assertions(node: Function) -> Assertions:
    """What the test checks, wherever in its body."""
    every: list[ast.AST] = []
    hollow: list[ast.AST] = []
    skips: list[ast.AST] = []
    for item in ast.walk(node):
        if isinstance(item, ast.Assert):
            every.append(item)
            if _always(item.test):
                hollow.append(item)
        elif isinstance(item, ast.Call):
            name = called(item)
            if name.startswith(("assert", "raises", "warns", "deprecated_call")) or name == "fail":
                every.append(item)
                if name == "assertTrue" and item.args and _always(item.args[0]):
                    hollow.append(item)
            if name in _SKIPS and _of_a_framework(item.func):
                skips.append(item)
        elif isinstance(item, ast.Raise) and _last_name(item.exc) in _SKIP_ERRORS:
            skips.append(item)
        elif isinstance(item, ast.Try):
            hollow += _swallowed(item)
        elif isinstance(item, ast.If | ast.While) and _never(item.test):
            hollow += [inner for inner in ast.walk(item) if isinstance(inner, ast.Assert)]
    return Assertions(tuple(every), tuple(hollow), tuple(skips), _early(node))


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    return _last_name(call.func)


def _collect(body: list[ast.stmt], prefix: str, marks: tuple[str, ...], found: dict[str, Case]) -> None:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test"):
                own = marks + tuple(_marks(node.decorator_list))
                found[prefix + name] = Case(prefix + name, node, own, tuple(_parameters(node.decorator_list)))
            case ast.ClassDef(name=name) if name.startswith("Test") or _is_test_case(node):
                _drop(found, prefix + name + ".")
                inner = marks + tuple(_marks(node.decorator_list)) + _module_marks(node.body)
                _collect(node.body, f"{prefix}{name}.", inner, found)
            case ast.If(test=test, body=inner, orelse=other):
                if not _never(test):
                    _collect(inner, prefix, marks, found)
                _collect(other, prefix, marks, found)
            case ast.Try(body=inner) | ast.With(body=inner):
                _collect(inner, prefix, marks, found)
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name):
                        found.pop(prefix + target.id, None)
                        _drop(found, prefix + target.id + ".")
            case _:
                pass


def _drop(found: dict[str, Case], prefix: str) -> None:
    for name in [name for name in found if name.startswith(prefix)]:
        del found[name]


def _is_test_case(node: ast.ClassDef) -> bool:
    return any(_last_name(base).endswith("TestCase") for base in node.bases)


def _module_marks(body: list[ast.stmt]) -> tuple[str, ...]:
    found: list[str] = []
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                found += _marks(value.elts if isinstance(value, ast.List | ast.Tuple) else [value])
            case ast.Assign(targets=[ast.Name(id="__test__")], value=ast.Constant(value=False)):
                found.append("__test__ = False")
            case ast.Expr(value=ast.Call() as call) if called(call) in _SKIPS and _of_a_framework(call.func):
                found.append(shown(call))
            case ast.Raise(exc=error) if _last_name(error) in _SKIP_ERRORS:
                found.append(shown(node))
            case _:
                pass
    return tuple(found)


def _marks(decorators: list[ast.expr]) -> Iterator[str]:
    for node in decorators:
        if _last_name(node) in MARKS:
            yield shown(node)
        elif isinstance(node, ast.Call) and called(node) == "parametrize":
            # A case of its own may carry a mark: `pytest.param(…, marks=pytest.mark.skip)`.
            for inner in ast.walk(node):
                if isinstance(inner, ast.Attribute) and inner.attr in MARKS:
                    yield shown(inner)


def _parameters(decorators: list[ast.expr]) -> Iterator[str]:
    for node in decorators:
        if isinstance(node, ast.Call) and called(node) == "parametrize" and len(node.args) > 1:
            values = node.args[1]
            if isinstance(values, ast.List | ast.Tuple):
                names = dump(node.args[0])
                yield from (f"{names}={dump(value)}" for value in values.elts)


def _last_name(node: ast.AST | None) -> str:
    match node:
        case ast.Call(func=inner):
            return _last_name(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def _of_a_framework(node: ast.expr) -> bool:
    """`pytest.skip`, `self.skipTest`, or the bare name as imported; not `queue.skip`."""
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id in {"pytest", "unittest"} or node.attr == "skipTest")
    )


def _idle(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Return(value=None) | ast.Return(value=ast.Constant()):
            return True
        case _:
            return False


def _always(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Tuple(elts=items):
            return bool(items)
        case ast.BoolOp(op=operator, values=values):
            return (any if isinstance(operator, ast.Or) else all)(_always(value) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _never(operand)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()], comparators=[right]):
            # A call is not counted: two calls of one function may differ, which can be what is tested.
            return dump(left) == dump(right) and not any(isinstance(inner, ast.Call) for inner in ast.walk(left))
        case _:
            return False


def _never(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return not value
        case ast.Name(id="TYPE_CHECKING"):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _always(operand)
        case _:
            return False


def _swallowed(node: ast.Try) -> list[ast.AST]:
    for handler in node.handlers:
        names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        catches = handler.type is None or any(_last_name(name) in _CATCHES_ALL for name in names)
        if catches and all(_idle(statement) for statement in handler.body):
            return [inner for part in node.body for inner in ast.walk(part) if isinstance(inner, ast.Assert)]
    return []


def _early(node: Function) -> ast.AST | None:
    for position, statement in enumerate(node.body):
        if isinstance(statement, ast.Return):
            rest = node.body[position + 1 :]
            return statement if any(isinstance(item, ast.Assert) for part in rest for item in ast.walk(part)) else None
    return None
