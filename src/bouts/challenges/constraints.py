"""Whether declared constraints speak of what is there; whether they are kept is seen when samples are scored."""

from __future__ import annotations

import ast

from bouts.challenges import names
from bouts.challenges.checks import Check, error, settled, warning
from bouts.challenges.reading import Package
from bouts.model.constraints import (
    Constraint,
    MaxLines,
    MustDefine,
    MustKeepSignature,
    MustUseRecursion,
    OnlyFiles,
    Script,
)


def constraint_checks(package: Package) -> list[Check]:
    """Constraints of functions, files and programs that do not exist, and such as no sample breaks."""
    constraints = package.manifest.constraints
    if not constraints:
        return []
    found = [check for rule in constraints for check in _one(package, rule)]
    found += _samples(package)
    count = len(constraints)
    return settled("constraints", found, f"{count} constraint{'s' if count > 1 else ''} of things that are there")


def _one(package: Package, rule: Constraint) -> list[Check]:
    what = f"{rule.kind} ({rule.says})"
    match rule:
        case Script(path=path):
            return [] if path in package.files else [_missing(what, path, "write it, or correct `path`")]
        case MustUseRecursion(function=name):
            return [] if _has(package, name, "reference", "codebase") else [_missing(what, name, "correct `function`")]
        case MustKeepSignature(function=name):
            return [] if _has(package, name, "codebase") else [_missing(what, name, "name one of the codebase")]
        case MustDefine(path=path):
            there = any(f"{folder}/{path}" in package.files for folder in ("reference", "codebase"))
            return [] if there else [_missing(what, path, "correct `path`")]
        case MaxLines(files=files) | OnlyFiles(files=files):
            known = {*package.below("codebase"), *package.below("reference")}
            return [
                warning("constraints", f"{what}: {pattern!r} matches nothing that is there", "correct or remove it")
                for pattern in files
                if not any(names.matches(path, pattern) for path in known)
            ]
        case _:
            return []


def _missing(what: str, name: str, remedy: str) -> Check:
    return error("constraints", f"{what}: there is no {name}", remedy)


def _has(package: Package, function: str, *folders: str) -> bool:
    """Whether a function stands in a file of one of these folders of the package."""
    path, _, name = function.partition("::")
    return any(
        f"{folder}/{path}" in package.files and _defines(package.read(f"{folder}/{path}"), name.split("."))
        for folder in folders
    )


def _defines(data: bytes, parts: list[str]) -> bool:
    try:
        body: list[ast.stmt] = ast.parse(data).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    for part in parts:
        inner: list[ast.stmt] | None = None
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == part:
                inner = node.body
        if inner is None:
            return False
        body = inner
    return True


def _samples(package: Package) -> list[Check]:
    """A warning where no sample shows that a constraint is noticed when it is broken."""
    broken = (folder / "expect.yaml" for folder in package.samples)
    if any(path.is_file() and "constraint_violated" in path.read_text("utf-8", "replace") for path in broken):
        return []
    remedy = "add samples/cheat-<name>/ that breaks one, with `violations: [constraint_violated]`"
    return [warning("constraints", "no sample breaks a constraint, so nothing shows that it is noticed", remedy)]
