"""A closer look at SQL that is built from strings: can anything be injected, and is it executed?"""

from __future__ import annotations

import ast
from typing import Literal

from bouts.adapters.scanners.strings import DEPTH, Names, Owner, built, own, pieces, within

Verdict = Literal["safe", "executed", "open"]

_EXECUTE = frozenset({"execute", "executemany", "executescript"})


def verdict(tree: ast.Module, line: int, end: int) -> Verdict:
    """Of the string expressions on these lines: `safe` where only constants, numbers and placeholders are put in,
    `executed` where one that is not safe reaches an `execute` of the same function, else `open`."""
    found: list[Verdict] = []
    for owner, text in built(tree):
        if text.lineno > end or (text.end_lineno or text.lineno) < line:
            continue
        names = Names(tree, owner, _doubled)
        if all(names.safe(piece, DEPTH) for piece in pieces(text)):
            found.append("safe")
        else:
            found.append("executed" if _executed(owner, text) else "open")
    if not found:
        return "open"
    return "executed" if "executed" in found else "open" if "open" in found else "safe"


def _executed(owner: Owner, text: ast.expr) -> bool:
    """Whether the string reaches an `execute`, directly or through a name."""
    names: set[str] = set()
    calls: list[ast.expr] = []
    for node in own(owner):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _EXECUTE
            and node.args
        ):
            calls.append(node.args[0])
        if isinstance(node, ast.Assign) and within(text, node.value):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value and within(text, node.value):
            names |= {node.target.id} if isinstance(node.target, ast.Name) else set()
    return any(within(text, call) or (isinstance(call, ast.Name) and call.id in names) for call in calls)


def _doubled(node: ast.expr) -> bool:
    """A text in which each quotation mark of a kind is doubled, as a quoted name or value asks for."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="replace"), args=[ast.Constant(value=str(mark)), ast.Constant(value=str(instead))]
        ):
            return mark in {'"', "'", "`"} and instead == 2 * mark
        case _:
            return False
