"""Which scope of a file binds a name, by Python's rules, and what each binding may give it."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple, cast

Place = tuple[int, int]
_START: Place = (0, 0)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_CLOSED = ("function", "comprehension")
_BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})


class Scope:
    """A module, a class body, a function (lambdas, too) or a comprehension."""

    def __init__(self, kind: str, parent: Scope | None = None, name: str = "") -> None:
        self.kind, self.parent = kind, parent
        self.path: str = f"{parent.path}.{name}" if parent is not None and name else parent.path if parent else ""
        """Names of the functions and classes around, such as `.Box.put`."""
        self.shared: dict[str, str] = {}
        """Names that a statement declares `global` or `nonlocal`."""
        self.events: dict[str, list[tuple[Place, bool]]] = {}
        """Where each name is bound, or (false) unbound; in the order of the text once all are known."""
        self.values: dict[str, list[ast.expr | str]] = {}
        """What names may stand for: expressions, or dotted names of what is imported."""

    @property
    def module(self) -> Scope:
        """The scope of the whole file."""
        return self if self.parent is None else self.parent.module

    def owner(self, name: str) -> Scope:
        """The scope that a binding of the name in this one belongs to."""
        declared = self.shared.get(name)
        if declared == "global":
            return self.module
        if declared == "nonlocal":
            return next((one for one in self._around() if name in one.events), self)
        return self

    def _around(self) -> Iterator[Scope]:
        """Functions and comprehensions around this scope, from within."""
        one = self.parent
        while one is not None:
            if one.kind in _CLOSED:
                yield one
            one = one.parent

    def binding(self, name: str, place: Place) -> tuple[list[Scope], bool]:
        """Scopes whose binding a name read at a place may mean, and whether it may be the language's own.

        A class body is seen by nothing inside it; a name that a module or a class body has not bound yet is looked
        for further out.
        """
        found: list[Scope] = []
        one: Scope | None = self
        at_once = True
        while one is not None:
            if one.kind != "module" and name in one.shared:
                owner, at_once = one.owner(name), False
                if owner is one:
                    return found, False
                one = owner
                continue
            if name in one.events and (one.kind != "class" or one is self):
                found.append(one)
                if one.kind in _CLOSED or one.bound(name, place if at_once else None):
                    return found, False
            at_once = at_once and one.kind != "function"
            one = one.parent
        return found, True

    def bound(self, name: str, place: Place | None) -> bool:
        """Whether code of this very scope finds the name bound at a place, or, without one, code that runs later."""
        events = self.events.get(name, [])
        before = len(events) if place is None else bisect_right(events, (place, True))
        return before > 0 and events[before - 1][1]


class Read(NamedTuple):
    """A node at which something may be taken hold of."""

    node: ast.AST
    scope: Scope
    head: str
    """The statement that it stands in, without the blocks below it."""


class Scopes:
    """The scopes of one file."""

    def __init__(self, tree: ast.Module) -> None:
        module = Scope("module")
        self.every: list[Scope] = [module]
        self.reads: list[Read] = []
        """Imports, and expressions that are read, in the order of the text."""
        self.heads: list[tuple[str, str]] = []
        """Path of the scope and head of every statement."""
        self.of_name: dict[int, Scope] = {}
        self.stars: list[str] = []
        self._dead: set[int] = set()
        self._first: dict[int, Scope] = {}
        self._bindings: list[tuple[Scope, str, Place, ast.expr | str | None, bool]] = []
        self._pending: list[tuple[ast.AST, Scope, str]] = [(tree, module, "")]
        while self._pending:
            self._visit(*self._pending.pop())
        for shared in (False, True):  # what is declared nonlocal is looked for among what is not
            for scope, name, place, value, bound in self._bindings:
                if (name in scope.shared) is shared:
                    self._enter(scope, name, place, value, bound)
        for scope in self.every:
            for events in scope.events.values():
                events.sort()

    def _enter(self, scope: Scope, name: str, place: Place, value: ast.expr | str | None, bound: bool) -> None:
        owner = scope.owner(name)
        if bound or owner.kind in ("module", "class"):
            owner.events.setdefault(name, []).append((place if owner is scope else _START, bound))
        else:  # a name that a function deletes is its own all the same
            owner.events.setdefault(name, []).append((_START, True))
        if value is not None:
            owner.values.setdefault(name, []).append(value)

    def _bind(
        self, scope: Scope, name: str, place: Place, value: ast.expr | str | None = None, *, bound: bool = True
    ) -> None:
        self._bindings.append((scope, name, place, value, bound))

    def _visit(self, node: ast.AST, scope: Scope, head: str) -> None:
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            head = head_of(node)
            self.heads.append((scope.path, head))
        if isinstance(node, ast.Name):
            self.of_name[id(node)] = scope
        if (
            isinstance(node, ast.Import | ast.ImportFrom)
            or isinstance(getattr(node, "ctx", None), ast.Load)
            or isinstance(node, ast.Call)
        ):
            self.reads.append(Read(node, scope, head))
        dead = id(node) in self._dead
        if not dead or scope.kind in _CLOSED:  # in a function a name is local wherever it is bound
            self._binds(node, scope)
        if dead:
            self._dead |= {id(part) for part in ast.iter_child_nodes(node)}
        elif isinstance(node, ast.If | ast.While) and isinstance(node.test, ast.Constant) and not node.test.value:
            self._dead |= {id(part) for part in node.body}
        inside = self._inside(node, scope)
        children = [(child, inside.get(id(child), scope), head) for child in ast.iter_child_nodes(node)]
        self._pending.extend(reversed(children))

    def _inside(self, node: ast.AST, scope: Scope) -> dict[int, Scope]:
        """Scopes of those children that don't run in the scope of the node itself."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inner = Scope("function", scope, getattr(node, "name", ""))
            self.every.append(inner)
            self._parameters(node.args, inner)
            body = [node.body] if isinstance(node, ast.Lambda) else node.body
            return {id(part): inner for part in body}
        if isinstance(node, ast.ClassDef):
            inner = Scope("class", scope, node.name)
            self.every.append(inner)
            return {id(part): inner for part in node.body}
        if isinstance(node, _COMPREHENSIONS):
            inner = Scope("comprehension", scope)
            self.every.append(inner)
            self._first[id(node.generators[0])] = scope
            return {id(part): inner for part in ast.iter_child_nodes(node)}
        if isinstance(node, ast.comprehension) and id(node) in self._first:
            return {id(node.iter): self._first[id(node)]}
        return {}

    def _parameters(self, arguments: ast.arguments, inner: Scope) -> None:
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults = dict(zip([one.arg for one in reversed(plain)], reversed(arguments.defaults), strict=False))
        defaults |= {
            one.arg: value
            for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if value is not None
        }
        for one in (*plain, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if one is not None:
                self._bind(inner, one.arg, _START, defaults.get(one.arg))

    def _binds(self, node: ast.AST, scope: Scope) -> None:
        """Names that the node itself binds."""
        match node:
            case ast.Global(names=names):
                scope.shared |= dict.fromkeys(names, "global")
            case ast.Nonlocal(names=names):
                scope.shared |= dict.fromkeys(names, "nonlocal")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                self._bind(scope, name, _end(node))
            case ast.Import() | ast.ImportFrom():
                self._imports(node, scope)
            case ast.ExceptHandler(name=str() as name):
                self._bind(scope, name, _begin(node.body[0]))
                self._bind(scope, name, _end(node), bound=False)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                self._bind(scope, name, _end(node))
            case ast.MatchMapping(rest=str() as name):
                self._bind(scope, name, _end(node))
            case ast.Delete(targets=targets):
                for name in _names(targets):
                    self._bind(scope, name, _end(node), bound=False)
            case _:
                self._assigns(node, scope)

    def _imports(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        known = isinstance(node, ast.Import) or bool(node.module and not node.level)
        for alias in node.names:
            if alias.name == "*":
                self.stars += [node.module or ""] if known and isinstance(node, ast.ImportFrom) else []
            elif isinstance(node, ast.Import):
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                self._bind(scope, alias.asname or whole, _end(node), whole)
            else:
                whole = f"{node.module}.{alias.name}" if known else None
                self._bind(scope, alias.asname or alias.name, _end(node), whole)

    def _assigns(self, node: ast.AST, scope: Scope) -> None:  # noqa: PLR0912 - one for each kind
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._targets(scope, target, _end(node), value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._targets(scope, target, _end(node), value)
            case ast.AnnAssign(target=ast.Name(id=name)):
                if scope.kind == "function":  # a bare annotation makes a name local, and gives it nothing
                    self._bind(scope, name, _end(node))
            case ast.AugAssign(target=target):
                self._targets(scope, target, _end(node), None)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                while scope.kind == "comprehension" and scope.parent is not None:
                    scope = scope.parent
                self._bind(scope, name, _end(node), value)
            case ast.For(target=target, iter=values) | ast.AsyncFor(target=target, iter=values):
                self._each(scope, target, values)
            case ast.comprehension(target=target, iter=values):
                self._each(scope, target, values)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._targets(scope, target, _end(value), None)
            case _:
                if type(node).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple", "TypeAlias"):
                    name = getattr(node, "name", None)
                    name = name.id if isinstance(name, ast.Name) else name
                    if isinstance(name, str):
                        self._bind(scope, name, _end(node))

    def _each(self, scope: Scope, target: ast.expr, values: ast.expr) -> None:
        place = _end(values)
        self._targets(scope, target, place, None)
        if isinstance(values, ast.List | ast.Tuple | ast.Set):
            for value in values.elts:
                self._targets(scope, target, place, value)

    def _targets(self, scope: Scope, target: ast.expr, place: Place, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self._bind(scope, target.id, place, value)
        elif isinstance(target, ast.Starred):
            self._targets(scope, target.value, place, None)
        elif isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            even = len(parts) == len(target.elts)
            for number, one in enumerate(target.elts):
                self._targets(scope, one, place, parts[number] if even else None)


def head_of(node: ast.AST) -> str:
    """A statement, without the blocks below it, in a form that layout does not change."""
    below = {id(part) for name in _BLOCKS for part in _list(node, name)}
    parts = [ast.dump(part) for part in ast.iter_child_nodes(node) if id(part) not in below]
    texts = [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
    return " ".join([type(node).__name__, *texts, *parts])


def _list(node: ast.AST, name: str) -> list[object]:
    value = getattr(node, name, None)
    return cast("list[object]", value) if isinstance(value, list) else []


def _names(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, ast.Tuple | ast.List):
            yield from _names(target.elts)


def _begin(node: ast.AST) -> Place:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> Place:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
