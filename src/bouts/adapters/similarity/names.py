"""Which names of Python code are the submission's own, so that they say nothing: a copier changes them at no cost."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection

_KEPT_ATTRIBUTES = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind) if not name.startswith("__")
)

_BUILTINS = frozenset(dir(builtins))


class Names:
    """What a submission binds itself, over all its files."""

    def __init__(self, modules: Collection[str] = ()) -> None:
        self.modules = frozenset(modules)
        self.attributes: set[str] = set()
        self.keywords: set[str] = set()
        self.lost: set[str] = set()
        """Names that nobody binds."""

    def learn(self, tree: ast.AST) -> frozenset[str]:
        """Take in a file's attributes and parameters; the names that the file binds, or that nobody does: what is
        neither built in nor imported belongs to code that was left behind."""
        bound: set[str] = set()
        foreign: set[str] = set()
        read: set[str] = set()
        for node in ast.walk(tree):
            kind = type(node)
            if kind is ast.Name:
                (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)  # type: ignore[attr-defined]
            elif kind is ast.arg:
                bound.add(node.arg)  # type: ignore[attr-defined]
                self.keywords.add(node.arg)  # type: ignore[attr-defined]
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                bound.add(node.name)
                if isinstance(node, ast.ClassDef):
                    self._members(node)
            elif kind is ast.Attribute:
                if isinstance(node.ctx, ast.Store):  # type: ignore[attr-defined]
                    self.attributes.add(node.attr)  # type: ignore[attr-defined]
            elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
                if node.name:
                    bound.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self._imported(node, bound, foreign)
        if "*" not in foreign:
            lost = read - bound - foreign - _BUILTINS
            self.lost |= lost
            bound |= lost
        return frozenset(n for n in bound - foreign if not n.startswith("__"))

    def _members(self, node: ast.ClassDef) -> None:
        for one in node.body:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                self.attributes.add(one.name)
            elif isinstance(one, ast.Assign):
                self.attributes.update(t.id for t in one.targets if isinstance(t, ast.Name))
            elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                self.attributes.add(one.target.id)

    def _imported(self, node: ast.Import | ast.ImportFrom, bound: set[str], foreign: set[str]) -> None:
        for alias in node.names:
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
            own = (isinstance(node, ast.ImportFrom) and node.level > 0) or module.partition(".")[0] in self.modules
            name = (alias.asname or alias.name).partition(".")[0]
            (bound if own else foreign).add(name)

    def own_attribute(self, name: str, *, of_own: bool = False) -> bool:
        """Whether an attribute is the submission's own, so that its name says nothing. With `of_own`, which stands for
        `self` and for what nobody binds, it is: a copied method leaves behind where its attributes were bound."""
        return (of_own or name in self.attributes) and name not in _KEPT_ATTRIBUTES and not name.startswith("__")
