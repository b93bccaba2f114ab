"""What becomes of each entry of a submission: taken, refused, or left because it is out of scope."""

from __future__ import annotations

from dataclasses import dataclass, field

from bouts.challenges import names
from bouts.challenges.digests import PackageFile
from bouts.challenges.handed import Handed
from bouts.challenges.reading import Package
from bouts.challenges.refusing import Names, pytest_settings, refusal
from bouts.challenges.submissions import Submission
from bouts.model.evidence import Refusal, RefusalKind


@dataclass
class Sorted:
    """The entries of a submission, sorted by what becomes of them."""

    taken: dict[str, Handed] = field(default_factory=dict[str, Handed])
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    left: dict[str, Handed] = field(default_factory=dict[str, Handed])
    """Entries that were not taken and differ from what was given."""


def sort_entries(package: Package, submission: Submission, known: Names) -> Sorted:
    """Sort every entry by its name, its kind and the challenge's scope."""
    rows = Sorted(refusals=list(submission.dropped))
    for path, handed in submission.files.items():
        same = not differs(package, path, handed)
        reason = _reason(package, path, handed, known)
        if reason is None:
            rows.taken[path] = handed
            continue
        kind, detail = reason
        # An untouched read-only file that came along is nothing to speak of; other kinds keep a quiet record.
        if not (same and kind == "out_of_scope"):
            rows.refusals.append(Refusal(path=names.shown(path), kind=kind, detail=detail, changed=not same))
        if not same:
            rows.left[path] = handed
    return rows


def _reason(package: Package, path: str, handed: Handed, known: Names) -> tuple[RefusalKind, str] | None:
    """Why an entry is not staged, or none."""
    wanted = names.in_scope(path, package.manifest.editable)
    by_name = refusal(path, known)
    if by_name or handed.problem:
        return by_name or handed.problem
    if names.fold(path.rsplit("/", 1)[-1]) == "pyproject.toml":
        if not wanted:
            return "runner_config", "the package's own project file is used"
        if pytest_settings(handed.data or b"") != _given_settings(package, path):
            return "runner_config", "it configures pytest; the package's own is used"
    if not wanted:
        return "out_of_scope", "it matches no pattern of `editable`"
    return None if handed.data is not None else ("too_large", "it was not read")


def _given_settings(package: Package, path: str) -> object:
    source = package.given.get(path)
    return pytest_settings(package.read(source)) if source else None


def differs(package: Package, path: str, handed: Handed) -> bool:
    """Whether an entry is anything else than the given file of this path."""
    source = package.given.get(path)
    given = package.files[source] if source else None
    if given is None or handed.data is None or given.size != handed.size:
        return True
    mine = file_of(package, path, handed)
    return mine.sha256 != given.sha256 or mine.executable != given.executable


def file_of(package: Package, path: str, handed: Handed) -> PackageFile:
    """An entry as a file; where its form does not say whether it is executable, the given file does."""
    source = package.given.get(path)
    inherited = package.files[source].executable if source else False
    executable = inherited if handed.executable is None else handed.executable
    return PackageFile(handed.size, handed.sha256, executable)


def deletions(
    package: Package, submission: Submission, known: Names, rows: Sorted
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Deletions that are carried out, and those that are not because the file is read-only."""
    done: list[str] = []
    kept: list[str] = []
    for path in submission.deleted:
        by_name = refusal(path, known)
        if by_name is None and names.in_scope(path, package.manifest.editable):
            done.append(path)
            continue
        kept.append(path)
        kind: RefusalKind = by_name[0] if by_name else "out_of_scope"
        rows.refusals.append(Refusal(path=path, kind=kind, detail="it was deleted; the package's own is used"))
    return tuple(done), tuple(kept)


def without_conflicts(rows: Sorted, given: set[str]) -> dict[str, Handed]:
    """Leave out files that would take the place of a folder, or need a folder in the place of a file."""
    folders = {"/".join(p.split("/")[:n]) for p in given for n in range(1, p.count("/") + 1)}
    good: dict[str, Handed] = {}
    for path, handed in rows.taken.items():
        above = {"/".join(path.split("/")[:n]) for n in range(1, path.count("/") + 1)}
        if path in folders or above & given:
            what = (
                "a folder of the codebase has this name" if path in folders else "a file of the codebase is in its way"
            )
            rows.refusals.append(Refusal(path=names.shown(path), kind="bad_name", detail=what))
            rows.left[path] = handed
        else:
            good[path] = handed
    return good
