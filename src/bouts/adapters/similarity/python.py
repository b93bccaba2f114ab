"""Python code as shapes, by its syntax tree. Nothing is executed or imported.

What a copier changes at no cost is taken out: names that the code binds become `V`, loops and comprehensions are one
kind, comparisons and commutative operands are ordered, `x += y` is `x = x + y`, the two ways to write a condition are
one, annotations, docstrings and comments do not count. Names of libraries, built-ins and their methods stay.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from bouts.adapters.similarity.expressions import Expressions
from bouts.adapters.similarity.names import Names
from bouts.adapters.similarity.parts import Part, symbol
from bouts.integrity.similarity.shapes import Shape, Token


class Reader:
    """Shapes and tokens of one file."""

    def __init__(self, names: Names, bound: frozenset[str]) -> None:
        self._of = Expressions(names, bound)
        self.unread = 0
        """Top-level statements that nest too deep to be read."""

    @property
    def shapes(self) -> list[Shape]:
        """Every statement, call and expression in normal form."""
        return self._of.shapes

    @property
    def tokens(self) -> list[Token]:
        """The normalised sequence."""
        return self._of.tokens

    def module(self, tree: ast.Module) -> None:
        """Read every top-level statement; one that nests too deep is left out and counted."""
        for statement in _without_docstring(tree.body):
            marks = len(self.shapes), len(self.tokens)
            try:
                self._of.depth = 0
                self.statement(statement)
            except RecursionError:
                del self.shapes[marks[0] :], self.tokens[marks[1] :]
                self.unread += 1

    def block(self, statements: list[ast.stmt]) -> None:
        """Read statements in order."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Read one statement with all that is in it."""
        handler = _STATEMENTS.get(type(node))
        if handler is not None:
            handler(self, node)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """A function or method."""
        arguments = node.args
        count = len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)
        self._of.token("def", node)
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self._of.expression(default)
        decorators = ",".join(self._of.expression(d).near for d in node.decorator_list)
        special = node.name if node.name.startswith("__") else "V"
        self._of.emit(f"def {special} {count} {decorators}", node, node.body[0].lineno)
        outer, self._of.first = self._of.first, _first_of(arguments) or self._of.first
        self.block(_without_docstring(node.body))
        self._of.first = outer
        self._of.token("end", node.body[-1])

    def klass(self, node: ast.ClassDef) -> None:
        """A class."""
        self._of.token("class", node)
        bases = ",".join(sorted(self._of.expression(b).near for b in node.bases))
        self._of.emit(f"class {bases}", node, node.body[0].lineno)
        self.block(_without_docstring(node.body))
        self._of.token("end", node.body[-1])

    def give_back(self, node: ast.Return) -> None:
        """`return`."""
        self._of.token("return", node)
        if node.value is not None:
            self._of.emit(f"return {self._of.expression(node.value).far}", node)

    def assign(self, node: ast.Assign) -> None:
        """An assignment."""
        # The value first, as it is evaluated; targets of a chain one by one, as each could be a statement.
        value = self._of.expression(node.value)
        for target in node.targets:
            self._set(self._of.expression(target), value, node)

    def annotated(self, node: ast.AnnAssign) -> None:
        """An assignment with a type."""
        if node.value is not None:
            value = self._of.expression(node.value)
            self._set(self._of.expression(node.target), value, node)

    def augmented(self, node: ast.AugAssign) -> None:
        """`x += y`, which is `x = x + y`."""
        value, target = self._of.expression(node.value), self._of.expression(node.target)
        self._set(target, self._of.operation(symbol(node.op), target, value, node), node)

    def _set(self, target: Part, value: Part, node: ast.stmt) -> None:
        self._of.token("set", node)
        self._of.emit(f"set {target.near}={value.far}", node)

    def loop(self, node: ast.For | ast.AsyncFor) -> None:
        """A `for` loop."""
        self._of.loop(node.target, node.iter, node)
        self.block(node.body)
        self.block(node.orelse)
        self._of.token("end", node.body[-1])

    def repeat(self, node: ast.While) -> None:
        """A `while` loop."""
        self._of.token("loop", node)
        if not isinstance(node.test, ast.Constant):
            self._of.condition(node.test)
        self.block(node.body)
        self.block(node.orelse)
        self._of.token("end", node.body[-1])

    def branch(self, node: ast.If) -> None:
        """`if` with all its `elif`."""
        # A long chain of `elif` is a chain of nested `if`s in the tree; it is walked here without nesting.
        one: ast.If | None = node
        while one is not None:
            self._of.token("if", one)
            self._of.condition(one.test)
            self.block(one.body)
            rest = one.orelse
            one = rest[0] if len(rest) == 1 and isinstance(rest[0], ast.If) else None
            if one is None:
                self.block(rest)

    def guarded(self, node: Any) -> None:
        """`try`."""
        self._of.token("try", node)
        self.block(node.body)
        for handler in node.handlers:
            self._of.token("except", handler)
            caught = self._of.expression(handler.type).near if handler.type is not None else ""
            self._of.emit(f"except {caught}", handler, handler.lineno)
            self.block(handler.body)
        self.block(node.orelse)
        self.block(node.finalbody)

    def fail(self, node: ast.Raise) -> None:
        """`raise`."""
        self._of.token("raise", node)
        self._of.emit(f"raise {self._of.expression(node.exc).near if node.exc is not None else ''}", node)

    def within(self, node: ast.With | ast.AsyncWith) -> None:
        """`with`."""
        self._of.token("with", node)
        for item in node.items:
            self._of.emit(f"with {self._of.expression(item.context_expr).far}", item.context_expr)
        self.block(node.body)

    def bare(self, node: ast.Expr) -> None:
        """An expression as a statement."""
        if isinstance(node.value, ast.Constant):
            return
        self._of.emit(f"do {self._of.expression(node.value).far}", node)

    def insist(self, node: ast.Assert) -> None:
        """`assert`."""
        self._of.token("assert", node)
        self._of.condition(node.test)

    def remove(self, node: ast.Delete) -> None:
        """`del`."""
        for target in node.targets:
            self._of.emit(f"del {self._of.expression(target).near}", node)

    def leave(self, node: ast.stmt) -> None:
        """`break` and `continue`."""
        self._of.token(type(node).__name__, node)

    def bring(self, node: ast.Import | ast.ImportFrom) -> None:
        """An import."""
        module = node.module if isinstance(node, ast.ImportFrom) else None
        for alias in node.names:
            self._of.emit(f"import {module or ''}:{alias.name}", node)

    def match(self, node: ast.Match) -> None:
        """`match`."""
        self._of.token("match", node)
        self._of.emit(f"match {self._of.expression(node.subject).near}", node.subject)
        for case in node.cases:
            self._of.token("case", case.pattern)
            self._of.emit(f"case {self._pattern(case.pattern)}", case.pattern)
            if case.guard is not None:
                self._of.condition(case.guard)
            self.block(case.body)

    def _pattern(self, node: ast.pattern) -> str:
        parts: list[str] = []
        for one in ast.walk(node):
            if isinstance(one, ast.pattern):
                parts.append(type(one).__name__)
            elif isinstance(one, ast.Constant):
                parts.append(self._of.expression(one).kind)
        return " ".join(parts[:20])


