"""Texts that code puts together: what is put in, what names are bound to, and whether that can come from outside."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from typing import Any

_NUMBERS = frozenset({"int", "float", "len", "bool"})
_GROWS = frozenset({"append", "extend", "insert", "add", "appendleft", "update", "setdefault"})
DEPTH = 8
"""Names that are followed one after another."""

Owner = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


@functools.lru_cache(maxsize=1)  # the rows of one file stand together
def built(tree: ast.Module) -> list[tuple[Owner, ast.expr]]:
    """The outermost expressions that build a string, each with the function around it."""
    found: list[tuple[Owner, ast.expr]] = []
    pending: list[tuple[ast.AST, Owner]] = [(tree, tree)]
    while pending:
        node, owner = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            owner = node
        if isinstance(node, ast.expr) and builds(node):
            found.append((owner, node))
            continue
        pending.extend((child, owner) for child in ast.iter_child_nodes(node))
    return found


def builds(node: ast.expr) -> bool:
    """Whether it puts a text together."""
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add | ast.Mod) and any(is_text(leaf) for leaf in _leaves(node))
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"format", "replace", "join"}
        and is_text(node.func.value)
    )


def is_text(node: ast.expr) -> bool:
    """Whether it is a text by its form."""
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


def pieces(node: ast.expr) -> Iterator[ast.expr]:
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
        elif isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute) and is_text(item.func.value):
            if item.func.attr == "join":
                yield item
            else:
                yield from (*item.args, *(keyword.value for keyword in item.keywords))
        elif not isinstance(item, ast.Constant):
            yield item


_PARTS: dict[type[ast.expr], Callable[[Any], list[ast.expr]]] = {
    ast.Constant: lambda node: [],
    ast.JoinedStr: lambda node: list(pieces(node)),
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
            return list(pieces(node))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            # A literal text or list times a count: only what is repeated matters.
            return next(([side] for side in (left, right) if is_text(side) or isinstance(side, ast.List)), None)
        case ast.Call(func=ast.Name(id=name)) if name in _NUMBERS:
            return []
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join" | "format" as how), args=items):
            return items if how == "join" else list(pieces(node))
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if name.isupper() and _is_class(owner):
            return []
        case _:
            return _PARTS[type(node)](node) if type(node) in _PARTS else None


def _is_class(name: str) -> bool:
    return name in {"self", "cls"} or name[:1].isupper()


class Names:
    """What the names of a function are bound to."""

    def __init__(self, tree: ast.Module, owner: Owner, harmless: Callable[[ast.expr], bool] = lambda _: False) -> None:
        """`harmless` says of a kind of expression that it makes whatever is in it safe, such as quoting."""
        self._local = _bindings(owner)
        self._module = _bindings(tree) if owner is not tree else self._local
        self._harmless = harmless

    def bound(self, name: str) -> list[ast.expr | None] | None:
        """What the name is bound to; `None` for a value that cannot be followed, and for a name from elsewhere."""
        return self._local.get(name) or self._module.get(name)

    def safe(self, node: ast.expr, depth: int) -> bool:
        """Whether the value can hold no text that came from outside."""
        if depth <= 0:
            return False
        if isinstance(node, ast.Name):
            return self._name(node.id, depth - 1)
        if self._harmless(node):
            return True
        parts = _parts(node)
        return parts is not None and all(self.safe(part, depth - 1) for part in parts)

    def _name(self, name: str, depth: int) -> bool:
        bound = self.bound(name)
        if bound is None:
            return name.isupper()  # a constant from elsewhere
        return all(value is not None and self.safe(value, depth) for value in bound)


@functools.lru_cache(maxsize=2)  # of a file and of one of its functions
def _bindings(owner: Owner) -> dict[str, list[ast.expr | None]]:
    """The values of each name that is bound in the function itself; `None` for a value that cannot be followed."""
    bound: dict[str, list[ast.expr | None]] = {}
    if not isinstance(owner, ast.Module):
        arguments = owner.args
        for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if item is not None:
                bound.setdefault(item.arg, []).append(None)
    for node in own(owner):
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
        case ast.For(target=ast.Name(id=name), iter=(ast.Tuple() | ast.List()) as values):
            yield name, values
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            yield from _unknown([target])
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _unknown([target])
        case ast.Assign(targets=targets, value=value):
            # Each part of what a call gives is as safe as the whole.
            yield from ((name, value if isinstance(value, ast.Call) else None) for name, _ in _unknown(targets))
        case _:
            return


def _unknown(targets: list[ast.expr]) -> Iterator[tuple[str, None]]:
    for target in targets:
        yield from ((node.id, None) for node in ast.walk(target) if isinstance(node, ast.Name))


@functools.lru_cache(maxsize=2)  # of a file and of one of its functions
def own(owner: Owner) -> list[ast.AST]:
    """The nodes of a function, those of the functions inside it left out."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(owner.body)
    while pending:
        node = pending.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))
    return found


def within(inner: ast.AST, outer: ast.AST) -> bool:
    """Whether one node is part of another."""
    return any(node is inner for node in ast.walk(outer))
