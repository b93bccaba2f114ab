"""Removed and disabled tests: the visible tests as handed in against those of the package.

The tests that are run always come from the package, so nothing is gained by this in the score; trying it is what
counts.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from bouts.adapters.scanners.integrity.cases import Assertions, Case, assertions, body_of, cases, dump, empty
from bouts.adapters.scanners.sources import Source, parse, source
from bouts.integrity.proofs import PACKAGE, bounded, counterpart, proof
from bouts.model.evidence import Notice, Observation, Proof
from bouts.model.proof import Counterpart
from bouts.model.text import clean_line

_HOOKS = ("pytest_collection", "pytest_ignore_collect", "pytest_runtest", "pytest_pyfunc_call", "pytest_itemcollected")
_IGNORES = frozenset({"collect_ignore", "collect_ignore_glob"})


class _File(NamedTuple):
    source: Source
    tree: ast.Module
    cases: dict[str, Case]


class Comparison(NamedTuple):
    """What was found."""

    observations: tuple[Observation, ...]
    notices: tuple[Notice, ...]


def disabled_tests(package: Mapping[str, bytes], handed_in: Mapping[str, bytes], deletions_count: bool) -> Comparison:
    """Compare test files. A file that was not handed in is deleted only where deletions count.

    Added tests, other layout, comments, renamed files and renamed tests with the same content are no violation.
    A changed test that still asserts as much makes a notice.
    """
    proofs: list[Proof] = []
    notices: list[Notice] = []
    theirs = {path: _file(path, data) for path, data in sorted(handed_in.items()) if path.endswith(".py")}
    pool = Counter(_content(case) for file in theirs.values() if file for case in file.cases.values())
    for path, data in sorted(package.items()):
        if not path.endswith(".py") or handed_in.get(path) == data:
            continue
        ours = _file(path, data)
        if ours is None or (path not in handed_in and not deletions_count):
            continue
        other = theirs.get(path)
        if path in handed_in and other is None:
            notices.append(Notice(kind="test_unreadable", why=clean_line(f"{path} as handed in cannot be parsed", 300)))
            continue
        known = other.cases if other else {}
        gone = [case for name, case in ours.cases.items() if name not in known and not pool[_content(case)]]
        proofs += _removed(path, ours, gone, deleted=other is None)
        if other is not None:
            for name in sorted(ours.cases.keys() & known.keys()):
                found, changed = _weakened(path, ours, other, ours.cases[name], known[name])
                proofs += found
                if changed and not found:
                    notices.append(Notice(kind="test_changed", why=clean_line(f"{path}: {name} was changed", 300)))
            proofs += _ignored(path, ours, other)
            notices += _hooks(path, ours, other)
    for path in sorted(theirs.keys() - package.keys()):
        file = theirs[path]
        if file is not None and path.rpartition("/")[2] == "conftest.py":
            blank = _File(source(path, b""), ast.Module(body=[], type_ignores=[]), {})
            proofs += _ignored(path, blank, file)
            notices += _hooks(path, blank, file)
    if not proofs:
        return Comparison((), tuple(notices))
    proofs.sort(key=lambda item: (item.path or "", item.line or (item.other.line if item.other else 0) or 0))
    because = f"visible tests were removed or disabled in {len(proofs)} place{'s' if len(proofs) > 1 else ''}"
    return Comparison((Observation(kind="disabled_tests", because=because, proofs=bounded(proofs)),), tuple(notices))


def _file(path: str, data: bytes) -> _File | None:
    tree = parse(data)
    if tree is None:
        return None
    return _File(source(path, data), tree, cases(tree))


def _content(case: Case) -> str:
    """What a test does, whatever it is called."""
    return "\n".join([*map(dump, body_of(case.node)), dump(case.node.args), *case.parameters, *case.marks])


def _excerpt(file: _File, node: ast.AST, most: int = 6) -> str:
    first = getattr(node, "lineno", 1)
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    start = min([first, *(item.lineno for item in decorators)])
    end = min(getattr(node, "end_lineno", None) or first, start + most - 1)
    return "\n".join(file.source.lines[start - 1 : end])


def _removed(path: str, ours: _File, gone: list[Case], deleted: bool) -> list[Proof]:
    if deleted and gone:
        names = ", ".join(case.name for case in gone)
        detail = f"the file was deleted; its tests are gone: {names}"
        return [proof(path, None, "", detail, other=_given(path, ours, gone[0]))]
    return [proof(path, None, "", f"{case.name} was removed", other=_given(path, ours, case)) for case in gone]


def _given(path: str, ours: _File, case: Case) -> Counterpart:
    return counterpart(PACKAGE, path, case.node.lineno, _excerpt(ours, case.node))


def _weakened(path: str, ours: _File, theirs: _File, old: Case, new: Case) -> tuple[list[Proof], bool]:
    """Proofs that the test lost force, and whether it was changed at all."""
    if dump(old.node) == dump(new.node) and old.marks == new.marks:
        return [], False
    reason, node = _reason(old, new)
    if not reason:
        return [], _content(old) != _content(new)
    line = getattr(node, "lineno", new.node.lineno)
    found = proof(path, line, _excerpt(theirs, node), f"{new.name}: {reason}", other=_given(path, ours, old))
    return [found], True


def _reason(old: Case, new: Case) -> tuple[str, ast.AST]:
    """What took force from the test, and where; an empty reason where nothing did."""
    added = Counter(new.marks) - Counter(old.marks)
    if added:
        return f"marked {', '.join(sorted(added))}", new.node
    lost = Counter(old.parameters) - Counter(new.parameters)
    if lost and new.parameters and len(new.parameters) < len(old.parameters):
        return f"{len(old.parameters) - len(new.parameters)} of its {len(old.parameters)} cases removed", new.node
    if empty(new.node) and not empty(old.node):
        return "its body was emptied", new.node
    return _fewer_checks(old, new, assertions(old.node), assertions(new.node))


def _fewer_checks(old: Case, new: Case, before: Assertions, after: Assertions) -> tuple[str, ast.AST]:
    missing = {dump(item) for item in before.all} - {dump(item) for item in after.all}
    reasons: list[tuple[bool, str, ast.AST | None]] = [
        (len(after.skips) > len(before.skips), "it now skips itself", next(iter(after.skips), None)),
        (before.early is None, "it now returns before its assertions", after.early),
        (
            len(after.hollow) > len(before.hollow),
            "an assertion now holds whatever the code does",
            next(iter(after.hollow), None),
        ),
        (bool(before.all) and not after.all, "its assertions were removed", new.node),
        (
            len(after.all) < len(before.all) and bool(missing) and not _regrouped(old, new),
            f"{len(before.all) - len(after.all)} of its {len(before.all)} assertions removed",
            new.node,
        ),
    ]
    return next(((why, node) for holds, why, node in reasons if holds and node is not None), ("", new.node))


def _regrouped(old: Case, new: Case) -> bool:
    """Whether fewer assertions may check as much: a loop, cases or a helper came in, or longer comparisons."""
    grown = len(new.parameters) > len(old.parameters)
    loops = _count(new, ast.For, ast.comprehension) > _count(old, ast.For, ast.comprehension)
    return grown or loops or _count(new, ast.Call) > _count(old, ast.Call)


def _count(case: Case, *kinds: type[ast.AST]) -> int:
    return sum(isinstance(item, kinds) for item in ast.walk(case.node))


def _assigned(file: _File, names: frozenset[str]) -> dict[str, ast.stmt]:
    return {
        target.id: node
        for node in file.tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in names
    }


def _ignored(path: str, ours: _File, theirs: _File) -> list[Proof]:
    before, after = _assigned(ours, _IGNORES), _assigned(theirs, _IGNORES)
    return [
        proof(path, node.lineno, _excerpt(theirs, node), f"{name} keeps test files from being collected")
        for name, node in after.items()
        if name not in before or dump(before[name]) != dump(node)
    ]


def _hooks(path: str, ours: _File, theirs: _File) -> list[Notice]:
    def named(file: _File) -> set[str]:
        return {
            node.name for node in file.tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith(_HOOKS)
        }

    return [
        Notice(
            kind="test_hook_added", why=clean_line(f"{path}: {name} was added; it can change which tests count", 300)
        )
        for name in sorted(named(theirs) - named(ours))
    ]
