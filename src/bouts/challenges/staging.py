"""Staging: the pristine codebase with the in-scope files of a submission laid over it, in a fresh folder.

What was handed in is compared with what was given; what is not taken is said. Nothing is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bouts.challenges import limits, names, reach
from bouts.challenges.changes import compare
from bouts.challenges.deliverables import deliverable_facts
from bouts.challenges.dependencies import MANIFESTS, added_dependencies
from bouts.challenges.digests import files_digest
from bouts.challenges.given import BRIEFING, CODEBASE, SUPPORT, VISIBLE
from bouts.challenges.handed import Handed
from bouts.challenges.notices import text_notices
from bouts.challenges.produced import produced_code
from bouts.challenges.reading import Package
from bouts.challenges.refusing import names_of
from bouts.challenges.sorting import Sorted, deletions, differs, file_of, sort_entries, without_conflicts
from bouts.challenges.submissions import Submission
from bouts.errors import BadChallenge, BadUsage, StoreFault
from bouts.model.evidence import DeliverableFacts, FileChange, Notice, SubmissionFacts
from bouts.model.text import clean_line


@dataclass(frozen=True)
class StagedTree:
    """The tree that is graded, and what staging saw."""

    root: Path
    taken: tuple[str, ...]
    """Files taken from the submission."""
    changed: tuple[str, ...]
    """Those of them that are new or differ from the codebase: what scanners look at."""
    deleted: tuple[str, ...]
    """Files of the codebase that the submission took away and was allowed to."""
    digest: str
    """Over what was changed and deleted: submissions that make the same tree have the same digest."""
    handed_in_digest: str
    """Over all that was handed in and counts, refused files too: the key for what the integrity checks find."""
    facts: SubmissionFacts
    notices: tuple[Notice, ...]
    tests_changed: tuple[str, ...]
    """Visible tests and their support that the submission holds in another form or deletes; never staged."""
    handed_in: Mapping[str, bytes] = field(repr=False)
    """Changed copies of read-only files and tests, as data, each at most 1 MiB; by path."""


def stage(package: Package, submission: Submission, target: Path) -> StagedTree:
    """Stage a submission into `target`, which must not exist yet or be empty; files get mode 0644 or 0755.

    Raises `BadUsage` where the target is in use, `StoreFault` where it cannot be written, `BadChallenge` for a package
    without a codebase."""
    _must_have(package, CODEBASE)
    given = {p: s for p, s in package.given.items() if s.startswith(CODEBASE)}
    known = names_of(package.manifest, package.given, _lock(package))
    rows = sort_entries(package, submission, known)
    deleted, kept = deletions(package, submission, known, rows)
    rows.taken = without_conflicts(rows, set(given) - set(deleted))
    originals = {p: package.read(s) for p, s in package.given.items() if p in rows.taken or p in rows.left or p in kept}
    originals |= {p: package.read(given[p]) for p in deleted}
    _write(package, given, rows.taken, deleted, target)
    changed = {p: h for p, h in rows.taken.items() if differs(package, p, h)}
    changes = _changes(changed, rows.left, deleted, kept, originals)
    parts = _deliverables(package, submission, rows.taken, given)
    notices = _notices(package, submission, changed=changed, rows=rows, changes=changes, originals=originals)
    tests = tuple(c.path for c in changes if c.path.startswith((VISIBLE, SUPPORT)))
    digest = files_digest({p: file_of(package, p, h) for p, h in changed.items()}, deleted)
    facts = SubmissionFacts(
        agent=submission.manifest.agent,
        digest=digest,
        source=submission.source,
        files=len(rows.taken),
        changes=tuple(changes[: limits.LISTED]),
        refusals=tuple(rows.refusals[: limits.LISTED]),
        deliverables=parts,
        added_dependencies=_added(package, submission, given),
        iterations=len(submission.manifest.iterations) or None,
        cost_usd=submission.manifest.cost_usd,
        produced=produced_code({path: handed.data or b"" for path, handed in changed.items()}),
    )
    every = {p: file_of(package, p, h) for p, h in submission.files.items() if h.data is not None}
    return StagedTree(
        root=target,
        taken=tuple(rows.taken),
        changed=tuple(changed),
        deleted=deleted,
        digest=digest,
        handed_in_digest=files_digest(every, submission.deleted),
        facts=facts,
        notices=(*notices, *_lacking(parts)),
        tests_changed=tests,
        handed_in=_handed_in(package, rows.left),
    )


def workspace(package: Package, target: Path) -> tuple[str, ...]:
    """Write what an agent is given into `target`: codebase, visible tests, the support they need, the briefing. The
    paths are returned. Raises as `stage` does, and `BadChallenge` for a package without a briefing."""
    _must_have(package, CODEBASE, BRIEFING)
    _fresh(target)
    for path, source in package.given.items():
        _put(target, path, package.read(source), package.files[source].executable)
    return tuple(package.given)


def _write(
    package: Package, given: Mapping[str, str], taken: Mapping[str, Handed], deleted: tuple[str, ...], target: Path
) -> None:
    _fresh(target)
    for path, source in given.items():
        if path not in taken and path not in deleted:
            _put(target, path, package.read(source), package.files[source].executable)
    for path, handed in taken.items():
        _put(target, path, handed.data or b"", file_of(package, path, handed).executable)


def _must_have(package: Package, *parts: str) -> None:
    lacking = [part for part in parts if not any(p == part or p.startswith(part) for p in package.files)]
    if lacking:
        raise BadChallenge(
            f"the package has no {' and no '.join(lacking)}",
            where=str(package.root),
            hint=f"see what it lacks with: bouts check {package.root} --static",
        )


def _fresh(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise BadUsage("a file is there, and a folder is needed", where=str(target), hint="name a new folder")
    try:
        target.mkdir(parents=True, exist_ok=True)
        target.chmod(0o755)
        used = any(target.iterdir())
    except NotADirectoryError as error:
        raise BadUsage("it would lie below a file", where=str(target), hint="name a new folder") from error
    except OSError as error:
        raise StoreFault(f"the folder cannot be made: {error.strerror}", where=str(target)) from error
    if used:
        raise BadUsage("the folder is not empty", where=str(target), hint="name a folder that does not exist yet")


def _put(target: Path, path: str, data: bytes, executable: bool) -> None:
    try:
        reach.write(target, path, data, executable)
    except OSError as error:
        raise StoreFault(f"it cannot be written: {error.strerror}", where=str(target / path)) from error


def _lock(package: Package) -> str:
    lock = package.manifest.environment.lock
    return package.read(lock).decode("utf-8", "replace") if lock and lock in package.files else ""


def _changes(
    changed: Mapping[str, Handed],
    left: Mapping[str, Handed],
    deleted: tuple[str, ...],
    kept: tuple[str, ...],
    originals: Mapping[str, bytes],
) -> list[FileChange]:
    """Every changed file, those in scope first, then those that were given, then the rest."""
    rows = [compare(p, originals.get(p), h.data, in_scope=True) for p, h in changed.items()]
    rows += [compare(p, originals[p], None, in_scope=True) for p in deleted]
    outside = [compare(p, originals[p], None, in_scope=False) for p in kept]
    outside += [_outside(p, originals.get(p), h) for p, h in left.items()]
    return rows + sorted(outside, key=lambda c: (c.path not in originals, c.path))


def _outside(path: str, before: bytes | None, handed: Handed) -> FileChange:
    if handed.data is None:
        status = "added" if before is None else "modified"
        return FileChange(path=names.shown(path), status=status, added=0, removed=0, in_scope=False)
    return compare(names.shown(path), before, handed.data, in_scope=False)


def _deliverables(
    package: Package, submission: Submission, taken: Mapping[str, Handed], given: Mapping[str, str]
) -> tuple[DeliverableFacts, ...]:
    facts: list[DeliverableFacts] = []
    for part in package.manifest.deliverables:
        path = submission.manifest.deliverables.get(part.id, part.path)
        before = {path: package.read(given[path])} if path in given else {}
        gone = path in submission.deleted
        staged = {path: taken[path].data or b""} if path in taken else {} if gone else before
        facts.append(deliverable_facts(part, path, staged, before))
    return tuple(facts)


def _added(package: Package, submission: Submission, given: Mapping[str, str]) -> tuple[str, ...] | None:
    manifests = {name: package.read(given[name]) for name in MANIFESTS if name in given}
    return added_dependencies(manifests, submission.files)


def _notices(
    package: Package,
    submission: Submission,
    *,
    changed: Mapping[str, Handed],
    rows: Sorted,
    changes: list[FileChange],
    originals: Mapping[str, bytes],
) -> list[Notice]:
    found: list[Notice] = []
    for path, handed in changed.items():
        if len(found) < 2 * 20:
            found += text_notices(path, originals.get(path), handed.data or b"")
    if submission.files and not rows.taken:
        allowed = ", ".join(package.manifest.editable)
        found.append(Notice(kind="nothing_taken", why=f"no file handed in matches `editable`: {allowed}"))
    if submission.wrapper:
        found.append(
            Notice(kind="wrapper_folder", why=f"the folder {submission.wrapper!r} around all files was taken off")
        )
    for kind, count in (("changes", len(changes)), ("refusals", len(rows.refusals))):
        if count > limits.LISTED:
            found.append(Notice(kind="cut", why=f"{count} {kind}, of which the first {limits.LISTED} are listed"))
    return found


def _lacking(parts: tuple[DeliverableFacts, ...]) -> list[Notice]:
    """Written parts that are not there, which under some policies cost nothing: a reader must know all the same."""
    told = {
        "deliverable_missing": [part for part in parts if not part.present],
        "deliverable_placeholder": [part for part in parts if part.present and part.placeholder],
    }
    said = {
        "deliverable_missing": "asked for and not handed in",
        "deliverable_placeholder": "handed in with nothing but template text",
    }
    return [
        Notice(kind=kind, why=clean_line(f"{said[kind]}: {part.path} ({part.title})", 300))
        for kind, found in told.items()
        for part in found
    ]


def _handed_in(package: Package, left: Mapping[str, Handed]) -> Mapping[str, bytes]:
    kept: dict[str, bytes] = {}
    for path, handed in left.items():
        counts = path in package.given or path.startswith("tests/")
        if counts and handed.data is not None and handed.size <= limits.KEPT_BYTES:
            kept[path] = handed.data
    return kept
