"""Parts of expressions in normal form, and how operators are written."""

from __future__ import annotations

import ast
from typing import Any

MIRRORED: dict[type[ast.cmpop], str] = {ast.Gt: "<", ast.GtE: "<="}
SYMBOL: dict[type[Any], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "isnot", ast.In: "in", ast.NotIn: "notin", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|",
    ast.BitAnd: "&", ast.BitXor: "^", ast.MatMult: "@", ast.UAdd: "u+", ast.USub: "u-", ast.Invert: "~",
    ast.Not: "not", ast.And: "and", ast.Or: "or",
}  # fmt: skip
# A condition and its opposite are one shape.
AFFIRMED = {"!=": "==", ">=": "<", ">": "<=", "isnot": "is", "notin": "in"}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is": "isnot", "isnot": "is",
             "in": "notin", "notin": "in"}  # fmt: skip
COMMUTES = frozenset({"+", "*", "|", "&", "^"})
DEPTH = 150
LITERAL = 80


class Part:
    """An expression in three sizes: what it is, with its parts, and with the parts of its parts."""

    __slots__ = ("far", "kind", "near")

    def __init__(self, kind: str, near: str | None = None, far: str | None = None) -> None:
        self.kind = kind
        self.near = near if near is not None else kind
        self.far = far if far is not None else self.near


LEAF = Part("V")
OPAQUE = Part("?")
NOTHING = Part("")


def symbol(operator: ast.operator) -> str:
    """How an operator is written."""
    return SYMBOL[type(operator)]


def order(part: Part) -> str:
    """What operands that may change places are sorted by."""
    return part.near


def affirmed(text: str) -> str:
    """A condition, whichever way round it is written."""
    head, bracket, rest = text.partition("(")
    return AFFIRMED.get(head, head) + bracket + rest
