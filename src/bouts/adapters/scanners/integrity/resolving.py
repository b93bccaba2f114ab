"""What names in a file stand for: through aliases, assignments, `__import__`, importlib, getattr, module tables."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from typing import NamedTuple

BUILTINS = "builtins"
_ROUNDS = 4
"""Assignments of assignments that are followed."""
_SAME = {"posix": "os", "posixpath": "os.path", "nt": "os", "ntpath": "os.path", "_io": "io"}
_IMPORTERS = frozenset({"builtins.__import__", "importlib.import_module", "importlib.__import__"})
_TABLES = frozenset({"builtins.vars"})


class Use(NamedTuple):
    """A place where a module, or a member of one, is taken hold of."""

    name: str
    """Dotted, such as `os.system` or `builtins.eval`."""
    node: ast.AST


class Names:
    """The names of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._stars: list[str] = []
        self._bound = {
            node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        self._known: dict[str, str] = {}
        for node in ast.walk(tree):
            self._import(node)
        pairs = list(_assignments(tree))
        for _ in range(_ROUNDS):
            for target, value in pairs:
                name = self.of(value)
                if name is not None:
                    self._known.setdefault(target, name)

    def _import(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                self._known[alias.asname or whole] = _usual(whole)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name == "*":
                    self._stars.append(_usual(node.module))
                else:
                    self._known[alias.asname or alias.name] = _usual(f"{node.module}.{alias.name}")

    def of(self, node: ast.expr, shadowed: frozenset[str] = frozenset()) -> str | None:
        """What an expression stands for, where that can be told."""
        match node:
            case ast.Name(id=name):
                return None if name in shadowed else self._name(name)
            case ast.Attribute(value=value, attr=attribute):
                base = self.of(value, shadowed)
                return None if base is None else _usual(f"{base}.{attribute}")
            case ast.Subscript(value=value, slice=key):
                return self._member(value, text_of(key), shadowed)
            case ast.Call():
                return self._called(node, shadowed)
            case ast.NamedExpr(value=value):
                return self.of(value, shadowed)
            case _:
                return None

    def _name(self, name: str) -> str | None:
        if name in self._known:
            return self._known[name]
        if name in self._bound:
            return None
        if name == "__builtins__":
            return BUILTINS
        if hasattr(builtins, name):
            return f"{BUILTINS}.{name}"
        return f"{self._stars[0]}.{name}" if len(self._stars) == 1 else None

    def _member(self, table: ast.expr, key: str | None, shadowed: frozenset[str]) -> str | None:
        if key is None:
            return None
        base = self.of(table, shadowed)
        if base == "sys.modules":
            return _usual(key)
        if base == BUILTINS:
            return f"{BUILTINS}.{key}"
        if base is not None and base.endswith(".__dict__"):
            return _usual(f"{base.removesuffix('.__dict__')}.{key}")
        if isinstance(table, ast.Call) and self.of(table.func, shadowed) in _TABLES and table.args:
            owner = self.of(table.args[0], shadowed)
            return None if owner is None else _usual(f"{owner}.{key}")
        return None

    def _called(self, node: ast.Call, shadowed: frozenset[str]) -> str | None:
        function = self.of(node.func, shadowed)
        if function in _IMPORTERS and node.args:
            name = text_of(node.args[0])
            return None if name is None else _usual(name)
        if function == "builtins.getattr" and len(node.args) > 1:
            base, name = self.of(node.args[0], shadowed), text_of(node.args[1])
            return None if base is None or name is None else _usual(f"{base}.{name}")
        if function in ("sys.modules.get", "sys.modules.pop") and node.args:
            name = text_of(node.args[0])
            return None if name is None else _usual(name)
        return None

    def uses(self) -> Iterator[Use]:
        """Every place where a module or a member of one is taken hold of, imports among them."""
        pending: list[tuple[ast.AST, frozenset[str]]] = [(self._tree, frozenset())]
        while pending:
            node, shadowed = pending.pop()
            yield from self._at(node, shadowed)
            inner = shadowed
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                inner = shadowed | _parameters(node.args) - self._known.keys()
            pending.extend((child, inner) for child in ast.iter_child_nodes(node))

    def _at(self, node: ast.AST, shadowed: frozenset[str]) -> Iterator[Use]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Use(_usual(alias.name), node)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield Use(_usual(node.module if alias.name == "*" else f"{node.module}.{alias.name}"), node)
        elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                return
            name = self.of(node, shadowed)
            if name is not None:
                yield Use(name, node)


def imports(tree: ast.Module) -> Iterator[Use]:
    """What is imported, by statement or by a call with a fixed name."""
    names = Names(tree)
    for use in names.uses():
        direct = isinstance(use.node, ast.Import | ast.ImportFrom)
        if direct or (isinstance(use.node, ast.Call) and names.of(use.node.func) in _IMPORTERS):
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


def _assignments(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield target.id, value
                    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                        for one, part in zip(target.elts, value.elts, strict=False):
                            if isinstance(one, ast.Name):
                                yield one.id, part
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield name, value
            case _:
                pass


def _parameters(arguments: ast.arguments) -> frozenset[str]:
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    return frozenset(one.arg for one in every if one is not None)


def _usual(name: str) -> str:
    for other, usual in _SAME.items():
        if name == other or name.startswith(f"{other}."):
            return usual + name[len(other) :]
    return name


def counted(uses: Iterator[Use]) -> Mapping[str, int]:
    """How often each name is used."""
    found: dict[str, int] = {}
    for use in uses:
        found[use.name] = found.get(use.name, 0) + 1
    return found
