"""What an agent is given: the codebase, the visible tests, the support modules that those need, and the briefing."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

BRIEFING = "briefing.md"
CODEBASE = "codebase/"
VISIBLE = "tests/static/"
SUPPORT = "tests/support/"


def given_files(root: Path, files: Iterable[str]) -> dict[str, str]:
    """Path in the workspace → path in the package, sorted. Nothing of the hidden suite, the rubric, the reference or
    the samples is ever in it. Where two claim one path, the codebase's file yields to the tests and the briefing."""
    paths = list(files)
    found = {p.removeprefix(CODEBASE): p for p in paths if p.startswith(CODEBASE)}
    found.update({p: p for p in paths if p.startswith(VISIBLE)})
    found.update({p: p for p in support_needed(root, paths)})
    if BRIEFING in paths:
        found[BRIEFING] = BRIEFING
    return dict(sorted(found.items()))


def support_needed(root: Path, files: Iterable[str]) -> list[str]:
    """The support modules that visible tests import, directly or through one another. Imports by computed names are
    not seen; what only hidden tests import stays hidden."""
    paths = [p for p in files if p.startswith((VISIBLE, SUPPORT))]
    modules: dict[str, list[str]] = {}
    for path in paths:
        if path.startswith(SUPPORT):
            name = path.removeprefix(SUPPORT).split("/")[0].removesuffix(".py")
            modules.setdefault(name, []).append(path)
    waiting = [p for p in paths if p.startswith(VISIBLE) and p.endswith(".py")]
    needed: set[str] = set()
    while waiting:
        for name in _imports(root / waiting.pop()):
            fresh = [p for p in modules.get(name, []) if p not in needed]
            needed.update(fresh)
            waiting.extend(p for p in fresh if p.endswith(".py"))
    return sorted(needed)


def _imports(path: Path) -> set[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            names.update((node.module or "").split("."))
            names.update(alias.name for alias in node.names)
    return names
