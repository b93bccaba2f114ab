"""What functions, classes and modules are like, by their syntax trees alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from bouts.adapters.scanners.integrity.cases import Function, dump

_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception"})


def recurses(node: Function, whole: ast.Module) -> bool:
    """Whether the function, or one that it makes use of, can come back to itself."""
    graph: dict[str, set[str]] = {}
    for one in ast.walk(whole):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            names = {part.id for part in ast.walk(one) if isinstance(part, ast.Name)}
            # A method of a text is no function of this file, whatever its name.
            names |= {
                part.attr
                for part in ast.walk(one)
                if isinstance(part, ast.Attribute) and not isinstance(part.value, ast.Constant | ast.JoinedStr)
            }
            graph.setdefault(one.name, set()).update(names)
    return any(name in _reach(graph, name) for name in (node.name, *_reach(graph, node.name)) if name in graph)


def _reach(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    pending = [start]
    while pending:
        for name in graph.get(pending.pop(), ()):
            if name in graph and name not in seen:
                seen.add(name)
                pending.append(name)
    return seen


def guarded(tree: ast.Module) -> set[int]:
    """Imports that may fail without harm: what they name is no dependency."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(_catches(handler) for handler in node.handlers):
            found |= {id(part) for statement in node.body for part in ast.walk(statement)}
    return found


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(part, ast.Name) and part.id in _IMPORT_ERRORS for part in ast.walk(handler.type))


def shape(node: Function) -> list[object]:
    """What a caller has to know of the parameters; annotations are left out."""
    a = node.args
    return [
        *([one.arg for one in group] for group in (a.posonlyargs, a.args, a.kwonlyargs)),
        a.vararg.arg if a.vararg else None,
        a.kwarg.arg if a.kwarg else None,
        [dump(one) for one in a.defaults],
        [None if one is None else dump(one) for one in a.kw_defaults],
        isinstance(node, ast.AsyncFunctionDef),
    ]


def inner_of(body: list[ast.stmt] | None, name: str) -> list[ast.stmt] | None:
    """The body of a class, or none where what it has cannot be told."""
    node = next((one for one in body or [] if isinstance(one, ast.ClassDef) and one.name == name), None)
    return None if node is None or node.bases else node.body


def defined(body: list[ast.stmt]) -> set[str]:
    """Names that a module or class binds, wherever in its own statements."""
    found: set[str] = set()
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name.partition(".")[0] for alias in names}
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case _:
                pending.extend(ast.iter_child_nodes(node))
    return found
