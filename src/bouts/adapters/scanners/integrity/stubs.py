"""Stubbed functions: working code that was replaced by a constant or a TODO."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from bouts.adapters.scanners.integrity.cases import Function, body_of, dump, shown
from bouts.adapters.scanners.sources import Source, is_test, parse
from bouts.integrity.proofs import EXCERPT, PACKAGE, bounded, counterpart, proof
from bouts.model.evidence import Observation, Proof
from bouts.model.scanning import HollowFunction
from bouts.model.text import clean, clean_line

_MOST = 50
_LEFT_OUT = frozenset({"overload", "abstractmethod", "singledispatch"})


def stubbed(
    given: Mapping[str, Source], staged: Mapping[str, Source], reference: Mapping[str, Source] | None = None
) -> tuple[Observation, ...]:
    """Compare functions of the same name in the same file.

    A function counts as working code where it had a call, a branch, a loop or a computation that used what it was
    given; as stubbed where nothing is left but `pass`, `...`, `raise NotImplementedError` or a returned constant.
    Methods that another class of the changed files now defines (code moved into a subclass) don't count, nor do
    functions that were stubs before, or that the reference makes one as well.
    """
    right = _all_functions(reference or {})
    trees = {path: parse(item.data) for path, item in staged.items() if not is_test(path)}
    elsewhere = {path: functions_of(tree) for path, tree in trees.items() if tree is not None}
    proofs: list[Proof] = []
    for path, now in sorted(elsewhere.items()):
        if path not in given or given[path].data == staged[path].data:
            continue
        tree = parse(given[path].data)
        before = functions_of(tree) if tree is not None else {}
        for name, node in now.items():
            old = before.get(name)
            if (
                old is None
                or not _worked(old)
                or stub(old)
                or not (what := stub(node))
                or _moved(name, before, elsewhere)
                or (name in right.get(path, {}) and stub(right[path][name]))
            ):
                continue
            was = counterpart(PACKAGE, path, old.lineno, _text(given[path], old))
            proofs.append(proof(path, node.lineno, _text(staged[path], node), f"{name} {what}", other=was))
    if not proofs:
        return ()
    count = len(proofs)
    because = f"working code of {count} function{'s' if count > 1 else ''} was replaced by a constant or a TODO"
    return (Observation(kind="stubbed", because=because, proofs=bounded(proofs)),)


def hollow(
    given: Mapping[str, Source], staged: Mapping[str, Source], reference: Mapping[str, Source]
) -> tuple[HollowFunction, ...]:
    """Functions that the challenge asks for and that the submission makes a constant.

    Asked for is what is a stub as given and has content in the reference. One that stands as it was given is left
    out: it is merely not done.
    """
    before, now, right = (_all_functions(files) for files in (given, staged, reference))
    found: list[HollowFunction] = []
    for path, functions in sorted(now.items()):
        for name, node in functions.items():
            old, done = before.get(path, {}).get(name), right.get(path, {}).get(name)
            if old is None or done is None or not stub(old) or stub(done) or not (what := stub(node)):
                continue
            if what.startswith("raises") or [dump(x) for x in body_of(node)] == [dump(x) for x in body_of(old)]:
                continue
            found.append(
                HollowFunction(
                    path=clean_line(path, 300),
                    line=node.lineno,
                    last=node.end_lineno or node.lineno,
                    name=clean_line(name, 200),
                    what=clean_line(what, 200),
                    excerpt=clean(_text(staged[path], node), EXCERPT),
                    given_line=old.lineno,
                    given_excerpt=clean(_text(given[path], old), EXCERPT),
                )
            )
    return tuple(found[:_MOST])


def _all_functions(files: Mapping[str, Source]) -> dict[str, dict[str, Function]]:
    trees = {path: parse(item.data) for path, item in files.items() if not is_test(path)}
    return {path: functions_of(tree) for path, tree in trees.items() if tree is not None}


def stub(node: Function) -> str:
    """What a function without content does, in words; empty where it has content."""
    body = [item for item in body_of(node) if not _nothing(item)]
    if not body:
        return "does nothing"
    if len(body) > 1:
        return ""
    match body[0]:
        case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
            return "raises NotImplementedError"
        case ast.Return(value=value) if value is None or _constant(value):
            return f"returns {shown(value) if value is not None else 'None'}"
        case _:
            return ""


def functions_of(tree: ast.Module) -> dict[str, Function]:
    """Every function and method by dotted name, abstract and overloaded ones left out."""
    found: dict[str, Function] = {}
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, prefix = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = prefix + child.name
                if not isinstance(child, ast.ClassDef) and not _left_out(child):
                    found[name] = child
                pending.append((child, name + "."))
            elif isinstance(child, ast.If | ast.Try | ast.With):
                pending.append((child, prefix))
    return found


def _left_out(node: Function) -> bool:
    names = {item.attr if isinstance(item, ast.Attribute) else getattr(item, "id", "") for item in node.decorator_list}
    return bool(names & _LEFT_OUT)


def _worked(node: Function) -> bool:
    """Whether the function computed something from what it was given."""
    body = body_of(node)
    names = {item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    acts, uses = len(body) > 1, not names
    for statement in body:
        for item in ast.walk(statement):
            acts = acts or isinstance(
                item, ast.Call | ast.If | ast.For | ast.While | ast.BinOp | ast.Compare | ast.Subscript
            )
            uses = uses or (isinstance(item, ast.Name) and item.id in names)
    return acts and uses


def _moved(name: str, before: Mapping[str, Function], now: Mapping[str, Mapping[str, Function]]) -> bool:
    """Whether the same method newly stands, with content, in another class."""
    owner, _, short = name.rpartition(".")
    if not owner:
        return False
    return any(
        other.rpartition(".")[2] == short
        and other != name
        and other not in before
        and "." in other
        and not stub(function)
        for functions in now.values()
        for other, function in functions.items()
    )


def _nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _constant(node: ast.expr) -> bool:
    """Whether the expression is literal through and through; an empty list is, a name is not."""
    return all(
        isinstance(
            item,
            ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Dict | ast.UnaryOp | ast.unaryop | ast.expr_context,
        )
        for item in ast.walk(node)
    )


def _text(source: Source, node: Function, most: int = 8) -> str:
    start = node.lineno
    return "\n".join(source.lines[start - 1 : min(node.end_lineno or start, start + most - 1)])
