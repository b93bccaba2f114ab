"""Constraints that a program of the author's checks, in a sandbox of its own over the staged files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from bouts.challenges.staging import StagedTree
from bouts.errors import WorldError
from bouts.integrity.proofs import DETAIL, EXCERPT
from bouts.model.constraints import Constraint, Script
from bouts.model.evidence import Fault, Notice
from bouts.model.sandbox import Command, Ended
from bouts.model.scanning import BrokenConstraint
from bouts.model.text import clean, clean_line
from bouts.pipeline.limits import OutOfTime
from bouts.pipeline.looks import FIRST
from bouts.pipeline.objective import Subject, target_of
from bouts.pipeline.world import World

LINES = 100
"""Lines that a program may print; each is one place."""
LINE_BYTES = 4096
_PROGRAM = ".bouts-constraint.py"
_KEYS = frozenset({"message", "path", "line"})


class ScriptsRun(NamedTuple):
    """What the programs found, what is wrong with them, and what is wrong with the world."""

    broken: tuple[BrokenConstraint, ...]
    notices: tuple[Notice, ...]
    faults: tuple[Fault, ...]
    late: bool = False
    """Whether time was up before all had run."""


def run_scripts(
    subject: Subject, staged: StagedTree, world: World, left: Callable[[], float] = lambda: math.inf
) -> ScriptsRun:
    """Run every program for which there is time: `left` tells the seconds, or raises `OutOfTime`.

    One that crashes, or prints what is no JSON line, is the author's mistake: a notice.
    """
    broken: list[BrokenConstraint] = []
    notices: list[Notice] = []
    faults: list[Fault] = []
    constraints: Sequence[Constraint] = subject.package.manifest.constraints
    for number, constraint in enumerate(constraints):
        if not isinstance(constraint, Script):
            continue
        try:
            ended = _run(subject, staged, world, constraint, left())
            left()
        except OutOfTime:
            return ScriptsRun(tuple(broken), tuple(notices), tuple(faults), late=True)
        except WorldError as error:
            faults.append(Fault(part="integrity.constraints", message=clean(str(error), 500)))
            continue
        if ended.kind == "sandbox_error":
            said = clean_line(ended.detail or "the sandbox broke", 300)
            faults.append(Fault(part="integrity.constraints", message=f"{constraint.path}: {said}"))
            continue
        found = read_lines(ended)
        if isinstance(found, str):
            notices.append(Notice(kind="constraint_unchecked", why=clean_line(f"{constraint.path} {found}", 400)))
        else:
            broken += [place.model_copy(update={"constraint": number}) for place in found]
    return ScriptsRun(tuple(broken), tuple(notices), tuple(faults))


def _run(subject: Subject, staged: StagedTree, world: World, script: Script, left: float) -> Ended:
    sandbox = world.sandboxes.create(world.runner.plan(target_of(subject), FIRST))
    try:
        sandbox.put(_PROGRAM, subject.package.read(script.path))
        told = json.dumps({"changed": sorted(staged.changed), "deleted": sorted(staged.deleted)}).encode()
        # `-I`: no file of the submission can stand in for a module that the program imports.
        command = Command(argv=("python", "-I", _PROGRAM), seconds=min(script.seconds, left))
        return sandbox.exec(command, stdin=told)
    finally:
        sandbox.destroy()


def read_lines(ended: Ended) -> tuple[BrokenConstraint, ...] | str:
    """The places that a program printed, or in words why they cannot be used."""
    if ended.kind != "exit" or ended.status != 0:
        how = f"exit status {ended.status}" if ended.kind == "exit" else ended.kind.replace("_", " ")
        last = ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"did not end as it must ({how}): {last}" if last else f"did not end as it must ({how})"
    lines = [line for line in ended.stdout.splitlines() if line.strip()]
    if len(lines) > LINES:
        return f"prints {len(lines)} lines; {LINES} are read"
    found: list[BrokenConstraint] = []
    for number, line in enumerate(lines, 1):
        place = _place(line)
        if isinstance(place, str):
            return f"prints a line that cannot be used (line {number}): {place}"
        found.append(place)
    return tuple(found)


def _place(line: bytes) -> BrokenConstraint | str:
    if len(line) > LINE_BYTES:
        return f"it is longer than {LINE_BYTES} bytes"
    try:
        raw = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return "it is no JSON"
    if not isinstance(raw, dict):
        return "it is no JSON object"
    row = cast("dict[str, Any]", raw)
    message, path, where = row.get("message"), row.get("path"), row.get("line")
    if not isinstance(message, str) or not message.strip() or row.keys() - _KEYS:
        return "it needs a text `message`, and may have `path` and `line` besides"
    if (path is not None and not isinstance(path, str)) or (
        where is not None and (not isinstance(where, int) or isinstance(where, bool) or where < 1)
    ):
        return "`path` must be text and `line` a whole number from 1"
    return BrokenConstraint(
        constraint=0, path=clean_line(path, 300) if path else None, line=where, detail=clean_line(message, DETAIL)
    )


def with_excerpts(broken: Sequence[BrokenConstraint], texts: dict[str, bytes]) -> tuple[BrokenConstraint, ...]:
    """The same with the lines that stand at each place of a staged file."""
    done: list[BrokenConstraint] = []
    for item in broken:
        data = texts.get(item.path or "")
        if data is None or item.line is None or item.excerpt:
            done.append(item)
            continue
        lines = data.decode("utf-8", "replace").splitlines()
        shown = clean("\n".join(lines[item.line - 1 : item.line + 3]), EXCERPT)
        done.append(item.model_copy(update={"excerpt": shown}))
    return tuple(done)
