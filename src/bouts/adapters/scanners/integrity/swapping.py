"""Visible tests with other values: what a reference that knows the task answers as well, and a table of answers not.

A made file is the author's with its literals swapped. Each test in it records what it compares with fixed values, or,
given what the reference showed there, demands the same. Texts become texts of the same shape, numbers grow by a factor,
so most relations between them stay; where they don't, the reference fails and that choice of values is not used.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping, Set
from importlib.resources import files
from typing import NamedTuple, cast

from bouts.adapters.scanners.integrity.cases import Function, cases
from bouts.adapters.scanners.integrity.literals import spelled, vocabulary_of
from bouts.adapters.scanners.sources import parse
from bouts.model.scanning import SwappedTests

ROUNDS = 3
"""Choices of values in each way of swapping."""
AS_GIVEN = "as given"
WAYS = ("texts and numbers", "texts", "numbers", "digits")
"""Ways of swapping, the first that the reference can follow is used."""
_FACTORS = (3, 5, 7)
_SHIFTS = (5, 11, 17)
_KEPT_KEYWORDS = frozenset({"match", "ids", "id", "marks", "reason", "name", "msg", "scope", "encoding", "errors"})
_KEPT_CALLS = frozenset(
    {"getattr", "setattr", "hasattr", "delattr", "fixture", "usefixtures", "importorskip", "format"}
)
_STATIC_CALLS = frozenset({"set", "dict", "list", "tuple", "frozenset", "approx"})


class Swap(NamedTuple):
    """One choice of values."""

    way: str
    round: int
    vocabulary: Set[str]

    def value(self, value: object) -> object:
        """The swapped value, or the same one."""
        texts, numbers = "texts" in self.way, "numbers" in self.way
        if isinstance(value, bool) or (spelled(value) in self.vocabulary and isinstance(value, str | bytes)):
            return value
        if isinstance(value, int | float) and numbers:
            return value * _FACTORS[self.round]
        if isinstance(value, str) and (texts or self.way == "digits"):
            return "".join(map(self._letter if texts else self._digit, value))
        if isinstance(value, bytes) and value.isascii() and texts:
            return "".join(map(self._letter, value.decode())).encode()
        return value

    def _letter(self, letter: str) -> str:
        for first in ("a", "A"):
            if 0 <= ord(letter) - ord(first) < 26:
                return chr((ord(letter) - ord(first) + _SHIFTS[self.round]) % 26 + ord(first))
        return letter

    def _digit(self, letter: str) -> str:
        return str((int(letter) - 1 + 2 * self.round + 1) % 9 + 1) if letter in "123456789" else letter

    def spelled(self, value: str) -> str:
        """The swapped value of a spelled literal."""
        try:
            return spelled(self.deep(ast.literal_eval(value))) or value
        except (ValueError, SyntaxError, RecursionError):
            return value

    def deep(self, value: object) -> object:
        """The same with every member swapped."""
        match value:
            case list():
                return [self.deep(item) for item in cast("list[object]", value)]
            case tuple():
                return tuple(self.deep(item) for item in cast("tuple[object, ...]", value))
            case set():
                return {self.deep(item) for item in cast("set[object]", value)}
            case dict():
                table = cast("dict[object, object]", value)
                return {self.deep(key): self.deep(item) for key, item in table.items()}
            case _:
                return self.value(value)


def swapped(
    tests: Mapping[str, bytes], wanted: Mapping[str, Set[str]], own: Set[bytes], literals: Set[str]
) -> tuple[SwappedTests, ...]:
    """Every test file with `wanted` tests in it, as given and in each choice of values. `own` is the code whose
    literals keep their value; for `literals` the swapped ones are told."""
    vocabulary = vocabulary_of(map(parse, own))
    choices = [(AS_GIVEN, 0), *((way, number) for way in WAYS for number in range(ROUNDS))]
    made: list[SwappedTests] = []
    for count, (way, number) in enumerate(choices):
        swap = Swap(way, number, vocabulary)
        texts: dict[str, str] = {}
        origins: dict[str, str] = {}
        for place, (path, names) in enumerate(sorted(wanted.items())):
            folder, slash, _ = path.rpartition("/")
            name = f"{folder}{slash}test_bouts_{count}_{place}.py"
            text = _made(tests[path], names, swap)
            if text is not None:
                texts[name], origins[name] = text, path
        values = {value: new for value in literals if way != AS_GIVEN and (new := swap.spelled(value)) != value}
        made.append(SwappedTests(way=way, round=number, files=texts, origins=origins, values=values))
    return tuple(made)


def _made(data: bytes, names: Set[str], swap: Swap) -> str | None:
    try:
        tree = ast.parse(data)  # a tree of its own, as it is changed
    except (SyntaxError, ValueError, RecursionError):
        return None
    fixed = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and _static(node.value, frozenset())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    _Values(swap.value if swap.way != AS_GIVEN else lambda value: value).visit(tree)
    for case in cases(tree).values():
        if case.name in names:
            _watch(case.node, frozenset(fixed))
    future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    tree.body = [*future, *_probe().body, *(node for node in tree.body if node not in future)]
    return ast.unparse(ast.fix_missing_locations(tree))


def _probe() -> ast.Module:
    return ast.parse(_probe_text())


@functools.cache
def _probe_text() -> str:
    return (files(__package__ or "") / "probe.txt").read_text(encoding="utf-8")


class _Values(ast.NodeTransformer):
    """Swaps literals where they are values; names of fixtures, marks, patterns and the like stay."""

    def __init__(self, value: Callable[[object], object]) -> None:
        self._value = value

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = self._value(node.value)
        if isinstance(value, int | float) and value < 0:
            return ast.UnaryOp(ast.USub(), ast.Constant(-value))
        return ast.Constant(value)  # pyright: ignore[reportArgumentType]

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> ast.AST:
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return node if node.arg in _KEPT_KEYWORDS else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _KEPT_CALLS:
            return node
        if name == "parametrize" and len(node.args) > 1:
            return self._parametrize(node)
        if name == "param":
            node.keywords = [item for item in node.keywords if item.arg != "id"]
        if name == "raises":
            node.keywords = [item for item in node.keywords if item.arg != "match"]
        return self.generic_visit(node)

    def _parametrize(self, node: ast.Call) -> ast.AST:
        """Cases are told apart by number, as their values change."""
        node.args[1] = self.visit(node.args[1])
        node.keywords = [item for item in node.keywords if item.arg != "ids"]
        if isinstance(node.args[1], ast.List | ast.Tuple):
            numbers: list[ast.expr] = [ast.Constant(str(number)) for number in range(len(node.args[1].elts))]
            node.keywords.append(ast.keyword("ids", ast.List(numbers, ast.Load())))
        return node


def _watch(node: Function, fixed: Set[str]) -> None:
    """Let a probe see what the test compares with fixed values."""
    parameters = {n for item in node.decorator_list if isinstance(item, ast.Call) for n in _parameters(item)}
    seen = _Asserts(fixed | parameters)
    flat: list[ast.stmt] = []
    for statement in node.body:
        new = cast("ast.stmt | list[ast.stmt]", seen.visit(statement))
        flat += new if isinstance(new, list) else [new]
    probe = ast.Call(ast.Name("_BoutsProbe", ast.Load()), [], [])
    node.body = [ast.With([ast.withitem(probe, ast.Name("_bouts", ast.Store()))], flat)]


def _parameters(decorator: ast.Call) -> list[str]:
    if getattr(decorator.func, "attr", "") != "parametrize" or not decorator.args:
        return []
    match decorator.args[0]:
        case ast.Constant(value=str() as names):
            return [name.strip() for name in names.split(",")]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        case _:
            return []


class _Asserts(ast.NodeTransformer):
    """Turns comparisons with a fixed value into records of the other side; what is nested in functions stays."""

    def __init__(self, fixed: Set[str]) -> None:
        self._fixed = fixed

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST | list[ast.AST]:
        if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And):
            return [self._one(ast.Assert(part, node.msg)) for part in node.test.values]
        return self._one(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("assertEqual", "assertEquals"):
            return self._seen(call.args[0], call.args[1], node) if len(call.args) > 1 else node
        return node

    def _one(self, node: ast.Assert) -> ast.AST:
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            return self._seen(test.left, test.comparators[0], node)
        return node

    def _seen(self, left: ast.expr, right: ast.expr, node: ast.stmt) -> ast.stmt:
        for fixed, other in ((right, left), (left, right)):
            if _static(fixed, self._fixed) and not _static(other, self._fixed):
                equal = ast.Attribute(ast.Name("_bouts", ast.Load()), "equal", ast.Load())
                return ast.Expr(ast.Call(equal, [fixed, other], []))
        return node


def _static(node: ast.expr, names: Set[str]) -> bool:  # noqa: PLR0911 - one for each shape
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in names
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(_static(part, names) for part in parts)
        case ast.Dict(keys=keys, values=values):
            return all(part is not None and _static(part, names) for part in (*keys, *values))
        case ast.UnaryOp(operand=part):
            return _static(part, names)
        case ast.BinOp(left=left, right=right):
            return _static(left, names) and _static(right, names)
        case ast.Call(func=function, args=parts):
            called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            return called in _STATIC_CALLS and all(_static(part, names) for part in parts)
        case _:
            return False
