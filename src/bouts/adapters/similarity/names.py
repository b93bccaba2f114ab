"""Which names of Python code are the submission's own, so that they say nothing: a copier changes them at no cost."""

from __future__ import annotations

import ast
from collections.abc import Collection

_KEPT_ATTRIBUTES = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind) if not name.startswith("__")
)


class Names:
    """What a submission binds itself, over all its files."""

    def __init__(self, modules: Collection[str] = ()) -> None:
        self.modules = frozenset(modules)
        self.attributes: set[str] = set()
        self.keywords: set[str] = set()

    def learn(self, tree: ast.AST) -> frozenset[str]:
        """Take in a file's attributes and parameters; the names that the file binds."""
        bound: set[str] = set()
        foreign: set[str] = set()
        for node in ast.walk(tree):
            kind = type(node)
            if kind is ast.Name:
                if not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                    bound.add(node.id)  # type: ignore[attr-defined]
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

    def own_attribute(self, name: str) -> bool:
        """Whether an attribute is the submission's own, so that its name says nothing."""
        return name in self.attributes and name not in _KEPT_ATTRIBUTES and not name.startswith("__")
