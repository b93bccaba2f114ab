"""Rules of a manifest that its types cannot say. They need the manifest alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bouts.challenges import names
from bouts.challenges.marked import Location, Marked
from bouts.challenges.problems import Problem, meant
from bouts.model.challenge import Boundary, Challenge
from bouts.model.constraints import MaxLines, MustDefine, MustKeepSignature, MustUseRecursion, OnlyFiles, Script

MEMORY_ANCHOR_MB = 1024
"""The memory at which the memory metric scores 0; the limit must leave room to reach it."""

Found = Iterator[tuple[Location, str]]


def rule_problems(manifest: Challenge, tree: Marked) -> list[Problem]:
    """Every broken rule, by its place in the file."""
    checks = (_boundaries, _editable, _paths, _behaviours, _performance, _repeats, _solved_by, _variables, _constraints)
    problems = [Problem(*tree.place(at), what) for check in checks for at, what in check(manifest)]
    return sorted(problems, key=lambda p: (p.line, p.column))


def _boundaries(manifest: Challenge) -> Found:
    for name in ("static", "adversarial"):
        suite = manifest.suites.static if name == "static" else manifest.suites.adversarial
        at: Location = ("suites", name, "boundary")
        if suite.boundary is Boundary.IN_PROCESS:
            if name == "adversarial" and not (suite.in_process_reason or "").strip():
                yield (
                    at,
                    (
                        "a hidden suite that shares a process with submitted code can be tampered with: use calls, "
                        "http or cli, or say in `in_process_reason` why that cannot be; every card repeats the reason"
                    ),
                )
            continue
        part = suite.boundary.value
        if getattr(manifest.interface, part) is None:
            yield (
                at,
                f"the {name} suite uses the boundary {part!r}, so `interface.{part}` must say how the code is reached",
            )


def _editable(manifest: Challenge) -> Found:
    for number, pattern in enumerate(manifest.editable):
        if reason := names.pattern_problem(pattern):
            yield ("editable", number), f"the pattern {pattern!r} is no good: {reason}"
    for number, part in enumerate(manifest.deliverables):
        if not names.in_scope(part.path, manifest.editable):
            what = f"the deliverable {part.path!r} matches no pattern of `editable`, so it could never be handed in"
            yield ("deliverables", number, "path"), f"{what}; add {part.path!r} to `editable`"


def _paths(manifest: Challenge) -> Found:
    for number, part in enumerate(manifest.deliverables):
        if reason := names.odd(part.path):
            yield ("deliverables", number, "path"), reason
    lock = manifest.environment.lock
    if lock is not None and (reason := names.odd(lock)):
        yield ("environment", "lock"), reason
    calls = manifest.interface.calls
    for number, path in enumerate(calls.path if calls else ()):
        if path != "." and (reason := names.odd(path)):
            yield ("interface", "calls", "path", number), reason
    for number, module in enumerate(calls.modules if calls else ()):
        if not all(p.isidentifier() for p in module.split(".")):
            yield (
                ("interface", "calls", "modules", number),
                f"{module!r} is no name of a module, such as `ledger.report`",
            )
    http = manifest.interface.http
    if http and not http.health.startswith("/"):
        yield ("interface", "http", "health"), f"a path of a service begins with `/`; write '/{http.health}'"


def _behaviours(manifest: Challenge) -> Found:
    known = manifest.rubric.behaviours
    for number, rule in enumerate(manifest.rubric.static):
        if rule.behaviour not in known:
            what = f"the behaviour {rule.behaviour!r} is not among `rubric.behaviours`{meant(rule.behaviour, known)}"
            yield ("rubric", "static", number, "behaviour"), what
    for number, hidden in enumerate(manifest.rubric.adversarial):
        for place, behaviour in enumerate(hidden.validates):
            if behaviour not in known:
                what = f"the behaviour {behaviour!r} is not among `rubric.behaviours`{meant(behaviour, known)}"
                yield ("rubric", "adversarial", number, "validates", place), what


def _performance(manifest: Challenge) -> Found:
    performance = manifest.performance
    if performance is None:
        return
    if manifest.interface.http is None:
        yield ("performance",), "performance is measured on a service only: give `interface.http`, or leave this out"
    for kind in ("setup", "requests"):
        for number, request in enumerate(performance.setup if kind == "setup" else performance.requests):
            if not request.path.startswith("/"):
                yield (
                    ("performance", kind, number, "path"),
                    f"a path of a service begins with `/`; write '/{request.path}'",
                )
    if "memory_mb" in performance.metrics and manifest.limits.memory_mb <= MEMORY_ANCHOR_MB:
        what = f"memory_mb scores 0 at {MEMORY_ANCHOR_MB} MiB, so `limits.memory_mb` must be above that"
        yield ("performance", "metrics"), f"{what}, not {manifest.limits.memory_mb}"


def _repeats(manifest: Challenge) -> Found:
    rubric, performance = manifest.rubric, manifest.performance
    lists: list[tuple[Location, Iterable[str], str]] = [
        (("editable",), manifest.editable, ""),
        (("dependencies",), manifest.dependencies, ""),
        (("deliverables",), [d.id for d in manifest.deliverables], "id"),
        (("deliverables",), [d.path for d in manifest.deliverables], "path"),
        (("rubric", "static"), [r.match for r in rubric.static], "match"),
        (("rubric", "adversarial"), [r.match for r in rubric.adversarial], "match"),
        (("rubric", "tie_breakers"), rubric.tie_breakers, ""),
        (("performance", "metrics"), performance.metrics if performance else (), ""),
    ]
    for at, values, key in lists:
        seen: dict[str, int] = {}
        for number, value in enumerate(values):
            if value in seen:
                place: Location = (*at, number, key) if key else (*at, number)
                yield place, f"{value!r} stands here twice; it is also entry {seen[value] + 1}"
            seen.setdefault(value, number)


def _solved_by(manifest: Challenge) -> Found:
    for number, pattern in enumerate(manifest.rubric.solved_by):
        if not pattern.startswith(("static/", "adversarial/")):
            yield ("rubric", "solved_by", number), f"{pattern!r} must begin with `static/` or `adversarial/`"


def _variables(manifest: Challenge) -> Found:
    for name in manifest.environment.variables:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            yield ("environment", "variables", name), f"{name!r} is no name of an environment variable"
        elif name.upper().startswith(("LD_", "PYTHON", "BOUTS_")) or name.upper() in ("PATH", "HOME"):
            yield ("environment", "variables", name), f"{name!r} would change how the grader runs code; leave it out"


def _constraints(manifest: Challenge) -> Found:
    for number, rule in enumerate(manifest.constraints):
        at: Location = ("constraints", number)
        if isinstance(rule, MaxLines | OnlyFiles):
            for place, pattern in enumerate(rule.files):
                if reason := names.pattern_problem(pattern):
                    yield (*at, "files", place), f"the pattern {pattern!r} is no good: {reason}"
        key, path = "", ""
        if isinstance(rule, MustDefine | Script):
            key, path = "path", rule.path
        elif isinstance(rule, MustUseRecursion | MustKeepSignature):
            key, path = "function", rule.function.partition("::")[0]
        if key and (reason := names.odd(path)):
            yield (*at, key), reason
