"""Disguises that a copier gives to somebody else's Python code, fixed before the similarity index was tuned.

Each takes a syntax tree and a seeded source of chance and returns a tree; `ast.unparse` gives every one a new layout
and drops comments, so that is part of all of them.
"""

from __future__ import annotations

import ast
import builtins
import copy
import random
import string
from collections.abc import Callable

BUILTIN = frozenset(dir(builtins))
FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
Disguise = Callable[[ast.Module, random.Random], ast.Module]


def word(chance: random.Random) -> str:
    """A name that nobody used."""
    return "".join(chance.choice(string.ascii_lowercase) for _ in range(chance.randint(3, 9))) + "_"


def bound_names(tree: ast.AST) -> set[str]:
    """Names that the code binds itself and that no import brings."""
    found: set[str] = set()
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.alias):
            imported.add((node.asname or node.name).partition(".")[0])
    return {n for n in found - imported - BUILTIN if not n.startswith("__")}


def rename(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Every name that the code binds gets another, methods and attributes of `self` too."""
    names = bound_names(tree)
    attributes = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    attributes |= {f.name for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for f in c.body
                   if isinstance(f, ast.FunctionDef) and not f.name.startswith("__")}  # fmt: skip
    new = {name: word(chance) for name in sorted(names | attributes)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            node.name = new.get(node.name, node.name)
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            node.arg = new.get(node.arg, node.arg)
        elif isinstance(node, ast.Attribute) and node.attr in attributes:
            node.attr = new[node.attr]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            node.name = new.get(node.name, node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [new.get(n, n) for n in node.names]
    return tree


def _plain(statement: ast.stmt) -> tuple[set[str], set[str]] | None:
    """Names that a plain assignment without calls writes and reads."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or any(
        isinstance(n, ast.Call | ast.Await | ast.Yield | ast.NamedExpr) for n in ast.walk(statement)
    ):
        return None
    names = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
    if any(isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Store) for n in ast.walk(statement)):
        return None
    return {n.id for n in names if isinstance(n.ctx, ast.Store)}, {n.id for n in names if isinstance(n.ctx, ast.Load)}


def reorder(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Functions and methods in another order, independent assignments swapped."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.Module):
            places = [i for i, s in enumerate(node.body) if isinstance(s, ast.FunctionDef) and not s.decorator_list]
            moved = [node.body[i] for i in places]
            chance.shuffle(moved)
            for place, statement in zip(places, moved, strict=True):
                node.body[place] = statement
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            for i in range(len(block) - 1):
                one, two = _plain(block[i]), _plain(block[i + 1])
                if one and two and not (one[0] & (two[0] | two[1]) or two[0] & one[1]):
                    block[i], block[i + 1] = block[i + 1], block[i]
    return tree


class _Loops(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if node.orelse or any(isinstance(n, ast.Continue) for n in ast.walk(node)):
            return node
        index = word(self.chance)
        call = node.iter
        counted = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if counted and isinstance(node.target, ast.Name) and len(call.args) <= 2:  # type: ignore[union-attr]
            low = call.args[0] if len(call.args) == 2 else ast.Constant(0)  # type: ignore[union-attr]
            high = call.args[-1]  # type: ignore[union-attr]
            name = node.target.id
            step = ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), ast.Constant(1))
            test = ast.Compare(ast.Name(name, ast.Load()), [ast.Lt()], [high])
            return [ast.Assign([ast.Name(name, ast.Store())], low), ast.While(test, [*node.body, step], [])]
        if isinstance(call, ast.Name | ast.Attribute) and self.chance.random() < 0.5:
            whole = ast.Call(ast.Name("enumerate", ast.Load()), [call], [])
            node.target = ast.Tuple([ast.Name(index, ast.Store()), node.target], ast.Store())
            node.iter = whole
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        if node.orelse or isinstance(node.test, ast.Constant):
            return node
        stop = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
        return ast.While(ast.Constant(True), [stop, *node.body], [])


