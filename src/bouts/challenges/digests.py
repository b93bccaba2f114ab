"""The files of a package and the digests over them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bouts.challenges import limits, names, reach
from bouts.challenges.given import BRIEFING
from bouts.errors import BadChallenge


@dataclass(frozen=True)
class PackageFile:
    """One regular file: size in bytes, SHA-256 in hexadecimal, executable by anyone."""

    size: int
    sha256: str
    executable: bool


def scan(root: Path) -> dict[str, PackageFile]:
    """Every file of a package but its samples, by path, sorted. Bytecode, caches and version control do not count.

    Raises `BadChallenge` for links and other special files, odd names, and files and packages past the limits."""
    found: dict[str, PackageFile] = {}
    total = 0
    folder = reach.open_folder(root)
    try:
        for seen in reach.walk(folder, lambda p: p != "samples" and not names.never_counts(p), limits.DEPTH):
            if names.never_counts(seen.path):
                continue
            total += seen.size
            found[seen.path] = _hashed(seen, root)
            if len(found) > limits.PACKAGE_FILES or total > limits.PACKAGE_BYTES:
                most = f"{limits.PACKAGE_FILES} files or {limits.mebibytes(limits.PACKAGE_BYTES)}"
                raise BadChallenge(f"a package may not hold more than {most}", where=str(root))
    finally:
        os.close(folder)
    return dict(sorted(found.items()))


def _hashed(seen: reach.Seen, root: Path) -> PackageFile:
    where = names.shown(str(root / seen.path))
    if seen.kind == "link":
        raise BadChallenge("a package may not hold links", where=where, hint="put a copy of the file in its place")
    if seen.kind != "file":
        what = {"deep": f"it lies more than {limits.DEPTH} folders deep", "unreadable": "it cannot be read"}
        raise BadChallenge(what.get(seen.kind, "a package may hold regular files only"), where=where)
    if reason := names.odd(seen.path):
        raise BadChallenge(reason, where=where)
    most = _most(seen.path)
    if seen.size > most:
        raise BadChallenge(f"it is larger than {limits.mebibytes(most)}", where=where)
    try:
        return PackageFile(seen.size, reach.file_digest(seen), seen.executable)
    except (OSError, ValueError) as error:
        raise BadChallenge(f"it cannot be read: {error}", where=where) from error


def _most(path: str) -> int:
    """Bytes that a file may have: the reference is handed in like any submission."""
    if path == BRIEFING:
        return limits.BRIEFING_BYTES
    return limits.FILE_BYTES if path.startswith("reference/") else limits.PACKAGE_FILE_BYTES


def files_digest(files: Mapping[str, PackageFile], deleted: tuple[str, ...] = ()) -> str:
    """SHA-256 over the sorted paths, executable bits and contents, as `sha256:` and 64 hexadecimal digits."""
    whole = hashlib.sha256()
    for path, file in sorted(files.items()):
        whole.update(f"{'x' if file.executable else '-'} {file.sha256} {path}\0".encode(errors="surrogateescape"))
    for path in sorted(deleted):
        whole.update(f"d {path}\0".encode(errors="surrogateescape"))
    return "sha256:" + whole.hexdigest()
