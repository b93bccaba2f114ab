"""Opening what was handed in: a folder, an archive or a patch. Nothing in it is executed, no link is followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from bouts.challenges import limits, names, reach
from bouts.challenges.handed import Dropped, Handed
from bouts.challenges.problems import meant, read_fact
from bouts.challenges.reading import Package, bad_file, file_bytes
from bouts.errors import BadSubmission, NotFound
from bouts.model.evidence import Refusal, RefusalKind
from bouts.model.submission import SubmissionManifest

MANIFEST = "submission.yaml"
_RECORDS = (".jsonl", ".ndjson")
"""A session may be as large as it likes beside the code; it is read record by record, or not at all."""
_UNREADABLE: tuple[RefusalKind, str] = ("not_a_file", "it cannot be read")
_FORMS = "a submission is a folder, a .zip, .tar, .tar.gz, .tgz, .tar.xz or .tar.bz2 archive, or a .patch or .diff file"


@dataclass(frozen=True)
class Submission:
    """What was handed in, read once: what is staged, compared and judged later are these bytes."""

    path: Path
    source: Literal["folder", "archive", "patch"]
    manifest: SubmissionManifest
    files: Mapping[str, Handed] = field(repr=False)
    """Every entry that counts, by path; in a patch, the files that it adds or changes, as they are after it."""
    deleted: tuple[str, ...] = ()
    """Files of the given workspace that a patch, or a complete workspace, took away."""
    dropped: tuple[Refusal, ...] = ()
    """Version control and bytecode that came along."""
    wrapper: str = ""
    """The one folder that wrapped everything in an archive, taken off."""


def open_submission(path: Path, package: Package) -> Submission:
    """Read a submission. Raises `NotFound`, or `BadSubmission` where it cannot be taken; an empty folder is legal."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise NotFound("there is no such submission", where=names.shown(str(path)), hint=_FORMS) from None
    except (OSError, ValueError) as error:
        raise BadSubmission(f"it cannot be reached: {error}", where=names.shown(str(path))) from None
    if stat.S_ISDIR(status.st_mode):
        return _finish(path, package, "folder", _folder(path, package))
    if not stat.S_ISREG(status.st_mode):
        raise BadSubmission("it is a pipe, socket or device", where=names.shown(str(path)), hint=_FORMS)
    return _from_file(path, package, status.st_size)


def _from_file(path: Path, package: Package, size: int) -> Submission:
    where, name = names.shown(str(path)), names.fold(path.name)
    is_patch = name.endswith(names.PATCH_SUFFIXES)
    if not is_patch and not name.endswith(names.ARCHIVE_SUFFIXES):
        raise BadSubmission("a single file of this kind is no submission", where=where, hint=_FORMS)
    most = limits.PATCH_BYTES if is_patch else limits.ARCHIVE_BYTES
    if size > most:
        raise BadSubmission(f"it is larger than {limits.mebibytes(most)}", where=where)
    data = file_bytes(path, most, BadSubmission)
    if is_patch:
        from bouts.challenges import patches

        base = {p: package.root / source for p, source in package.given.items()}
        files, deleted, dropped = patches.apply(data, where, base, package.manifest.editable)
        return _finish(path, package, "patch", (files, dropped), deleted=deleted)
    from bouts.challenges import archives

    files, dropped = archives.unpack(data, name, where)
    wrapper = _wrapper(files, package)
    if wrapper:
        files = {p.removeprefix(wrapper): _moved(h, wrapper) for p, h in files.items()}
    return _finish(path, package, "archive", (files, dropped), wrapper=wrapper)


def _moved(handed: Handed, wrapper: str) -> Handed:
    return Handed(handed.path.removeprefix(wrapper), handed.data, handed.size, handed.executable, handed.problem)


def _wrapper(files: Mapping[str, Handed], package: Package) -> str:
    """The folder around everything, where only without it something fits the challenge."""
    tops = {p.split("/", 1)[0] if "/" in p else "" for p in files}
    if len(tops) != 1 or (top := tops.pop()) == "":
        return ""
    start = top + "/"

    def fits(path: str) -> bool:
        return path in package.given or names.in_scope(path, package.manifest.editable)

    if any(fits(p) for p in files) or any(g.startswith(start) for g in package.given):
        return ""
    inner = [p.removeprefix(start) for p in files]
    return start if MANIFEST in inner or any(fits(p) for p in inner) else ""


