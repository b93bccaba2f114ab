"""Literals of a file as data: their values in one spelling, their places, the statements that they stand in."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Set
from typing import NamedTuple, cast

DEEP = 30
"""Nesting up to which a collection is read."""
_BITS = 4_000
_ROWS = 2
_PARTS = ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Dict | ast.UnaryOp | ast.USub | ast.UAdd | ast.expr_context


class Place(NamedTuple):
    """A literal expression: value, bytes of the file, and how telling it is."""

    value: str
    start: int
    end: int
    weight: int


class Unit(NamedTuple):
    """The part of a statement that is evaluated by itself: a condition, what is returned, assigned or called."""

    line: int
    last: int
    places: tuple[Place, ...]
    """A collection stands before its members."""
    guard: bool
    """Whether it compares something with a literal: a row of a table that is written as a chain of cases."""
    tables: tuple[tuple[frozenset[str], ...], ...]
    """Of each collection with more than two rows what tells a row: a member or a key, and what a collection that is one
    or belongs to one holds."""


def spelled(value: object, depth: int = 0) -> str | None:
    """A value as Python writes it, the same for equal values; none for what is no plain literal."""
    if depth > DEEP or (isinstance(value, int) and value.bit_length() > _BITS):
        return None
    match value:
        case None | bool() | str() | bytes() | int():
            return repr(value)
        case float():
            return repr(int(value)) if value.is_integer() else format(value, ".9g")
        case list() | tuple() | set() | dict():
            return _collection(cast("Collection[object]", value), depth)
        case _:
            return None


def _collection(value: Collection[object], depth: int) -> str | None:
    if isinstance(value, dict):
        table = cast("dict[object, object]", value)
        rows = [(spelled(key, depth + 1), spelled(item, depth + 1)) for key, item in table.items()]
        whole = None if any(None in row for row in rows) else sorted(f"{key}: {item}" for key, item in rows)
        return None if whole is None else "{" + ", ".join(whole) + "}"
    parts = [part for item in value if (part := spelled(item, depth + 1)) is not None]
    if len(parts) < len(value):
        return None
    if isinstance(value, set):
        return "{" + ", ".join(sorted(parts)) + "}" if parts else "set()"
    inner = ", ".join(parts)
    if isinstance(value, list):
        return f"[{inner}]"
    return f"({inner},)" if len(parts) == 1 else f"({inner})"


def value_of(node: ast.expr) -> str | None:
    """The spelled value of a literal expression, or none."""
    if isinstance(node, ast.Constant):
        return spelled(node.value)
    if not all(isinstance(item, _PARTS) for item in ast.walk(node)):
        return None
    try:
        return spelled(ast.literal_eval(node))
    except (ValueError, TypeError, MemoryError, RecursionError, SyntaxError):
        return None


def weight_of(node: ast.expr) -> int:
    """How unlikely it is that two texts hold this literal by chance: 0 to 3, and 2 for what holds several values."""
    match node:
        case ast.Constant(value=value):
            return _weight(value)
        case ast.UnaryOp(operand=operand):
            return weight_of(operand)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return 2 if len(parts) > 1 else 0
        case ast.Dict(keys=keys):
            return 2 if len(keys) > 1 else 0
        case _:
            return 0


def _weight(value: object) -> int:
    match value:
        case bool() | None:
            return 0
        case str() | bytes():
            return min(3, len(value) // 2 + (len(value) > 2))
        case int():
            size = abs(value)
            return 0 if size <= 2 else 1 if size < 10 else 2 if size < 100 else 3
        case float():
            return 3 if not value.is_integer() else _weight(int(value))
        case _:
            return 0


def literal_nodes(tree: ast.AST) -> Iterator[ast.expr]:
    """Literal expressions below a node, each before its parts; none from formatted strings."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Dict | ast.UnaryOp):
            yield node
        pending.extend(reversed(list(ast.iter_child_nodes(node))))


