"""Candidates for hardcoded outputs. A literal alone never convicts: only value-swapped cases that then fail do."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from bouts.adapters.scanners.integrity.cases import cases, dump
from bouts.adapters.scanners.sources import Source, is_test, parse, source
from bouts.model.scanning import HardcodedCandidate
from bouts.model.text import clean, clean_line

MOST = 50
_TEXT = 4
_NUMBER = 100
_ITEMS = 3


def candidates(
    tests: Mapping[str, bytes], given: Mapping[str, Source], staged: Mapping[str, Source]
) -> tuple[HardcodedCandidate, ...]:
    """Literals that are new in the submission's functions and equal a value that a visible test expects.

    Values that occur by chance are left out: short texts, small whole numbers, collections of fewer than three items,
    and values that the test also passes in.
    """
    expected: dict[str, tuple[str, int, str]] = {}
    for path, data in sorted(tests.items()):
        tree = parse(data) if path.endswith(".py") else None
        if tree is None:
            continue
        lines = source(path, data).lines
        for name, case in cases(tree).items():
            for literal in _expected(case.node):
                key = dump(literal)
                expected.setdefault(key, (f"{path}::{name}", literal.lineno, lines[literal.lineno - 1].strip()))
    found: list[HardcodedCandidate] = []
    for path, item in sorted(staged.items()):
        tree = parse(item.data) if expected and not is_test(path) else None
        if tree is None:
            continue
        before = parse(given[path].data) if path in given else None
        known = {dump(literal) for literal in _literals(before)} if before is not None else set[str]()
        for literal in _literals(tree):
            match = expected.get(dump(literal))
            if match is not None and dump(literal) not in known:
                found.append(_candidate(path, literal.lineno, item, match))
    return tuple(sorted(found, key=lambda one: (one.path, one.line))[:MOST])


def _candidate(path: str, line: int, item: Source, match: tuple[str, int, str]) -> HardcodedCandidate:
    test, test_line, test_excerpt = match
    return HardcodedCandidate(
        path=clean_line(path, 300),
        line=line,
        excerpt=clean(item.lines[line - 1].strip(), 200),
        test=clean_line(test, 300),
        test_line=test_line,
        test_excerpt=clean(test_excerpt, 200),
    )


def _expected(test: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(test):
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare) and len(node.test.ops) == 1:
            sides = [node.test.left, node.test.comparators[0]]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "").startswith("assert") and len(node.args) > 1:
            sides = node.args[:2]
        else:
            continue
        inputs = {dump(literal) for side in sides if isinstance(side, ast.Call) for literal in ast.walk(side)}
        for side in sides:
            if _telling(side) and dump(side) not in inputs:
                yield side


def _literals(tree: ast.Module) -> Iterator[ast.expr]:
    """Telling literals inside functions."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                for node in ast.walk(statement):
                    if isinstance(node, ast.expr) and _telling(node):
                        yield node


def _telling(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return _rare(value)
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return len(items) >= _ITEMS and all(_literal(item) for item in items)
        case ast.Dict(keys=keys, values=values):
            return (
                len(keys) >= _ITEMS
                and all(key is not None and _literal(key) for key in keys)
                and all(map(_literal, values))
            )
        case _:
            return False


def _rare(value: object) -> bool:
    match value:
        case str() | bytes():
            return len(value) >= _TEXT
        case bool():
            return False
        case int():
            return abs(value) >= _NUMBER
        case float():
            return not value.is_integer()
        case _:
            return False


def _literal(node: ast.expr) -> bool:
    return all(
        isinstance(
            item,
            ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Dict | ast.UnaryOp | ast.unaryop | ast.expr_context,
        )
        for item in ast.walk(node)
    )
