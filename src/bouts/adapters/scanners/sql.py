"""A closer look at SQL that is built from strings: can anything be injected, and is it executed?"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, Literal

Verdict = Literal["safe", "executed", "open"]

_EXECUTE = frozenset({"execute", "executemany", "executescript"})
_NUMBERS = frozenset({"int", "float", "len", "bool"})
_GROWS = frozenset({"append", "extend", "insert", "add", "appendleft", "update", "setdefault"})
_DEPTH = 8


def verdict(tree: ast.Module, line: int, end: int) -> Verdict:
    """Of the string expressions on these lines: `safe` where only constants, numbers and placeholders are put in,
    `executed` where one that is not safe reaches an `execute` of the same function, else `open`."""
    found: list[Verdict] = []
    for owner, built in _built(tree):
        if built.lineno > end or (built.end_lineno or built.lineno) < line:
            continue
        names = _Names(tree, owner)
        if all(names.safe(piece, _DEPTH) for piece in _pieces(built)):
            found.append("safe")
        else:
            found.append("executed" if _executed(owner, built) else "open")
    if not found:
        return "open"
    return "executed" if "executed" in found else "open" if "open" in found else "safe"


_Owner = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


def _built(tree: ast.Module) -> Iterator[tuple[_Owner, ast.expr]]:
    """The outermost expressions that build a string, each with the function around it."""
    pending: list[tuple[ast.AST, _Owner]] = [(tree, tree)]
    while pending:
        node, owner = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            owner = node
        if isinstance(node, ast.expr) and _builds(node):
            yield owner, node
            continue
        pending.extend((child, owner) for child in ast.iter_child_nodes(node))


def _builds(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add | ast.Mod) and any(_is_text(leaf) for leaf in _leaves(node))
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"format", "replace", "join"}
        and _is_text(node.func.value)
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    pending = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, ast.BinOp) and isinstance(item.op, ast.Add | ast.Mod):
            pending += [item.left, item.right]
        elif isinstance(item, ast.Tuple):
            pending += item.elts
        elif isinstance(item, ast.Dict):
            pending += item.values
        else:
            yield item


def _pieces(node: ast.expr) -> Iterator[ast.expr]:
    """What is put into the string, constants left out."""
    pending: list[ast.expr] = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, ast.JoinedStr):
            pending += item.values
        elif isinstance(item, ast.FormattedValue):
            yield item.value
        elif isinstance(item, ast.BinOp) and isinstance(item.op, ast.Add | ast.Mod):
            pending += _leaves(item)
        elif isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and _is_text(item.func.value):
            if item.func.attr == "join":
                yield item
            else:
                yield from (*item.args, *(keyword.value for keyword in item.keywords))
        elif not isinstance(item, ast.Constant):
            yield item


_PARTS: dict[type[ast.expr], Callable[[Any], list[ast.expr]]] = {
    ast.Constant: lambda node: [],
    ast.JoinedStr: lambda node: list(_pieces(node)),
    ast.IfExp: lambda node: [node.body, node.orelse],
    ast.List: lambda node: node.elts,
    ast.Tuple: lambda node: node.elts,
    ast.Set: lambda node: node.elts,
    ast.Dict: lambda node: node.values,
    ast.ListComp: lambda node: [node.elt],
    ast.GeneratorExp: lambda node: [node.elt],
    ast.Subscript: lambda node: [node.value],
}
"""What the safety of an expression rests on, by its kind."""


def _parts(node: ast.expr) -> list[ast.expr] | None:
    """The parts on which the safety of `node` rests; none where it cannot be safe."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Mod()):
            return list(_pieces(node))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            # A literal text or list times a count: only what is repeated matters.
            return next(([side] for side in (left, right) if _is_text(side) or isinstance(side, ast.List)), None)
        case ast.Call(func=ast.Name(id=name)) if name in _NUMBERS:
            return []
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join"), args=[item]):
            return [item]
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if name.isupper() and _is_class(owner):
            return []
        case _:
            return _PARTS[type(node)](node) if type(node) in _PARTS else None


def _is_class(name: str) -> bool:
    return name in {"self", "cls"} or name[:1].isupper()


class _Names:
    """What the names of a function are bound to."""

    def __init__(self, tree: ast.Module, owner: _Owner) -> None:
        self._local = _bindings(owner)
        self._module = _bindings(tree) if owner is not tree else self._local

    def safe(self, node: ast.expr, depth: int) -> bool:
        """Whether the value can hold no text that came from outside."""
        if depth <= 0:
            return False
        if isinstance(node, ast.Name):
            return self._name(node.id, depth - 1)
        parts = _parts(node)
        return parts is not None and all(self.safe(part, depth - 1) for part in parts)

    def _name(self, name: str, depth: int) -> bool:
        bound = self._local.get(name) or self._module.get(name)
        if bound is None:
            return name.isupper()  # a constant from elsewhere
        return all(value is not None and self.safe(value, depth) for value in bound)


def _bindings(owner: _Owner) -> dict[str, list[ast.expr | None]]:
    """The values of each name that is bound in the function itself; `None` for a value that cannot be followed."""
    bound: dict[str, list[ast.expr | None]] = {}
    if not isinstance(owner, ast.Module):
        arguments = owner.args
        for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if item is not None:
                bound.setdefault(item.arg, []).append(None)
    for node in _own(owner):
        for name, value in _bound(node):
            bound.setdefault(name, []).append(value)
    return bound


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a node binds or grows, each with the value where it can be followed."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.NamedExpr(target=ast.Name(id=name), value=value)
        ):
            yield name, value
        case (
            ast.AnnAssign(target=ast.Name(id=name), value=value) | ast.AugAssign(target=ast.Name(id=name), value=value)
        ):
            if value is not None:
                yield name, value
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute), args=[*_, value]):
            if attribute in _GROWS:
                yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            for name, value in zip(names, values, strict=True):
                yield from [(name.id, value)] if isinstance(name, ast.Name) else _unknown([name])
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            yield from _unknown([target])
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _unknown([target])
        case ast.Assign(targets=targets):
            yield from _unknown(targets)
        case _:
            return


def _unknown(targets: list[ast.expr]) -> Iterator[tuple[str, None]]:
    for target in targets:
        yield from ((node.id, None) for node in ast.walk(target) if isinstance(node, ast.Name))


def _own(owner: _Owner) -> Iterator[ast.AST]:
    """The nodes of a function, those of the functions inside it left out."""
    pending: list[ast.AST] = list(owner.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))


def _executed(owner: _Owner, built: ast.expr) -> bool:
    """Whether the string reaches an `execute`, directly or through a name."""
    names: set[str] = set()
    calls: list[ast.expr] = []
    for node in _own(owner):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _EXECUTE
            and node.args
        ):
            calls.append(node.args[0])
        if isinstance(node, ast.Assign) and _within(built, node.value):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if (
            isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr)
            and node.value
            and _within(built, node.value)
        ):
            names |= {node.target.id} if isinstance(node.target, ast.Name) else set()
    return any(_within(built, call) or (isinstance(call, ast.Name) and call.id in names) for call in calls)


def _within(inner: ast.AST, outer: ast.AST) -> bool:
    return any(node is inner for node in ast.walk(outer))