def loops(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Other kinds of loops: counted `for` to `while`, tests of `while` into its body, `enumerate` around."""
    return _Loops(chance).visit(tree)


class _NoDocs(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def _body(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        body: list[ast.stmt] = node.body  # type: ignore[attr-defined]
        first = body[0] if body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            del body[0]
        if self.chance.random() < 0.5 or not body:
            words = " ".join(word(self.chance).strip("_") for _ in range(8))
            body.insert(0, ast.Expr(ast.Constant(words)))
        return node

    visit_FunctionDef = visit_ClassDef = visit_Module = _body


def comments(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Other docstrings, or none."""
    return _NoDocs(chance).visit(tree)


DEAD = (
    "{a} = []\nfor {b} in range({n}):\n    {a}.append({b} * {m})",
    "{a} = {n}\nif {a} < 0:\n    raise ValueError('negative')",
    "{a} = {{'k': {n}, 'w': {m}}}\n{b} = {a}.get('k', 0) + 1",
    "{a} = 0\nwhile {a} < {n}:\n    {a} += {m}",
    "{a} = str({n}).zfill({m})\n{b} = {a}.upper()",
    "{a} = sorted([{n}, {m}, 3])\n{b} = len({a}) // 2",
)
DEAD_FUNCTION = "def {a}({b}, {c}=None):\n    if {c} is None:\n        {c} = []\n    {c}.append({b})\n    return {c}\n"


def dead_code(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Statements and functions that do nothing for the result."""

    def made(text: str) -> list[ast.stmt]:
        filled = text.format(
            a=word(chance), b=word(chance), c=word(chance), n=chance.randint(4, 90), m=chance.randint(2, 9)
        )
        return ast.parse(filled).body

    for node in list(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef) and chance.random() < 0.7:
            place = chance.randint(0, len(node.body) - 1)
            node.body[place:place] = made(chance.choice(DEAD))
    if chance.random() < 0.5:
        tree.body += made(DEAD_FUNCTION)
    return tree


def _split(node: ast.FunctionDef, owner: ast.ClassDef | None, chance: random.Random) -> ast.FunctionDef | None:
    """Take the tail of a function into a new one and call it."""
    if len(node.body) < 3 or any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Nonlocal | ast.Global | ast.FunctionDef)
                                 for s in node.body for n in ast.walk(s)):  # fmt: skip
        return None
    cut = chance.randint(max(1, len(node.body) // 3), len(node.body) - 2)
    tail = node.body[cut:]
    have = {
        n.id for s in node.body[:cut] for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    have |= {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    have |= {a.arg for a in (node.args.vararg, node.args.kwarg) if a}
    need = sorted({n.id for s in tail for n in ast.walk(s) if isinstance(n, ast.Name)} & have - {"self"})
    name = word(chance)
    bound = owner is not None and node.args.args and node.args.args[0].arg == "self"
    if owner is not None and not bound:
        return None
    takes = [ast.arg(n) for n in (["self", *need] if bound else need)]
    callee = ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load()) if bound else ast.Name(name, ast.Load())
    node.body[cut:] = [ast.Return(ast.Call(callee, [ast.Name(n, ast.Load()) for n in need], []))]
    return ast.FunctionDef(name, ast.arguments([], takes, None, [], [], None, []), tail, [], None, type_params=[])


class _Inline(ast.NodeTransformer):
    def __init__(self, simple: dict[str, ast.FunctionDef]) -> None:
        self.simple = simple

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self.simple or node.keywords:
            return node
        target = self.simple[node.func.id]
        names = [a.arg for a in target.args.args]
        if len(names) != len(node.args) or any(isinstance(a, ast.Starred) for a in node.args):
            return node
        values = dict(zip(names, node.args, strict=True))

        class Put(ast.NodeTransformer):
            def visit_Name(self, inner: ast.Name) -> ast.AST:
                return copy.deepcopy(values[inner.id]) if inner.id in values else inner

        last = target.body[-1]
        assert isinstance(last, ast.Return)
        return Put().visit(copy.deepcopy(last.value))


def split_merge(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Tails of functions become functions; functions of one expression are put in where they are called."""
    simple = {
        f.name: f
        for f in tree.body
        if isinstance(f, ast.FunctionDef) and len(f.body) == 1 and isinstance(f.body[0], ast.Return) and f.body[0].value
        and not f.args.defaults and not f.args.vararg and not f.decorator_list
    }  # fmt: skip
    tree = _Inline(simple).visit(tree)
    for owner in [tree, *(n for n in ast.walk(tree) if isinstance(n, ast.ClassDef))]:
        for node in list(owner.body):
            if isinstance(node, ast.FunctionDef) and node.name != "__init__" and chance.random() < 0.8:
                made = _split(node, owner if isinstance(owner, ast.ClassDef) else None, chance)
                if made:
                    owner.body.insert(owner.body.index(node), made)
    return tree


def type_hints(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Annotations taken away where there are some, put there where there are none."""
    kinds = ("int", "str", "list", "dict", "object")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None if node.returns else ast.Name(chance.choice(kinds), ast.Load())
            for one in node.args.args:
                bare = one.annotation or one.arg == "self"
                one.annotation = None if bare else ast.Name(chance.choice(kinds), ast.Load())
    return tree


class _Swap(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in FLIPPED and self.chance.random() < 0.8:
            return ast.Compare(node.comparators[0], [FLIPPED[type(node.ops[0])]()], [node.left])
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if node.orelse and not (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)):
            test = node.test
            if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITE:
                turned: ast.expr = ast.Compare(test.left, [OPPOSITE[type(test.ops[0])]()], test.comparators)
            else:
                turned = ast.UnaryOp(ast.Not(), test)
            return ast.If(turned, node.orelse, node.body)
        return node


def comparisons(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Both sides of comparisons swapped, branches of `if` swapped."""
    return _Swap(chance).visit(tree)


class _Comprehensions(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def _block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in block:
            value = statement.value if isinstance(statement, ast.Return | ast.Assign) else None
            if isinstance(value, ast.ListComp) and len(value.generators) == 1:
                name = word(self.chance)
                made += self._loop(name, value)
                statement.value = ast.Name(name, ast.Load())  # type: ignore[union-attr]
                made.append(statement)
            elif isinstance(value, ast.Call) and len(value.args) == 1 and isinstance(value.args[0], ast.GeneratorExp) \
                    and len(value.args[0].generators) == 1:  # fmt: skip
                name = word(self.chance)
                made += self._loop(name, value.args[0])
                value.args[0] = ast.Name(name, ast.Load())
                made.append(statement)
            else:
                made.append(self._comprehended(statement, made) or statement)
        return made

    def _loop(self, name: str, value: ast.ListComp | ast.GeneratorExp) -> list[ast.stmt]:
        gen = value.generators[0]
        append = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load()), [value.elt], [])
        body: list[ast.stmt] = [ast.Expr(append)]
        for test in reversed(gen.ifs):
            body = [ast.If(test, body, [])]
        return [
            ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load())),
            ast.For(gen.target, gen.iter, body, []),
        ]

    def _comprehended(self, statement: ast.stmt, before: list[ast.stmt]) -> ast.stmt | None:
        """`out = []` and a loop that only appends become a comprehension."""
        if not (isinstance(statement, ast.For) and before and not statement.orelse and len(statement.body) == 1):
            return None
        start, inner, tests = before[-1], statement.body[0], []
        if isinstance(inner, ast.If) and not inner.orelse and len(inner.body) == 1:
            tests, inner = [inner.test], inner.body[0]
        call = inner.value if isinstance(inner, ast.Expr) else None
        if not (isinstance(start, ast.Assign) and isinstance(start.value, ast.List) and not start.value.elts
                and len(start.targets) == 1 and isinstance(start.targets[0], ast.Name) and isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute) and call.func.attr == "append" and len(call.args) == 1
                and isinstance(call.func.value, ast.Name) and call.func.value.id == start.targets[0].id):  # fmt: skip
            return None
        del before[-1]
        generator = ast.comprehension(statement.target, statement.iter, tests, 0)
        return ast.Assign(start.targets, ast.ListComp(call.args[0], [generator]))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, self._block(block))
        return node


