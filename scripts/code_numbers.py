"""Numbers in the code of scores that stand in no table of a policy.

In `scoring/` and `standings/` every number is looked at, in `render/` those that something is compared with, as a
threshold decides what a person is told. A number is innocent where it cannot be a choice of a policy: the ends of a
scale and what is counted with (0, 1, 2, 100), powers of ten, positions, what is compared with a length, and widths of
texts. Every other one must be a field of a table, or a name that `NAMED` lists with the reason why it is no policy's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

INNOCENT = frozenset({0, 1, 2, 100})
WIDTHS = frozenset(
    {"safe", "show", "show_ratio", "clean", "clean_line", "text", "get_close_matches", "lru_cache", "name", "rounded"}
)
"""Functions whose numbers are lengths of texts, digits that are shown, or sizes of memories."""


class Named(NamedTuple):
    """A number that is no policy's."""

    files: str
    """Glob below `src/bouts`."""
    name: str
    """The constant or function in which it stands; a glob."""
    reason: str


NAMED: tuple[Named, ...] = (
    Named("scoring/*", "*_SHOWN", "how many of a kind a sentence or a card names"),
    Named("scoring/*", "TEXT", "characters of a text on a card"),
    Named("scoring/unlike.py", "_TEXT", "characters of a text on a card"),
    Named("scoring/hidden.py", "EXCERPT", "characters of an excerpt on a card"),
    Named("scoring/exact.py", "PLACES", "decimals that a card stores, which all documents are held to"),
    Named("scoring/differences.py", "ROUNDING", "what rounding to stored decimals can make of a sum"),
    Named("scoring/explore.py", "_ROUNDING", "what rounding to stored decimals can make of a sum"),
    Named("scoring/outliers.py", "_HALF", "the equal weights of two raters, as a card has them"),
    Named("scoring/panels.py", "SEATS", "raters of a panel: the rules are defined for three"),
    Named("scoring/reconcile.py", "_EQUAL", "equal weights of one, two or three raters"),
    Named("scoring/process/profile.py", "*", "the profile of a session stands beside the score and moves none"),
    Named("scoring/process/trajectory.py", "_because", "runs that a sentence names"),
    Named("standings/distributions.py", "*", "numerical method: series, continued fractions, and their precision"),
    Named("standings/budgets.py", "outside", "milliseconds in a minute"),
    Named("standings/roots.py", "half_up", "the square of the two that a half is doubled by"),
    Named("standings/irt.py", "*", "numerical method: grid of abilities, precision and steps"),
    Named("standings/draws.py", "*", "bits of a pseudo-random word"),
    Named("standings/estimates.py", "*", "formula of an interval, as its source has it"),
    Named("standings/rank*.py", "*", "numerical method: precision and steps"),
    Named("standings/ratings.py", "*", "numerical method: precision and steps"),
    Named("render/pictures/*", "*", "sizes and places in a picture"),
    Named("render/differences.py", "fields", "places between columns on a terminal"),
    Named("render/standings/words.py", "chance", "digits of a probability"),
)


def stray(root: Path) -> list[str]:
    """One sentence for each number that is neither innocent nor named, and for each name that stands for none."""
    used: set[Named] = set()
    out: list[str] = []
    for room in ("scoring", "standings", "render"):
        for path in sorted((root / "src" / "bouts" / room).rglob("*.py")):
            file = path.relative_to(root / "src" / "bouts").as_posix()
            for line, value, inside in _numbers(path.read_text(encoding="utf-8"), room == "render"):
                row = next((r for r in NAMED if fnmatch(file, r.files) and fnmatch(inside, r.name)), None)
                if row is None:
                    out.append(f"src/bouts/{file}:{line}: {value:g} stands in no table of a policy (in {inside})")
                else:
                    used.add(row)
    return out + [f"code_numbers.py: nothing is named {row.name!r} in {row.files}" for row in NAMED if row not in used]


def _numbers(source: str, compared: bool) -> Iterator[tuple[int, float, str]]:
    """Line, value and the function or constant of each number that is not innocent."""
    tree = ast.parse(source)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or type(node.value) not in (int, float) or node.value in INNOCENT:
            continue
        chain = [node, *_above(node, above)]
        threshold = any(isinstance(up, ast.Compare) for up in chain)
        if not any(map(_innocent, chain, chain[1:])) and (threshold or not compared):
            yield node.lineno, float(node.value), _name(chain)


def _above(node: ast.AST, above: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in above:
        node = above[node]
        yield node


def _innocent(node: ast.AST, over: ast.AST) -> bool:
    """Whether this place in its parent makes a number one of no policy."""
    if isinstance(over, ast.BinOp) and isinstance(over.op, ast.Pow):
        return over.left is node
    if isinstance(over, ast.Subscript):
        return over.slice is node
    if isinstance(over, ast.Compare):
        sides = [over.left, *over.comparators]
        return any(isinstance(side, ast.Call) and getattr(side.func, "id", "") == "len" for side in sides)
    if isinstance(over, ast.Call) and node is not over.func:
        return getattr(over.func, "id", getattr(over.func, "attr", "")) in WIDTHS
    return isinstance(over, ast.keyword) and over.arg in ("n", "cutoff", "limit", "width", "maxsize")


def _name(chain: list[ast.AST]) -> str:
    """The outermost function or method, or the constant, in which a number stands; `module` where there is none."""
    for node in reversed(chain):
        if isinstance(node, ast.FunctionDef):
            return node.name
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            return node.target.id
    return "module"
