"""Candidates for hardcoded outputs. A literal alone never convicts: only tests with other values do."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from bouts.adapters.scanners.integrity.cases import cases
from bouts.adapters.scanners.integrity.literals import Unit, matched, mostly_other, units, values, vocabulary_of
from bouts.adapters.scanners.sources import Source, is_test, parse, scope_at, scopes, source
from bouts.integrity.proofs import EXCERPT
from bouts.model.scanning import HardcodedCandidate, Literal
from bouts.model.text import clean, clean_line

MOST = 300
"""Candidates of one submission."""
TELLING = 2
"""Weight from which the literals of a statement are worth a second run."""
_LITERALS = 200
_VALUE = 4_000
_UNITS = 20_000
_LINES = 8


class _Test(NamedTuple):
    name: str
    line: int
    excerpt: str
    values: Set[str]


def candidates(
    tests: Mapping[str, bytes],
    given: Mapping[str, Source],
    staged: Mapping[str, Source],
    reference: Mapping[str, bytes] | None = None,
) -> tuple[HardcodedCandidate, ...]:
    """Statements of the submission that hold literals of a visible test, the most telling first.

    Values that the code as given or the reference holds, too, mean something in the challenge and don't count. Small
    numbers and short texts count little, as they meet by chance.
    """
    wanted = [test for path, data in sorted(tests.items()) if path.endswith(".py") for test in _tests(path, data)]
    if not wanted:
        return ()
    own = [item.data for item in given.values() if not is_test(item.path)] + list((reference or {}).values())
    vocabulary = vocabulary_of(map(parse, own))
    found: list[HardcodedCandidate] = []
    for path, item in sorted(staged.items()):
        tree = parse(item.data) if not is_test(path) and item.encoding in ("utf-8", "ascii") else None
        if tree is not None:
            found += _in_file(path, item, tree, wanted, vocabulary)
    return tuple(sorted(found, key=lambda one: (-one.weight, one.path, one.line, one.test))[:MOST])


def _in_file(
    path: str, item: Source, tree: ast.Module, wanted: list[_Test], vocabulary: Set[str]
) -> Iterator[HardcodedCandidate]:
    """Statements of one file; beside a telling one what else its function has of the same test."""
    known = {value for test in wanted for value in test.values}
    around = scopes(tree)
    by_scope: dict[str, list[Unit]] = {}
    for unit in units(tree, item.data)[:_UNITS]:
        if not mostly_other(unit, known):
            by_scope.setdefault(scope_at(around, unit.line), []).append(unit)
    for found in by_scope.values():
        if _chain_of_others(found, known):
            continue
        for test in wanted:
            weighed = [(unit, matched(unit, test.values, vocabulary)) for unit in found]
            if any(weight >= TELLING for _, weight in weighed):
                yield from (_candidate(path, item, unit, test, weight) for unit, weight in weighed if weight)


def _chain_of_others(found: list[Unit], known: Set[str]) -> bool:
    """Whether a function tells cases apart, most of which no visible test knows."""
    guards = [any(place.weight and place.value in known for place in unit.places) for unit in found if unit.guard]
    return 2 * sum(guards) < len(guards)


def _tests(path: str, data: bytes) -> list[_Test]:
    tree = parse(data)
    if tree is None:
        return []
    lines = source(path, data).lines
    found: list[_Test] = []
    for name, case in cases(tree).items():
        node = case.node
        start = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        end = min(node.end_lineno or start, start + _LINES - 1)
        known: set[str] = set()
        for part in (*node.decorator_list, *node.body):
            if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
                known |= values(part)
        found.append(_Test(f"{path}::{name}", start, "\n".join(lines[start - 1 : end]), known))
    return found


def _candidate(path: str, item: Source, unit: Unit, test: _Test, weight: int) -> HardcodedCandidate:
    places = [p for p in unit.places if p.value in test.values and len(p.value) <= _VALUE][:_LITERALS]
    return HardcodedCandidate(
        path=clean_line(path, 300),
        line=unit.line,
        excerpt=clean("\n".join(item.lines[unit.line - 1 : min(unit.last, unit.line + _LINES - 1)]), EXCERPT),
        weight=weight,
        literals=tuple(Literal(start=p.start, end=p.end, value=p.value) for p in places),
        test=clean_line(test.name, 300),
        test_line=test.line,
        test_excerpt=clean(test.excerpt, EXCERPT),
    )