def comprehensions(tree: ast.Module, chance: random.Random) -> ast.Module:
    """List comprehensions and generator arguments become loops, loops that only append become comprehensions."""
    return _Comprehensions(chance).visit(tree)


class _Temporaries(ast.NodeTransformer):
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        block = getattr(node, "body", None)
        if isinstance(block, list):
            made: list[ast.stmt] = []
            for statement in block:
                value = getattr(statement, "value", None)
                if isinstance(statement, ast.Return | ast.Assign | ast.AugAssign) and self.chance.random() < 0.7 \
                        and isinstance(value, ast.Call | ast.BinOp | ast.BoolOp | ast.Compare):  # fmt: skip
                    name = word(self.chance)
                    made.append(ast.Assign([ast.Name(name, ast.Store())], value))
                    statement.value = ast.Name(name, ast.Load())
                made.append(statement)
            node.body = made  # type: ignore[attr-defined]
        return node


def temporaries(tree: ast.Module, chance: random.Random) -> ast.Module:
    """Results are put into a variable before they are used."""
    return _Temporaries(chance).visit(tree)


SINGLE: dict[str, Disguise] = {
    "rename": rename,
    "reorder": reorder,
    "loops": loops,
    "comments": comments,
    "dead code": dead_code,
    "split and merge": split_merge,
    "type hints": type_hints,
    "comparisons": comparisons,
    "comprehensions": comprehensions,
    "temporaries": temporaries,
}
COMBINED: dict[str, tuple[str, ...]] = {
    "rename + reorder": ("rename", "reorder", "comments"),
    "rename + loops + comparisons": ("rename", "loops", "comparisons", "type hints"),
    "rename + split + dead code": ("rename", "split and merge", "dead code", "reorder"),
    "everything": (
        "comprehensions", "loops", "comparisons", "temporaries", "split and merge", "dead code", "type hints",
        "comments", "reorder", "rename",
    ),
}  # fmt: skip


