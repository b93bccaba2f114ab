"""The file functions that older OpenHands agents call in Python, such as `edit_file_by_replace`, as acts."""

from __future__ import annotations

import ast
import warnings

from bouts.adapters.transcripts import patches
from bouts.adapters.transcripts.acts import MOST_FILES, Act

LONGEST = 200_000
_READS = frozenset({"open_file", "goto_line", "scroll_down", "scroll_up"})
_SEARCHES = frozenset({"search_dir", "search_file", "find_file"})


def acts(code: str) -> list[Act] | None:
    """What the calls of those functions do; `None` where the code calls none of them, or is no Python."""
    if len(code) > LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: list[Act] = []
    for node in tree.body[:200]:
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            made = _act(call.func.id, call)
            found += [] if made is None else [made]
    return found[:MOST_FILES] or None


def _act(name: str, call: ast.Call) -> Act | None:  # noqa: PLR0911 - one case a line
    given = [_text(node) for node in call.args]
    named = {word.arg: _text(word.value) for word in call.keywords if word.arg is not None}
    first = next(iter(given), None) or named.get("file_name") or named.get("path") or named.get("filename")

    def value(key: str, place: int) -> str | None:
        return named.get(key, given[place] if place < len(given) else None)

    if name in _READS:
        return Act("read", first)
    if name in _SEARCHES:
        return Act("search", first or named.get("search_term"))
    if name == "create_file":
        return Act("create", first, 0, "exact")
    if name == "edit_file_by_replace":
        old, new = value("to_replace", 1), value("new_content", 2)
        if old is None or new is None:
            return Act("edit", first)
        lines, basis = patches.replaced(old, new)
        return Act("edit", first, lines, basis)
    if name in ("insert_content_at_line", "append_file"):
        new = value("content", 2 if name == "insert_content_at_line" else 1)
        return Act("edit", first, None if new is None else len(new.splitlines()), None if new is None else "exact")
    if name == "edit_file_by_line":
        return Act("edit", first)
    return None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
