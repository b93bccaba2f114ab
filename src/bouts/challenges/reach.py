"""Reading folders without following links, blocking on a pipe, or running anything."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


@dataclass(frozen=True)
class Seen:
    """One entry of a folder, as `lstat` saw it. `kind` is file, link, other (pipe, socket, device) or unreadable."""

    path: str
    kind: str
    size: int
    executable: bool
    parent: int
    """Descriptor of the folder that holds it; open while the walk stands at this entry."""
    name: str


def open_folder(path: Path) -> int:
    """A descriptor of a folder that the user named; here, and only here, links are followed."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def walk(folder: int, enter: Callable[[str], bool], depth: int, prefix: str = "") -> Iterator[Seen]:
    """Every entry below a folder but the folders themselves, in sorted order. `enter` decides by path whether a folder
    is walked into. Folders deeper than `depth` come as kind `deep`."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries)
    for name in names:
        path = prefix + name
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            yield Seen(path, "unreadable", 0, False, folder, name)
            continue
        if not stat.S_ISDIR(status.st_mode):
            kind = "file" if stat.S_ISREG(status.st_mode) else "link" if stat.S_ISLNK(status.st_mode) else "other"
            yield Seen(path, kind, status.st_size, bool(status.st_mode & 0o111), folder, name)
        elif enter(path):
            yield from _inside(folder, name, path, enter, depth)


def _inside(folder: int, name: str, path: str, enter: Callable[[str], bool], depth: int) -> Iterator[Seen]:
    if depth <= 0:
        yield Seen(path, "deep", 0, False, folder, name)
        return
    try:
        inner = os.open(name, _FOLDER, dir_fd=folder)
    except OSError:
        yield Seen(path, "unreadable", 0, False, folder, name)
        return
    try:
        yield from walk(inner, enter, depth - 1, path + "/")
    finally:
        os.close(inner)


def read(seen: Seen, limit: int) -> bytes | None:
    """The bytes of a regular file, or none where it is no longer one or holds more than `limit` bytes.

    Raises `OSError` where it cannot be read."""
    try:
        file = _opened(os.open(seen.name, _FILE, dir_fd=seen.parent))
    except ValueError:
        return None
    with file:
        data = file.read(limit + 1)
    return data if len(data) <= limit else None


def file_digest(seen: Seen) -> str:
    """SHA-256 of a regular file, read in pieces. Raises `OSError`, and `ValueError` where it is none any more."""
    with _opened(os.open(seen.name, _FILE, dir_fd=seen.parent)) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_named(path: Path, limit: int) -> bytes | None:
    """The bytes of a regular file that the user named, or none where it holds more than `limit` bytes.

    Raises `OSError`, and `ValueError` for a folder, pipe, socket or device."""
    with _opened(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)) as file:
        data = file.read(limit + 1)
    return data if len(data) <= limit else None


def _opened(handle: int) -> BufferedReader:
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ValueError("it is not a regular file")
    return os.fdopen(handle, "rb")


def write(root: Path, path: str, data: bytes, executable: bool) -> None:
    """Put a file into a fresh folder of ours, readable by everyone whatever the umask is."""
    target = root / path
    make_folders(root, target.parent)
    with target.open("xb") as file:
        file.write(data)
        os.fchmod(file.fileno(), 0o755 if executable else 0o644)


def make_folders(root: Path, folder: Path) -> None:
    """Make a folder below `root` and those above it, readable by everyone."""
    if folder == root or folder.is_dir():
        return
    make_folders(root, folder.parent)
    folder.mkdir()
    folder.chmod(0o755)