def disguised(source: str, names: tuple[str, ...], seed: str) -> str | None:
    """The code in disguise, or `None` where a disguise does not fit it."""
    chance = random.Random(seed)
    try:
        tree = ast.parse(source)
        for name in names:
            tree = SINGLE[name](tree, chance)
        text = ast.unparse(ast.fix_missing_locations(tree))
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, TypeError, AttributeError):
        return None
    return text + "\n"


def partial_copy(source: str, host: str, seed: str, *, renamed: bool = True) -> str | None:
    """About half of the copied code's functions (of one function's statements where there is only one), renamed or as
    they stand, in a solution of somebody else's, whose own parts stay."""
    chance = random.Random(seed)
    try:
        tree, other = ast.parse(source), ast.parse(host)
        tree = rename(tree, chance) if renamed else tree
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
        if not functions:
            return None
        whole = sum(len(ast.unparse(f)) for f in functions)
        chance.shuffle(functions)
        taken: list[ast.stmt] = []
        for function in functions:
            if taken and sum(len(ast.unparse(t)) for t in taken) > whole / 2:
                break
            taken.append(function)
        if len(functions) == 1:
            body = functions[0].body
            functions[0].body = body[: max(1, (2 * len(body)) // 3)]
        imports = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
        other.body = [*imports, *other.body, *taken]
        return ast.unparse(ast.fix_missing_locations(other)) + "\n"
    except (SyntaxError, ValueError, RecursionError, TypeError, AttributeError):
        return None
