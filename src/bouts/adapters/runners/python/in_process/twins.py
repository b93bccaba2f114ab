"""Makes the twins of visible tests, outside the sandbox: copies in which one expected value is replaced by a wrong one.

They are made here and demanded by name, as code that shares a process with the tests could otherwise see to it that
none is made.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from pathlib import Path

from bouts.adapters.runners.python.in_process.inside import wrong

WRONG = "__wrong__"
"""What a twin calls to get a wrong value instead of the right one."""


def twins_of(folder: Path, tests: Sequence[str], most: int, seed: int) -> dict[str, str]:
    """Test id → source of its twin, for at most so many of the tests, drawn by the seed.

    A test has a twin where it is a plain function of a module, marked but not decorated otherwise, that asserts
    `left == right` at its top level.
    """
    drawn = list(tests)
    random.Random(seed).shuffle(drawn)  # noqa: S311 - a choice, not a secret
    read: dict[str, dict[str, str]] = {}
    made: dict[str, str] = {}
    for test in drawn:
        if len(made) >= most:
            break
        file, _, name = test.partition("::")
        if file not in read:
            read[file] = _twins_in(folder / file)
        source = read[file].get(name.partition("[")[0])
        if source is not None:
            made[test] = source
    return made


def _twins_in(path: Path) -> dict[str, str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    bound = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return {
        node.name: source for node in functions if bound.count(node.name) == 1 and (source := _twin(node)) is not None
    }


def _twin(function: ast.FunctionDef) -> str | None:
    compared = next((node.test for node in function.body if isinstance(node, ast.Assert) and _equality(node)), None)
    leaving = (ast.Return, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)
    if not isinstance(compared, ast.Compare) or any(isinstance(node, leaving) for node in ast.walk(function)):
        return None
    if not all(_is_mark(decorator) for decorator in function.decorator_list):
        return None
    _spoil(function, compared)
    function.decorator_list, function.returns = [], None
    for argument in _arguments(function):
        argument.annotation = None
    return ast.unparse(ast.fix_missing_locations(function))


def _spoil(function: ast.FunctionDef, compared: ast.Compare) -> None:
    """Replace what is expected, wherever the twin's frame would show it: code that takes its answer from there then
    gives the wrong one."""
    right = compared.comparators[0]
    spoiled = _spoiled(right)
    if spoiled is not None:
        compared.comparators[0] = spoiled
        return
    asked = ast.Call(ast.Name(WRONG, ast.Load()), [right], [])
    given = [argument.arg for argument in _arguments(function)]
    if isinstance(right, ast.Name) and right.id in given and _uses(function, right.id) == 1:
        function.body.insert(0, ast.Assign([ast.Name(right.id, ast.Store())], asked))
    else:
        compared.comparators[0] = asked


def _spoiled(node: ast.expr) -> ast.expr | None:
    """A wrong literal instead of a right one, or `None` where it is no literal of which there is one."""
    try:
        value = ast.literal_eval(node)
        made = ast.parse(repr(wrong(value)), mode="eval").body
        return made if type(ast.literal_eval(made)) is type(value) else None
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _uses(function: ast.FunctionDef, name: str) -> int:
    return sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))


def _equality(node: ast.Assert) -> bool:
    return isinstance(node.test, ast.Compare) and len(node.test.ops) == 1 and isinstance(node.test.ops[0], ast.Eq)


def _is_mark(node: ast.expr) -> bool:
    return ast.unparse(node).startswith("pytest.mark.")
