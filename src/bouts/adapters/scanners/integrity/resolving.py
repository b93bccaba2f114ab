"""What names in a file stand for: through aliases, assignments, `__import__`, importlib, getattr, module tables."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bouts.adapters.scanners.integrity.scoping import Scopes

BUILTINS = "builtins"
_ROUNDS = 8
"""Assignments of assignments that are followed."""
_DEPTH = 60
"""Parts of one expression that are followed."""
_MEANINGS = 16
"""Things that one name may stand for."""
_NOTHING: frozenset[str] = frozenset()
_SAME = {"posix": "os", "posixpath": "os.path", "nt": "os", "ntpath": "os.path", "_io": "io"}
_IMPORTERS = frozenset({"builtins.__import__", "importlib.import_module", "importlib.__import__"})
_NAMING = _IMPORTERS | {"sys.modules.get", "sys.modules.pop"}
_TABLES = frozenset({"builtins.vars"})


class Use(NamedTuple):
    """A place where a module, or a member of one, is taken hold of."""

    name: str
    """Dotted, such as `os.system` or `builtins.eval`."""
    node: ast.AST
    scope: str
    """Path of the functions and classes around it."""
    head: str
    """The statement that it stands in."""


class Names:
    """The names of one file, each resolved in the scope that it is read in."""

    def __init__(self, tree: ast.Module) -> None:
        self._scopes = Scopes(tree)
        self._known: dict[tuple[int, str], frozenset[str]] = {}
        for _ in range(_ROUNDS):
            before = dict(self._known)
            for scope in self._scopes.every:
                for name, values in scope.values.items():
                    found = [{_usual(one)} if isinstance(one, str) else self.of(one) for one in values]
                    self._known[id(scope), name] = _few({part for one in found for part in one})
            if before == self._known:
                break

    @property
    def statements(self) -> list[tuple[str, str]]:
        """Path of the scope and text of every statement."""
        return self._scopes.heads

    def of(self, node: ast.expr, depth: int = 0) -> frozenset[str]:  # noqa: PLR0911 - one for each kind
        """What an expression may stand for, where that can be told."""
        if depth > _DEPTH:
            return _NOTHING
        down = depth + 1
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Attribute(value=value, attr=attribute):
                return frozenset(_usual(f"{base}.{attribute}") for base in self.of(value, down))
            case ast.Subscript(value=value, slice=key):
                return self._member(value, text_of(key), down)
            case ast.Call():
                return self._called(node, down)
            case ast.NamedExpr(value=value):
                return self.of(value, down)
            case ast.IfExp(body=first, orelse=second):
                return self.of(first, down) | self.of(second, down)
            case ast.BoolOp(values=values):
                return _few({name for one in values for name in self.of(one, down)})
            case _:
                return _NOTHING

    def _name(self, node: ast.Name) -> frozenset[str]:
        name, scope = node.id, self._scopes.of_name[id(node)]
        scopes, open_ = scope.binding(name, (node.lineno, node.col_offset))
        found = {part for one in scopes for part in self._known.get((id(one), name), ())}
        if open_ and name == "__builtins__":
            found.add(BUILTINS)
        elif open_ and hasattr(builtins, name):
            found.add(f"{BUILTINS}.{name}")
        elif open_ and len(self._scopes.stars) == 1:
            found.add(f"{_usual(self._scopes.stars[0])}.{name}")
        return frozenset(found)

    def _member(self, table: ast.expr, key: str | None, depth: int) -> frozenset[str]:
        if key is None:
            return _NOTHING
        found: set[str] = set()
        for base in self.of(table, depth):
            if base == "sys.modules":
                found.add(_usual(key))
            elif base == BUILTINS:
                found.add(f"{BUILTINS}.{key}")
            elif base.endswith(".__dict__"):
                found.add(_usual(f"{base.removesuffix('.__dict__')}.{key}"))
        if isinstance(table, ast.Call) and table.args and self.of(table.func, depth) & _TABLES:
            found |= {_usual(f"{owner}.{key}") for owner in self.of(table.args[0], depth)}
        return frozenset(found)

    def _called(self, node: ast.Call, depth: int) -> frozenset[str]:
        functions = self.of(node.func, depth)
        found: set[str] = set()
        if functions & _NAMING and node.args:
            name = text_of(node.args[0])
            found |= set() if name is None else {_usual(name)}
        if "builtins.getattr" in functions and len(node.args) > 1:
            name = text_of(node.args[1])
            found |= set() if name is None else {_usual(f"{base}.{name}") for base in self.of(node.args[0], depth)}
        return frozenset(found)

    def uses(self) -> Iterator[Use]:
        """Every place where a module or a member of one is taken hold of, imports among them."""
        for node, scope, head in self._scopes.reads:
            for name in sorted(self._at(node)):
                yield Use(name, node, scope.path, head)

    def _at(self, node: ast.AST) -> frozenset[str]:
        if isinstance(node, ast.Import):
            return frozenset(_usual(alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            if not node.module or node.level:
                return _NOTHING
            whole = (node.module if alias.name == "*" else f"{node.module}.{alias.name}" for alias in node.names)
            return frozenset(map(_usual, whole))
        return self.of(node) if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call) else _NOTHING


def imports(tree: ast.Module) -> Iterator[Use]:
    """What is imported, by statement or by a call with a fixed name."""
    names = Names(tree)
    for use in names.uses():
        direct = isinstance(use.node, ast.Import | ast.ImportFrom)
        if direct or (isinstance(use.node, ast.Call) and names.of(use.node.func) & _IMPORTERS):
            yield use


def text_of(node: ast.expr) -> str | None:
    """The text of a literal, or of literals put together."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = text_of(left), text_of(right)
            return None if first is None or second is None else first + second
        case ast.JoinedStr(values=parts):
            texts = [text_of(part) for part in parts]
            return None if None in texts else "".join(map(str, texts))
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as glue), attr="join"), args=[inner]):
            if not isinstance(inner, ast.List | ast.Tuple):
                return None
            texts = [text_of(part) for part in inner.elts]
            return None if None in texts else glue.join(map(str, texts))
        case _:
            return None


def _few(names: Iterable[str]) -> frozenset[str]:
    return frozenset(sorted(names)[:_MEANINGS])


def _usual(name: str) -> str:
    for other, usual in _SAME.items():
        if name == other or name.startswith(f"{other}."):
            return usual + name[len(other) :]
    return name
