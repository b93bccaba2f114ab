"""Expressions of Python code as shapes, and the heads of loops and conditions, which comprehensions have too."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from bouts.adapters.similarity.names import Names
from bouts.adapters.similarity.parts import (
    COMMUTES,
    DEPTH,
    LEAF,
    LITERAL,
    MIRRORED,
    NOTHING,
    OPAQUE,
    OPPOSITE,
    SYMBOL,
    Part,
    affirmed,
    order,
)
from bouts.integrity.similarity.shapes import Shape, Token, key


class Expressions:
    """Reads expressions of one file, and keeps the shapes and steps that it finds."""

    def __init__(self, names: Names, bound: frozenset[str]) -> None:
        self.names, self.bound = names, bound
        self.shapes: list[Shape] = []
        self.tokens: list[Token] = []
        self.depth = 0
        self.first = ""
        """Name of the first parameter of the function that is being read: `self`, or what a copier calls it."""

    def emit(self, text: str, node: Any, last: int | None = None) -> None:
        """Note a shape."""
        first = node.lineno
        self.shapes.append(Shape(key(text), first, last or node.end_lineno or first))

    def token(self, text: str, node: Any) -> None:
        """Note a step of the sequence."""
        self.tokens.append(Token(key(text), node.lineno))

    def loop(self, target: ast.expr, source: ast.expr, node: Any) -> None:
        """The head of a loop or of a part of a comprehension."""
        self.token("loop", node)
        if (
            isinstance(source, ast.Call)
            and isinstance(source.func, ast.Name)
            and source.func.id == "enumerate"
            and source.args
        ):
            source = source.args[0]
        found = self.expression(source)
        self.expression(target)
        self.emit(f"loop {found.far}", source)

    def condition(self, node: ast.expr) -> None:
        """A test, whichever way round it is written."""
        while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node = node.operand
        found = self.expression(node)
        self.emit(f"if {affirmed(found.far)}", node)

    def expression(self, node: ast.expr | None) -> Part:
        """Read one expression. Raises `RecursionError` where it nests too deep."""
        if node is None:
            return NOTHING
        handler = _EXPRESSIONS.get(type(node))
        if handler is None:
            return OPAQUE
        if self.depth >= DEPTH:
            raise RecursionError
        self.depth += 1
        made = handler(self, node)
        self.depth -= 1
        return made

    def _join(self, label: str, parts: list[Part], node: ast.expr, *, shape: bool = True) -> Part:
        kind = label
        near = f"{label}({','.join([p.kind for p in parts])})"
        far = f"{label}({','.join([p.near for p in parts])})"
        if len(far) > 600:
            far = near
        if len(near) > 600:
            near = far = f"{label}#{key(near)}"
        self.token(label, node)
        if shape:
            self.emit(far, node)
        return Part(kind, near, far)

    def name(self, node: ast.Name) -> Part:
        """A name."""
        if node.id in self.bound:
            return LEAF
        return Part(node.id)

    def constant(self, node: ast.Constant) -> Part:
        """A literal; telling ones are shapes of their own."""
        value = node.value
        if value is None or value is True or value is False or value is Ellipsis:
            return Part(str(value))
        if isinstance(value, int) and -2 < value < 3:
            return Part(str(value))
        text = repr(value) if not isinstance(value, int) or value.bit_length() < 300 else "long"
        self.emit(f"literal {text[:LITERAL]}", node)
        kind = "S" if isinstance(value, str | bytes) else "N"
        self.token(kind, node)
        return Part(kind)

    def attribute(self, node: ast.Attribute) -> Part:
        """An attribute."""
        value = self.expression(node.value)
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        if self.names.own_attribute(node.attr, of_own=bool(base) and (base == self.first or base in self.names.lost)):
            return Part("V", f"{value.kind}.V")
        return Part(f".{node.attr}", f"{value.kind}.{node.attr}", f"{value.near}.{node.attr}")

    def call(self, node: ast.Call) -> Part:
        """A call."""
        function = self.expression(node.func)
        parts = [self.expression(a) for a in node.args]
        for one in node.keywords:
            value = self.expression(one.value)
            own = one.arg is None or one.arg in self.names.keywords or function.kind == LEAF.kind
            name = "" if own else f"{one.arg}="
            parts.append(Part(name + value.kind, name + value.near))
        called = function.near if isinstance(node.func, ast.Attribute) else function.kind
        label = function.kind if isinstance(node.func, ast.Attribute) else called
        self.token(f"call {label}", node)
        near = f"{called}[{','.join([p.kind for p in parts])}]"
        far = f"{called}[{','.join([p.near for p in parts])}]"
        self.emit(far[:600], node)
        return Part(f"call{label}", near[:600], far[:600])

    def operation(self, symbol: str, left: Part, right: Part, node: Any) -> Part:
        """An operation on two parts."""
        parts = [left, right]
        if symbol in COMMUTES:
            parts.sort(key=order)
        return self._join(symbol, parts, node)

    def binary(self, node: ast.BinOp) -> Part:
        """An operation with two sides."""
        symbol = SYMBOL[type(node.op)]
        # Long sums are chains to the left; they are walked without nesting.
        chain = [node]
        while isinstance(chain[-1].left, ast.BinOp):
            chain.append(chain[-1].left)
        made = self.expression(chain[-1].left)
        for one in reversed(chain):
            symbol = SYMBOL[type(one.op)]
            made = self.operation(symbol, made, self.expression(one.right), one)
        return made

    def unary(self, node: ast.UnaryOp) -> Part:
        """An operation with one side."""
        inner = self.expression(node.operand)
        symbol = SYMBOL[type(node.op)]
        if symbol == "not":
            head, _, rest = inner.far.partition("(")
            if head in OPPOSITE:
                other = OPPOSITE[head]
                return Part(other, f"{other}({inner.near.partition('(')[2]}", f"{other}({rest}")
        return self._join(symbol, [inner], node, shape=False)

    def compare(self, node: ast.Compare) -> Part:
        """A comparison, always in the same direction."""
        sides = [self.expression(node.left), *(self.expression(c) for c in node.comparators)]
        if len(node.ops) == 1:
            kind = type(node.ops[0])
            symbol = SYMBOL[kind]
            if kind in MIRRORED:
                symbol = MIRRORED[kind]
                sides.reverse()
            elif symbol in {"==", "!="}:
                sides.sort(key=order)
            return self._join(symbol, sides, node)
        symbols = [SYMBOL[type(o)] for o in node.ops]
        if all(s in {">", ">="} for s in symbols):
            sides.reverse()
            symbols = ["<" if s == ">" else "<=" for s in reversed(symbols)]
        return self._join("cmp" + "".join(symbols), sides, node)

    def boolean(self, node: ast.BoolOp) -> Part:
        """`and` and `or`."""
        parts = sorted((self.expression(v) for v in node.values), key=order)
        return self._join(SYMBOL[type(node.op)], parts, node)

    def either(self, node: ast.IfExp) -> Part:
        """A conditional expression."""
        self.token("if", node)
        self.condition(node.test)
        parts = sorted((self.expression(node.body), self.expression(node.orelse)), key=order)
        return self._join("ifelse", parts, node, shape=False)

    def subscript(self, node: ast.Subscript) -> Part:
        """An element or a part."""
        return self._join("at", [self.expression(node.value), self.expression(node.slice)], node)

    def cut(self, node: ast.Slice) -> Part:
        """A slice."""
        return self._join("slice", [self.expression(n) for n in (node.lower, node.upper, node.step)], node, shape=False)

    def several(self, node: ast.List | ast.Tuple | ast.Set) -> Part:
        """A list, tuple or set."""
        label = type(node).__name__
        parts = [self.expression(e) for e in node.elts]
        return self._join(label, parts, node, shape=bool(parts))

    def mapping(self, node: ast.Dict) -> Part:
        """A dict."""
        parts: list[Part] = []
        for one, value in zip(node.keys, node.values, strict=True):
            first, second = self.expression(one), self.expression(value)
            parts.append(Part(f"{first.kind}:{second.kind}", f"{first.near}:{second.near}"))
        return self._join("Dict", parts, node, shape=bool(parts))

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Part:
        """A comprehension: the loop and the condition that it is."""
        for one in node.generators:
            self.loop(one.target, one.iter, node)
            for test in one.ifs:
                self.token("if", test)
                self.condition(test)
        if isinstance(node, ast.DictComp):
            parts = [self.expression(node.key), self.expression(node.value)]
            return self._join("gather", parts, node, shape=False)
        made = self.expression(node.elt)
        return Part("gather", f"gather({made.kind})", f"gather({made.near})")

    def anonymous(self, node: ast.Lambda) -> Part:
        """A lambda."""
        self.token("lambda", node)
        made = self.expression(node.body)
        return Part("lambda", f"lambda({made.kind})", f"lambda({made.near})")

    def text(self, node: ast.JoinedStr) -> Part:
        """An f-string."""
        parts = [self.expression(v) for v in node.values]
        return self._join("fstr", parts, node)

    def shown(self, node: ast.FormattedValue) -> Part:
        """A value in an f-string."""
        return self.expression(node.value)

    def starred(self, node: ast.Starred) -> Part:
        """An unpacked value."""
        value = self.expression(node.value)
        return Part(f"*{value.kind}", f"*{value.near}")

    def waited(self, node: ast.Await | ast.YieldFrom) -> Part:
        """`await` and `yield from`."""
        return self._join(type(node).__name__, [self.expression(node.value)], node)

    def produced(self, node: ast.Yield) -> Part:
        """`yield`."""
        return self._join("yield", [self.expression(node.value)], node)

    def walrus(self, node: ast.NamedExpr) -> Part:
        """An assignment within an expression."""
        value = self.expression(node.value)
        self.token("set", node)
        self.emit(f"set V={value.far}", node)
        return LEAF


_EXPRESSIONS: dict[type[ast.expr], Callable[[Expressions, Any], Part]] = {
    ast.Name: Expressions.name,
    ast.Constant: Expressions.constant,
    ast.Attribute: Expressions.attribute,
    ast.Call: Expressions.call,
    ast.BinOp: Expressions.binary,
    ast.UnaryOp: Expressions.unary,
    ast.Compare: Expressions.compare,
    ast.BoolOp: Expressions.boolean,
    ast.IfExp: Expressions.either,
    ast.Subscript: Expressions.subscript,
    ast.Slice: Expressions.cut,
    ast.List: Expressions.several,
    ast.Tuple: Expressions.several,
    ast.Set: Expressions.several,
    ast.Dict: Expressions.mapping,
    ast.ListComp: Expressions.comprehension,
    ast.SetComp: Expressions.comprehension,
    ast.GeneratorExp: Expressions.comprehension,
    ast.DictComp: Expressions.comprehension,
    ast.Lambda: Expressions.anonymous,
    ast.JoinedStr: Expressions.text,
    ast.FormattedValue: Expressions.shown,
    ast.Starred: Expressions.starred,
    ast.Await: Expressions.waited,
    ast.YieldFrom: Expressions.waited,
    ast.Yield: Expressions.produced,
    ast.NamedExpr: Expressions.walrus,
}
