"""A folder that exists on both sides: what one side writes into it is told to the other.

`Mirror` is used by both; the trusted side gives every path and size that arrives a check of its own (`check`).
"""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

import binascii
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_FILES = 2000
MAX_BYTES = 8 << 20
"""Of all files that cross at once."""
MAX_TOTAL = 64 << 20
"""Bytes of all files in the folder."""
MAX_DEPTH = 40
"""Folders inside folders."""
_DIRECTORY, _REGULAR, _LINK, _KIND = 0o040000, 0o100000, 0o120000, 0o170000


class Full(RuntimeError):
    """The other side told of what the folder may not hold; nothing of it was written."""


class Mirror:
    """The state of the folder as both sides know it."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[str, Any] = {}
        make_folders(root)

    def changes(self) -> dict[str, str | int | None]:
        """What changed since the last time: path → base64 content, 0 for a folder, `None` where it is gone."""
        now: dict[str, Any] = {}
        self._scan("", now)
        if sum(state[1] for state in now.values() if state) > MAX_TOTAL:
            raise OverflowError(f"more than {MAX_TOTAL >> 20} MiB in the temporary folder cannot cross")
        changed: dict[str, str | int | None] = {}
        size = 0
        for path, state in now.items():
            if self._known.get(path) == state:
                continue
            if state == 0:
                changed[path] = 0
                continue
            data = _read(f"{self._root}/{path}")
            size += len(data)
            if size > MAX_BYTES:
                raise OverflowError(f"more than {MAX_BYTES >> 20} MiB in the temporary folder cannot cross")
            changed[path] = binascii.b2a_base64(data, newline=False).decode()
        for path in self._known:
            if path not in now:
                changed[path] = None
        self._known = now
        return changed

    def apply(self, changed: dict[str, Any], cwd: str | None = None) -> None:
        """Make the same changes here. Raises `Full`."""
        self._check_room(changed)
        for path in changed:
            self._refuse_links(path)
        for path in sorted(changed, reverse=True):
            # What was a file may be a folder now, and the other way round.
            before = self._known.get(path)
            content = changed[path]
            if content is None or (before is not None and (before == 0) != (content == 0)):
                _remove(f"{self._root}/{path}")
        for path in sorted(changed):
            content = changed[path]
            if content == 0:
                make_folders(f"{self._root}/{path}")
            elif content is not None:
                _write(f"{self._root}/{path}", binascii.a2b_base64(content))
        if changed:
            self._known = {}
            self._scan("", self._known)
        if cwd is not None:
            posix.chdir(cwd)

    def _refuse_links(self, path: str) -> None:
        """A link leads out of the folder; who made it is not asked. Raises `Full`, as nothing was written."""
        above = self._root
        for part in path.split("/")[:-1]:
            above = f"{above}/{part}"
            try:
                kind = posix.lstat(above).st_mode & _KIND
            except OSError:
                return
            if kind == _LINK:
                raise Full("the submission wrote through a link in the temporary folder")

    def _check_room(self, changed: dict[str, Any]) -> None:
        after = {path: state[1] if state else 0 for path, state in self._known.items()}
        for path, content in changed.items():
            if content is None:
                after.pop(path, None)
                continue
            after[path] = 3 * len(content) // 4 if content else 0
            folder = path.rpartition("/")[0]
            while folder and folder not in after:
                after[folder] = 0
                folder = folder.rpartition("/")[0]
            if len(after) > MAX_FILES:
                raise Full(f"the submission made more than {MAX_FILES} files in the temporary folder")
        if sum(after.values()) > MAX_TOTAL:
            raise Full(f"the submission wrote more than {MAX_TOTAL >> 20} MiB into the temporary folder")

    def _scan(self, below: str, found: dict[str, Any]) -> None:
        with posix.scandir(f"{self._root}/{below}" if below else self._root) as entries:
            for entry in entries:
                if len(found) >= MAX_FILES:
                    raise OverflowError(f"more than {MAX_FILES} files in the temporary folder cannot cross")
                path = f"{below}/{entry.name}" if below else entry.name
                state = entry.stat(follow_symlinks=False)
                if state.st_mode & _KIND == _DIRECTORY:
                    if path.count("/") >= MAX_DEPTH:
                        raise OverflowError(f"folders more than {MAX_DEPTH} deep in the temporary folder cannot cross")
                    found[path] = 0
                    self._scan(path, found)
                elif state.st_mode & _KIND == _REGULAR:
                    found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)


def check(changed: Any) -> dict[str, Any]:
    """The changes that the other side told, or `ValueError`: relative plain paths, bounded in number and size."""
    if type(changed) is not dict or len(changed) > 2 * MAX_FILES:
        raise ValueError("files expected")
    size = 0
    for path, content in changed.items():
        parts = path.split("/")
        if len(path) > 10_000 or len(parts) > MAX_DEPTH + 1 or "\0" in path:
            raise ValueError("path within bounds expected")
        if any(part in ("", ".", "..") for part in parts):
            raise ValueError("relative path expected")
        if content is None or content == 0:
            continue
        if type(content) is not str:
            raise ValueError("content expected")
        binascii.a2b_base64(content, strict_mode=True)
        size += len(content)
    if size > 2 * MAX_BYTES:
        raise ValueError("too much data")
    return changed


def make_folders(path: str) -> None:
    """Make a folder and those above it."""
    try:
        posix.mkdir(path)
    except FileExistsError:
        return
    except FileNotFoundError:
        make_folders(path.rpartition("/")[0])
        posix.mkdir(path)


def _read(path: str) -> bytes:
    fd = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    try:
        data = bytearray()
        while len(data) <= MAX_BYTES and (part := posix.read(fd, 1 << 20)):
            data += part
        return bytes(data)
    finally:
        posix.close(fd)


def _write(path: str, data: bytes) -> None:
    make_folders(path.rpartition("/")[0])
    fd = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW, 0o644)
    try:
        while data:
            data = data[posix.write(fd, data) :]
    finally:
        posix.close(fd)


def _remove(path: str) -> None:
    try:
        posix.unlink(path)
    except IsADirectoryError:
        with posix.scandir(path) as entries:
            names = [entry.name for entry in entries]
        for name in names:
            _remove(f"{path}/{name}")
        posix.rmdir(path)
    except FileNotFoundError:
        return