def values(tree: ast.AST) -> set[str]:
    """The spelled value of every literal below a node. Positional arguments of a call count as a tuple, too."""
    found = {value for node in literal_nodes(tree) if (value := value_of(node)) is not None}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > 1:
            whole = value_of(ast.Tuple(elts=node.args, ctx=ast.Load()))
            if whole is not None:
                found.add(whole)
    return found


def units(tree: ast.Module, data: bytes) -> list[Unit]:
    """The statements' parts that hold literals. Empty for a file whose bytes are not plain UTF-8."""
    if data.startswith(b"\xef\xbb\xbf"):
        return []
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: list[Unit] = []
    for node in ast.walk(tree):
        for part in _parts(node):
            places = tuple(_places(part, starts))
            if places:
                guard = isinstance(node, ast.MatchValue) or (isinstance(node, ast.If) and _compares(part))
                found.append(Unit(part.lineno, part.end_lineno or part.lineno, places, guard, tuple(_tables(part))))
    return sorted(found, key=lambda unit: (unit.line, unit.places[0].start))


def _compares(part: ast.expr) -> bool:
    return any(isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) for node in ast.walk(part))


def _tables(part: ast.expr) -> Iterator[tuple[frozenset[str], ...]]:
    for node in ast.walk(part):
        rows: list[frozenset[str]] = []
        if isinstance(node, ast.Dict):
            keys = zip(node.keys, node.values, strict=True)
            rows = [
                _telling(key) | (_telling(value) if _collects(value) else frozenset()) for key, value in keys if key
            ]
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            rows = [_telling(member) for member in node.elts]
        if len(rows) > _ROWS:
            yield tuple(rows)


def _collects(node: ast.expr) -> bool:
    return isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set)


def _telling(node: ast.expr) -> frozenset[str]:
    found = (value_of(one) for one in literal_nodes(node) if weight_of(one))
    return frozenset(value for value in found if value is not None)


def _places(part: ast.expr, starts: list[int]) -> Iterator[Place]:
    for node in literal_nodes(part):
        value = value_of(node)
        if value is None or node.end_lineno is None or node.end_col_offset is None or node.end_lineno >= len(starts):
            continue
        start = starts[node.lineno - 1] + node.col_offset
        yield Place(value, start, starts[node.end_lineno - 1] + node.end_col_offset, weight_of(node))


def _parts(node: ast.AST) -> list[ast.expr]:  # noqa: PLR0911 - one for each shape
    match node:
        case ast.Expr(value=ast.Constant()):
            return []
        case ast.Return(value=value) | ast.Expr(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
            return [value] if value is not None else []
        case ast.AugAssign(value=value) | ast.Match(subject=value) | ast.For(iter=value) | ast.AsyncFor(iter=value):
            return [value]
        case ast.If(test=value) | ast.While(test=value) | ast.Assert(test=value) | ast.MatchValue(value=value):
            return [value]
        case ast.Raise(exc=value):
            return [value] if value is not None else []
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return [item.context_expr for item in items]
        case ast.arguments(defaults=defaults, kw_defaults=named):
            return [*defaults, *(value for value in named if value is not None)]
        case _:
            return []


def matched(unit: Unit, known: Set[str], vocabulary: Set[str]) -> int:
    """How telling it is that a unit holds literals of a test: the sum over those whose value means nothing else."""
    seen = {place.value: place.weight for place in unit.places if place.value in known}
    return sum(weight for value, weight in seen.items() if value not in vocabulary)


def mostly_other(unit: Unit, known: Set[str]) -> bool:
    """Whether the unit holds a table most of whose rows no visible test knows: it was not made for the tests."""
    return any(2 * sum(bool(row & known) for row in rows) < len(rows) for rows in unit.tables)


def vocabulary_of(trees: Iterable[ast.AST | None]) -> set[str]:
    """Values that code of the challenge's own holds: they mean something, whoever writes them."""
    return {value for tree in trees if tree is not None for value in values(tree)}