def _folder(path: Path, package: Package) -> tuple[dict[str, Handed], Dropped]:
    found: dict[str, Handed] = {}
    dropped = Dropped()
    taken = other = 0
    try:
        folder = reach.open_folder(path)
    except OSError as error:
        raise BadSubmission(f"the folder cannot be read: {error.strerror}", where=names.shown(str(path))) from None
    try:
        for seen in reach.walk(folder, dropped.enters, limits.DEPTH):
            if dropped.drops(seen.path):
                continue
            if len(found) >= limits.FILES:
                hint = "leave out environments, caches and data"
                raise BadSubmission(f"it holds more than {limits.FILES} files", where=names.shown(str(path)), hint=hint)
            wanted = names.in_scope(seen.path, package.manifest.editable)
            handed = _read(seen, wanted, limits.TOTAL_BYTES - other, path)
            found[seen.path] = handed
            kept = len(handed.data or b"")
            taken, other = (taken + kept, other) if wanted else (taken, other + kept)
            if taken > limits.TOTAL_BYTES:
                most = limits.mebibytes(limits.TOTAL_BYTES)
                raise BadSubmission(f"its files are larger than {most} together", where=names.shown(str(path)))
    finally:
        os.close(folder)
    return found, dropped


def _read(seen: reach.Seen, wanted: bool, left: int, path: Path) -> Handed:
    if problem := _no_file(seen):
        if wanted and problem == _UNREADABLE:
            raise BadSubmission("it cannot be read", where=names.shown(f"{path}/{seen.path}"))
        return Handed(seen.path, None, 0, None, problem)
    most = limits.FILE_BYTES if wanted else limits.TOTAL_BYTES
    if seen.size > most and (wanted or not names.fold(seen.path).endswith(_RECORDS)):
        where = names.shown(f"{path}/{seen.path}")
        hint = "hand in what was written, without data, environments and builds"
        raise BadSubmission(f"it is larger than {limits.mebibytes(most)}", where=where, hint=hint)
    if not wanted:
        most = min(limits.KEPT_BYTES, max(left, 0))
    if seen.size > most:
        return Handed(seen.path, None, seen.size, seen.executable)
    try:
        data = reach.read(seen, most)
    except OSError as error:
        if wanted:
            where = names.shown(f"{path}/{seen.path}")
            raise BadSubmission(f"it cannot be read: {error.strerror}", where=where) from None
        return Handed(seen.path, None, seen.size, None, _UNREADABLE)
    changed: tuple[RefusalKind, str] | None = (
        None if data is not None else ("not_a_file", "it changed while it was read")
    )
    return Handed(seen.path, data, len(data or b""), seen.executable, changed)


def _no_file(seen: reach.Seen) -> tuple[RefusalKind, str] | None:
    """Why an entry is no regular file that could be staged."""
    problems: dict[str, tuple[RefusalKind, str]] = {
        "unreadable": _UNREADABLE,
        "deep": ("bad_name", f"it lies more than {limits.DEPTH} folders deep"),
        "link": ("not_a_file", "it is a link"),
        "other": ("not_a_file", "it is a pipe, socket or device"),
    }
    return problems.get(seen.kind)


def _finish(
    path: Path,
    package: Package,
    source: Literal["folder", "archive", "patch"],
    read: tuple[dict[str, Handed], Dropped],
    *,
    deleted: tuple[str, ...] = (),
    wrapper: str = "",
) -> Submission:
    files, dropped = read
    manifest = SubmissionManifest()
    if MANIFEST in files and MANIFEST not in package.given:
        manifest = _manifest(files.pop(MANIFEST), package)
    if manifest.complete and source != "patch":
        deleted = tuple(p for p in package.given if p not in files and not names.never_counts(p))
    return Submission(path, source, manifest, files, deleted, dropped.refusals(), wrapper)


def _manifest(handed: Handed, package: Package) -> SubmissionManifest:
    if handed.data is None or handed.size > limits.MANIFEST_BYTES:
        raise BadSubmission("it is no small regular file", where=MANIFEST)
    fact, tree, problems = read_fact(handed.data, SubmissionManifest)
    if fact is None or tree is None:
        raise bad_file(BadSubmission, MANIFEST, problems)
    known = [d.id for d in package.manifest.deliverables]
    for part, where in fact.deliverables.items():
        line, column = tree.place(("deliverables", part))
        place = f"{MANIFEST}:{line}:{column}"
        if part not in known:
            raise BadSubmission(f"the challenge asks for no deliverable {part!r}{meant(part, known)}", where=place)
        if names.odd(where) or not names.in_scope(where, package.manifest.editable):
            allowed = ", ".join(package.manifest.editable)
            raise BadSubmission(f"{where!r} is not a file that may be handed in; `editable` is: {allowed}", where=place)
    return fact