def _first_of(arguments: ast.arguments) -> str:
    every = (*arguments.posonlyargs, *arguments.args)
    return every[0].arg if every else ""


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body


_STATEMENTS: dict[type[ast.stmt], Callable[[Reader, Any], None]] = {
    ast.FunctionDef: Reader.function,
    ast.AsyncFunctionDef: Reader.function,
    ast.ClassDef: Reader.klass,
    ast.Return: Reader.give_back,
    ast.Assign: Reader.assign,
    ast.AnnAssign: Reader.annotated,
    ast.AugAssign: Reader.augmented,
    ast.For: Reader.loop,
    ast.AsyncFor: Reader.loop,
    ast.While: Reader.repeat,
    ast.If: Reader.branch,
    ast.Try: Reader.guarded,
    ast.TryStar: Reader.guarded,
    ast.Raise: Reader.fail,
    ast.With: Reader.within,
    ast.AsyncWith: Reader.within,
    ast.Expr: Reader.bare,
    ast.Assert: Reader.insist,
    ast.Delete: Reader.remove,
    ast.Break: Reader.leave,
    ast.Continue: Reader.leave,
    ast.Import: Reader.bring,
    ast.ImportFrom: Reader.bring,
    ast.Match: Reader.match,
}


def read_tree(tree: ast.Module, names: Names, bound: frozenset[str]) -> Reader:
    """Read one parsed file. `names` has learnt every file of the submission; `bound` is what this one binds."""
    reader = Reader(names, bound)
    reader.module(tree)
    return reader
