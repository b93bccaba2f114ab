"""Uses of names that a change brought in: what stood in the code as given is nobody's doing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Hashable
from typing import NamedTuple

from bouts.adapters.scanners.integrity.resolving import Names, Use


class Code(NamedTuple):
    """What the uses of a kind in one file are, and its statements."""

    uses: list[Use]
    statements: list[tuple[str, str]]


def code_of(tree: ast.Module | None, wanted: Callable[[str], bool]) -> Code:
    """The uses of the wanted names in a file; nothing where there is none."""
    if tree is None:
        return Code([], [])
    names = Names(tree)
    return Code([use for use in names.uses() if wanted(use.name)], names.statements)


_SAME: tuple[Callable[[Use], Hashable], ...] = (
    lambda use: (use.scope, use.name, use.head, ast.dump(use.node)),
    lambda use: (use.scope, use.name, ast.dump(use.node)),
    lambda use: (use.scope, use.name),
    lambda use: (use.name, use.head),
)
"""What makes a use one that stood there, the surest first: the same in its statement, elsewhere in its function, a
changed one of its function, a statement that has moved."""


def fresh(now: Code, given: Code) -> list[Use]:
    """Uses that the file as given did not have, one a line.

    A statement that stood there is shown only where nothing else tells: where it means something else now, it is the
    change around it that made it so.
    """
    left, old = list(now.uses), list(given.uses)
    for same in _SAME:
        left, old = _without(left, old, same)
    before = Counter(given.statements)
    stood = {key for key, count in Counter(now.statements).items() if count <= before[key]}
    shown = [use for use in left if (use.scope, use.head) not in stood] or left
    lines: dict[int, Use] = {}
    for use in shown:
        lines.setdefault(getattr(use.node, "lineno", 0), use)
    return [use for _, use in sorted(lines.items())]


def _without(left: list[Use], old: list[Use], same: Callable[[Use], Hashable]) -> tuple[list[Use], list[Use]]:
    """Both without the pairs that are the same."""
    known, seen = Counter(map(same, old)), Counter(map(same, left))
    return _beyond(left, known, same), _beyond(old, seen, same)


def _beyond(uses: list[Use], taken: Counter[Hashable], same: Callable[[Use], Hashable]) -> list[Use]:
    rest: list[Use] = []
    for use in uses:
        key = same(use)
        if taken[key]:
            taken[key] -= 1
        else:
            rest.append(use)
    return rest
