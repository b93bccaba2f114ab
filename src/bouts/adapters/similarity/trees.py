"""JavaScript, TypeScript, Go and Rust as shapes, by tree-sitter. The same is taken out as for Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from bouts.adapters.similarity.grammar import (
    AFFIRMED,
    COMMUTES,
    MIRRORED,
    NAMED,
    NOT_BOUND,
    OWNED,
    PUNCTUATION,
    ROLES,
    SAME,
)
from bouts.adapters.similarity.parts import LEAF, LITERAL, NOTHING, OPAQUE, Part, order
from bouts.errors import BadUsage
from bouts.integrity.similarity.shapes import Shape, Token, key

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

GRAMMARS = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
}
EXTRA = "languages"
DEPTH = 250
"""Levels of a tree that are read; what is deeper is one opaque part."""
NODES = 100_000
"""Nodes of one file that are read."""
_LONG = 600
_UNSAID = frozenset({"name", "return_type", "result", "type_parameters"})
_INNER = frozenset({"body", "consequence", "alternative"})


@cache
def parser(grammar: str) -> Parser:
    """The parser of a language. Raises `BadUsage` where it is not installed, naming the extra that brings it."""
    module, function = GRAMMARS[grammar]
    try:
        import tree_sitter

        language = getattr(import_module(module), function)()
    except ImportError as error:
        raise BadUsage(
            f"reading {grammar} needs the library {error.name}", hint=f"install it: pip install 'bouts[{EXTRA}]'"
        ) from error
    return tree_sitter.Parser(tree_sitter.Language(language))  # pyright: ignore[reportDeprecated]


@dataclass
class Bound:
    """What a submission binds itself, over all its files of these languages."""

    names: set[str]
    fields: set[str]

    def learn(self, root: Node) -> None:
        """Take in one file."""
        stack: list[tuple[Node, str]] = [(root, "")]
        seen = 0
        while stack and seen < NODES:
            node, inside = stack.pop()
            seen += 1
            kind = node.type
            if inside and ROLES.get(kind) in {"name", "field"}:
                (self.fields if inside == "field" else self.names).add(_text(node))
            if kind == "assignment_expression" and (given := _given_to_this(node)) is not None:
                self.fields.add(_text(given))
            for place, child in enumerate(node.children):
                if not child.is_named:
                    continue
                field = node.field_name_for_child(place) or ""
                where = f"{kind}.{field}"
                if where in NAMED or (where.endswith(".") and where in NAMED):
                    stack.append((child, "name"))
                elif where in OWNED:
                    stack.append((child, "field"))
                else:
                    binds = field not in NOT_BOUND or where == "pair_pattern.value"
                    stack.append((child, inside if binds else ""))


def _given_to_this(node: Node) -> Node | None:
    """The property in `this.property = …`. Asked from above, as the way up costs time in a deep tree."""
    left = node.child_by_field_name("left")
    thing = left.child_by_field_name("object") if left is not None and left.type == "member_expression" else None
    return (
        left.child_by_field_name("property")
        if left is not None and thing is not None and thing.type == "this"
        else None
    )


class TreeReader:
    """Shapes and tokens of one file."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.shapes: list[Shape] = []
        self.tokens: list[Token] = []
        self.nodes = 0

    def read(self, node: Node, depth: int = 0) -> Part:
        """Read a node with all that is below it; its normal form for what is around it."""
        role = ROLES.get(node.type, "")
        self.nodes += 1
        if depth > DEPTH or self.nodes > NODES:
            return OPAQUE
        if role == "skip" or node.type.endswith("_type"):
            return NOTHING
        if role in {"block", "several"}:
            self._all(node, depth)
            return NOTHING
        if role == "through":
            return next((p for p in self._all(node, depth) if p is not NOTHING), NOTHING)
        if role in {"name", "field", "number", "string"}:
            return self._leaf(role, node, depth)
        whole = self._structure if role in {"loop", "if", "function", "import"} else self._expression
        return whole(role, node, depth)

    def _all(self, node: Node, depth: int) -> list[Part]:
        return [self.read(child, depth + 1) for child in node.named_children]

    def _emit(self, text: str, node: Node) -> None:
        line = node.start_point[0] + 1
        self.shapes.append(Shape(key(text if len(text) <= _LONG else f"#{key(text)}"), line, node.end_point[0] + 1))

    def _token(self, text: str, node: Node) -> None:
        self.tokens.append(Token(key(text), node.start_point[0] + 1))

    def _leaf(self, role: str, node: Node, depth: int) -> Part:
        text = _text(node)
        if role == "name":
            return LEAF if text in self.bound.names else Part(text[:LITERAL])
        if role == "field":
            return LEAF if text in self.bound.fields else Part(f".{text[:LITERAL]}")
        if text in {"0", "1", "2"}:
            return Part(text)
        self._emit(f"literal {_value(text)[:LITERAL]}", node)
        kind = "S" if role == "string" else "N"
        self._token(kind, node)
        if node.named_child_count and depth < DEPTH:
            for child in node.named_children:
                if child.type == "template_substitution":
                    self._all(child, depth + 1)
        return Part(kind)

    def _structure(self, role: str, node: Node, depth: int) -> Part:
        self._token(role, node)
        if role == "import":
            self._emit(f"import {' '.join(_text(node).split())[:LITERAL]}", node)
            return NOTHING
        head: list[Part] = []
        value = NOTHING
        for place, child in enumerate(node.children):
            if not child.is_named:
                continue
            field = node.field_name_for_child(place)
            if field in _UNSAID:
                continue
            if field in _INNER:
                value = self.read(child, depth + 1)
            elif (role == "if" and field == "condition") or (role == "loop" and field == "condition"):
                self._emit(f"if {_affirmed(self.read(child, depth + 1).far)}", child)
            else:
                head += self._parts(child, depth + 1)
        if role == "loop":
            self._emit(f"loop {','.join(p.far for p in head)}", node.children[0])
        elif role == "function":
            self._emit(f"def {','.join(p.near for p in head)}", node.children[0])
        self._token("end", node)
        return Part(role, f"{role}({value.kind})", f"{role}({value.near})")

    def _expression(self, role: str, node: Node, depth: int) -> Part:
        parts: list[Part] = []
        marks: list[str] = []
        for child in node.children:
            if child.is_named:
                parts += self._parts(child, depth + 1)
            elif child.type not in PUNCTUATION:
                marks.append(SAME.get(child.type, child.type))
        if role == "member":
            return self._member(parts)
        if role == "call" and parts:
            return self._call(parts, node)
        label = role or node.type
        if role in {"binary", "unary"}:
            label = marks[0] if marks else label
            if label in MIRRORED:
                label = MIRRORED[label]
                parts.reverse()
            elif label in COMMUTES:
                parts.sort(key=order)
        elif role == "change" or (role == "set" and marks and marks[0].endswith("=")):
            parts = self._changed(marks[0].rstrip("=") if marks else "?", parts, node)
            label = "set"
        elif role == "step":
            parts = self._changed("+" if "++" in marks else "-", [*parts, Part("1")], node)
            label = "set"
        elif marks:
            label = f"{label} {' '.join(marks[:3])}"
        made = _join(label, parts)
        if parts:
            self._token(label, node)
            self._emit(made.far, node)
        return made

    def _changed(self, sign: str, parts: list[Part], node: Node) -> list[Part]:
        """`x += y` as the two sides of `x = x + y`."""
        value = _join(sign, sorted(parts, key=order) if sign in COMMUTES else parts)
        self._token(sign, node)
        self._emit(value.far, node)
        return [*parts[:1], value]

    def _parts(self, node: Node, depth: int) -> list[Part]:
        """A node as parts of what is around it; a list in brackets is its elements."""
        if ROLES.get(node.type) == "several" and depth <= DEPTH:
            return [part for child in node.named_children for part in self._parts(child, depth + 1)]
        part = self.read(node, depth)
        return [] if part is NOTHING else [part]

    def _member(self, parts: list[Part]) -> Part:
        if not parts:
            return OPAQUE
        last = parts[-1]
        thing = parts[0] if len(parts) > 1 else NOTHING
        if last is LEAF:
            return Part("V", f"{thing.kind}.V")
        name = last.kind if last.kind.startswith(".") else f".{last.kind}"
        return Part(name, f"{thing.kind}{name}", f"{thing.near}{name}"[:_LONG])

    def _call(self, parts: list[Part], node: Node) -> Part:
        called = parts[0]
        arguments = ",".join(p.near for p in parts[1:])
        self._token(f"call {called.kind}", node)
        far = f"{called.near}[{arguments}]"
        self._emit(far, node)
        return Part(f"call{called.kind}", f"{called.near}[{','.join(p.kind for p in parts[1:])}]"[:_LONG], far[:_LONG])


def _join(label: str, parts: list[Part]) -> Part:
    if not parts:
        return Part(label)
    near = f"{label}({','.join(p.kind for p in parts)})"
    far = f"{label}({','.join(p.near for p in parts)})"
    return Part(
        label, near if len(near) <= _LONG else f"{label}#{key(near)}", far if len(far) <= _LONG else near[:_LONG]
    )


def _affirmed(text: str) -> str:
    while text.startswith("!("):
        text = text[2:-1]
    head, bracket, rest = text.partition("(")
    return AFFIRMED.get(head, head) + bracket + rest


def _value(text: str) -> str:
    """A literal without the marks that one language writes in several ways."""
    return text[1:-1] if len(text) > 1 and text[0] in "\"'`" and text[-1] == text[0] else text


def _text(node: Node) -> str:
    return (node.text or b"")[:400].decode("utf-8", "replace")
