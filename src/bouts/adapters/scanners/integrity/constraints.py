"""Declared constraints, held against the changed files. What stood in the code as given is nobody's violation, and
what was not done at all is merely not done."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bouts.adapters.scanners.integrity.cases import Function, dump
from bouts.adapters.scanners.integrity.novelty import code_of, fresh
from bouts.adapters.scanners.integrity.resolving import BUILTINS, imports
from bouts.adapters.scanners.integrity.shapes import defined, guarded, inner_of, recurses, shape
from bouts.adapters.scanners.integrity.stubs import functions_of, stub
from bouts.adapters.scanners.sources import ANALYSED, Source, is_test, parse, python_files, read
from bouts.challenges.names import in_scope
from bouts.integrity.proofs import DETAIL, EXCERPT
from bouts.model.constraints import (
    Constraint,
    MaxLines,
    MayNotCall,
    MayNotImport,
    MustDefine,
    MustKeepSignature,
    MustUseRecursion,
    NoNewDependency,
    OnlyFiles,
    Script,
)
from bouts.model.scanning import BrokenConstraint, ScanJob
from bouts.model.text import clean, clean_line

MOST = 10
"""Places of one constraint."""
_LINES = 8

Found = Iterator[BrokenConstraint]


class _Tree:
    """What the rules look at."""

    def __init__(self, job: ScanJob, given: Mapping[str, Source], staged: Mapping[str, Source]) -> None:
        self.job, self.given, self.staged = job, given, staged

    def changed(self) -> Iterator[tuple[Source, ast.Module, Source | None, ast.Module | None]]:
        """Changed Python files that can be parsed, tests left out, each with its given form."""
        for path, item in sorted(self.staged.items()):
            tree = None if is_test(path) else parse(item.data)
            if tree is not None:
                before = self.given.get(path)
                yield item, tree, before, None if before is None else parse(before.data)

    def function(self, name: str) -> tuple[Source, Function | None, ast.Module, Source | None, Function | None] | None:
        """A function in a changed file, now and as given; none where the file was not changed or cannot be read."""
        path, _, inner = name.partition("::")
        item = self.staged.get(path)
        tree = None if item is None else parse(item.data)
        if item is None or tree is None:
            return None
        before = self.given.get(path)
        old = None if before is None else parse(before.data)
        then = None if old is None else functions_of(old).get(inner)
        return item, functions_of(tree).get(inner), tree, before, then


def broken(job: ScanJob, given: Mapping[str, Source], staged: Mapping[str, Source]) -> tuple[BrokenConstraint, ...]:
    """Where the constraints are not kept; those that a script checks are not looked at here."""
    tree = _Tree(job, given, staged)
    found: list[BrokenConstraint] = []
    for number, constraint in enumerate(job.constraints):
        places = list(_places(tree, constraint))[:MOST]
        found += [place.model_copy(update={"constraint": number}) for place in places]
    return tuple(found)


def _places(tree: _Tree, constraint: Constraint) -> Found:  # noqa: PLR0911 - one for each kind
    match constraint:
        case MustUseRecursion():
            return _recursion(tree, constraint)
        case MayNotImport():
            return _imports(tree, constraint)
        case MayNotCall():
            return _calls(tree, constraint)
        case NoNewDependency():
            return _dependencies(tree)
        case MustKeepSignature():
            return _signature(tree, constraint)
        case MustDefine():
            return _definitions(tree, constraint)
        case MaxLines():
            return _lines(tree, constraint)
        case OnlyFiles():
            return _files(tree, constraint)
        case Script():
            return iter(())


def _place(
    item: Source | None,
    node: ast.AST | None,
    detail: str,
    *,
    path: str | None = None,
    old: tuple[Source, ast.AST] | None = None,
) -> BrokenConstraint:
    line = getattr(node, "lineno", None)
    return BrokenConstraint(
        constraint=0,
        path=clean_line(item.path if item is not None else path or "", 300) or None,
        line=line,
        excerpt=clean(_text(item, node), EXCERPT) if item is not None and node is not None else "",
        detail=clean_line(detail, DETAIL),
        given_line=getattr(old[1], "lineno", None) if old is not None else None,
        given_excerpt=clean(_text(*old), EXCERPT) if old is not None else "",
    )


def _text(item: Source, node: ast.AST) -> str:
    start = getattr(node, "lineno", 1)
    end = min(getattr(node, "end_lineno", None) or start, start + _LINES - 1)
    return "\n".join(item.lines[start - 1 : end])


def _recursion(tree: _Tree, rule: MustUseRecursion) -> Found:
    seen = tree.function(rule.function)
    if seen is None or seen[1] is None or stub(seen[1]):
        return
    item, node, whole, _, old = seen
    assert node is not None
    if old is not None and dump(old) == dump(node):
        return
    if not recurses(node, whole):
        yield _place(item, node, f"{rule.function.partition('::')[2]} never comes back to itself")


def _imports(tree: _Tree, rule: MayNotImport) -> Found:
    return _fresh(tree, lambda name: _below(name, rule.modules), "is imported or used")


def _calls(tree: _Tree, rule: MayNotCall) -> Found:
    wanted = {name if "." in name else f"{BUILTINS}.{name}" for name in rule.names}
    return _fresh(tree, wanted.__contains__, "is called or taken hold of")


def _fresh(tree: _Tree, wanted: Callable[[str], bool], said: str) -> Found:
    for item, now, _, before in tree.changed():
        for use in fresh(code_of(now, wanted), code_of(before, wanted)):
            yield _place(item, use.node, f"{use.name.removeprefix(f'{BUILTINS}.')} {said}")


def _below(name: str, modules: Iterable[str]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _dependencies(tree: _Tree) -> Found:
    job = tree.job
    for name in job.added_dependencies:
        yield _place(None, None, f"the manifest now asks for {name}")
    known = _known_modules(job)
    for item, now, _, before in tree.changed():
        old = {use.name.partition(".")[0] for use in imports(before)} if before is not None else set[str]()
        harmless = guarded(now)
        for use in imports(now):
            top = use.name.partition(".")[0]
            if top not in known and top not in old and id(use.node) not in harmless:
                yield _place(item, use.node, f"{top} is neither in the standard library nor among the dependencies")


def _known_modules(job: ScanJob) -> set[str]:
    known = set(sys.stdlib_module_names) | {"__main__", "__future__"}
    known |= {name.lower().replace("-", "_") for name in job.allowed_packages} | set(job.allowed_packages)
    for root in filter(None, (job.given, job.staged, job.reference)):
        for path in python_files(Path(root)):
            known |= {part.removesuffix(".py") for part in path.split("/")}
            data = read(Path(root), path, ANALYSED) if root != job.staged else None
            found = parse(data) if data is not None and len(data) <= ANALYSED else None
            if found is not None:
                known |= {use.name.partition(".")[0] for use in imports(found)}
    return known


def _signature(tree: _Tree, rule: MustKeepSignature) -> Found:
    seen = tree.function(rule.function)
    name = rule.function.partition("::")[2]
    if seen is None:
        return
    item, node, whole, before, old = seen
    if old is None or before is None:
        return
    if node is None:
        if name.rpartition(".")[2] not in defined(whole.body):
            yield _place(item, None, f"{name} is gone", old=(before, old))
    elif shape(node) != shape(old):
        yield _place(item, node, f"{name} takes other parameters than as given", old=(before, old))


def _definitions(tree: _Tree, rule: MustDefine) -> Found:
    item = tree.staged.get(rule.path)
    whole = None if item is None else parse(item.data)
    if item is None or whole is None:
        return
    for name in rule.names:
        body: list[ast.stmt] | None = whole.body
        for part in name.split("."):
            if body is not None and part not in defined(body):
                yield _place(item, None, f"{rule.path} does not define {name}")
                break
            body = inner_of(body, part)


def _lines(tree: _Tree, rule: MaxLines) -> Found:
    for path in sorted(tree.job.changed):
        data = read(Path(tree.job.staged), path, ANALYSED) if in_scope(path, rule.files) else None
        if data is None:
            continue
        count = sum(bool(line.strip()) and not line.lstrip().startswith(b"#") for line in data.splitlines())
        if count > rule.lines:
            yield _place(None, None, f"{path} has {count} lines of code; {rule.lines} are allowed", path=path)


def _files(tree: _Tree, rule: OnlyFiles) -> Found:
    for path in sorted(tree.job.changed):
        if not in_scope(path, rule.files):
            yield _place(None, None, f"{path} was changed, added or deleted", path=path)
